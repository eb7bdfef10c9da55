import { ToolError } from "../../core/errors.js";
import type { PartsBefore } from "../../ports/changes.js";
import { lineMap } from "../../text/diff/lineMap.js";
import { replaceText, type Replaced, type Replacing } from "./replaceText.js";

/** Works out a change by quotes. If a text was not found in a file that has changed since it was read, says that. */
export function orStale<T>(parts: PartsBefore, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolError && (error.type === "no_match" || error.type === "not_unique")) {
      parts.check(undefined);
    }
    throw error;
  }
}

/**
 * Plans a replacement in a file's text, as `replaceText` does, where the session knows the text that it replaces.
 *
 * @throws ToolError those of `replaceText`; `must_read`, `stale`
 */
export function replaceKnown(
  where: string,
  parts: PartsBefore,
  input: Replacing,
): Replaced & { since: string | undefined } {
  const replaced = orStale(parts, () => replaceText(where, parts.before.text, input));
  const since = parts.check(replaced.places.map((place) => ({ ...place, quoted: replaced.isQuoted })));
  return { ...replaced, since };
}

/**
 * Returns the places of an edit as lines of the file, without those that earlier edits of the same call wrote.
 *
 * @param now the text that the edit was applied to
 */
export function placesInFile(
  { before }: PartsBefore,
  now: string,
  { places, isQuoted }: Replaced,
): { startLine: number; endLine: number; quoted: boolean }[] {
  const map = now === before.text ? undefined : lineMap(now, before.text);
  return places.flatMap(({ startLine, endLine }) => {
    const lines = Array.from({ length: endLine - startLine + 1 }, (_, index) =>
      map === undefined ? startLine + index : map.toAfter(startLine + index),
    ).filter((line) => line !== undefined);
    const [first, last] = [lines[0], lines.at(-1)];
    return first === undefined || last === undefined ? [] : [{ startLine: first, endLine: last, quoted: isQuoted }];
  });
}
