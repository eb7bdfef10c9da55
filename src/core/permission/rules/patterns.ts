import { Minimatch } from "minimatch";

/** Maximum number of alternatives that one pattern's braces may expand to. */
const MAX_BRACES = 200;

/** Whether a pattern matches a text; `*` matches any number of any characters. */
export function matchesText(pattern: string, text: string): boolean {
  return matchesParts(pattern.split("*"), text);
}

/** Whether a text consists of these parts in this order, with anything between them. Reads the text once. */
export function matchesParts([first = "", ...rest]: readonly string[], text: string): boolean {
  const last = rest.pop();
  if (last === undefined) {
    return text === first;
  }
  if (!text.startsWith(first) || text.length < first.length + last.length) {
    return false;
  }
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) {
      return false;
    }
    at = found + part.length;
  }
  return text.endsWith(last);
}

/** A glob over paths: `*` within a name, `**` across folders, `?`, `[a-z]`, `{a,b}`. */
export interface PathPattern {
  /** Whether it names exactly one file. */
  literal: boolean;
  /** @param fold ignore case: for rules that must not be circumvented */
  matches(path: string, fold: boolean): boolean;
  /** The folder that contains everything it matches, `.` for the workspace; the file itself if it is literal. */
  base: string;
  /** Whether it matches nothing, since all that it means is in folders that the caller does not see. */
  isElsewhere?: true;
}

/** A glob's sign that means itself. */
const ESCAPED = /\\([*?[\]{}\\])/g;

/** Returns the glob that matches exactly this path. */
export function escapedPath(path: string): string {
  return path.replaceAll(/[*?[\]{}\\]/g, "\\$&");
}

/**
 * Parses a glob over paths: a backslash before a sign of globs takes its meaning away. Globs that begin with `/`, a drive or `~` are for files outside the workspace, all others
 * for those inside.
 */
export function pathPattern(glob: string): PathPattern {
  const plain = glob.replace(/^(\.\/)+/, "").replace(/\/$/, "/**");
  const exact = matcher(plain, false);
  const folded = foldedMatcher(plain);
  const segments = plain.split("/");
  const magic = segments.findIndex((segment) => /[*?[\]{}\\]/.test(segment.replaceAll(ESCAPED, "")));
  const named = (part: readonly string[]): string => part.join("/").replaceAll(ESCAPED, "$1");
  const isOutside = isAbsolutePattern(plain);
  // A pattern for everything below a folder also covers the folder itself.
  const folder = plain.endsWith("/**")
    ? { exact: matcher(plain.slice(0, -3), false), folded: foldedMatcher(plain.slice(0, -3)) }
    : undefined;
  return {
    literal: magic < 0,
    base: magic < 0 ? named(segments) : named(segments.slice(0, magic)) || (isOutside ? "/" : "."),
    matches: (path, fold) =>
      (isAbsolutePattern(path) === isOutside || (fold && path.startsWith("~"))) &&
      (path === "."
        ? plain === "." || plain === "**"
        : fold
          ? folded(path) || folder?.folded(path) === true
          : exact.match(path) || folder?.exact.match(path) === true),
  };
}

/** A folder as rules name it, and where it is for a caller: `.` is all that the caller sees. */
export interface SeenFolder {
  name: string;
  at: string;
}

/** Returns a pattern for callers that see only these folders of a workspace, by paths without the folders' names. */
export function underFolders(pattern: PathPattern, folders: readonly SeenFolder[]): PathPattern {
  const bases = folders.flatMap(({ name, at }) => {
    const base = below(pattern.base, name);
    return base === undefined ? [] : [at === "." ? base : base === "." ? at : `${at}/${base}`];
  });
  const [base] = isAbsolutePattern(pattern.base) || pattern.base === "." ? [pattern.base] : bases;
  if (base === undefined) {
    return { ...pattern, matches: () => false, isElsewhere: true };
  }
  return {
    literal: pattern.literal,
    // Two folders, one in the other, have the same files.
    base: bases.length > 1 ? "." : base,
    matches: (path, fold) => {
      // A path with `~` in front may be of a user's home, and of a file with that name: a rule that denies holds for both.
      const isAbsolute = isAbsolutePattern(path);
      return (
        (isAbsolute && pattern.matches(path, fold)) ||
        ((!isAbsolute || (fold && path.startsWith("~"))) &&
          folders.some((folder) => {
            const named = nameIn(folder, path);
            return named !== undefined && pattern.matches(named, fold);
          }))
      );
    },
  };
}

/** Returns a caller's path with the name of a folder that contains it; undefined if it is elsewhere. */
function nameIn({ name, at }: SeenFolder, path: string): string | undefined {
  return path === at
    ? name
    : at === "."
      ? `${name}/${path}`
      : path.startsWith(`${at}/`)
        ? name + path.slice(at.length)
        : undefined;
}

/** Returns a path below a folder, in whatever case: rules that deny ignore it. Undefined if it is elsewhere. */
function below(path: string, folder: string): string | undefined {
  const [start, rest] = [path.slice(0, folder.length), path.slice(folder.length)];
  return start.toLowerCase() !== folder.toLowerCase()
    ? undefined
    : rest === ""
      ? "."
      : rest.startsWith("/")
        ? rest.slice(1)
        : undefined;
}

/** Whether a path, or a pattern of paths, is outside the workspace, in the form that rules use. */
function isAbsolutePattern(path: string): boolean {
  return /^(?:[/~]|[A-Za-z]:[\\/])/.test(path);
}

function matcher(glob: string, nocase: boolean): Minimatch {
  // Extended globs can take exponential time.
  return new Minimatch(glob, {
    dot: true,
    nocase,
    nocomment: true,
    nonegate: true,
    noext: true,
    braceExpandMax: MAX_BRACES,
  });
}

/**
 * Returns a test of paths that ignores case and how accents are composed: for macOS `é` and `e` with an accent are one
 * name, and a path may be given, or be stored, in either form.
 */
function foldedMatcher(glob: string): (path: string) => boolean {
  const asWritten = matcher(glob, true);
  const composed = matcher(glob.normalize("NFC"), true);
  return (path) => asWritten.match(path) || composed.match(path.normalize("NFC"));
}

/** Whether an address has the origin that a pattern names (`https://*.example.com`), and is below any path it names. */
export function matchesUrl(pattern: string, url: string): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { origin, pathname, search } = new URL(url);
  const [, patternOrigin = pattern, below = ""] = /^([a-z*]+:\/\/[^/]*)(\/.*)?$/i.exec(pattern) ?? [];
  return (
    matchesText(patternOrigin.toLowerCase(), origin) &&
    (below === "" || below === "/" || matchesText(below, pathname + search))
  );
}
