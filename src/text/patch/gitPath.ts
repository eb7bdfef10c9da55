/** Prefix of a side's path in a git diff. */
const OLD_PREFIX = "a/";
const NEW_PREFIX = "b/";

/** The two paths of a diff; null for /dev/null, undefined for a path that cannot be read. */
export interface PathPair {
  old: string | null;
  new: string | null;
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/**
 * Maximum characters of two quoted paths: no file system allows longer ones, and a byte takes up to four characters.
 */
const MAX_QUOTED = 40_000;

/**
 * Reads a path as quoted by git: `"tab\there/\303\244.txt"` has UTF-8 bytes in octal.
 *
 * @returns the path and the text after it; undefined if the quotes are not closed or the bytes are not UTF-8
 */
export function readQuoted(text: string): { path: string; rest: string } | undefined {
  const bytes: number[] = [];
  let at = 1;
  if (text.length > MAX_QUOTED) {
    return undefined;
  }
  while (at < text.length && text[at] !== '"') {
    const [matched, octal, letter] =
      /^(?:\\([0-3][0-7]{2})|\\([abtnvfr"\\])|[^\\])/u.exec(text.slice(at, at + 4)) ?? [];
    if (matched === undefined) {
      return undefined;
    }
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
    } else if (letter !== undefined) {
      bytes.push(ESCAPES[letter] ?? 0);
    } else {
      bytes.push(...new TextEncoder().encode(matched));
    }
    at += matched.length;
  }
  if (at >= text.length) {
    return undefined;
  }
  try {
    return {
      path: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)),
      rest: text.slice(at + 1),
    };
  } catch {
    return undefined;
  }
}

/** Reads the path after `--- ` or `+++ `, without the timestamp that diff appends; null for /dev/null. */
export function readFileName(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('"')) {
    return readQuoted(trimmed)?.path;
  }
  const path = (text.split("\t")[0] ?? "").trim().replace(/ \d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$/, "");
  return path === "/dev/null" ? null : path;
}

/** Reads the two paths of a `diff --git` line, which separates them by a space but does not quote spaces. */
export function readGitPaths(text: string): PathPair | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('"')) {
    const first = readQuoted(trimmed);
    const second = first?.rest.trim() ?? "";
    const path = second.startsWith('"') ? readQuoted(second)?.path : second;
    return first && path ? { old: first.path, new: path } : undefined;
  }
  if (trimmed.endsWith('"')) {
    const quote = trimmed.indexOf(' "');
    const second = quote < 0 ? undefined : readQuoted(trimmed.slice(quote + 1));
    return second && { old: trimmed.slice(0, quote), new: second.path };
  }
  // Both paths are the same unless the file is renamed, and then other lines name it.
  const middle = (trimmed.length - 1) / 2;
  const halves = { old: trimmed.slice(0, middle), new: trimmed.slice(middle + 1) };
  if (trimmed[middle] === " " && (halves.old === halves.new || halves.old.slice(2) === halves.new.slice(2))) {
    return halves;
  }
  const words = trimmed.split(" ");
  return words.length === 2 ? { old: words[0] ?? "", new: words[1] ?? "" } : undefined;
}

/** Removes `a/` and `b/` if both sides have them; a side that is /dev/null has none. */
export function withoutPrefixes(paths: PathPair): PathPair {
  const isPrefixed =
    (paths.old === null || paths.old.startsWith(OLD_PREFIX)) &&
    (paths.new === null || paths.new.startsWith(NEW_PREFIX));
  return isPrefixed
    ? { old: paths.old?.slice(OLD_PREFIX.length) ?? null, new: paths.new?.slice(NEW_PREFIX.length) ?? null }
    : paths;
}
