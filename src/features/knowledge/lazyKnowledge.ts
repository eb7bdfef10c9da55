import { loadOnce } from "../../core/once.js";
import type { KnowledgeBase } from "./knowledgeBase.js";

/** A search index, and what reads files into it that nobody waits for. */
export type ReadableKnowledge = Pick<KnowledgeBase, "search" | "refresh" | "readAhead">;

/** Returns a search index that is loaded when it is first used. */
export function lazyKnowledge(load: () => Promise<ReadableKnowledge>): ReadableKnowledge {
  const base = loadOnce(load);
  return {
    search: async (...given) => (await base()).search(...given),
    refresh: async (...given) => (await base()).refresh(...given),
    readAhead: async (...given) => (await base()).readAhead(...given),
  };
}
