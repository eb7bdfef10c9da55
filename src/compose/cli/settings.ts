import { Rules } from "../../core/permission/rules/book.js";
import type { PipelineSettings } from "../../core/pipeline/pipelineHost.js";
import type { PlacedRule } from "../../ports/rules.js";

/** The command line's settings: VS Code's defaults, in a folder that counts as trusted. */
export const DEFAULT_SETTINGS: PipelineSettings = {
  mode: "default",
  trusted: true,
  // Milliseconds; the same as the default of the setting toolhost.toolTimeout.
  defaultTimeout: 30_000,
  isGroupEnabled: () => true,
};

/** Returns the rules given with a command. */
export function givenRules(rules: readonly PlacedRule[]): Rules {
  const add = (): Promise<never> => Promise.reject(new Error("The command line keeps no rules."));
  return new Rules({ rules: () => rules, add }, Date.now);
}
