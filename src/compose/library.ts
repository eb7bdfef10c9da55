import { Registry } from "../core/registry.js";
import { Rules } from "../core/permission/rules/book.js";
import { LoggedSessions } from "../features/sessions/loggedSessions.js";
import { readOptionRules, readToolhostOptions } from "../doors/library/readOptions.js";
import { endsInOrder } from "../doors/library/endsInOrder.js";
import type { Toolhost, ToolhostOptions } from "../doors/library/types.js";
import { asTool, createToolApi } from "../doors/shared/toolApi.js";
import { messageOf } from "../text/words.js";
import { tools } from "../tools/index.js";
import { cliSettings } from "./cli/settings.js";
import { followOwnTools } from "./cli/ownTools.js";
import { cliApprovals, openWorkspace } from "./cli/workspace.js";
import { switched } from "../core/switched.js";
import { NodeSpawner } from "../hosts/node/processes/spawner.js";
import { ChangeKeeper } from "../features/changes/changes.js";
import { ProcessTable } from "../features/processes/processTable.js";
import { WorkspaceScan } from "../hosts/search/workspaceScan.js";
import { followMoves } from "./moves.js";
import { keepState } from "./state.js";
import { SandboxUses } from "./sandboxUses.js";
import { openApiEngine } from "./openApiTools.js";
import { commandReaders, composePipeline, syntaxCode } from "./pipeline.js";

/**
 * Opens a folder for a program: the tools of a command line, decided on as a model's calls.
 *
 * @param folder the bundle's, for programs that are loaded later
 * @param warn shows a notice where the program does not
 */
export async function openToolhost(given: unknown, folder: string, warn: (message: string) => void): Promise<Toolhost> {
  const options = readToolhostOptions(given);
  const { mode = "default", timeout, roots, onNotice } = options;
  const notice = (message: string): void => tell(onNotice ?? warn, message);
  // Tools that end a task belong to its session, and there is none.
  const registry = new Registry(tools.filter(({ terminal }) => !terminal));
  options.tools?.forEach((tool, index) => registerOption(registry, tool, `tools[${index}]`));
  const rules = readOptionRules(options.rules, () => registry.list());
  const target = { workspace: options.folder, root: [...(roots ?? [])] };
  const workspace = openWorkspace({ target, folder, warn: notice });
  // A program has no command with which its user could approve servers.
  const { externalTools: _, ...capabilities } = workspace.capabilities;
  const settings = {
    ...cliSettings({ ...target, ...(timeout === undefined ? {} : { toolTimeout: timeout / 1_000 }) }),
    mode,
    timeoutSetBy: "the option timeout of createToolhost",
  };
  const own = await followOwnTools(registry, workspace, notice).catch(async (error: unknown) => {
    await workspace.close();
    throw error;
  });
  const book = new Rules(
    { rules: () => rules.current(), add: () => Promise.reject(new Error("A program keeps no rules.")) },
    Date.now,
  );
  const shared = {
    ...{ registry, refreshTools: own.refresh, secrets: workspace.state.secrets, settings: () => settings },
    capabilities: {
      ...capabilities,
      approvals: cliApprovals(workspace, false),
      processes: workspace.processes,
      sessions: new LoggedSessions(workspace.state.sessionLog),
    },
  };
  const local = composePipeline({
    ...shared,
    ...{ changes: workspace.changes, contains: workspace.contains, rules: book },
    ...commandReaders(folder, { isOwnProcess: false }),
  });
  const spawner = new NodeSpawner();
  const uses = new SandboxUses(
    () => ({
      ...{ rules: book, localSpawner: () => spawner, onNotice: notice },
      undo: { activity: workspace.state.activity, isTrusted: () => true },
      maker: {
        ...{ folder, run: workspace.run, onNotice: notice },
        ...{ ChangeKeeper, ProcessTable, WorkspaceScan, followMoves, keepState, syntaxCode },
        pipelineOf: (seen) =>
          composePipeline({
            ...{ ...shared, ...seen, capabilities: { ...shared.capabilities, ...seen.capabilities } },
            ...commandReaders(folder, { isOwnProcess: false, isElsewhere: true }),
          }),
      },
    }),
    () => local.forgetShown(),
  );
  rules.doubts.forEach(notice);
  return endsInOrder(
    (caller) =>
      createToolApi({
        ...{ registry, openApi: openApiEngine, caller, rules: book },
        pipeline: switched(local, () => uses.current?.pipeline),
        useSandbox: (client, place) => uses.use(client, place),
      }),
    options,
    async () => {
      own.dispose();
      await uses.close();
      spawner.dispose();
      await workspace.close();
    },
  );
}

/** @throws TypeError that names the problem */
function registerOption(registry: Registry, given: unknown, place: string): void {
  const tool = asTool(given, `createToolhost: ${place}`);
  try {
    registry.register(tool);
  } catch (error) {
    throw new TypeError(`Toolhost createToolhost: ${place}: ${messageOf(error)}`);
  }
}

/** The errors of a program's own function must not stop anything here. */
function tell(listener: NonNullable<ToolhostOptions["onNotice"]>, message: string): void {
  new Promise<void>((resolve) => resolve(listener(message))).catch(() => undefined);
}
