import { ToolError } from "../../core/errors.js";
import { Rules } from "../../core/permission/rules/book.js";
import type { PipelineSettings } from "../../core/pipeline/pipelineHost.js";
import type { CliTarget } from "../../doors/cli/host.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { readHosts, type AllowedHosts } from "../../text/hosts/allowedHosts.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { WINDOWS_SHELLS, type WindowsShell } from "../../names/settings.js";
import type { PlacedRule } from "../../ports/rules.js";

/** The default of the setting toolhost.toolTimeout, in seconds. */
const DEFAULT_TIMEOUT = 30;

/**
 * Returns the command line's settings: VS Code's defaults where no flag says otherwise, in a folder that counts as trusted.
 *
 * @param allowAll whether calls are decided on in mode bypass
 * @throws ToolError `denied` if an agent started this command and allows itself everything
 */
export function cliSettings({ toolTimeout = DEFAULT_TIMEOUT }: CliTarget, allowAll = false): PipelineSettings {
  if (allowAll && isAgentsCommand(process.env)) {
    throw new ToolError("denied", "--allow-all: only a person may give it, and an agent started this command.");
  }
  return {
    mode: allowAll ? "bypass" : "default",
    trusted: true,
    hosts: sandboxHosts(),
    defaultTimeout: 1_000 * toolTimeout,
    timeoutSetBy: "--tool-timeout (before the command)",
    isGroupEnabled: () => true,
  };
}

/**
 * Returns the hosts that contained commands may reach, which a variable lists; none where an agent started this command.
 *
 * @param onProblem called for each entry that is none
 */
export function sandboxHosts(onProblem: (problem: string) => void = () => undefined): AllowedHosts {
  const list = isAgentsCommand(process.env) ? "" : (process.env["TOOLHOST_SANDBOX_HOSTS"] ?? "");
  const entries = list.split(",").filter((entry) => entry.trim() !== "");
  const { hosts, problems } = readHosts(entries);
  for (const problem of problems) {
    onProblem(`TOOLHOST_SANDBOX_HOSTS: ${problem}`);
  }
  return hosts;
}

/**
 * Returns the shell for Windows, which a variable names; an agent that started this command line cannot change what reads
 * its commands.
 */
export function windowsShellVariable(env: NodeJS.ProcessEnv, warn: (message: string) => void): WindowsShell {
  const value = isAgentsCommand(env) ? "" : (env["TOOLHOST_WINDOWS_SHELL"] ?? "");
  const shell = WINDOWS_SHELLS.find((known) => known === value);
  if (shell === undefined && value !== "") {
    warn(`TOOLHOST_WINDOWS_SHELL: expected ${WINDOWS_SHELLS.join(", ")}, got ${describeValue(value)}. It is not used.`);
  }
  return shell ?? "auto";
}

/** Returns the rules given with a command. */
export function givenRules(rules: readonly PlacedRule[]): Rules {
  const add = (): Promise<never> => Promise.reject(new Error("The command line keeps no rules."));
  return new Rules({ rules: () => rules, add }, Date.now);
}
