import { declaredIn } from "./locate.js";
import { textOf } from "./sourceLines.js";
import type { Code, CodeSymbol } from "../../../ports/code.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { shorten } from "../../../text/clip.js";
import { declarationLines } from "../../../text/symbolEdits.js";
import { TextPlaces } from "../../../text/textPlaces.js";

/** How long a reader waits for an outline, in ms: a server that starts takes longer, and the text is what was asked for. */
const OUTLINE_LIMIT = 1_500;
/** Maximum symbols of an outline, and characters of a line of it. */
const MAX_SYMBOLS = 60;
const MAX_LINE = 100;

/** Returns the lines of a symbol's declaration, with the comments above it. */
export async function linesOfSymbol(
  symbol: string,
  at: GatedPath,
  given: { code: Code; files: Files; signal: AbortSignal },
): Promise<{ offset: number; limit: number }> {
  const { declared, parts } = await declaredIn({ symbol }, at, given);
  const text = new TextPlaces(await textOf(given.files, at, given.signal));
  const lines = (part: CodeSymbol): { top: number; last: number } =>
    declarationLines(text, part.range, part.nameAt.line, at.path);
  const { last, ...first } = lines(declared);
  let { top } = first;
  // The other declarations of one function, and the other part of a property, stand above it.
  for (const part of parts.filter((each) => each !== declared).toReversed()) {
    const above = lines(part);
    if (above.last < top && isBlankBetween(text, above.last, top)) {
      top = above.top;
    }
  }
  return { offset: top, limit: last - top + 1 };
}

function isBlankBetween(text: TextPlaces, above: number, below: number): boolean {
  return Array.from({ length: below - above - 1 }, (_, index) => text.line(above + 1 + index) ?? "").every(
    (line) => line.trim() === "",
  );
}

/** Returns the outline of a file that is longer than a page; undefined if it is not known soon, or there is none. */
export async function outlineOf(
  at: GatedPath,
  { code, files, signal }: { code: Code; files: Files; signal: AbortSignal },
): Promise<string | undefined> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(OUTLINE_LIMIT)]);
  try {
    const answer = await code.outline(at, until);
    if (answer.state !== "answered" || answer.value.length === 0) {
      return undefined;
    }
    const shown = mostOf(answer.value);
    const text = new TextPlaces(await textOf(files, at, until));
    const lines = shown.map(({ container, nameAt, range }) => {
      const last = range.end.line > nameAt.line ? `-${range.end.line}` : "";
      return `${"  ".repeat(container.length)}${nameAt.line}${last} ${shorten(text.line(nameAt.line)?.trim() ?? "", MAX_LINE)}`;
    });
    const rest = answer.value.length - shown.length;
    return ["[Outline:", ...lines, `${rest > 0 ? `and ${rest} more. ` : ""}Read a part with symbol or offset.]`].join(
      "\n",
    );
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Takes as many levels of symbols as there is room for. */
function mostOf(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  for (const depth of [Number.POSITIVE_INFINITY, 2, 1]) {
    const some = symbols.filter(({ container }) => container.length < depth);
    if (some.length <= MAX_SYMBOLS) {
      return some;
    }
  }
  return symbols.filter(({ container }) => container.length === 0).slice(0, MAX_SYMBOLS);
}
