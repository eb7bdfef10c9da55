import { isOfChange } from "../../../src/hosts/node/disk/temporaries.js";
import { slashed } from "../../../src/hosts/node/disk/slashed.js";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { searchLocal } from "../../../src/compose/files.js";
import { followMoves } from "../../../src/compose/moves.js";
import { composePipeline, machineCapabilities } from "../../../src/compose/pipeline.js";
import type { Tool } from "../../../src/core/contract.js";
import { isRecord } from "../../../src/core/jsonSchema.js";
import { partCall } from "../../../src/core/toolParts.js";
import { RecentActivity, type Door } from "../../../src/core/pipeline/activity.js";
import type { Outcome, OutcomeError } from "../../../src/core/outcome.js";
import { ChangeKeeper, type ChangeState } from "../../../src/features/changes/changes.js";
import type { ReadRule } from "../../../src/core/pipeline/changeOrigin.js";
import { Journal } from "../../../src/features/changes/journal/journal.js";
import { JournalQueries } from "../../../src/features/changes/journal/queries.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { Ledger } from "../../../src/features/changes/ledger.js";
import { MEMORY_LIMITS } from "../../../src/features/memory/limits.js";
import { readRules } from "../../../src/core/permission/rules/readRules.js";
import { Rules } from "../../../src/core/permission/rules/book.js";
import type { PermissionMode } from "../../../src/core/permission/modes.js";
import type { ProcessTimes, UnaskedLimits } from "../../../src/features/processes/limits.js";
import { KnowledgeBase } from "../../../src/features/knowledge/knowledgeBase.js";
import { followCode } from "../../../src/features/knowledge/followCode.js";
import { withoutSecrets } from "../../../src/features/code/withoutSecrets.js";
import { SyntaxCode } from "../../../src/features/code/syntaxCode.js";
import { CommandEffects } from "../../../src/features/effects/effects.js";
import type { Snapshots } from "../../../src/features/effects/snapshots.js";
import { ProcessTable } from "../../../src/features/processes/processTable.js";
import type { Caller, Pipeline, Prepared } from "../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../src/core/registry.js";
import { MaskedResults } from "../../../src/core/secrets/maskedResults.js";
import type { SessionLog } from "../../../src/features/sessions/sessionLog.js";
import { LoggedSessions } from "../../../src/features/sessions/loggedSessions.js";
import { StoredSessions } from "../../../src/features/sessions/storedSessions.js";
import { unkeptSessions } from "../../../src/features/sessions/unkeptSessions.js";
import { MemoryDisk } from "../../memory/disk.js";
import { MemoryFiles } from "../../memory/files.js";
import { memorySearch } from "../../memory/search.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { readRegular } from "../../../src/hosts/node/effects/readRegular.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import type { SandboxClient } from "../../../src/ports/sandbox.js";
import { FolderCopy } from "../../../src/hosts/node/copies/folderCopy.js";
import { InMemorySandboxClient } from "../../../src/hosts/sandbox/memoryClient.js";
import { ClientDisk } from "../../../src/hosts/sandbox/clientDisk.js";
import { WorkspaceScan } from "../../../src/hosts/search/workspaceScan.js";
import { DiskFiles } from "../../../src/hosts/shared/diskFiles.js";
import { statWritable } from "../../../src/hosts/node/disk/openRegular.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "../../../src/hosts/node/ripgrep/run.js";
import { NodeSpawner } from "../../../src/hosts/node/processes/spawner.js";
import { HostSecrets } from "../../../src/hosts/node/secrets/hostSecrets.js";
import { ResultFiles } from "../../../src/hosts/node/state/results.js";
import { openMemoryIndex } from "../../memory/knowledgeIndex.js";
import { openMemoryStore } from "../../../src/hosts/node/state/store.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import type { Disk } from "../../../src/hosts/shared/disk.js";
import type { Embeddings } from "../../../src/ports/embeddings.js";
import type { Capabilities } from "../../../src/ports/capabilities.js";
import type { Question } from "../../../src/ports/confirm.js";
import type { MemoryLimits } from "../../../src/ports/memory.js";
import type { FileWriter } from "../../../src/ports/changes.js";
import { SANDBOX_SCHEME, type Files, type Root } from "../../../src/ports/files.js";
import type { Search } from "../../../src/ports/search.js";
import type { Sessions } from "../../../src/ports/sessions.js";
import { tools } from "../../../src/tools/index.js";
import { syntax } from "../../harness/grammars.js";
import { chosenClient, clientDisk, clientOfMachine, spawnerOf, type Client } from "./clients.js";
import { grammar } from "../../system/shell/grammar.js";
import { expressions } from "../hosts/jsonataWorker.js";

