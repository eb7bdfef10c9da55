// The grammars as `dist/` has them, from the packages' own files.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { linkFile } from "./linkFile.js";
import { loadGrammar } from "../../src/hosts/node/treeSitter.js";
import { WasmSyntax } from "../../src/hosts/node/syntax/wasmSyntax.js";

const require = createRequire(import.meta.url);

function folderOfGrammars(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-grammars-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  linkFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm"), join(folder, "web-tree-sitter.wasm"));
  const grammars = dirname(require.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm"));
  for (const file of readdirSync(grammars).filter((name) => /^tree-sitter-.*\.wasm$/.test(name))) {
    linkFile(join(grammars, file), join(folder, file));
  }
  return folder;
}

const folder = folderOfGrammars();

export const loadParser = (grammar: string): ReturnType<typeof loadGrammar> => loadGrammar(folder, grammar);

export const syntax = new WasmSyntax(loadParser);
