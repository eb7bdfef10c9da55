import { ChangeKeeper } from "../../features/changes/changes.js";
import { lookAt } from "../../features/changes/journal/look.js";
import { describeRecovered } from "../../features/changes/journal/recovered.js";
import { MEMORY_LIMITS } from "../../features/memory/limits.js";
import type { PipelineHost } from "../../core/pipeline/pipeline.js";
import { ProcessTable } from "../../features/processes/processTable.js";
import { closedApprovals } from "../../doors/cli/agentsCommand.js";
import type { CliTarget } from "../../doors/cli/host.js";
import { NodeDisk } from "../../hosts/node/disk/disk.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { environmentSearch } from "../../hosts/node/environmentSearch.js";
import { NodeFiles } from "../../hosts/node/disk/files.js";
import { WorkspaceScan } from "../../hosts/search/workspaceScan.js";
import { DiskFiles } from "../../hosts/shared/diskFiles.js";
import { statWritable } from "../../hosts/node/disk/openRegular.js";
import { CODE_SEARCHES, type CodeSearch } from "../../names/settings.js";
import { stateRoot } from "../../hosts/node/state/stateFolder.js";
import { Sandbox, type SandboxHost } from "../../hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../hosts/node/processes/spawner.js";
import type { Ripgrep } from "../../hosts/ripgrep/ripgrep.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "../../hosts/node/ripgrep/run.js";
import { openRoots } from "../../hosts/node/workspace.js";
import { CliMcpServers } from "./mcpServers.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Root } from "../../ports/files.js";
import type { ExternalTools } from "../../ports/externalTools.js";
import { watchCommands } from "../effects.js";
import { openViews, type WorkspaceViews } from "../views.js";
import { searchLocal } from "../files.js";
import { followMoves } from "../moves.js";
import { codeFollower, machineCapabilities, syntaxCode } from "../pipeline.js";
import { keepState, type KeptState } from "../state.js";
import { sandboxHosts } from "./settings.js";
import type { CliSandbox } from "./sandbox.js";
import { USER_AGENT } from "../userAgent.js";

/** The folder of a command line, and where it shows notices. */
export interface CliPlace {
  target: CliTarget;
  /** The bundle's folder, for programs that are loaded later. */
  folder: string;
  warn: (message: string) => void;
  /** The place of the folder, if it is not this machine. */
  elsewhere?: CliSandbox;
  /** The state of the folder of which this one is a copy for a task: its sessions and results are there. */
  copyOf?: Pick<KeptState, "sessionLog" | "activity" | "results" | "secretFiles"> & Pick<Root, "borrows">;
}

/** A command line's folder, and the changes made in it. */
export interface CliFolder {
  files: DiskFiles;
  state: KeptState;
  changes: ChangeKeeper;
}

/** The same, with all capabilities of the tools, opened on first use. */
export interface CliWorkspace extends CliFolder {
  target: CliTarget;
  folder: string;
  processes: ProcessTable;
  run: Ripgrep;
  /** The name of the sandbox that it is in, such as another machine or a container; undefined for a folder of this machine. */
  elsewhere: string | undefined;
  /** Whether commands that change files are contained. */
  contains: () => Promise<boolean>;
  /** Whether commands that ask are tried first. */
  rehearses: () => Promise<boolean>;
  /** All except sessions and processes, which differ between a single command and an agent. */
  capabilities: Omit<PipelineHost["capabilities"], "sessions" | "processes" | "externalTools"> & {
    externalTools: ExternalTools;
  };
  /** Ends everything that runs and closes the state. */
  close: () => Promise<void>;
}

/**
 * @param processPrefix what the ids of its commands begin with; as in a window if absent
 * @throws Error if the folder does not exist
 */
export function openWorkspace(place: CliPlace, processPrefix?: string): CliWorkspace {
  const { elsewhere } = place;
  const { files, state, changes } = openFolder(place);
  const run = createRipgrep(ripgrepOfPackage(place.folder) ?? ripgrepOnPath());
  const search = elsewhere === undefined ? searchLocal(files, run) : new WorkspaceScan({ files, run });
  // What an agent started says it in the result of its command, and the agent's own process has said it.
  const onMissing = isAgentsCommand(process.env) ? () => undefined : tellMissing(place.warn);
  const sandbox = cliSandbox(files, state.secretFiles, onMissing, place.folder);
  sandboxHosts(place.warn);
  const views = elsewhere === undefined ? cliViews(files, changes, sandbox, onMissing) : undefined;
  const local = new NodeSpawner(sandbox);
  const spawner = elsewhere?.spawner(local) ?? local;
  const effects =
    elsewhere === undefined ? watchCommands(place.folder, files, { changes, state }, place.warn) : undefined;
  const processes = new ProcessTable({
    ...{ spawner, results: state.results },
    ...(effects !== undefined && { effects }),
    ...(views !== undefined && { views }),
    ...(processPrefix !== undefined && { prefix: processPrefix }),
  });
  const externalTools = new CliMcpServers({ files, state, spawner: local });
  const webSearch = environmentSearch(process.env);
  const imports = followMoves(files, search, () => state.states.current(), {
    // Off by default, like the setting.
    isOn: () => process.env["TOOLHOST_UPDATE_IMPORTS"] === "1",
    checkWritable: async ({ absolute }) => (elsewhere === undefined ? void (await statWritable(absolute)) : undefined),
  });
  return {
    ...{ files, state, changes, processes, run, target: place.target, folder: place.folder },
    elsewhere: elsewhere?.name,
    contains: async () => (await views?.canOpen()) ?? false,
    rehearses: async () => (await views?.rehearses()) ?? false,
    capabilities: {
      code: syntaxCode(place.folder, files, search),
      codeIndex: state.codeIndexOf(files, codeFollower(place.folder, { files, search })).codeIndex,
      ...{ files, search, imports, externalTools, knowledge: state.knowledge, results: state.results },
      ...machineCapabilities(place.folder, {
        ...{ disk: new NodeDisk(), run, userAgent: USER_AGENT },
        memory: () => MEMORY_LIMITS,
      }),
      ...(webSearch && { webSearch }),
    },
    close: async () => {
      await Promise.all([processes.closeAll(), externalTools.close()]);
      local.dispose();
      await state.close();
    },
  };
}

