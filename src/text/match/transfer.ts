import { alignEqual } from "./diff.js";
import { shiftIndent, type IndentShift } from "./indent.js";
import { partsOf, type Line, type LineEnd } from "./lines.js";
import { foldLookAlikes } from "./lookAlikes.js";
import { transferBody } from "./transferBody.js";
import { pairLines } from "./pairs.js";

/**
 * A change from old to new lines, to be applied to found lines that equal the old ones apart from what a tier ignores.
 */
export interface Transfer {
  /** As many as `old`. */
  found: readonly Line[];
  old: readonly Line[];
  new: readonly Line[];
  shift: IndentShift;
  /** Line ending of new lines if the found lines have none to copy; empty to keep theirs. */
  fallbackEnd: LineEnd;
}

/**
 * Applies a change to found lines. Whatever old and new have in common stays as found, byte for byte, except trailing
 * whitespace of a changed line, which stays only if the new text has some there, too. New lines take the found
 * indentation, and the line ending of the line they replace or of the one before.
 *
 * @returns undefined if it is unclear which parts stay: the change is too large, or new lines lack the indentation that
 * the shift would remove
 */
export function transferChange({ found, old, new: changed, shift, fallbackEnd }: Transfer): Line[] | undefined {
  const origins = originsOf(old, changed, found);
  if (!origins) {
    return undefined;
  }
  const result: Line[] = [];
  const endOf = endsFor(found, fallbackEnd);
  for (const [index, { content, end }] of changed.entries()) {
    const origin = origins[index];
    const given = origin?.kind === "new" ? shiftLine(content, shift) : transferLine(origin, content, found, old, shift);
    if (given === undefined) {
      return undefined;
    }
    result.push({ content: given, end: end === "" ? "" : endOf(origin?.index, end) });
  }
  return keepLinesApart(result);
}

/** A new line's origin: a found line that `stays`, one that was `edited`, or `new` in place of one, if any. */
type Origin = { kind: "stays" | "edited"; index: number } | { kind: "new"; index: number | undefined };

function originsOf(old: readonly Line[], changed: readonly Line[], found: readonly Line[]): Origin[] | undefined {
  const stays = alignEqual(
    old.map(({ content }) => content),
    changed.map(({ content }) => content),
  );
  if (!stays) {
    return undefined;
  }
  const origins: Origin[] = [];
  let oldFrom = 0;
  while (origins.length < changed.length) {
    const from = origins.length;
    const index = stays[from] ?? -1;
    if (index === oldFrom) {
      origins.push({ kind: "stays", index });
      oldFrom++;
      continue;
    }
    // A block of old lines is replaced by a block of new ones; either may be empty.
    let to = from;
    while (to < changed.length && (stays[to] ?? -1) < 0) {
      to++;
    }
    const oldTo = to < changed.length ? (stays[to] ?? old.length) : old.length;
    const partners = pairLines(old.slice(oldFrom, oldTo), changed.slice(from, to), found.slice(oldFrom, oldTo));
    for (let at = from; at < to; at++) {
      const partner = partners[at - from] ?? -1;
      const inPlaceOf = oldFrom + at - from;
      origins.push(
        partner >= 0
          ? { kind: "edited", index: oldFrom + partner }
          : { kind: "new", index: inPlaceOf < oldTo ? inPlaceOf : undefined },
      );
    }
    oldFrom = oldTo;
  }
  return origins;
}

function transferLine(
  origin: Origin | undefined,
  content: string,
  found: readonly Line[],
  old: readonly Line[],
  shift: IndentShift,
): string | undefined {
  const wasOld = old[origin?.index ?? -1]?.content;
  const wasFound = found[origin?.index ?? -1]?.content;
  if (wasOld === undefined || wasFound === undefined) {
    return undefined;
  }
  if (content === wasOld) {
    return wasFound;
  }
  const [oldParts, newParts, foundParts] = [looseParts(wasOld), looseParts(content), looseParts(wasFound)];
  if (newParts.body === "" || oldParts.body === "") {
    return shiftLine(content, shift);
  }
  const indent = newParts.indent === oldParts.indent ? foundParts.indent : shiftIndent(shift, newParts.indent);
  const body = transferBody(foundParts.body, oldParts.body, newParts.body);
  // If the new text rewrites a line without trailing whitespace, none is added; if both texts have some, the file's own
  // stays.
  const trailing =
    newParts.trailing !== "" && newParts.trailing === oldParts.trailing ? foundParts.trailing : newParts.trailing;
  return indent === undefined || body === undefined ? undefined : indent + body + trailing;
}

/** Returns a line's parts, treating look-alikes of a space as whitespace. */
function looseParts(content: string): { indent: string; body: string; trailing: string } {
  const { indent, body } = partsOf(foldLookAlikes(content));
  const to = indent.length + body.length;
  return {
    indent: content.slice(0, indent.length),
    body: content.slice(indent.length, to),
    trailing: content.slice(to),
  };
}

/** Returns a line of the new text with the found lines' indentation. Blank lines have none to shift. */
export function shiftLine(content: string, shift: IndentShift): string | undefined {
  const { indent, body, trailing } = partsOf(content);
  if (body === "") {
    return content;
  }
  const shifted = shiftIndent(shift, indent);
  return shifted === undefined ? undefined : shifted + body + trailing;
}

/**
 * Returns a function that picks a line ending: that of the replaced line, or else the last one used, or else the first
 * found.
 */
function endsFor(found: readonly Line[], fallbackEnd: LineEnd): (index: number | undefined, own: LineEnd) => LineEnd {
  let last = found.find(({ end }) => end !== "")?.end ?? fallbackEnd;
  return (index, own) => {
    const replaced = index === undefined ? "" : (found[index]?.end ?? "");
    last = replaced === "" ? last : replaced;
    return last === "" ? own : last;
  };
}

/** Keeps `\r` and `\n` apart: with an empty line between them, two line endings would become one. */
function keepLinesApart(lines: Line[]): Line[] {
  for (const [index, line] of lines.entries()) {
    if (line.content === "" && line.end === "\n" && lines[index - 1]?.end === "\r") {
      line.end = "\r";
    }
  }
  return lines;
}
