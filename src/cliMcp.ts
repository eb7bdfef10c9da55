import { wireOutside } from "./compose/cli/outside.js";
import { registerOwnTools } from "./compose/cli/tools.js";
import { openWorkspace, type CliPlace } from "./compose/cli/workspace.js";
import { Registry } from "./core/registry.js";
import { EXIT } from "./doors/cli/exitCode.js";
import type { McpRequest } from "./doors/cli/mcp.js";
import { tellFailure } from "./doors/cli/tellFailure.js";
import { Unattended } from "./doors/cli/unattended.js";
import { offeredTools } from "./doors/mcp/offered.js";
import { PipelineTools } from "./doors/mcp/pipelineTools.js";
import { serveMcp } from "./doors/mcp/serve.js";
import { tools } from "./tools/index.js";

/**
 * Serves a folder's tools to the MCP client that started this process.
 *
 * @returns the exit code, once the client has gone and all its calls have ended
 * @throws Error if the folder does not exist
 */
export async function runMcp(place: CliPlace, request: McpRequest, signal: AbortSignal): Promise<number> {
  const { planOnly, isWanted, rules, allowAll, sendsData } = request;
  const workspace = openWorkspace(place);
  try {
    const registry = new Registry(offeredTools(tools, isWanted));
    await registerOwnTools(registry, workspace, place.warn);
    const pipeline = wireOutside({ registry, workspace, rules, allowAll });
    const folder = place.target.workspace ?? process.cwd();
    place.warn(`serving ${folder}, without a window of VS Code.`);
    await serveMcp({
      source: new PipelineTools({
        ...{ pipeline, planOnly, results: workspace.state.results, now: Date.now },
        confirm: new Unattended("toolhost mcp"),
      }),
      ...{ version: __TOOLHOST_VERSION__, sendsData, signal, log: place.warn },
      instructions: `Paths are relative to ${folder}; what lies outside of it is refused unless the user allowed it. The user can undo every change with toolhost undo.`,
      input: process.stdin,
      output: process.stdout,
    });
    return EXIT.ok;
  } catch (error) {
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    await workspace.close();
  }
}