/** Files by path: text, bytes, or undefined for an empty folder. */
export type FileTree = Readonly<Record<string, string | Uint8Array | undefined>>;

export interface CallOptions {
  /** `model` is asked about changes and gets `answer`; `owner` is a person's own command line. */
  as?: "owner" | "model";
  /** What the person says; nobody can be asked when absent. */
  answer?: boolean | ((question: Question) => Promise<boolean>);
  signal?: AbortSignal;
  /** Default: one of its own for each call. */
  session?: string;
  turn?: string;
  /** Default: `ask` where an answer is given. */
  mode?: PermissionMode;
  reads?: ReadRule;
  /** The door asks in advance (VS Code's confirmation), so that only what it could not ask is asked here. */
  inAdvance?: boolean;
  /** A program reads the data. */
  readsData?: boolean;
  /** Characters that the caller takes. */
  answerSize?: number;
}

export type Host = "node" | "memory" | Client;

const CHOSEN = chosenClient();

/**
 * The hosts whose tools behave alike, whatever the files lie on. Sandboxes take up to ten times as long: their turn comes
 * when TOOLHOST_TEST_HOST names one (`npm run clients`). What is different there is in `departures.ts`.
 */
export const hosts: readonly Host[] = CHOSEN === undefined ? ["node", "memory"] : [CHOSEN];

/** Whether nothing of a host is on this machine's disk. */
export function isInMemory(host: Host): boolean {
  return host === "memory" || host === "client";
}

export interface WorkspaceOptions {
  /** What the files lie on, and where commands run. Default: what TOOLHOST_TEST_HOST names, or node. */
  host?: Host;
  /** Files that lie outside the workspace. */
  outside?: FileTree;
  /** More roots: `beside` as the command line's --root gives them, else a workspace of several folders. */
  roots?: readonly { path: string; name: string; beside?: boolean; borrows?: string }[];
  /** The server whose embeddings code_search uses. */
  codeEmbeddings?: Embeddings;
  /** Name of the first folder in a workspace of several. */
  name?: string;
  disk?: Disk;
  /** The ripgrep to run. */
  ripgrep?: string | undefined;
  /** Bytes of memory at which it is stopped. */
  ripgrepMemory?: number;
  /** The setting toolhost.updateImportsOnMove. Default off. */
  updatesImports?: boolean;
  /** Tools in addition to those of Toolhost. */
  moreTools?: readonly Tool[];
  /** Default true. */
  trusted?: boolean;
  /** What the memory may take. Default: as where the user set nothing. */
  memory?: Partial<MemoryLimits>;
  /** The clock of the memory and the documents. */
  now?: () => number;
  /** The sessions of agents. Default: a log without any. */
  sessions?: Sessions | "not kept";
  /** Further capabilities, which a host may have or not. */
  capabilities?: Partial<
    Pick<
      Capabilities,
      | "approvals"
      | "code"
      | "languageServers"
      | "messages"
      | "externalTools"
      | "http"
      | "inventory"
      | "pages"
      | "pdf"
      | "tasks"
      | "webSearch"
    >
  >;
  /** The user's rules, as they write them. */
  rules?: unknown;
  /** It is a window next to a command line: both have one state. */
  sharesState?: boolean;
  /** How long processes are waited for and kept. */
  times?: Partial<ProcessTimes>;
  /** Whether secrets are masked, as for users. Default: no, so that a test sees all that a tool gives. */
  masks?: boolean;
  /** The variables of the host whose values may be secrets. Default: none. */
  env?: NodeJS.ProcessEnv;
  /** Finds out what commands change. Default: nobody is told. */
  snapshots?: Snapshots;
  /** What commands may take that nobody was asked about. */
  limits?: Partial<UnaskedLimits>;
}

