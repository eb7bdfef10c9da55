import { loadOnce } from "../../core/once.js";
import type { Code } from "../../ports/code.js";

/** Returns what knows of code, which is loaded with the first question. */
export function lazyCode(load: () => Promise<Code>): Code {
  const code = loadOnce(load);
  return {
    outline: async (...given) => (await code()).outline(...given),
    find: async (...given) => (await code()).find(...given),
    places: async (...given) => (await code()).places(...given),
    callers: async (...given) => (await code()).callers(...given),
    hover: async (...given) => (await code()).hover(...given),
  };
}
