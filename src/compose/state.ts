import { join } from "node:path";
import { KnowledgeBase } from "../features/knowledge/knowledgeBase.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import { KnowledgeStores } from "../hosts/node/state/knowledgeStore.js";
import { RESULTS_FOLDER, ResultFiles } from "../hosts/node/state/results.js";
import { workspaceStateFolder } from "../hosts/node/state/stateFolder.js";
import { WorkspaceStates, type WorkspaceStateHost } from "../hosts/node/state/workspaceState.js";
import { EmbeddingsServer } from "../hosts/openai/embeddings.js";
import type { Files } from "../ports/files.js";

/** The state of a workspace, apart from its files. */
export interface KeptState {
  states: WorkspaceStates;
  sessionLog: () => Promise<SessionLog>;
  results: ResultFiles;
  knowledge: KnowledgeBase;
  /** Closes everything that was opened. */
  close: () => void;
}

export interface KeptStateHost extends WorkspaceStateHost {
  files: Files;
  /** The setting toolhost.embeddings, as the user wrote it. */
  embeddings: () => unknown;
  /** The user agent for requests to servers. */
  userAgent: string;
}

/** Creates a workspace's state. Each part is opened on first use, so a call that needs none creates none. */
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
