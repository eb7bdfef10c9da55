import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runAgent } from "./cliAgent.js";
import { runMcp } from "./cliMcp.js";
import { runWork } from "./cliWork.js";
import { addOwnTool } from "./compose/cli/addTool.js";
import { applyManifest } from "./compose/cli/manifest.js";
import { callTool, commandTools } from "./compose/cli/call.js";
import { connectAgent } from "./compose/cli/connect.js";
import { entryText } from "./compose/connect.js";
import { openExplainer } from "./compose/cli/explain.js";
import { manageMcpServers } from "./compose/cli/manageMcpServers.js";
import { ownTools } from "./compose/cli/ownTools.js";
import { manageTools } from "./compose/cli/tools.js";
import { undo } from "./compose/cli/undo.js";
import { windowsShellVariable } from "./compose/cli/settings.js";
import type { CliPlace } from "./compose/cli/workspace.js";
import type { CliTarget } from "./doors/cli/host.js";
import { runCli } from "./doors/cli/program.js";
import { chooseShell } from "./hosts/node/processes/shell.js";
import { onInterrupt } from "./hosts/node/interrupts.js";
import { isPiped, readStdin, warn, watchOutput, writeLine } from "./hosts/node/standardStreams.js";
import { stateVariables } from "./hosts/node/state/stateFolder.js";
import { tools } from "./tools/index.js";

/** Runs one command of the command line on this machine. */

const cancellation = new AbortController();
const { signal } = cancellation;
onInterrupt(() => cancellation.abort());
for (const name of ["SIGTERM", "SIGHUP"] as const) {
  process.once(name, () => cancellation.abort());
}

let onReaderGone = (): void => process.exit();
watchOutput(() => onReaderGone());

/** Ends a turn cleanly when the reader of the output goes away. */
function endsInOrder(): void {
  onReaderGone = () => cancellation.abort();
}

/** @throws Error if a folder of this machine is named, too, or the address is not one of a sandbox */
async function at(target: CliTarget): Promise<CliPlace> {
  const place = { target, folder: __dirname, warn };
  if (target.sandbox === undefined) {
    return place;
  }
  if (target.workspace !== undefined || target.root !== undefined) {
    throw new Error("--sandbox names the folder to work in: leave --workspace and --root out.");
  }
  const { localAddress, openSandbox } = await import("./compose/cli/sandbox.js");
  const address = target.sandbox === "local" ? localAddress(process.cwd()) : target.sandbox;
  return { ...place, elsewhere: openSandbox(address) };
}

/** The place of what only a folder of this machine has. @throws Error if another one is named */
function here(target: CliTarget): CliPlace {
  if (target.sandbox !== undefined) {
    throw new Error(
      target.sandbox === "worktree"
        ? "Write it after the command: toolhost work --sandbox worktree."
        : "This command works in a folder of this machine alone: leave --sandbox out.",
    );
  }
  return { target, folder: __dirname, warn };
}

chooseShell(windowsShellVariable(process.env, warn));

const variables = stateVariables();
void runCli(
  {
    version: __TOOLHOST_VERSION__,
    self: { command: process.execPath, script: join(__dirname, "cli.js"), ...(variables && { env: variables }) },
    tools: commandTools,
    invoke: async (target, tool, input, readsData) => callTool(await at(target), { tool, input, readsData }, signal),
    undo: async (target, request) => undo(await at(target), request, signal),
    explainer: async (target, options) => openExplainer(await at(target), options, signal),
    approvedTools: async (target) => ownTools(await at(target), true),
    agent: {
      tools,
      ownTools: async (target) => ownTools(await at(target)),
      run: async (target, request) => {
        endsInOrder();
        return runAgent(await at(target), request, signal);
      },
    },
    customTools: async (target, request) =>
      request.kind === "add" ? addOwnTool(here(target), request, signal) : manageTools(here(target), request, signal),
    work: async (target, request) => {
      endsInOrder();
      return runWork(here(target), request, signal);
    },
    mcp: async (target, request) => {
      endsInOrder();
      return runMcp(await at(target), request, signal);
    },
    manifest: async (target, request) => applyManifest(await at(target), here({}), request, signal),
    connect: {
      run: async (target, request) =>
        connectAgent(here(target), request, (text) => writeLine(process.stdout, text), signal),
      entryText,
    },
    mcpServers: async (target, request) => manageMcpServers(here(target), request, signal),
    isPiped,
    readStdin: () => readStdin(signal),
    readText: () => readStdin(signal, true),
    readFile: (path) => readFile(path, "utf8"),
    out: (line) => writeLine(process.stdout, line),
    err: (line) => writeLine(process.stderr, line),
  },
  process.argv.slice(2),
).then((exitCode) => {
  process.exitCode = exitCode;
});
