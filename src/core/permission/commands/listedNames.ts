import type { Listed } from "../../../shell/analysis.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { matchesParts } from "../rules/patterns.js";
import { looseParts } from "./namePatterns.js";

/** Characters that split a name into several words, or change it, before the next command gets it. */
const PARTED = { none: /[\r\n]/, blanks: /[\s'"\\]/, patterns: /[\s'"\\]/ } as const;

/** Characters for which git quotes a name (quote.c): everything except plain ASCII, and quotes and backslashes. */
const QUOTED_BY_GIT = /[^ !#-[\]-~]/;

/** Maximum length of a name in a reason, in characters. */
const MAX_NAME = 60;

/** Decides which names below a place a listing prints. If in doubt, a name counts as printed. */
export class ListedNames {
  readonly byGit: boolean;
  readonly #listed: Listed;
  readonly #parted: RegExp;
  /** Whether quotes in a name may lead to a file outside the place, or with another extension. */
  readonly #isQuoted: boolean;

  constructor(listed: Listed) {
    this.byGit = listed.byGit === true;
    this.#listed = listed;
    this.#parted = PARTED[listed.parting ?? "none"];
    this.#isQuoted = listed.quoted === true && (listed.names !== undefined || listed.bare !== true);
  }

  /**
   * Whether the listing enters a folder, and so may print its files.
   * @param printed its path in each form in which the listing may print it
   * @param depth how many folders are above it, counted from the place
   */
  goesInto(name: string, printed: readonly string[], depth: number): boolean {
    const { depth: most, except = [], shownOnly } = this.#listed;
    if (most !== undefined && depth + 1 > most) {
      return false;
    }
    // A pattern that ends in a star matches everything below a folder if it matches the folder's path with a slash.
    const isLeftOut = except.some(({ of, pattern }) =>
      of === "below"
        ? wildcard(pattern, name, true)
        : of === "path" && pattern.endsWith("*") && printed.every((path) => wildcard(pattern, `${path}/`, true)),
    );
    return !isLeftOut && !(shownOnly === true && name.startsWith("."));
  }

  /** Whether the listing prints a name. */
  has(name: string, printed: readonly string[], link: boolean): boolean {
    const { names, except = [], regular, shownOnly } = this.#listed;
    if ((link && regular === true) || (shownOnly === true && name.startsWith("."))) {
      return false;
    }
    const isLeftOut = except.some(
      ({ of, pattern }) =>
        of !== "below" && (of === "name" ? [name] : printed).every((text) => wildcard(pattern, text, true)),
    );
    return !isLeftOut && (names === undefined || names.some((pattern) => wildcard(pattern, name, false)));
  }

  /**
   * Returns why the next command may misread a name in the index; undefined if none is, or if only existing names are
   * listed.
   * @param paths of everything in the index, relative to git's folder; absolute in other folders
   */
  oddOfGit(paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const parts = path.split("/");
      const odd = this.has(parts.at(-1) ?? "", [path], false)
        ? (this.oddFirst(path) ?? parts.map((part) => this.odd(part)).find((each) => each !== undefined))
        : undefined;
      if (odd !== undefined) {
        return odd;
      }
    }
    return undefined;
  }

  /** The source of git's names, if a name that does not exist may be misread. */
  get from(): "index" | "commits" | undefined {
    const { from, parting = "none" } = this.#listed;
    return parting === "none" && !this.#isQuoted ? undefined : from;
  }

  /** Whether the shell reads a name as a pattern, which its siblings may match instead. */
  isPattern(name: string): boolean {
    return this.#listed.parting === "patterns" && /[*?[]/.test(name);
  }

  /** Whether anything is excluded by its path. */
  get leavesOut(): boolean {
    return (this.#listed.except ?? []).length > 0;
  }

  /** Returns why the next command may misread a name; undefined if it cannot. */
  odd(name: string): string | undefined {
    return this.#parted.test(name) ||
      (this.#isQuoted && QUOTED_BY_GIT.test(name)) ||
      (this.#listed.colons === true && name.includes(":"))
      ? oddName(name)
      : undefined;
  }

  /**
   * Like `odd`, for the matches of a shell pattern. A name that is itself a pattern is odd if its path is not the
   * file's real path.
   * @param files the files that it matches
   */
  oddMatch(pattern: string, files: readonly { path: string; realPath: string }[]): string | undefined {
    for (const { path, realPath } of files) {
      const names = matchedNames(pattern, path);
      const isFirst = !pattern.includes("/");
      const odd = names
        .map((name) => (isFirst ? this.oddFirst(name) : this.odd(name)))
        .find((each) => each !== undefined);
      if (odd !== undefined || (path !== realPath && names.some((name) => this.isPattern(name)))) {
        return odd ?? oddName(path);
      }
    }
    return undefined;
  }

  /** Whether the shell reads a pattern's match as a pattern again. */
  isMatchPattern(pattern: string, path: string): boolean {
    return matchedNames(pattern, path).some((name) => this.isPattern(name));
  }

  /** Like `odd`, for a name that may come first in a word, where it may be an option. */
  oddFirst(name: string): string | undefined {
    return this.odd(name) ?? (this.#listed.bare === true && !/^[\p{L}\p{N}_.]/u.test(name) ? oddName(name) : undefined);
  }
}

/** Returns a listing of everything at a listed place. */
export function anyOf({ bare, byGit, from, quoted, parting, colons }: Listed): Listed {
  return {
    ...(from === undefined ? {} : { from }),
    ...(quoted === true ? { quoted } : {}),
    ...(bare === true ? { bare } : {}),
    ...(byGit === true ? { byGit } : {}),
    ...(parting === undefined ? {} : { parting }),
    ...(colons === true ? { colons } : {}),
  };
}

/** Returns the listing without its excluded paths: if the place is a pattern, the printed paths are unknown. */
export function withoutPaths({ except = [], ...listed }: Listed): Listed {
  return { ...listed, except: except.filter(({ of }) => of !== "path") };
}

/** Returns the last names of a path: from the first that the pattern does not fix. Empty if it fixes all. */
function matchedNames(pattern: string, path: string): readonly string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const magic = parts.findIndex((part) => /[*?[\\]/.test(part));
  return magic < 0 ? [] : path.split("/").slice(magic - parts.length);
}

function oddName(name: string): string {
  return `the file name \`${shorten(oneLine(name), MAX_NAME)}\` may be misread when passed on`;
}

/**
 * Whether a `find` pattern matches a text. Its star also matches slashes and dots.
 * @param surely if true, matches at most what `find` matches, respecting case; otherwise at least that, ignoring case
 */
function wildcard(pattern: string, text: string, surely: boolean): boolean {
  if (surely) {
    return !/[?[\]\\]/.test(pattern) && matchesParts(pattern.split("*"), text);
  }
  return matchesParts(looseParts(pattern.toLowerCase()), text.toLowerCase());
}
