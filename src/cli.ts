import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { RecentActivity } from "./core/activity.js";
import { Cancelled, ToolError } from "./core/errors.js";
import { failure, type Outcome } from "./core/outcome.js";
import { describeRecovered } from "./core/journal/recovered.js";
import { ChangeKeeper } from "./core/changes.js";
import { ImportUpdater } from "./core/importUpdates.js";
import { ProcessTable } from "./core/processes/processTable.js";
import { ProcessExpressions } from "./hosts/node/jsonata/expressions.js";
import { NodeSpawner } from "./hosts/node/processes.js";
import { ResultFiles } from "./hosts/node/results.js";
import { workspaceStateFolder } from "./hosts/node/stateFolder.js";
import type { CapabilityName } from "./ports/capabilities.js";
import type { Processes } from "./ports/processes.js";
import { lookAt } from "./core/journal/look.js";
import { MEMORY_LIMITS } from "./core/memoryLimits.js";
import { newId, Pipeline } from "./core/pipeline.js";
import { readRules } from "./core/permission/readRules.js";
import { Rules } from "./core/permission/ruleBook.js";
import { KnowledgeBase } from "./core/knowledge/knowledgeBase.js";
import { Registry } from "./core/registry.js";
import type { Explainer, ExplainOptions } from "./doors/cli/explain.js";
import { runCli, type CliTarget } from "./doors/cli/program.js";
import { undoFromCommandLine, type UndoRequest } from "./doors/undo/commandLine.js";
import { NodeDisk } from "./hosts/node/disk.js";
import { NodeFiles } from "./hosts/node/files.js";
import { statWritable } from "./hosts/node/openRegular.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "./hosts/node/ripgrep.js";
import { WasmShellGrammar } from "./hosts/node/shellGrammar.js";
import { DiskSpool } from "./hosts/node/spool.js";
import { loadSqlite } from "./hosts/node/sqlite.js";
import { ruleScope } from "./hosts/node/ruleScope.js";
import { openRoots } from "./hosts/node/workspace.js";
import { KnowledgeStores } from "./hosts/node/knowledgeStore.js";
import { WorkspaceStates } from "./hosts/node/workspaceState.js";
import { EmbeddingsServer } from "./hosts/openai/embeddings.js";
import { RipgrepSearch } from "./hosts/ripgrepSearch.js";
import { tools } from "./tools/index.js";

/** The command line: wires the node host to the tools and runs one command. */

/** Milliseconds; the same as the default of the setting toolhost.toolTimeout. */
const TOOL_TIMEOUT = 30_000;

/** Capabilities that a single command has no use for: nothing goes on behind it, and there are no tasks without VS Code. */
const WINDOW_ONLY: readonly CapabilityName[] = ["patterns", "tasks"];

const registry = new Registry();
for (const tool of tools.filter(({ needs }) => !needs.some((name) => WINDOW_ONLY.includes(name)))) {
  registry.register(tool);
}
const cancellation = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => cancellation.abort());
}

async function invoke(target: CliTarget, name: string, input: unknown): Promise<Outcome> {
  const files = openFiles(target);
  const search = new RipgrepSearch({
    run: createRipgrep(ripgrepOfPackage(__dirname) ?? ripgrepOnPath()),
    roots: () => files.roots(),
    resolve: (path) => files.resolve(path),
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [],
    ruleScope,
    files,
  });
  const states = openStates(files);
  const imports = new ImportUpdater({
    files,
    search,
    // Off, as the setting is by default.
    isOn: () => process.env["TOOLHOST_UPDATE_IMPORTS"] === "1",
    ledger: async () => (await states.current()).ledger,
    checkWritable: async ({ absolute }) => void (await statWritable(absolute)),
  });
  const results = new ResultFiles(() => Promise.resolve(join(workspaceStateFolder(foldersOf(files)), "results")));
  const knowledgeStores = new KnowledgeStores(() => foldersOf(files));
  const embeddings = new EmbeddingsServer(embeddingsVariable, process.env);
  const knowledge = new KnowledgeBase({ files, stores: knowledgeStores, embeddings: () => embeddings.current(), now: Date.now });
  const table = new ProcessTable({ spawner: new NodeSpawner(), results });
  const lazy = { expressions: new ProcessExpressions(__dirname), spool: new DiskSpool(new NodeDisk()) };
  const pipeline = new Pipeline({
    registry,
    capabilities: { ...lazy, clock: { now: Date.now }, files, search, imports, knowledge, memory: { limits: () => MEMORY_LIMITS, now: Date.now }, results, processes: inForeground(table) },
    changes: keepChanges(files, states),
    settings: () => ({ mode: "default", trusted: true, defaultTimeout: TOOL_TIMEOUT, isGroupEnabled: () => true }),
    activity: new RecentActivity(),
    now: Date.now,
  });
  try {
    return await pipeline.invoke(name, input, { door: "cli", session: newId(), signal: cancellation.signal, authority: "owner" });
  } catch (error) {
    return failure(name, error instanceof ToolError ? error : new Cancelled(name));
  } finally {
    await table.closeAll();
    states.close();
    knowledgeStores.close();
  }
}

