import { MaskedResults } from "../../core/secrets/maskedResults.js";
import { ToolError } from "../../core/errors.js";
import { loadOnce } from "../../core/once.js";
import type { ActivityEntry, CallStart } from "../../core/pipeline/activity.js";
import { CallLog } from "../../features/activity/callLog.js";
import { ACTIVITY_SCHEMA } from "../../features/activity/schema.js";
import { KnowledgeBase, type IndexStores } from "../../features/knowledge/knowledgeBase.js";
import { knowledgeSchema } from "../../features/knowledge/schema.js";
import { MemoryResults } from "../../hosts/web/results.js";
import { TabSecrets } from "../../hosts/web/secrets.js";
import type { WebSqlite } from "../../hosts/web/state/sqlite.js";
import { CODE_SNIPPET, searchedCode } from "../codeIndex.js";
import type { KeptState, KeptStateHost } from "../state.js";
import { WebStates, type WebStatesHost } from "./states.js";

/** What of a state a tab has in addition. */
export interface WebState extends KeptState {
  states: WebStates;
}

/**
 * Creates the state of the workspace of a browser's tab. Changes, sessions and approvals are saved; the log of calls,
 * large results and the search index of what agents keep end with the tab.
 */
export function keepWebState(
  { files, masksSecrets, codeSearch, onActivity, ...host }: KeptStateHost,
  { sqlite, place, take }: Pick<WebStatesHost, "sqlite" | "place" | "take">,
): WebState {
  const tab = new TabSecrets();
  const secrets = (): TabSecrets | undefined => (masksSecrets() ? tab : undefined);
  const states = new WebStates({
    ...{ ...host, sqlite, place, take },
    mask: (data) => secrets()?.now().maskData(data) ?? data,
  });
  const activity = new TabActivity(sqlite, onActivity);
  const own = { embeddings: () => undefined, now: Date.now };
  const storesOf = (...areas: Parameters<typeof knowledgeSchema>[0]): IndexStores => ({
    current: loadOnce(async () => {
      const store = (await sqlite()).open();
      store.migrate([knowledgeSchema(areas)]);
      return store;
    }),
    renew: () => Promise.resolve(false),
  });
  const knowledge = new KnowledgeBase({ ...own, files, stores: storesOf("context", "memory") });
  const absent = (): never => {
    throw new ToolError("unavailable", "A browser has no view of one folder of a workspace.");
  };
  return {
    ...{ states, activity, secrets, knowledge },
    folder: () => "",
    sessionLog: async () => (await states.current()).sessions,
    results: new MaskedResults(new MemoryResults(), secrets),
    secretFiles: () => Promise.resolve([]),
    addSecret: (name, value) => tab.add(name, value),
    addSetting: () => undefined,
    knowledgeOf: absent,
    codeIndexOf: (seen, follow) => {
      const code = new KnowledgeBase({ ...own, files: seen, stores: storesOf("code"), follow, snippet: CODE_SNIPPET });
      return {
        codeIndex: searchedCode(code, codeSearch),
        // A tab's folders are not on a disk: they are read with the first search.
        readAhead: () => Promise.resolve(),
        close: () => undefined,
      };
    },
    close: () => states.close(),
  };
}

/** The calls of this tab. */
class TabActivity {
  readonly #log: () => Promise<CallLog>;
  readonly #onChange: () => void;

  constructor(sqlite: () => Promise<WebSqlite>, onChange: () => void = () => undefined) {
    this.#onChange = onChange;
    this.#log = loadOnce(async () => {
      const store = (await sqlite()).open();
      store.migrate([ACTIVITY_SCHEMA]);
      return new CallLog({ ...{ store, now: Date.now, owner: { pid: 0, started: "" } }, liveness: () => "alive" });
    });
  }

  log(): Promise<CallLog> {
    return this.#log();
  }

  began(call: CallStart): void {
    this.#write(call);
  }

  record(entry: ActivityEntry): void {
    this.#write(entry);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #write(call: CallStart | ActivityEntry): void {
    void this.#log().then(
      (log) => {
        log.write([call]);
        this.#onChange();
      },
      // A call neither waits for its entry nor fails because of it.
      () => undefined,
    );
  }
}
