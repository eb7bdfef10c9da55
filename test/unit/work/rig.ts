import { Agents } from "../../../src/agent/agents.js";
import { directCaller } from "../../../src/agent/directCaller.js";
import type { AgentEvent } from "../../../src/agent/events.js";
import { mainAgentTools } from "../../../src/agent/toolSets.js";
import type { WorkHost } from "../../../src/agent/work/workHost.js";
import { textVersion } from "../../../src/text/contentVersion.js";
import { Approvals } from "../../../src/features/documents/approvals.js";
import { Claims } from "../../../src/features/documents/claims.js";
import { ScheduleRuns } from "../../../src/features/documents/scheduleRuns.js";
import { parseDocument } from "../../../src/features/documents/document.js";
import { TASK } from "../../../src/features/documents/task.js";
import type { Task } from "../../../src/features/documents/tasks.js";
import type { WorkState } from "../../../src/features/documents/workState.js";
import { LoggedSessions } from "../../../src/features/sessions/loggedSessions.js";
import { StoredSessions } from "../../../src/features/sessions/storedSessions.js";
import { openMemoryStore } from "../../../src/hosts/node/state/store.js";
import type { ApprovedDocuments } from "../../../src/ports/approvals.js";
import type { ModelRequest } from "../../../src/ports/models.js";
import type { Store } from "../../../src/ports/store.js";
import { lines, ScriptedModel, type Script } from "../agent/rig.js";
import { openWorkspace, type FileTree, type TestWorkspace, type WorkspaceOptions } from "../tools/workspace.js";

/** What a model answers, by the conversation so far as `lines` gives it. */
export type Answers = (said: readonly string[], request: ModelRequest) => Script | Promise<Script>;

export interface WorkRig {
  workspace: TestWorkspace;
  state: WorkState;
  approvals: ApprovedDocuments;
  log: StoredSessions;
  /** A host of work: another one for each simulated process. */
  host: (process: number, more?: Partial<WorkHost>) => WorkHost;
  /** The state as another process sees it. */
  stateOf: (process: number) => WorkState;
  /** Processes that live. */
  alive: Set<number>;
  events: AgentEvent[];
  requests: ModelRequest[];
  task: (name: string) => Promise<Task>;
  clock: { now: number };
}

function memoryStore(): Store {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return store;
}

/**
 * Agents, tools and files as the product has them, with a model that answers by a function, a stopped clock, and
 * simulated processes.
 */
export async function workRig(tree: FileTree, answers: Answers, options: WorkspaceOptions = {}): Promise<WorkRig> {
  const clock = { now: Date.parse("2026-03-02T10:00:00.000Z") };
  const store = memoryStore();
  const alive = new Set([1, 2]);
  const stateOf = (process: number): WorkState => ({
    claims: new Claims({
      store,
      owner: { pid: process, started: "test" },
      liveness: ({ pid }) => (alive.has(pid) ? "alive" : "gone"),
      now: () => clock.now,
    }),
    approvals: new Approvals(store, () => clock.now),
    runs: new ScheduleRuns(store),
  });
  const state = stateOf(1);
  const approvals: ApprovedDocuments = {
    byOwner: false,
    isApproved: (document, text) => state.approvals.isApproved(document, text),
    approve: async (document, text) => {
      await state.approvals.approve(document, text);
      state.runs.forget(document);
      state.runs.since(document, await textVersion(text), clock.now);
    },
    revoke: async (document) => void state.approvals.revoke(document),
  };
  const log = new StoredSessions({
    store: memoryStore(),
    owner: { pid: process.pid, started: "test" },
    place: "a test",
    liveness: () => "alive",
    now: () => clock.now,
    underWay: new Set(),
  });
  const workspace = await openWorkspace(tree, {
    now: () => clock.now,
    capabilities: { approvals },
    sessions: new LoggedSessions(() => Promise.resolve(log)),
    ...options,
  });
  const requests: ModelRequest[] = [];
  const model = Object.assign(new ScriptedModel([]), {
    send: async function* (request: ModelRequest, signal: AbortSignal) {
      requests.push(structuredClone({ ...request }));
      const script = await answers(lines(request.messages.filter(({ role }) => role !== "system")), request);
      yield* new ScriptedModel([script]).send(request, signal);
    },
  });
  const events: AgentEvent[] = [];
  const callTool = directCaller({ pipeline: workspace.pipeline, door: "api" });
  const models = { list: () => Promise.resolve({ models: [model], problems: [] }), find: () => Promise.resolve(model) };
  const agents = new Agents({
    ...{
      log: () => Promise.resolve(log),
      files: workspace.files,
      results: undefined,
      tools: () => mainAgentTools(workspace.pipeline.available()),
    },
    ...{
      models,
      callTool,
      isTrusted: () => true,
      hasMemory: () => true,
      now: () => clock.now,
      wait: () => Promise.resolve(),
    },
  });
  const host = (process: number, more: Partial<WorkHost> = {}): WorkHost => ({
    ...{
      files: workspace.files,
      changes: workspace.changes,
      agents,
      callTool,
      door: "api",
      place: `process ${process}`,
      now: () => clock.now,
      isTrusted: () => true,
    },
    work: () => Promise.resolve(stateOf(process)),
    log: () => Promise.resolve(log),
    tools: () => workspace.pipeline.available(),
    model: () => Promise.resolve(model),
    onEvent: (event) => void events.push(event),
    ...more,
  });
  const task = async (name: string): Promise<Task> => {
    const parsed = parseDocument(TASK, name, (await workspace.bytes(`.toolhost/tasks/${name}.md`)).toString());
    if (!parsed.ok) {
      throw new Error(parsed.problem);
    }
    return parsed.document;
  };
  return { workspace, state, approvals, log, host, stateOf, alive, events, requests, task, clock };
}
