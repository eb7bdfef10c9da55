import { realpathSync } from "node:fs";
import { wireOutside } from "./compose/cli/outside.js";
import { cliSettings } from "./compose/cli/settings.js";
import { followOwnTools, type OwnTools } from "./compose/cli/ownTools.js";
import { openFiles, openWorkspace, type CliPlace, type CliWorkspace } from "./compose/cli/workspace.js";
import { Registry } from "./core/registry.js";
import { EXIT } from "./doors/cli/exitCode.js";
import type { McpRequest } from "./doors/cli/mcp.js";
import { tellFailure } from "./doors/cli/tellFailure.js";
import { Unattended } from "./doors/cli/unattended.js";
import { ClientSession } from "./doors/mcp/clientSession.js";
import { offeredTools } from "./doors/mcp/offered.js";
import { OFFER_TOOLS } from "./doors/mcp/offers.js";
import { PipelineTools } from "./doors/mcp/pipelineTools.js";
import { OWN_PREFIX } from "./doors/mcp/ownProcesses.js";
import { NearestTools } from "./doors/mcp/nearestTools.js";
import { serveMcp } from "./doors/mcp/serve.js";
import { ServedFolder } from "./doors/mcp/servedFolder.js";
import type { ToolSource } from "./doors/mcp/toolSource.js";
import { findWindow } from "./doors/mcp/window/windowNotes.js";
import { WindowTools } from "./doors/mcp/window/windowTools.js";
import { areTreesOfOne } from "./hosts/node/gitTree.js";
import { isAgentsCommand } from "./hosts/node/environment.js";
import { livenessOf } from "./hosts/node/state/owner.js";
import { windowNotes } from "./hosts/node/state/stateFolder.js";
import { tools } from "./tools/index.js";

/**
 * Serves a folder's tools to the MCP client that started this process: those of the window of VS Code that has the folder
 * open, if there is one.
 *
 * @returns the exit code, once the client has gone and all its calls have ended
 * @throws Error if the folder does not exist
 */
export async function runMcp(place: CliPlace, request: McpRequest, signal: AbortSignal): Promise<number> {
  const { planOnly, isWanted, rules, allowAll, sendsData, asksAlone, asksByForms, window } = request;
  const served = offeredTools(tools, isWanted);
  // Fails at once if the flags may not be given.
  cliSettings(place.target, allowAll);
  const folder = openFiles(place).roots()[0]?.path ?? "";
  const session = new ClientSession(Date.now);
  const startedIn = realpathSync(process.cwd());
  const servedFolder = new ServedFolder({ folder, startedIn, areTreesOfOne });
  let workspace: CliWorkspace | undefined;
  let own: OwnTools | undefined;
  const alone = async (): Promise<ToolSource> => {
    const opened = (workspace = openWorkspace(place, OWN_PREFIX));
    // Resources and prompts come from tools, also from those that the client is not served.
    const registry = new Registry(tools.filter((tool) => served.includes(tool) || OFFER_TOOLS.includes(tool.name)));
    const { refresh } = (own = await followOwnTools(registry, workspace, place.warn));
    const pipeline = wireOutside({ registry, workspace, own, rules, allowAll });
    return new PipelineTools({
      ...{ folder, pipeline, registry, refresh, planOnly, sendsData, results: workspace.state.results },
      shipped: tools,
      session: session.id,
      release: (each) => opened.changes.release(each),
      isServed: (tool) => served.includes(tool) || !tools.includes(tool),
      confirm: new Unattended(
        "toolhost mcp",
        "The user can be asked about it only where a window of VS Code has this folder open.",
        "they cannot be asked for it here",
      ),
    });
  };
  const source = new NearestTools({
    window: async (onClosed) => {
      // A window has other roots than those given here.
      const note =
        place.target.root === undefined && place.elsewhere === undefined
          ? findWindow(windowNotes(), folder, livenessOf, window)
          : undefined;
      if (note === undefined) {
        return undefined;
      }
      const sees = window === undefined ? { folder } : { isOffered: true };
      const client = { planOnly, sendsData, ...sees, served: served.map(({ name }) => name) };
      const opened = await WindowTools.open(note, { ...client, key: session.key }, onClosed);
      if (opened === undefined) {
        throw new Error("the one that has it open does not answer");
      }
      return opened;
    },
    ...(window === undefined && { alone }),
    log: place.warn,
  });
  try {
    await serveMcp({
      ...{ source, session, version: __TOOLHOST_VERSION__, sendsData, asksAlone, signal, log: place.warn },
      // The client of a command line that an agent started may be that agent's script.
      asksByForms: asksByForms && !isAgentsCommand(process.env),
      // VS Code's own agents work in all folders of the window.
      refusal: (roots) => (window === undefined ? servedFolder.refusal(roots) : undefined),
      instructions: async () =>
        `${window === undefined ? `Paths are relative to ${folder}; anything outside it` : "Anything outside the window's folders"} is refused unless the user allowed it. The user can undo every change. Toolhost is ${await source.where()}.`,
      input: process.stdin,
      output: process.stdout,
    });
    return EXIT.ok;
  } catch (error) {
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    source.close();
    own?.dispose();
    await workspace?.close();
  }
}