/** What a test does to files behind the tools' back. Paths are relative to the workspace, or absolute. */
export interface TestDisk {
  put: (path: string, content: string | Uint8Array) => Promise<void>;
  makeFolder: (path: string) => Promise<void>;
  /** Makes a link; a relative target is relative to the link's folder. */
  link: (path: string, target: string) => Promise<void>;
  /** Makes a pipe. */
  makePipe: (path: string) => Promise<void>;
  remove: (path: string) => Promise<void>;
  /** Sets the time of change, in milliseconds since 1970. */
  date: (path: string, modified: number) => Promise<void>;
  bytes: (path: string) => Promise<Buffer>;
  names: (path?: string) => Promise<string[]>;
}

/** What grep says of a folder in which nothing matches. */
export const NO_MATCH =
  "[No match.]\n[Ignored files (.gitignore) and files that may hold secrets are not searched; include_ignored searches the former.]";

/** A folder with the real tools on it, through the real pipeline. */
export interface TestWorkspace extends TestDisk {
  folder: string;
  /** A folder next to the workspace, with the files of the option `outside`. */
  outside: string;
  files: Files;
  /** Every question a person was asked. */
  asked: Question[];
  /** Makes the changes of the calls, and takes them back. */
  changes: ChangeKeeper;
  /** Tells the commands' watch that the user saved a file, as the editor does. */
  saved: (path: string) => void;
  /** What the commands of the calls run in; all end with the test. */
  processes: ProcessTable;
  call: (tool: string, input: unknown, options?: CallOptions) => Promise<Outcome>;
  pipeline: Pipeline;
  /** The folder of stored results and of the key of handles. */
  stateFolder: string;
  /** The calls so far. */
  activity: RecentActivity;
  /** A pipeline on the same folder and state, as another process has it. */
  reopened: () => Pipeline;
  /** What a door that asks in advance shows first. */
  prepare: (tool: string, input: unknown, options?: CallOptions) => Promise<Prepared>;
}

export const ripgrepPath = ripgrepOfPackage(dirname(fileURLToPath(import.meta.url))) ?? ripgrepOnPath();

/** One for all tests of a file: it listens to the end of this process. */
const spawner = new NodeSpawner();

/** A temporary folder, its links followed, gone when the test is. */
export async function tempFolder(files: FileTree = {}): Promise<string> {
  const folder = slashed(await realpath(await mkdtemp(join(tmpdir(), "toolhost-unit-"))));
  // What a process wrote last may come while the folder is being emptied.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // As mkdir would make it: mkdtemp keeps everybody else out.
  await chmod(folder, 0o755);
  await plant(folder, files);
  return folder;
}

/** A copy of an empty temporary folder, as a task works in. */
async function tempCopy(): Promise<string> {
  const copy = await FolderCopy.make(
    await tempFolder(),
    join(await tempFolder(), "copies"),
    new AbortController().signal,
  );
  onTestFinished(() => copy.remove());
  return copy.folder;
}

