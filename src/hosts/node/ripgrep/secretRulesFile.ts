import { existsSync } from "node:fs";
import { join } from "node:path";
import { SECRET_RULES_FILE } from "../../ripgrep/secretRules.js";

/**
 * The file of `secretRules` that the build leaves beside the bundles.
 *
 * @param folder that of the bundles
 * @returns its absolute path, undefined where it is not there: ripgrep would fail
 */
export function secretRulesFile(folder: string): string | undefined {
  const path = join(folder, SECRET_RULES_FILE);
  return existsSync(path) ? path : undefined;
}
