import type * as TreeSitter from "web-tree-sitter";

let engine: Promise<typeof TreeSitter> | undefined;

/**
 * Returns a parser. Its engine is loaded with the first one: a second engine would take the first one's memory.
 *
 * @param read returns a file of the product: `web-tree-sitter.wasm`, or a grammar
 * @param grammar as in `tree-sitter-<grammar>.wasm`
 *
 * @throws Error if a file is missing or no grammar
 */
export async function loadGrammar(
  read: (name: string) => Promise<Uint8Array>,
  grammar: string,
): Promise<TreeSitter.Parser> {
  engine ??= loadEngine(read);
  const { Language, Parser } = await engine.catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return new Parser().setLanguage(await Language.load(await read(`tree-sitter-${grammar}.wasm`)));
}

async function loadEngine(read: (name: string) => Promise<Uint8Array>): Promise<typeof TreeSitter> {
  const loaded = await import("web-tree-sitter");
  await loaded.Parser.init({ wasmBinary: await read("web-tree-sitter.wasm") });
  return loaded;
}
