import type { Listed } from "../../../shell/analysis.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { matchesParts } from "../rules/patterns.js";

/** Characters that make several words of a name on its way, or another one. */
const PARTED = { none: /[\r\n]/, blanks: /[\s'"\\]/, patterns: /[\s'"\\]/ } as const;

/** Characters for which git puts a name in quotes (quote.c): all but plain ASCII, quotes and backslashes. */
const QUOTED_BY_GIT = /[^ !#-[\]-~]/;

/** Characters of a name in a reason. */
const MAX_NAME = 60;

/** Which of the names below a place a listing tells. It takes a name for one of them in doubt. */
export class ListedNames {
  readonly byGit: boolean;
  readonly #listed: Listed;
  readonly #parted: RegExp;
  /** Whether quotes in a name may lead to a file that is none of the place, or has another ending. */
  readonly #isQuoted: boolean;

  constructor(listed: Listed) {
    this.byGit = listed.byGit === true;
    this.#listed = listed;
    this.#parted = PARTED[listed.parting ?? "none"];
    this.#isQuoted = listed.quoted === true && (listed.names !== undefined || listed.bare !== true);
  }

  /**
   * Whether it goes into a folder, whose files it may tell.
   *
   * @param printed its path in each way in which the listing may print it
   * @param depth how many folders are above it, from the place on
   */
  goesInto(name: string, printed: readonly string[], depth: number): boolean {
    const { depth: most, except = [], shownOnly } = this.#listed;
    if (most !== undefined && depth + 1 > most) {
      return false;
    }
    // A pattern that ends in a star matches all below a folder when it matches the folder's path with a slash.
    const isLeftOut = except.some(({ of, pattern }) =>
      of === "below"
        ? wildcard(pattern, name, true)
        : of === "path" && pattern.endsWith("*") && printed.every((path) => wildcard(pattern, `${path}/`, true)),
    );
    return !isLeftOut && !(shownOnly === true && name.startsWith("."));
  }

  /** Whether it tells a name. */
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
   * Why a name of the index is taken apart on its way; undefined where none is, or none is listed that is not there.
   *
   * @param paths of all that is in the index, relative to the folder git is in; of other folders none
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

  /** What git tells names by, where a name that is not there may be taken for something else. */
  get from(): "index" | "commits" | undefined {
    const { from, parting = "none" } = this.#listed;
    return parting === "none" && !this.#isQuoted ? undefined : from;
  }

  /** Whether the shell takes a name for a pattern, which its neighbours may match in its place. */
  isPattern(name: string): boolean {
    return this.#listed.parting === "patterns" && /[*?[]/.test(name);
  }

  /** Whether something is left out by its path. */
  get leavesOut(): boolean {
    return (this.#listed.except ?? []).length > 0;
  }

  /** Why a name is taken apart on its way; undefined when it is not. */
  odd(name: string): string | undefined {
    return this.#parted.test(name) ||
      (this.#isQuoted && QUOTED_BY_GIT.test(name)) ||
      (this.#listed.colons === true && name.includes(":"))
      ? oddName(name)
      : undefined;
  }

  /**
   * The same of what a pattern of the shell matches. A name that is a pattern itself is odd where its path is not that
   * of the file.
   *
   * @param files that it matches
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

  /** Whether the shell takes for a pattern what a pattern matches. */
  isMatchPattern(pattern: string, path: string): boolean {
    return matchedNames(pattern, path).some((name) => this.isPattern(name));
  }

  /** The same of a name that may stand first, where it may be an option. */
  oddFirst(name: string): string | undefined {
    return this.odd(name) ?? (this.#listed.bare === true && !/^[\p{L}\p{N}_.]/u.test(name) ? oddName(name) : undefined);
  }
}

/** The last names of a path: from the first on that a pattern does not say. None where it says all. */
function matchedNames(pattern: string, path: string): readonly string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const magic = parts.findIndex((part) => /[*?[\\]/.test(part));
  return magic < 0 ? [] : path.split("/").slice(magic - parts.length);
}

function oddName(name: string): string {
  return `the file name \`${shorten(oneLine(name), MAX_NAME)}\` may be taken for something else on its way to it`;
}

/**
 * Whether a pattern of `find` matches a text. Its star matches slashes and dots, too.
 *
 * @param surely no more than it matches, with regard to case; otherwise no less, without
 */
function wildcard(pattern: string, text: string, surely: boolean): boolean {
  if (surely) {
    return !/[?[\]\\]/.test(pattern) && matchesParts(pattern.split("*"), text);
  }
  const [plain = "", ...rest] = pattern.split(/[[\\]/);
  return matchesParts(
    `${plain}${rest.length > 0 ? "*" : ""}`.replaceAll("?", "*").toLowerCase().split("*"),
    text.toLowerCase(),
  );
}
