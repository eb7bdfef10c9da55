// What of a text is content of its file, and what is a name that everybody may know.
import { hasMadePart } from "../secrets/made.js";

/** Words from which a text says something. */
const MIN_WORDS = 3;
/** Digits in a row that are no version, date or line number. */
const LONG_NUMBER = /\d{9}/;
/** Hashes of commits and images, ids: they say nothing, and are looked up by them. */
const HASH = /\b(?:[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/gi;
const WORD = /[\p{L}\p{N}_./@\\+-]+/gu;
/** Letters of languages that write words without spaces between them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/gu;
/** As many of these say as much as three words. */
const MIN_UNSPACED = 12;

/** Lines that name what others publish: imports. */
const NAMES_PACKAGES =
  /^\s*(?:import\b|export\b.{0,200}\bfrom\b|from\s+\S+\s+import\b|(?:const|let|var)\b.{0,200}=\s*(?:await\s+)?(?:require|import)\(|require(?:_relative)?\b|#\s*include\b|using\s+[\w.]+\s*;|use\s+[\w:]+|package\s+[\w.]+;?\s*$)/;
/** Lines that report an error, as people search for them. */
const REPORTS =
  /\b(?:\w*(?:error|exception|warning)|err|fatal|panic|fail(?:ed|ure|s)?|cannot|could not|unable|undefined|unexpected|not found|no such|denied|invalid|missing|unresolved|deprecated|timed out)\b/i;
/** Characters of such a line. */
const MAX_REPORT = 400;
/** The number before a line, as `read` and `grep` show it. */
const LINE_NUMBER = /^ *\d+(?:\t|[:|] ?)/;

/**
 * Whether a part of a text is content of it, not only a name: of a file, package or function, an address, a version, a
 * hash.
 */
export function isContent(part: string): boolean {
  const rest = part.replaceAll(HASH, " ");
  if (LONG_NUMBER.test(rest) || hasMadePart(rest)) {
    return true;
  }
  const words = (rest.match(WORD) ?? []).filter((word) => /\p{L}{2}/u.test(word) && !/[/\\]/.test(word));
  return new Set(words).size >= MIN_WORDS || (rest.match(UNSPACED)?.length ?? 0) >= MIN_UNSPACED;
}

/** Returns what of a result may be private: without line numbers, imports and, of a command, the errors it reports. */
export function privateText(text: string, isOfCommand: boolean): string {
  return text
    .split("\n")
    .map((line) => line.replace(LINE_NUMBER, ""))
    .filter((line) => !NAMES_PACKAGES.test(line) && !(isOfCommand && line.length <= MAX_REPORT && REPORTS.test(line)))
    .join("\n");
}
