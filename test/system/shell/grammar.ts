import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WasmShellGrammar } from "../../../src/hosts/node/shellGrammar.js";
import { linkFile } from "../../harness/linkFile.js";

const require = createRequire(import.meta.url);

/** The real grammar, from the packages' own files. */
export const grammar = new WasmShellGrammar(folderOfGrammar(), { isOwnProcess: true });

/** A folder as `dist/` is. */
export function folderOfGrammar(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-grammar-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  linkFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm"), join(folder, "web-tree-sitter.wasm"));
  linkFile(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm"), join(folder, "tree-sitter-bash.wasm"));
  return folder;
}
