import { Rules } from "../../core/permission/rules/book.js";
import type { PipelineSettings } from "../../core/pipeline/pipelineHost.js";
import type { CliTarget } from "../../doors/cli/program.js";
import type { PlacedRule } from "../../ports/rules.js";

/** The default of the setting toolhost.toolTimeout, in seconds. */
const DEFAULT_TIMEOUT = 30;

/** Returns the command line's settings: VS Code's defaults where no flag says otherwise, in a folder that counts as trusted. */
export function cliSettings({ toolTimeout = DEFAULT_TIMEOUT }: CliTarget): PipelineSettings {
  return {
    mode: "default",
    trusted: true,
    defaultTimeout: 1_000 * toolTimeout,
    timeoutSetBy: "--tool-timeout (before the command)",
    isGroupEnabled: () => true,
  };
}

/** Returns the rules given with a command. */
export function givenRules(rules: readonly PlacedRule[]): Rules {
  const add = (): Promise<never> => Promise.reject(new Error("The command line keeps no rules."));
  return new Rules({ rules: () => rules, add }, Date.now);
}