/** Tells what permission would say of a model's call in VS Code. Opens no state, so that it leaves nothing behind. */
function explainer(target: CliTarget, { mode, trusted, rules }: ExplainOptions): Explainer {
  const files = openFiles(target);
  const all = new Registry();
  for (const tool of tools) {
    all.register(tool);
  }
  const added = rules === undefined ? [] : readRules(rules.value, "command line", rules.place, tools);
  const pipeline = new Pipeline({
    registry: all,
    capabilities: { files },
    changes: { undoable: async () => loadSqlite() !== undefined, hasSeen: async () => true, forCall: () => notToRun() },
    settings: () => ({ mode, trusted, defaultTimeout: TOOL_TIMEOUT, isGroupEnabled: () => true }),
    rules: new Rules({ rules: () => added, add: () => notToRun() }, Date.now),
    grammar: new WasmShellGrammar(__dirname),
    activity: new RecentActivity(),
    now: Date.now,
  });
  return {
    problems: added.flatMap(({ place, broken }) => (broken === undefined ? [] : [`${place}: ${broken}`])),
    explain: async (name, input) => {
      try {
        return { ok: true, explanation: await pipeline.explain(name, input, { door: "cli", session: newId(), signal: cancellation.signal, authority: "model" }) };
      } catch (error) {
        const outcome = failure(name, error);
        return outcome.ok ? notToRun() : outcome;
      }
    },
  };
}

/** What only a call that runs does. */
function notToRun(): never {
  throw new Error("explain runs nothing");
}

/** Commands of a command line end with it: none is left in the background. */
function inForeground(table: ProcessTable): Processes {
  return {
    start: (request, background, owner) => {
      if (background) {
        throw new ToolError("unavailable", "exec: a background command would end with this command line.", "Start it in your shell with & instead.");
      }
      return table.start(request, background, owner);
    },
    find: (id) => table.find(id),
    wasKnown: (id) => table.wasKnown(id),
    list: () => table.list(),
  };
}

/** The setting toolhost.embeddings of the command line, as JSON. */
function embeddingsVariable(): unknown {
  const text = process.env["TOOLHOST_EMBEDDINGS"];
  try {
    return text === undefined || text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function foldersOf(files: NodeFiles): string[] {
  return files.roots().flatMap(({ path, beside }) => (beside ? [] : [path]));
}

async function undo(target: CliTarget, request: UndoRequest): Promise<Outcome> {
  const files = openFiles(target);
  const states = openStates(files);
  const host = { changes: keepChanges(files, states), files, activity: new RecentActivity(), isTrusted: () => true, now: Date.now };
  try {
    return await undoFromCommandLine(host, request, cancellation.signal);
  } finally {
    states.close();
  }
}

function openFiles({ workspace, root }: CliTarget): NodeFiles {
  return new NodeFiles(new NodeDisk(), openRoots(workspace ?? process.cwd(), root));
}

function openStates(files: NodeFiles): WorkspaceStates {
  return new WorkspaceStates({
    folders: () => foldersOf(files),
    look: (key) => lookAt(files, key),
    foldCase: new NodeDisk().foldCase,
    onNotice: warn,
    onRecovered: (recovered) => warn(describeRecovered(recovered)),
  });
}

function keepChanges(files: NodeFiles, states: WorkspaceStates): ChangeKeeper {
  return new ChangeKeeper({
    writer: files,
    state: () => states.current(),
    tellsProblems: () => false,
  });
}

function warn(message: string): void {
  process.stderr.write(`toolhost: ${message}\n`);
}

/** A reader that leaves early (`toolhost grep x | head -1`) is no error; output that nobody can get is one. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") {
    process.exit();
  }
  process.stderr.write(`toolhost: the output could not be written: ${error.message}\n`);
  process.exit(1);
}
process.stdout.on("error", onOutputError);
process.stderr.on("error", () => process.exit());

void runCli(
  {
    version: __TOOLHOST_VERSION__,
    tools: registry.list(),
    invoke,
    undo,
    explainer,
    readStdin: () => text(addAbortSignal(cancellation.signal, process.stdin)),
    readFile: (path) => readFile(path, "utf8"),
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  },
  process.argv.slice(2),
).then((exitCode) => {
  process.exitCode = exitCode;
});
