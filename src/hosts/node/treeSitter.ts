import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as TreeSitter from "web-tree-sitter";

let engine: Promise<typeof TreeSitter> | undefined;

/**
 * Returns a parser. Its code is in a separate file next to the bundle, so that it costs nothing at startup.
 *
 * @param folder that contains `web-tree-sitter.wasm` and the grammar
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 *
 * @throws Error if a file is missing or no grammar
 */
export async function loadGrammar(folder: string, grammar: string): Promise<TreeSitter.Parser> {
  engine ??= loadEngine(folder);
  const { Language, Parser } = await engine.catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return new Parser().setLanguage(await Language.load(await readFile(join(folder, `tree-sitter-${grammar}.wasm`))));
}

async function loadEngine(folder: string): Promise<typeof TreeSitter> {
  const loaded = await import("web-tree-sitter");
  await loaded.Parser.init({ wasmBinary: await readFile(join(folder, "web-tree-sitter.wasm")) });
  return loaded;
}
