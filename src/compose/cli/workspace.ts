import { ChangeKeeper } from "../../features/changes/changes.js";
import { lookAt } from "../../features/changes/journal/look.js";
import { describeRecovered } from "../../features/changes/journal/recovered.js";
import { MEMORY_LIMITS } from "../../features/memory/limits.js";
import type { PipelineHost } from "../../core/pipeline/pipeline.js";
import { ProcessTable } from "../../features/processes/processTable.js";
import { closedApprovals } from "../../doors/cli/agentsCommand.js";
import type { CliTarget } from "../../doors/cli/program.js";
import { NodeDisk } from "../../hosts/node/disk/disk.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { NodeFiles } from "../../hosts/node/disk/files.js";
import { statWritable } from "../../hosts/node/disk/openRegular.js";
import { NodeSpawner } from "../../hosts/node/processes/spawner.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "../../hosts/node/ripgrep/run.js";
import { openRoots } from "../../hosts/node/workspace.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import { followMoves, searchLocal } from "../files.js";
import { machineCapabilities } from "../pipeline.js";
import { keepState, type KeptState } from "../state.js";
import { USER_AGENT } from "../userAgent.js";

/** Where a command line works, and where it says what it notices. */
export interface CliPlace {
  target: CliTarget;
  /** Of the bundle: what is loaded later is there. */
  folder: string;
  warn: (message: string) => void;
}

/** The folder of a command line, and the changes that are made in it. */
export interface CliFolder {
  files: NodeFiles;
  state: KeptState;
  changes: ChangeKeeper;
}

/** The same with all that tools are given there, opened when it is first used. */
export interface CliWorkspace extends CliFolder {
  folder: string;
  processes: ProcessTable;
  /** All but the sessions and the processes, which differ between a single command and an agent. */
  capabilities: Omit<PipelineHost["capabilities"], "sessions" | "processes">;
  /** Ends what runs and lets go of the state. */
  close: () => Promise<void>;
}

/** @throws Error when the folder is not there */
export function openWorkspace(place: CliPlace): CliWorkspace {
  const { files, state, changes } = openFolder(place);
  const run = createRipgrep(ripgrepOfPackage(place.folder) ?? ripgrepOnPath());
  const search = searchLocal(files, run);
  const processes = new ProcessTable({ spawner: new NodeSpawner(), results: state.results });
  const imports = followMoves(files, search, () => state.states.current(), {
    // Off, as the setting is by default.
    isOn: () => process.env["TOOLHOST_UPDATE_IMPORTS"] === "1",
    checkWritable: async ({ absolute }) => void (await statWritable(absolute)),
  });
  return {
    ...{ files, state, changes, processes, folder: place.folder },
    capabilities: {
      ...{ files, search, imports, knowledge: state.knowledge, results: state.results },
      ...machineCapabilities(place.folder, { disk: new NodeDisk(), run, memory: () => MEMORY_LIMITS }),
    },
    close: async () => {
      await processes.closeAll();
      state.close();
    },
  };
}

/** @throws Error when the folder is not there */
export function openFolder({ target, warn }: CliPlace): CliFolder {
  const files = openFiles(target);
  const state = keepState({
    userAgent: USER_AGENT,
    ...{ files, place: "a command line", embeddings: embeddingsVariable, onNotice: warn },
    folders: () => files.roots().flatMap(({ path, beside }) => (beside ? [] : [path])),
    look: (key) => lookAt(files, key),
    foldCase: new NodeDisk().foldCase,
    onRecovered: (recovered) => warn(describeRecovered(recovered)),
  });
  const changes = new ChangeKeeper({
    writer: files,
    state: (again) => state.states.current(again),
    tellsProblems: () => false,
  });
  return { files, state, changes };
}

/** @throws Error when the folder is not there */
export function openFiles({ workspace, root }: CliTarget): NodeFiles {
  return new NodeFiles(new NodeDisk(), openRoots(workspace ?? process.cwd(), root));
}

/**
 * The approvals of documents at a command line. Where another agent started that, nothing is approved.
 *
 * @param byOwner whether every call here is a person's own
 */
export function cliApprovals({ state }: Pick<CliFolder, "state">, byOwner: boolean): ApprovedDocuments {
  return isAgentsCommand(process.env)
    ? closedApprovals(state.states.approvals(false))
    : state.states.approvals(byOwner);
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