export async function plant(folder: string, files: FileTree): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) {
      await mkdir(join(folder, path), { recursive: true });
      continue;
    }
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export async function openWorkspace(files: FileTree = {}, options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const { host = CHOSEN ?? "node" } = options;
  const memory = new MemoryDisk();
  const client = new InMemorySandboxClient();
  const folder = isInMemory(host) ? "/work/ws" : await (host === "worktree" ? tempCopy() : tempFolder());
  const outside = isInMemory(host) ? "/work/outside" : options.outside === undefined ? "" : await tempFolder();
  const disk =
    host === "memory" ? memoryDisk(memory, folder) : host === "client" ? clientDisk(client, folder) : nodeDisk(folder);
  await disk.makeFolder(folder);
  for (const [below, tree] of [
    [folder, files],
    [outside, options.outside ?? {}],
  ] as const) {
    for (const [path, content] of Object.entries(tree)) {
      await (content === undefined ? disk.makeFolder(join(below, path)) : disk.put(join(below, path), content));
    }
  }
  const isLocal = host === "node" || host === "worktree";
  const scheme = isLocal ? "file" : host === "memory" ? host : SANDBOX_SCHEME;
  const roots: Root[] = [
    { name: options.name ?? "ws", path: folder, scheme },
    ...(options.roots ?? []).map((root) => ({ scheme, ...root })),
  ];
  const asked: Question[] = [];
  const capabilities = isLocal
    ? onNode(roots, options)
    : host === "memory"
      ? onMemoryDisk(roots, memory, options)
      : inSandbox(roots, options, host === "client" ? client : clientOfMachine(host));
  let mode: PermissionMode = "default";
  const stateFolder = join(process.env["TOOLHOST_STATE"] ?? tmpdir(), `results-${randomUUID()}`);
  const activity = new RecentActivity();
  const create = (): ReturnType<typeof createPipeline> =>
    createPipeline(capabilities, () => mode, { ...options, host, stateFolder, activity });
  const { pipeline, changes, processes, effects } = create();
  onTestFinished(() => processes.closeAll());
  const callerOf = ({
    as = "owner",
    answer,
    signal = new AbortController().signal,
    session = randomUUID(),
    reads,
    turn,
    mode: wanted,
    inAdvance,
    readsData,
    answerSize,
  }: CallOptions): Caller => {
    // A change that can be undone is not asked about, unless the user wants to be.
    mode = wanted ?? (answer === undefined ? "default" : "ask");
    return {
      door: "api",
      session,
      signal,
      authority: as,
      turn,
      ...(reads === undefined ? {} : { reads }),
      ...(readsData === undefined ? {} : { readsData }),
      ...(answerSize === undefined ? {} : { answerSize }),
      ...(inAdvance === undefined ? {} : { asksInAdvance: inAdvance }),
      ...(answer === undefined
        ? {}
        : {
            confirm: {
              ask: async (question: Question) => {
                asked.push(question);
                refuseYesAbroad(question, answer);
                return (typeof answer === "boolean" ? answer : await answer(question)) ? "once" : "no";
              },
            },
          }),
    };
  };
  return {
    ...disk,
    folder,
    outside,
    files: capabilities.files,
    asked,
    changes,
    saved: (path) => effects?.saved(join(folder, path)),
    processes,
    pipeline,
    stateFolder,
    activity,
    reopened: () => {
      const other = create();
      onTestFinished(() => other.processes.closeAll());
      return other.pipeline;
    },
    call: async (tool, input, options = {}) => {
      const outcome = await pipeline.invoke(tool, input, callerOf(options));
      expectDeclared(tool, input, outcome);
      return outcome;
    },
    prepare: (tool, input, options = {}) => pipeline.prepare(tool, input, callerOf(options)),
  };
}

interface HostParts {
  files: Files & FileWriter;
  search: Search;
}

