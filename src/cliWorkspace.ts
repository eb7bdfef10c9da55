import { join } from "node:path";
import { tmpdir } from "node:os";
import { ChangeKeeper } from "./features/changes/changes.js";
import { ImportUpdater } from "./features/changes/importUpdates.js";
import { describeRecovered } from "./features/changes/journal/recovered.js";
import { lookAt } from "./features/changes/journal/look.js";
import { KnowledgeBase } from "./features/knowledge/knowledgeBase.js";
import { MEMORY_LIMITS } from "./features/memory/limits.js";
import { ProcessTable } from "./features/processes/processTable.js";
import type { PipelineHost } from "./core/pipeline/pipeline.js";
import { closedApprovals } from "./doors/cli/agentsCommand.js";
import type { CliTarget } from "./doors/cli/program.js";
import { NodeDisk } from "./hosts/node/disk/disk.js";
import { isAgentsCommand } from "./hosts/node/environment.js";
import { NodeFiles } from "./hosts/node/disk/files.js";
import { ProcessExpressions } from "./hosts/node/jsonata/expressions.js";
import { KnowledgeStores } from "./hosts/node/state/knowledgeStore.js";
import { statWritable } from "./hosts/node/disk/openRegular.js";
import { NodeSpawner } from "./hosts/node/processes/spawner.js";
import { RESULTS_FOLDER, ResultFiles } from "./hosts/node/state/results.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "./hosts/node/ripgrep/run.js";
import { ruleScope } from "./hosts/node/ruleScope.js";
import { DiskSpool } from "./hosts/node/state/spool.js";
import { workspaceStateFolder } from "./hosts/node/state/stateFolder.js";
import { openRoots } from "./hosts/node/workspace.js";
import { WorkspaceStates } from "./hosts/node/state/workspaceState.js";
import { EmbeddingsServer } from "./hosts/openai/embeddings.js";
import { ripgrepPatterns } from "./hosts/ripgrep/patterns.js";
import { RipgrepSearch } from "./hosts/ripgrep/search.js";
import type { ApprovedDocuments } from "./ports/approvals.js";

/** The folder of a command line and all that its tools are given there, opened when it is first used. */
export interface CliWorkspace {
  files: NodeFiles;
  states: WorkspaceStates;
  changes: ChangeKeeper;
  results: ResultFiles;
  table: ProcessTable;
  /** All but the sessions and the processes, which differ between a single command and an agent. */
  capabilities: Omit<PipelineHost["capabilities"], "sessions" | "processes">;
  /** Ends what runs and lets go of the state. */
  close: () => Promise<void>;
}

/** @throws Error when the folder is not there */
export function openWorkspace(target: CliTarget, warn: (message: string) => void): CliWorkspace {
  const files = openFiles(target);
  const folders = (): string[] => foldersOf(files);
  const run = createRipgrep(ripgrepOfPackage(__dirname) ?? ripgrepOnPath());
  const search = new RipgrepSearch({
    run,
    roots: () => files.roots(),
    resolve: (path) => files.resolve(path),
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [],
    ruleScope,
    files,
  });
  const states = openStates(files, warn);
  const imports = new ImportUpdater({
    files,
    search,
    // Off, as the setting is by default.
    isOn: () => process.env["TOOLHOST_UPDATE_IMPORTS"] === "1",
    ledger: async () => (await states.current()).ledger,
    checkWritable: async ({ absolute }) => void (await statWritable(absolute)),
  });
  const results = new ResultFiles(() => Promise.resolve(join(workspaceStateFolder(folders()), RESULTS_FOLDER)));
  const knowledgeStores = new KnowledgeStores(folders);
  const embeddings = new EmbeddingsServer(embeddingsVariable, process.env);
  const knowledge = new KnowledgeBase({
    files,
    stores: knowledgeStores,
    embeddings: () => embeddings.current(),
    now: Date.now,
  });
  const table = new ProcessTable({ spawner: new NodeSpawner(), results });
  return {
    ...{ files, states, results, table, changes: keepChanges(files, states) },
    capabilities: {
      ...{ files, search, imports, knowledge, results },
      clock: { now: Date.now },
      memory: { limits: () => MEMORY_LIMITS, now: Date.now },
      expressions: new ProcessExpressions(__dirname),
      spool: new DiskSpool(new NodeDisk()),
      patterns: ripgrepPatterns(run, tmpdir()),
    },
    close: async () => {
      await table.closeAll();
      states.close();
      knowledgeStores.close();
    },
  };
}

/** The approvals of an agent at the command line. Where another agent started that, nothing is approved. */
export function cliApprovals({ states }: Pick<CliWorkspace, "states">): ApprovedDocuments {
  const approvals = states.approvals(false);
  return isAgentsCommand(process.env) ? closedApprovals(approvals) : approvals;
}

/** @throws Error when the folder is not there */
export function openFiles({ workspace, root }: CliTarget): NodeFiles {
  return new NodeFiles(new NodeDisk(), openRoots(workspace ?? process.cwd(), root));
}

export function openStates(files: NodeFiles, warn: (message: string) => void): WorkspaceStates {
  return new WorkspaceStates({
    folders: () => foldersOf(files),
    look: (key) => lookAt(files, key),
    foldCase: new NodeDisk().foldCase,
    place: "a command line",
    onNotice: warn,
    onRecovered: (recovered) => warn(describeRecovered(recovered)),
  });
}

export function keepChanges(files: NodeFiles, states: WorkspaceStates): ChangeKeeper {
  return new ChangeKeeper({
    writer: files,
    state: (again) => states.current(again),
    tellsProblems: () => false,
  });
}

function foldersOf(files: NodeFiles): string[] {
  return files.roots().flatMap(({ path, beside }) => (beside ? [] : [path]));
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