/** @throws Error if the folder does not exist */
export function openFolder(place: CliPlace): CliFolder {
  const { warn, elsewhere, copyOf } = place;
  const files = openFiles(place);
  // Asked for several times in each call, and reading a variable takes a while.
  const isMasked = masksSecrets();
  const own = keepState({
    userAgent: USER_AGENT,
    ...{
      files,
      place: "a command line",
      embeddings: embeddingsVariable,
      codeSearch: codeSearchVariable,
      onNotice: warn,
      masksSecrets: () => isMasked,
    },
    folders: () =>
      elsewhere === undefined
        ? files.roots().flatMap(({ path, beside }) => (beside ? [] : [path]))
        : [elsewhere.address],
    look: (key, large) => lookAt(files, key, large),
    foldCase: elsewhere === undefined && new NodeDisk().foldCase,
    onRecovered: (recovered) => warn(describeRecovered(recovered)),
  });
  // Commands in a copy may read the secrets neither of the copy nor of the folder.
  const secretFiles = async (): Promise<string[]> =>
    (await Promise.all([own.secretFiles(), copyOf?.secretFiles() ?? []])).flat();
  const state = copyOf === undefined ? own : { ...own, ...sharedBy(copyOf), secretFiles };
  const changes = new ChangeKeeper({
    writer: files,
    state: (again) => state.states.current(again),
    tellsProblems: () => false,
  });
  return { files, state, changes };
}

function sharedBy({ sessionLog, activity, results }: NonNullable<CliPlace["copyOf"]>): Partial<KeptState> {
  return { sessionLog, activity, results };
}

/** @throws Error if the folder does not exist */
export function openFiles({ target: { workspace, root, others }, elsewhere, copyOf }: CliPlace): DiskFiles {
  if (elsewhere !== undefined) {
    return new DiskFiles(elsewhere.disk, [elsewhere.root], elsewhere.hints);
  }
  const roots = openRoots(workspace ?? process.cwd(), root, others);
  const { borrows } = copyOf ?? {};
  return new NodeFiles(new NodeDisk(), borrows === undefined ? roots : roots.map((each) => ({ ...each, borrows })));
}

/**
 * Returns the approvals of documents on a command line. If an agent started it, nothing can be approved.
 *
 * @param byOwner whether every call is the user's own
 */
export function cliApprovals({ state }: Pick<CliFolder, "state">, byOwner: boolean): ApprovedDocuments {
  return isAgentsCommand(process.env)
    ? closedApprovals(state.states.approvals(false))
    : state.states.approvals(byOwner);
}

/** Returns what tells people why work on the project asks here. */
function tellMissing(warn: CliPlace["warn"]): (why: string) => void {
  return (why) => warn(`${why} Work on the project therefore asks; TOOLHOST_SANDBOX=off ends this notice.`);
}

/** @param secretFiles as `SandboxHost` has it; if absent, none are known */
function cliSandbox(
  files: DiskFiles,
  secretFiles: SandboxHost["secretFiles"] = async () => [],
  onMissing: SandboxHost["onMissing"] = () => undefined,
  bundles?: string,
): Sandbox {
  return new Sandbox({
    isOn: () => sandboxVariable() !== "off",
    folders: () => files.roots().map(({ path }) => path),
    shown: () => files.roots().flatMap(({ borrows }) => borrows ?? []),
    ...{ secretFiles, stateFolder: stateRoot, onMissing },
    ...(bundles !== undefined && { bundles }),
  });
}

/** Returns what tells whether commands that change files are contained, where none is run. */
export function containsOn(files: DiskFiles): () => Promise<boolean> {
  const views = cliViews(files, undefined, cliSandbox(files));
  return () => views.canOpen();
}

function cliViews(
  files: DiskFiles,
  changes: ChangeKeeper | undefined,
  sandbox: Sandbox,
  onMissing: SandboxHost["onMissing"] = () => undefined,
): WorkspaceViews {
  const isOn = (): boolean => !["off", "read"].includes(sandboxVariable() ?? "");
  const isRehearsing = (): boolean => process.env["TOOLHOST_REHEARSE"] !== "off";
  return openViews(files, changes, sandbox, isOn, isRehearsing, onMissing);
}

/** Returns which commands are contained; an agent that started this command line cannot change that. */
function sandboxVariable(): string | undefined {
  return isAgentsCommand(process.env) ? undefined : process.env["TOOLHOST_SANDBOX"];
}

/** Whether secrets are masked on this command line; an agent that started it cannot change that. */
function masksSecrets(): boolean {
  return process.env["TOOLHOST_SHOW_SECRETS"] !== "1" || isAgentsCommand(process.env);
}

/** Returns how code is searched; an agent that started this command line cannot have code sent somewhere. */
function codeSearchVariable(): CodeSearch {
  const value = CODE_SEARCHES.find((known) => known === process.env["TOOLHOST_CODE_SEARCH"]) ?? "words";
  return value === "embeddings" && isAgentsCommand(process.env) ? "words" : value;
}

/** Returns the value of toolhost.embeddings for the command line, which is given as JSON. */
function embeddingsVariable(): unknown {
  const text = process.env["TOOLHOST_EMBEDDINGS"];
  try {
    return text === undefined || text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
