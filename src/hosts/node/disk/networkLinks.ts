import { lstatSync, readlinkSync } from "node:fs";
import { ToolError } from "../../../core/errors.js";
import { joinPath, normalisePath, parentPath } from "../../../core/paths/pathShape.js";

/** How long a folder counts as no link once that was seen, in ms: a search looks at thousands of files in one. */
const KNOWN_MS = 1_000;
/** Folders that are remembered. */
const MAX_KNOWN = 1_000;
/** Links that are followed, as Windows does. */
const MAX_LINKS = 63;

/**
 * Finds links that lead to another machine. Windows signs in at the machine that a path names as soon as anything asks
 * whether the path is there, and thereby shows it a hash of the user's password: a link in a cloned repository must not
 * do that.
 */
export class NetworkLinks {
  readonly #targetOf: (path: string) => string | undefined;
  readonly #now: () => number;
  readonly #known = new Map<string, number>();

  /** @param targetOf returns the target of a link as it is written; undefined if the path is none, or cannot be looked at */
  constructor(targetOf: (path: string) => string | undefined = linkTarget, now: () => number = Date.now) {
    this.#targetOf = targetOf;
    this.#now = now;
  }

  /**
   * Looks at every name of a path from its top on, so that nothing is asked for below a link that was not looked at.
   *
   * @param path absolute, with `/`. If it is on a share, which a user opened as a workspace, links may lead to that share
   * @throws ToolError `outside_workspace`
   */
  refuse(path: string): void {
    let at = topOf(path);
    let rest = path.slice(at.length).split("/").filter(Boolean);
    for (let links = 0; rest.length > 0 && links <= MAX_LINKS;) {
      const [name = "", ...more] = rest;
      const next = joinPath(at, name);
      const target = this.#linkAt(next, more.length > 0)
        ?.replaceAll("\\", "/")
        .replace(/^\/\/\?\/(?=[A-Za-z]:\/)/, "");
      if (target === undefined) {
        [at, rest] = [next, more];
        continue;
      }
      if (isElsewhere(target, next)) {
        throw new ToolError(
          "outside_workspace",
          `${next} is a link to another machine (${target}), which was not contacted.`,
          "To work with files there, open the share as a workspace folder.",
        );
      }
      links++;
      const whole = normalisePath(
        /^(?:[A-Za-z]:\/|\/\/)/.test(target)
          ? target
          : target.startsWith("/")
            ? joinPath(topOf(next), target.slice(1))
            : joinPath(parentPath(next), target),
        true,
      );
      at = topOf(whole);
      rest = [...whole.slice(at.length).split("/").filter(Boolean), ...more];
    }
  }

  /** Whether a path leads to another machine, as `refuse` finds it. */
  leadsAway(path: string): boolean {
    try {
      this.refuse(path);
      return false;
    } catch {
      return true;
    }
  }

  /** @param isFolder whether something is below it: only of folders it is remembered that they are no links */
  #linkAt(path: string, isFolder: boolean): string | undefined {
    const seen = this.#known.get(path);
    const now = this.#now();
    if (seen !== undefined && now - seen < KNOWN_MS) {
      return undefined;
    }
    const target = this.#targetOf(path);
    if (target === undefined && isFolder) {
      if (this.#known.size >= MAX_KNOWN) {
        this.#known.clear();
      }
      this.#known.set(path, now);
    }
    return target;
  }
}

/**
 * Whether a path is on another machine, or another share, than what names it.
 *
 * @param target as it is written, with `/` or `\\`
 * @param from absolute
 */
export function isElsewhere(target: string, from: string): boolean {
  const slashed = target.replaceAll("\\", "/");
  const own = topOf(from.replaceAll("\\", "/"));
  return slashed.startsWith("//") && topOf(`${slashed}/`).toLowerCase() !== own.toLowerCase();
}

/** Returns the drive or the share that a path begins with. */
const topOf = (path: string): string => /^(?:[A-Za-z]:\/|\/\/[^/]+\/[^/]+\/?|\/)/.exec(path)?.[0] ?? "";

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
