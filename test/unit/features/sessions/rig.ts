import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionBounds } from "../../../../src/features/sessions/limits.js";
import { StoredSessions, type SessionLogHost } from "../../../../src/features/sessions/storedSessions.js";
import type { TurnStart } from "../../../../src/features/sessions/sessionLog.js";
import { openMemoryStore, openStore } from "../../../../src/hosts/node/state/store.js";
import type { ModelContent, ModelMessage } from "../../../../src/ports/models.js";
import type { Store } from "../../../../src/ports/store.js";
import { tempFolder } from "../../tools/workspace.js";

/** The kinds of store that sessions behave alike on. */
export const stores = ["memory", "file"] as const;

export async function openTestStore(kind: (typeof stores)[number]): Promise<Store> {
  if (kind === "memory") {
    const store = openMemoryStore();
    if (store === undefined) {
      throw new Error("this Node has no SQLite");
    }
    return store;
  }
  const folder = await tempFolder();
  const opened = await openStore({ folders: [join(folder, "workspace")] });
  if (opened.store === undefined) {
    throw opened.reason;
  }
  const { store } = opened;
  onTestFinished(() => store.close());
  return store;
}

export interface LogOptions extends Partial<Omit<SessionLogHost, "store">> {
  bounds?: SessionBounds;
}

/** A log on a store, of the process 1 unless said otherwise; all processes live. */
export function logOn(store: Store, { bounds, ...host }: LogOptions = {}): StoredSessions {
  return new StoredSessions(
    {
      store,
      owner: { pid: 1, started: "then" },
      place: "a window",
      liveness: () => "alive",
      now: Date.now,
      underWay: new Set(),
      ...host,
    },
    bounds,
  );
}

export const text = (words: string): ModelContent => ({ type: "text", text: words });
export const call = (id: string): ModelContent => ({ type: "call", id, name: "read", input: { path: id } });
export const result = (id: string, words = `result of ${id}`): ModelContent => ({ type: "result", id, text: words });
export const unended = (id: string): ModelContent => result(id, "(The turn ended before this call did.)");
export const user = (...content: (ModelContent | string)[]): ModelMessage => ({
  role: "user",
  content: content.map(asContent),
});
export const model = (...content: (ModelContent | string)[]): ModelMessage => ({
  role: "assistant",
  content: content.map(asContent),
});

export function start(session: string, turn: string, more: Partial<TurnStart> = {}): TurnStart {
  return { session, turn, kind: "chat", title: `About ${session}`, model: "test/model", ...more };
}

/** A whole turn: what was said in it, and the place of each message. */
export async function turn(
  log: StoredSessions,
  session: string,
  name: string,
  messages: readonly ModelMessage[],
  more: Partial<TurnStart> = {},
): Promise<number[]> {
  await log.beginTurn(start(session, name, more));
  const places: number[] = [];
  for (const message of messages) {
    places.push(await log.append(session, name, message));
  }
  await log.endTurn(session, name);
  return places;
}

/** What a model is told. */
export async function told(log: StoredSessions, session: string): Promise<ModelMessage[]> {
  return (await log.context(session)).map(({ message }) => message);
}

function asContent(part: ModelContent | string): ModelContent {
  return typeof part === "string" ? text(part) : part;
}
