/** A handle in a text: what a model sees instead of a secret. */
export interface FoundHandle {
  /** The whole handle, as written. */
  text: string;
  name: string;
  id: string;
}

/** Hex digits of a handle's id; more if two values would share them. */
export const ID_DIGITS = 6;

const HANDLE = new RegExp(`⟦secret ([A-Z0-9_]{1,60}) #([0-9a-f]{${ID_DIGITS},64})⟧`, "g");

/** Writes a handle. */
export function handleOf(name: string, id: string): string {
  return `⟦secret ${name} #${id}⟧`;
}

/** Finds the handles in a text, each once. */
export function findHandles(text: string): FoundHandle[] {
  const found = new Map<string, FoundHandle>();
  if (text.includes("⟦secret ")) {
    for (const [handle, name = "", id = ""] of text.matchAll(HANDLE)) {
      found.set(handle, { text: handle, name, id });
    }
  }
  return [...found.values()];
}

/** Returns where a text has handles, in its order. */
export function findHandlePlaces(text: string): { start: number; end: number }[] {
  return text.includes("⟦secret ")
    ? [...text.matchAll(HANDLE)].map(({ index, 0: handle }) => ({ start: index, end: index + handle.length }))
    : [];
}

/** Replaces the handles in a text that stand for a known value; others are kept. */
export function replaceHandles(text: string, values: ReadonlyMap<string, string>): string {
  return values.size === 0 ? text : text.replaceAll(HANDLE, (handle) => values.get(handle) ?? handle);
}
