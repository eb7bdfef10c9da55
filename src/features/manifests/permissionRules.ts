import type { Rule } from "../../ports/rules.js";
import { readManifest } from "./manifest.js";

/**
 * Returns a manifest's permissions as rules of the gate. They deny, so that nothing is allowed by them.
 *
 * @throws ToolError `invalid_input` for a manifest with a problem
 */
export function permissionRules(manifest: unknown): Rule[] {
  const { permissions = {} } = readManifest(manifest, false);
  return (["read", "write"] as const).flatMap((access): Rule[] => {
    const globs = permissions[access];
    return globs === undefined ? [] : [{ tool: "*", decision: "deny", beyond: { access, globs } }];
  });
}
