import { lstat } from "node:fs/promises";
import { joinPath, parentPath } from "../../core/paths/pathShape.js";
import type { RuleScope } from "../ripgrep/target.js";

/**
 * Finds where a folder's .gitignore rules come from.
 *
 * @param folder absolute path, links resolved
 * @param root the workspace folder that contains it
 */
export async function ruleScope(folder: string, root: string): Promise<RuleScope> {
  const repositories = await Promise.all(withParents(folder).map((path) => exists(joinPath(path, ".git"))));
  if (repositories.includes(true)) {
    return { inRepository: true, fromAbove: false };
  }
  const [, ...above] = withParents(root);
  const rules = await Promise.all(
    above.flatMap((path) => [".gitignore", ".ignore", ".rgignore"].map((name) => exists(joinPath(path, name)))),
  );
  return { inRepository: false, fromAbove: rules.includes(true) };
}

/** Returns a folder and all its parents, up to the root of the disk. */
function withParents(folder: string): string[] {
  const parent = parentPath(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
