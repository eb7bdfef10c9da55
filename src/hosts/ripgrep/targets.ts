import { ToolError } from "../../core/errors.js";
import { belowRoot, IgnoreRules, loadIgnoreRules } from "../../core/paths/ignoreRules.js";
import { baseName, parentPath } from "../../core/paths/pathShape.js";
import type { GatedPath, Root } from "../../ports/files.js";
import type { RipgrepSearchHost } from "./host.js";
import { ANYWHERE, type RuleScope, type Target } from "./target.js";

/**
 * Returns the folders or the file to search for a path: for the top of a workspace with several folders, each of them.
 *
 * @throws ToolError `unavailable` for folders that are not on a disk
 */
export async function targetsOf(host: RipgrepSearchHost, at: GatedPath): Promise<Target[]> {
  if (at.root === undefined) {
    const folders = await Promise.all(
      host
        .roots()
        .filter(({ beside }) => !beside)
        .map(({ name }) => host.resolve(name)),
    );
    return (await Promise.all(folders.map((folder) => targetsOf(host, folder)))).flat();
  }
  if (at.root.scheme !== "file") {
    throw new ToolError(
      "unavailable",
      `${at.path}: text search works on local folders only, and this one is ${at.root.scheme}:.`,
      "Use ls and read.",
    );
  }
  const isFile = (await host.kindOf(at)) !== "directory";
  const cwd = isFile ? parentPath(at.absolute) : at.absolute;
  const scope = isFile ? ANYWHERE : await scopeOf(host, at, at.root);
  return [
    {
      cwd,
      operand: isFile ? `./${baseName(at.absolute)}` : "./",
      prefix: isFile ? parentPath(at.path) : at.path,
      realPrefix: isFile ? parentPath(at.realPath) : at.realPath,
      isFile,
      scope,
      encoding: (await host.encodingOf?.(at.root)) ?? "utf8",
      rules:
        scope.fromAbove && host.files !== undefined
          ? (await loadIgnoreRules(host.files, at)).asNamed()
          : IgnoreRules.none,
      belowRoot: belowRoot(at),
    },
  ];
}

async function scopeOf(host: RipgrepSearchHost, folder: GatedPath, root: Root): Promise<RuleScope> {
  // Outside the workspace, the folder for which permission was given is the root.
  const { absolute } = folder.outside ? folder : await host.resolve(root.path);
  return (await host.ruleScope?.(folder.absolute, absolute)) ?? ANYWHERE;
}
