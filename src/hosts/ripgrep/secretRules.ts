import { secretGlobs } from "../../core/paths/protectedFiles.js";
import { anyCase } from "./arguments.js";

/** Name of the file beside the bundles that esbuild.mjs writes. */
export const SECRET_RULES_FILE = "secret-names.ignore";

/**
 * A file of ignore rules for `rg --ignore-file` that leave nothing out: they let in, by name, whatever may be a secret.
 * Such rules count last, behind all that lie in a workspace, so that a search covers the same files with them as
 * without; but its log then names each such file (ripgrepLog.ts).
 */
export function secretRules(): string {
  return (secretGlobs([]) ?? []).map((glob) => `!${anyCase(glob)}\n`).join("");
}
