// What a call is about, in a list of calls: its input as JSON is for machines.
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";

/** Maximum characters of a subject. */
const MAX_SUBJECT = 120;
/** A text of which the log kept the beginning (core/pipeline/activity.ts). */
const CUT = /^(".*") \(and \d+ more characters\)$/s;
/** The lines of a patch that name a file. */
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/**
 * Returns the first text of an input, which says what the call is about: a path, a command, a pattern. Of a patch, it
 * is its files. It may be cut.
 *
 * @param json the input, which may be cut
 */
export function loggedSubject(json: string): string {
  const [, quoted] = /[:[{]\s*("(?:[^"\\]|\\.)*")(?!\s*:)/.exec(json) ?? [];
  if (quoted === undefined) {
    return "";
  }
  try {
    const kept = String(JSON.parse(quoted));
    const [, start] = CUT.exec(kept) ?? [];
    const text = start === undefined ? kept : String(JSON.parse(start));
    return visibleLine(shorten(oneLine(filesOfPatch(text, start !== undefined) ?? text), MAX_SUBJECT));
  } catch {
    return "";
  }
}

function filesOfPatch(text: string, isCut: boolean): string | undefined {
  const paths = text.startsWith("*** Begin Patch")
    ? [...text.matchAll(PATCHED)].map(([, path = ""]) => path.trim())
    : [];
  // How many files a patch has that is not kept whole is not known.
  return paths.length === 0 ? undefined : [...new Set(paths), ...(isCut ? ["…"] : [])].join(", ");
}