function createPipeline(
  { files, search }: HostParts,
  mode: () => PermissionMode,
  {
    host = "node",
    moreTools = [],
    updatesImports = false,
    trusted = true,
    times,
    limits,
    codeEmbeddings,
    memory,
    sessions = noSessions(),
    capabilities = {},
    rules,
    sharesState = false,
    now = Date.now,
    masks = false,
    env = {},
    stateFolder: resultFolder,
    activity,
    snapshots,
  }: WorkspaceOptions & { stateFolder: string; activity: RecentActivity },
): { pipeline: Pipeline; changes: ChangeKeeper; processes: ProcessTable; effects: CommandEffects | undefined } {
  const shared = sharesState ? openSharedState(files) : undefined;
  let opened: ChangeState | undefined;
  // Few calls change anything, and to make the tables takes longer than all the rest of a workspace.
  const own = (): ChangeState => (opened ??= openOwnState(files));
  const changes = new ChangeKeeper({
    writer: files,
    state: async () => shared?.current() ?? own(),
    tellsProblems: () => false,
  });
  const imports = followMoves(files, search, async () => own(), {
    isOn: () => updatesImports,
    checkWritable: async ({ absolute }) => void (host === "node" && (await statWritable(absolute))),
  });
  const secrets = new HostSecrets({
    folders: () => files.roots().map(({ path }) => path),
    env,
    keyFile: () => join(resultFolder, "secrets.key"),
    now: Date.now,
  });
  const results = new MaskedResults(new ResultFiles(() => Promise.resolve(resultFolder)), () =>
    masks ? secrets : undefined,
  );
  const effects =
    snapshots &&
    new CommandEffects({
      snapshots,
      roots: () => files.roots().map(({ path }) => ({ folder: path, prefix: "" })),
      isOfChange,
      onLeft: () => undefined,
      hasChanged: async (since) => (await changes.journal()).hasChanged(since),
      unfinished: () => changes.unfinished(),
      record: (call, changed, meanwhile, notes) =>
        changes.recordCommand({ ...call, door: call.door as Door }, changed, meanwhile, files, notes),
      // A busy machine may take long for a short command.
      alone: 60_000,
      read: (absolute) => readRegular(absolute, 2_000_000)?.bytes,
      now,
    });
  const processes = new ProcessTable({
    spawner: spawnerOf(host, spawner),
    results,
    times: { kill: 1_000, closing: 200, ...times },
    ...(effects && { effects }),
    ...(limits && { limits }),
  });
  const stores = openMemoryIndex();
  const knowledge = stores && new KnowledgeBase({ files, stores, embeddings: () => undefined, now: Date.now });
  const codeStores = openMemoryIndex();
  const codeIndex =
    codeStores &&
    new KnowledgeBase({
      ...{ files, stores: codeStores, embeddings: () => codeEmbeddings, now: Date.now, snippet: 240 },
      follow: (following) => followCode({ ...withoutSecrets(files, search), syntax }, following),
    });
  const registry = new Registry();
  for (const tool of [...tools, ...moreTools]) {
    registry.register(tool);
  }
  const machine = machineCapabilities("", {
    ...{ disk: new NodeDisk(), run: createRipgrep(ripgrepPath), now, userAgent: "Toolhost/test" },
    memory: () => ({ ...MEMORY_LIMITS, ...memory }),
  });
  const book = {
    rules: () => readRules(rules, "settings", "rules", [...tools, ...moreTools]),
    add: async () => undefined,
  };
  const pipeline = composePipeline({
    registry,
    capabilities: {
      ...{ ...machine, expressions, files, search, imports, processes, results },
      code: new SyntaxCode({ ...withoutSecrets(files, search), syntax, now: Date.now }),
      ...(knowledge && { knowledge }),
      ...(codeIndex && { codeIndex }),
      ...(sessions !== "not kept" && { sessions }),
      ...capabilities,
    },
    changes,
    activity,
    secrets: () => (masks ? secrets : undefined),
    settings: () => ({
      mode: mode(),
      trusted,
      defaultTimeout: 30_000,
      timeoutSetBy: "a test",
      isGroupEnabled: () => true,
    }),
    ...(rules !== undefined && { rules: new Rules(book, Date.now) }),
    grammar,
  });
  return { pipeline, changes, processes, effects };
}

function openOwnState(files: Files): ChangeState {
  const store = openMemoryStore();
  const journal =
    store &&
    new Journal({
      store,
      owner: { pid: process.pid, started: "test" },
      isAlive: () => true,
      look: (key) => lookAt(files, key),
      now: Date.now,
    });
  return {
    journal: store && journal && { entries: journal, queries: new JournalQueries(store) },
    ledger: new Ledger(store),
    reason: undefined,
  };
}

function noSessions(): Sessions {
  const host = {
    owner: { pid: process.pid, started: "test" },
    place: "a test",
    liveness: () => "alive" as const,
    now: Date.now,
    underWay: new Set<string>(),
  };
  let log: SessionLog | undefined;
  return new LoggedSessions(async () => (log ??= openLog()));

  function openLog(): SessionLog {
    const store = openMemoryStore();
    return store === undefined ? unkeptSessions("This Node has no SQLite.") : new StoredSessions({ store, ...host });
  }
}

