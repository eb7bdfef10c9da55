import { IgnoreRules } from "../../core/paths/ignoreRules.js";
import { joinPath } from "../../core/paths/pathShape.js";
import { maySearch } from "../../core/paths/secretWall.js";
import type { SearchRequest } from "../../ports/search.js";

/** Where rules of .gitignore and the like come from. */
export interface RuleScope {
  /** The folder lies in a Git repository. */
  inRepository: boolean;
  /** There are rules above the workspace that nobody means for it. */
  fromAbove: boolean;
}

/** One folder or file of the disk to search, and how its results are named. */
export interface Target {
  cwd: string;
  /** `./` for a folder, `./name` for a file. */
  operand: string;
  /** Path of `cwd` in the workspace. */
  prefix: string;
  /** The same with links followed: a link may give a folder any name. */
  realPrefix: string;
  isFile: boolean;
  scope: RuleScope;
  /** Rules from the root down to `cwd`, where ripgrep does not look above `cwd`. */
  rules: IgnoreRules;
  /** Path of `cwd` below its root. */
  belowRoot: string;
}

/** Rules hold wherever they come from: what is known without looking. */
export const ANYWHERE: RuleScope = { inRepository: false, fromAbove: false };

/** Whether no rule from above the folder that is searched leaves a file of it out, or a folder it lies in. */
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

/** A path of ripgrep's output, below the folder it ran in. */
export function plainName(path: string, { cwd }: Target): string {
  const name = path.replace(/^\.[\\/]/, "");
  return /^[A-Za-z]:/.test(cwd) ? name.replaceAll("\\", "/") : name;
}

/** The name of a file in the workspace, by its name below the folder. */
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

/** Whether a file lies in what is searched. */
export function isBelow(absolute: string, targets: readonly Target[]): boolean {
  return targets.some(({ cwd, operand }) => {
    const searched = joinPath(cwd, operand.slice(2) || ".");
    return absolute === searched || absolute.startsWith(`${searched.replace(/\/$/, "")}/`);
  });
}
