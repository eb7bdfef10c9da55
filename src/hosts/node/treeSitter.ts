import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Parser } from "web-tree-sitter";
import { loadGrammar as load } from "../shared/treeSitter.js";

/**
 * Returns a parser. Its code is in a separate file next to the bundle, so that it costs nothing at startup.
 *
 * @param folder that contains `web-tree-sitter.wasm` and the grammar
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 *
 * @throws Error if a file is missing or no grammar
 */
export function loadGrammar(folder: string, grammar: string): Promise<Parser> {
  return load((name) => readFile(join(folder, name)), grammar);
}
