import { IgnoreRules } from "../../core/paths/ignoreRules.js";
import { joinPath } from "../../core/paths/pathShape.js";
import { maySearch } from "../../core/paths/secretWall.js";
import type { SearchRequest } from "../../ports/search.js";

/** Where .gitignore and similar rules come from. */
export interface RuleScope {
  /** Whether the folder is in a Git repository. */
  inRepository: boolean;
  /** Whether there are rules above the workspace that are not meant for it. */
  fromAbove: boolean;
}

/** One folder or file on disk to search, and how its results are named. */
export interface Target {
  cwd: string;
  /** `./` for a folder, `./name` for a file. */
  operand: string;
  /** Path of `cwd` in the workspace. */
  prefix: string;
  /** Like `prefix`, with links resolved: a link may give a folder any name. */
  realPrefix: string;
  isFile: boolean;
  scope: RuleScope;
  /** The encoding of its files without a byte order mark, as VS Code spells it. */
  encoding: string;
  /** Rules from the root down to `cwd`, if ripgrep does not read those above `cwd`. */
  rules: IgnoreRules;
  /** Path of `cwd` below its root. */
  belowRoot: string;
}

/** The scope in which rules apply wherever they come from: the default, used without checking. */
export const ANYWHERE: RuleScope = { inRepository: false, fromAbove: false };

/** Whether no rule from above the searched folder excludes a file or one of its folders. */
export function isLeftIn(
  { includeIgnored }: Pick<SearchRequest, "includeIgnored">,
  { rules, belowRoot, isFile }: Target,
  name: string,
): boolean {
  if (includeIgnored || isFile || rules === IgnoreRules.none) {
    return true;
  }
  const names = name.split("/");
  return !names.some((_, index) =>
    rules.ignores(below(belowRoot, names.slice(0, index + 1).join("/")), index < names.length - 1),
  );
}

/** Turns a path in ripgrep's output into one below the folder it ran in. */
export function plainName(path: string, { cwd }: Target): string {
  const name = path.replace(/^\.[\\/]/, "");
  return /^[A-Za-z]:/.test(cwd) ? name.replaceAll("\\", "/") : name;
}

/** Returns a file's name in the workspace, by its name below the folder. */
export function nameBelow(target: Target, name: string): string {
  return below(target.prefix, name);
}

function below(prefix: string, name: string): string {
  return joinPath(prefix, name).replace(/^\.\//, "");
}

/** Whether a file may be shown, by the name it was found under and by its real one. */
export function admits(request: SearchRequest, target: Target, name: string): boolean {
  const path = nameBelow(target, name);
  const realPath = below(target.realPrefix, name);
  return maySearch(request, path) && (realPath === path || maySearch(request, realPath));
}

/** Whether a file is in one of the searched targets. */
export function isBelow(absolute: string, targets: readonly Target[]): boolean {
  return targets.some(({ cwd, operand }) => {
    const searched = joinPath(cwd, operand.slice(2) || ".");
    return absolute === searched || absolute.startsWith(`${searched.replace(/\/$/, "")}/`);
  });
}
