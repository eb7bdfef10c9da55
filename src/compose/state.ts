import { isAbsolute, join } from "node:path";
import type { KnowledgeHost } from "../features/knowledge/knowledgeBase.js";
import { lazyKnowledge, type ReadableKnowledge } from "../features/knowledge/lazyKnowledge.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import { ActivityFile } from "../hosts/node/state/activityFile.js";
import { CODE_INDEX, KnowledgeStores } from "../hosts/node/state/knowledgeStore.js";
import { MaskedResults } from "../core/secrets/maskedResults.js";
import type { Secrets } from "../core/secrets/secrets.js";
import { HostSecrets } from "../hosts/node/secrets/hostSecrets.js";
import { RESULTS_FOLDER, ResultFiles } from "../hosts/node/state/results.js";
import { secretsKeyFile, workspaceStateFolder } from "../hosts/node/state/stateFolder.js";
import { WorkspaceStates, type WorkspaceStateHost } from "../hosts/node/state/workspaceState.js";
import { EmbeddingsServer } from "../hosts/openai/embeddings.js";
import type { CodeSearch } from "../names/settings.js";
import { CODE_SNIPPET, searchedCode } from "./codeIndex.js";
import type { Following } from "../features/knowledge/follow.js";
import type { Knowledge, KnowledgeProgress, KnowledgeRefresh } from "../ports/knowledge.js";
import type { Files } from "../ports/files.js";
import type { Results } from "../ports/results.js";

/** What opens a workspace's state. */
export type States = Pick<WorkspaceStates, "current" | "recoverLeft" | "work" | "toolFiles" | "approvals">;

/** The state of a workspace, apart from its files. */
export interface KeptState {
  states: States;
  /** Returns the folder of the state, which need not exist. */
  folder: () => string;
  sessionLog: () => Promise<SessionLog>;
  /** The calls of all doors and processes. */
  activity: Pick<ActivityFile, "began" | "record" | "log" | "close">;
  results: Results;
  /** What is masked; undefined if the user wants nothing masked. */
  secrets: () => Secrets | undefined;
  /** Returns the absolute paths of the workspace's files that may hold secrets. */
  secretFiles: () => Promise<readonly string[]>;
  /** Adds a secret that the user named to what is masked. */
  addSecret: (name: string, value: string) => void;
  /** Adds what is secret of a setting, as far as its name and its looks tell. */
  addSetting: (name: string, value: string) => void;
  knowledge: Knowledge;
  /** Returns the search index of a workspace that has one of the folders alone; to be closed. */
  knowledgeOf: (files: Files, folder: string) => { knowledge: Knowledge; close: () => void };
  /**
   * Returns the search of a workspace's code; to be closed, or else closed with the state.
   *
   * @param follow brings its index up to date
   * @param folder the only folder that is seen, if it is not the workspace's
   */
  codeIndexOf: (
    files: Files,
    follow: (following: Following) => Promise<KnowledgeRefresh>,
    folder?: string,
  ) => CodeIndex;
  /** Closes everything that was opened. */
  close: () => Promise<void>;
}

/** The search of a workspace's code. */
export interface CodeIndex {
  codeIndex: Pick<Knowledge, "search">;
  /** Reads the code although nobody waits for it, if code is searched here. Ends when all is read, or at its close. */
  readAhead: (report?: (progress: KnowledgeProgress) => void) => Promise<void>;
  close: () => void;
}

export interface KeptStateHost extends WorkspaceStateHost {
  files: Files;
  /** Called after calls were logged, by whatever process. */
  onActivity?: () => void;
  /** The setting toolhost.embeddings, as the user wrote it. */
  embeddings: () => unknown;
  codeSearch: () => CodeSearch;
  /** Whether secrets are masked. */
  masksSecrets: () => boolean;
  /** The user agent for requests to servers. */
  userAgent: string;
}

/** Creates a workspace's state. Each part is opened on first use, so a call that needs none creates none. */
export function keepState({
  files,
  embeddings,
  codeSearch,
  masksSecrets,
  userAgent,
  onActivity,
  ...host
}: KeptStateHost): KeptState {
  const hostSecrets = new HostSecrets({
    folders: () => host.folders().filter((folder) => isAbsolute(folder)),
    env: process.env,
    keyFile: secretsKeyFile,
    now: Date.now,
  });
  const secrets = (): Secrets | undefined => (masksSecrets() ? hostSecrets : undefined);
  const states = new WorkspaceStates({ ...host, mask: (data) => secrets()?.now().maskData(data) ?? data });
  const stores = new KnowledgeStores(() => host.folders());
  const activity = new ActivityFile(() => host.folders(), onActivity);
  const server = new EmbeddingsServer(embeddings, { environment: process.env, userAgent });
  const knowledgeIn = (seen: Files, kept: KnowledgeStores): Knowledge =>
    openKnowledge({ files: seen, stores: kept, embeddings: () => server.current(), now: Date.now });
  const codeIndexes = new Set<() => void>();
  const folder = (): string => workspaceStateFolder(host.folders());
  return {
    ...{ states, folder, activity },
    sessionLog: async () => (await states.current()).sessions,
    results: new MaskedResults(new ResultFiles(() => Promise.resolve(join(folder(), RESULTS_FOLDER))), secrets),
    secrets,
    secretFiles: () => hostSecrets.files(),
    addSecret: (name, value) => hostSecrets.add(name, value),
    addSetting: (name, value) => hostSecrets.addSetting(name, value),
    knowledge: knowledgeIn(files, stores),
    knowledgeOf: (seen, only) => {
      const own = new KnowledgeStores(() => [only]);
      return { knowledge: knowledgeIn(seen, own), close: () => own.close() };
    },
    codeIndexOf: (seen, follow, only) => {
      const own = new KnowledgeStores(only === undefined ? () => host.folders() : () => [only], CODE_INDEX);
      const sent = (): ReturnType<typeof server.current> =>
        codeSearch() === "embeddings" ? server.current() : undefined;
      const closing = new AbortController();
      const readAhead: CodeIndex["readAhead"] = async (report) => {
        if (codeSearch() === "off") {
          return;
        }
        const turnedOff = new AbortController();
        const told: typeof report = (progress) => {
          if (codeSearch() === "off") {
            turnedOff.abort();
          }
          report?.(progress);
        };
        // What fails here fails for the next search, too, which says so.
        await index.readAhead("code", AbortSignal.any([closing.signal, turnedOff.signal]), told).catch(() => undefined);
      };
      const index: ReadableKnowledge = openKnowledge({
        ...{ files: seen, stores: own, embeddings: sent, now: Date.now, follow, snippet: CODE_SNIPPET },
        onLeft: () => void readAhead(),
      });
      const close = (): void => {
        closing.abort();
        own.close();
        codeIndexes.delete(close);
      };
      codeIndexes.add(close);
      return {
        ...{ readAhead, close },
        codeIndex: searchedCode(index, codeSearch),
      };
    },
    close: async () => {
      states.close();
      stores.close();
      codeIndexes.forEach((close) => close());
      await activity.close();
    },
  };
}

function openKnowledge(host: KnowledgeHost): ReadableKnowledge {
  return lazyKnowledge(async () => new (await import("./knowledgeIndex.js")).KnowledgeBase(host));
}
