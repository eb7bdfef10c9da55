// A workspace with all of a command line, in this process: `exec` runs work on the project in views.
import "./version.js";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openFolder } from "../../../../src/compose/cli/workspace.js";
import { composePipeline } from "../../../../src/compose/pipeline.js";
import { openViews } from "../../../../src/compose/views.js";
import type { Answer, Question } from "../../../../src/ports/confirm.js";
import type { Outcome } from "../../../../src/core/outcome.js";
import { Registry } from "../../../../src/core/registry.js";
import { readRules } from "../../../../src/core/permission/rules/readRules.js";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import type { ProcessTimes } from "../../../../src/features/processes/limits.js";
import { NodePrograms } from "../../../../src/hosts/node/programs.js";
import { Sandbox } from "../../../../src/hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import { stateRoot } from "../../../../src/hosts/node/state/stateFolder.js";
import { ripgrepPatterns } from "../../../../src/hosts/ripgrep/patterns.js";
import { tools } from "../../../../src/tools/index.js";
import { watchCommands } from "../../../../src/compose/effects.js";
import { tempFolder, type FileTree } from "../../../unit/tools/workspace.js";
import { effectsFolder } from "../../features/effects/worker.js";
import { bridgeFolder, outsideOf } from "./outside.js";
import { readHosts } from "../../../../src/text/hosts/allowedHosts.js";
import { grammar } from "../../shell/grammar.js";

export interface ViewRig {
  folder: string;
  /** Runs a command as a model's call; what must be asked is denied. */
  exec: (command: string, more?: object, signal?: AbortSignal) => Promise<Outcome>;
  /** The text of the same, or of its error. */
  told: (command: string, more?: object) => Promise<string>;
  /** Whether commands get views, and why not. */
  canOpen: () => Promise<boolean>;
  missing: string[];
  /** Undoes the last turn. */
  undo: () => Promise<unknown>;
  changes: ReturnType<typeof openFolder>["changes"];
  processes: ProcessTable;
}

export interface RigOptions {
  rules?: unknown[];
  times?: Partial<ProcessTimes>;
  env?: object;
  /** Answers questions; commands that ask are then tried first. If absent, the answer is no. */
  ask?: (question: Question) => Answer | Promise<Answer>;
  mode?: string;
  /** The user's list of hosts that contained commands may reach. */
  hosts?: readonly string[];
  /** The addresses of names, which are all names that there are; those of this machine count as public. */
  names?: Readonly<Record<string, string>>;
  /** The turn of all calls. If absent, each has its own. */
  turn?: string;
  /** Variables that name the user's proxy. */
  proxies?: Readonly<Record<string, string>>;
  /** Whether a person sees the questions while calls wait. Default true. */
  isAttended?: boolean;
}

export async function openRig(
  given: FileTree | string,
  {
    rules = [],
    times = {},
    env = {},
    ask,
    mode = "default",
    isAttended = true,
    hosts,
    names,
    proxies = {},
    turn: onlyTurn,
  }: RigOptions = {},
): Promise<ViewRig> {
  const folder = typeof given === "string" ? given : await tempFolder(given);
  const { files, state, changes } = openFolder({
    target: { workspace: folder },
    folder: effectsFolder,
    warn: () => undefined,
  });
  const missing: string[] = [];
  const sandbox = new Sandbox({
    isOn: () => true,
    folders: () => [folder],
    secretFiles: async () => [join(folder, ".env")],
    stateFolder: stateRoot,
    bundles: bridgeFolder(),
    ...(names !== undefined && { outside: outsideOf(names, proxies) }),
    onMissing: (why) => missing.push(why),
  });
  const views = openViews(
    files,
    changes,
    sandbox,
    () => true,
    () => ask !== undefined,
    (why) => missing.push(why),
  );
  const spawner = new NodeSpawner(sandbox);
  const effects = watchCommands(effectsFolder, files, { changes, state }, () => undefined);
  const processes = new ProcessTable({ spawner, effects, views, times });
  const registry = new Registry(tools);
  const read = readRules(rules, "settings", "rules", tools);
  const pipeline = composePipeline({
    registry,
    capabilities: { files, processes, results: state.results, patterns: ripgrepPatterns(undefined as never, "/tmp") },
    changes,
    contains: () => views.canOpen(),
    rehearses: () => views.rehearses(),
    settings: () => ({
      ...{ mode, trusted: true, defaultTimeout: 120_000, timeoutSetBy: "nobody" },
      hosts: readHosts(hosts).hosts,
      isGroupEnabled: () => true,
    }),
    rules: new Rules({ rules: () => read } as never, Date.now),
    grammar,
    exported: () => [],
    programs: new NodePrograms(() => process.env["PATH"] ?? ""),
  } as unknown as Parameters<typeof composePipeline>[0]);
  let turn = 0;
  const exec: ViewRig["exec"] = (command, more = {}, signal = new AbortController().signal) =>
    pipeline.invoke("exec", { command, env, ...more }, {
      ...{ door: "mcp", session: "s", turn: onlyTurn ?? `t${++turn}`, signal, authority: "model", reads: "ask" },
      confirm: { isAttended, ask: async (question: Question) => (await ask?.(question)) ?? "no" },
    } as never);
  onTestFinished(async () => {
    await processes.closeAll();
    spawner.dispose();
    await state.close();
  });
  return {
    ...{ folder, exec, missing, changes, processes },
    told: async (command, more) => {
      const outcome = await exec(command, more);
      return outcome.ok
        ? outcome.text
        : `Error (${outcome.error.type}): ${outcome.error.message} ${outcome.error.hint ?? ""}`;
    },
    canOpen: () => views.canOpen(),
    undo: async () => {
      const queries = await changes.journal();
      const last = queries.lastTurn();
      if (last === undefined) {
        throw new Error("there is nothing to undo");
      }
      const call = { session: "s", turn: `u${++turn}`, callId: `u${turn}`, door: "cli", summary: "undo" } as const;
      return changes.undo(call, last, files, new AbortController().signal);
    },
  };
}
