import { AgentsCommand } from "../../doors/cli/agentsCommand.js";
import type { ManifestRequest } from "../../doors/cli/manifest.js";
import { TerminalQuestion } from "../../doors/cli/terminalQuestion.js";
import { Unattended } from "../../doors/cli/unattended.js";
import type { Outcome } from "../../core/outcome.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import type { Confirm } from "../../ports/confirm.js";
import type { LocalSources } from "../../features/manifests/sandbox.js";
import { callTool, type CliCall } from "./call.js";
import type { CliPlace } from "./workspace.js";

/**
 * Applies a manifest, or shows what that would change. A manifest is as often somebody else's as the user's, so that
 * permission decides on it as on a model's call, except that files are replaced without a question, as by other commands.
 *
 * @param local this machine, whose files a manifest for another place copies
 */
export async function applyManifest(
  place: CliPlace,
  local: CliPlace,
  { action, manifest, hostRoot, rules, allowAll }: ManifestRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const { manifestTool, sourcesTool } = await import("../../doors/shared/manifests.js");
  const common: Omit<CliCall, "tool" | "input"> = {
    ...{ readsData: true, confirm: question(), rules, allowAll, reads: "free", report: place.warn },
  };
  const given = { manifest, ...(hostRoot !== undefined && { host_root: hostRoot }) };
  let sources: LocalSources | undefined;
  if (place.elsewhere !== undefined) {
    const tool = sourcesTool((read) => (sources = read));
    const outcome = await callTool(local, { ...common, tool, input: given }, signal);
    if (!outcome.ok) {
      return outcome;
    }
  }
  return callTool(place, { ...common, tool: manifestTool(sources), input: { action, ...given } }, signal);
}

function question(): Confirm {
  const terminal = openLineTerminal();
  return terminal !== undefined
    ? new TerminalQuestion(terminal)
    : isAgentsCommand(process.env)
      ? new AgentsCommand()
      : new Unattended("toolhost manifest");
}