/** The state that the command line has of the same folder: the locks that keep two writers apart are in it. */
function openSharedState(files: Files): WorkspaceStates {
  const states = new WorkspaceStates({
    folders: () => files.roots().map(({ path }) => path),
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  return states;
}

function onNode(
  roots: readonly Root[],
  { disk = new NodeDisk(), ripgrep = ripgrepPath, ripgrepMemory }: WorkspaceOptions,
): HostParts {
  const files = new NodeFiles(disk, roots);
  const search = searchLocal(files, createRipgrep(ripgrep, ripgrepMemory));
  return { files, search };
}

function onMemoryDisk(
  roots: readonly Root[],
  disk: MemoryDisk,
  { ripgrep = ripgrepPath }: WorkspaceOptions,
): HostParts {
  const files = new MemoryFiles(disk, roots);
  return { files, search: memorySearch(files, createRipgrep(ripgrep)) };
}

function inSandbox(
  roots: readonly Root[],
  { ripgrep = ripgrepPath }: WorkspaceOptions,
  client: SandboxClient,
): HostParts {
  const files = new DiskFiles(new ClientDisk(client, "the test's sandbox", undefined, roots[0]?.path), roots, {
    outside: "Tools work inside the workspace only.",
    noRoot: "Open a folder.",
  });
  return { files, search: new WorkspaceScan({ files, run: createRipgrep(ripgrep) }) };
}

function nodeDisk(folder: string): TestDisk {
  const place = (path: string): string => resolve(folder, path);
  return {
    put: async (path, content) => plant(folder, { [relative(folder, place(path))]: content }),
    makeFolder: async (path) => void (await mkdir(place(path), { recursive: true })),
    link: (path, target) => symlink(target, place(path)),
    // Windows' folders hold none: there, only the tests of the pipe itself fail.
    makePipe: async (path) => void (process.platform === "win32" || execFileSync("mkfifo", [place(path)])),
    remove: (path) => rm(place(path), { recursive: true }),
    date: (path, modified) => utimes(place(path), modified / 1000, modified / 1000),
    bytes: (path) => readFile(place(path)),
    names: (path = ".") => readdir(place(path)),
  };
}

function memoryDisk(disk: MemoryDisk, folder: string): TestDisk {
  const place = (path: string): string => posix.resolve(folder, path);
  return {
    put: async (path, content) => disk.write(place(path), content),
    makeFolder: async (path) => disk.makeFolder(place(path)),
    link: async (path, target) => disk.link(place(path), target),
    makePipe: async (path) => disk.makeOther(place(path)),
    remove: async (path) => disk.remove(place(path)),
    date: async (path, modified) =>
      disk.write(place(path), await disk.readAll(place(path), Number.POSITIVE_INFINITY), modified),
    bytes: async (path) => Buffer.from(await disk.readAll(place(path), Number.POSITIVE_INFINITY)),
    names: async (path = ".") => (await disk.list(place(path))).map(({ name }) => name),
  };
}

/** Fails if a result's data has fields that the tool's schema does not declare: programs could not know them. */
function expectDeclared(name: string, input: unknown, outcome: Outcome): void {
  const tool = tools.find((each) => each.name === name);
  const part = tool && isRecord(input) ? partCall(tool, input)?.part.tool : undefined;
  const { outputSchema } = part ?? tool ?? {};
  if (outcome.ok && outcome.data !== undefined && outputSchema !== undefined) {
    expect(outcome.data, `the output of ${name} does not declare all fields of this data`).toEqual(
      z.fromJSONSchema(outputSchema).parse(outcome.data),
    );
  }
}

/** The text and data of a call that worked. */
export function result<Data>(outcome: Outcome): { text: string; data: Data } {
  if (!outcome.ok) {
    throw new Error(`the call failed: ${JSON.stringify(outcome.error)}`);
  }
  return { text: outcome.text, data: outcome.data as Data };
}

/** The error of a call that failed. */
export function failed(outcome: Outcome): OutcomeError {
  if (outcome.ok) {
    throw new Error(`the call worked: ${outcome.text.slice(0, 500)}`);
  }
  return outcome.error;
}

export function contentOf(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), "utf8");
}

/**
 * Runs work without the right to read everything: tests may run as root, which no permission stops. Files the
 * work must reach have to be open to everybody.
 */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) {
    return work();
  }
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A ripgrep that everybody may run, wherever the clone lies. */
export async function openRipgrep(): Promise<string> {
  const path = join(await tempFolder(), "rg");
  await copyFile(ripgrepPath ?? "", path);
  await chmod(path, 0o755);
  return path;
}

/**
 * A yes to what lies outside is carried out on this machine, by root even: it may only be given for the tests' own temp
 * folders.
 */
function refuseYesAbroad({ reasons }: Question, answer: unknown): void {
  const abroad = reasons.find(
    (reason) => reason.includes("outside the workspace") && !reason.includes(tmpdir().replaceAll("\\", "/")),
  );
  if (answer !== false && abroad !== undefined) {
    throw new Error(`a test must not allow this: ${abroad}`);
  }
}
