import { join } from "node:path";
import { KnowledgeBase } from "../features/knowledge/knowledgeBase.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import { KnowledgeStores } from "../hosts/node/state/knowledgeStore.js";
import { RESULTS_FOLDER, ResultFiles } from "../hosts/node/state/results.js";
import { workspaceStateFolder } from "../hosts/node/state/stateFolder.js";
import { WorkspaceStates, type WorkspaceStateHost } from "../hosts/node/state/workspaceState.js";
import { EmbeddingsServer } from "../hosts/openai/embeddings.js";
import type { Files } from "../ports/files.js";

/** What is kept of a workspace beside its files. */
export interface KeptState {
  states: WorkspaceStates;
  sessionLog: () => Promise<SessionLog>;
  results: ResultFiles;
  knowledge: KnowledgeBase;
  /** Closes what was opened. */
  close: () => void;
}

export interface KeptStateHost extends WorkspaceStateHost {
  files: Files;
  /** The setting toolhost.embeddings, as the user wrote it. */
  embeddings: () => unknown;
  /** What Toolhost calls itself to servers. */
  userAgent: string;
}

/**
 * The state of a workspace. Each part of it is opened when it is first used, so a call that needs none leaves none
 * behind.
 */
export function keepState({ files, embeddings, userAgent, ...host }: KeptStateHost): KeptState {
  const states = new WorkspaceStates(host);
  const stores = new KnowledgeStores(() => host.folders());
  const server = new EmbeddingsServer(embeddings, { environment: process.env, userAgent });
  return {
    states,
    sessionLog: async () => (await states.current()).sessions,
    results: new ResultFiles(() => Promise.resolve(join(workspaceStateFolder(host.folders()), RESULTS_FOLDER))),
    knowledge: new KnowledgeBase({ files, stores, embeddings: () => server.current(), now: Date.now }),
    close: () => {
      states.close();
      stores.close();
    },
  };
}
