// Bundles the extension and the command line, and prints what they weigh against their budgets.
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, ripgrepWasm, wasmFiles } from "./scripts/bundles.mjs";

const production = process.argv.includes("--production");
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));

/** Upper bounds in bytes, of the minified bundle (docs/architecture.md, "Budgets"). */
/** @type {Record<string, number>} */
const budgets = {
  "dist/extension.js": 20_000,
  "dist/web.js": 2_300_000,
  "dist/web-rg.js": 30_000,
  "dist/window.js": 1_816_000,
  "dist/cli.js": 20_000,
  "dist/cli-main.js": 1_672_000,
  "dist/library.js": 1_445_000,
  "dist/web-tree-sitter.js": 100_000,
  "dist/jsonata-worker.js": 230_000,
  "dist/openai.js": 180_000,
  "dist/mcp-client.js": 430_000,
  "dist/mcp-sdk.js": 500_000,
  "dist/iconv-lite.js": 550_000,
  "dist/croner.js": 35_000,
  "dist/openapi.js": 280_000,
  "dist/config-text.js": 60_000,
  "dist/add-tool.js": 65_000,
  "dist/activity.js": 20_000,
  "dist/activity-page.js": 15_000,
  "dist/code-work.js": 106_000,
  "dist/move-imports.js": 70_000,
  "dist/syntax-code.js": 30_000,
  "dist/knowledge-index.js": 75_000,
  "dist/server-code.js": 35_000,
  "dist/web-work.js": 70_000,
  "dist/outflow.js": 20_000,
  "dist/explanation-page.js": 12_000,
  "dist/add-server.js": 15_000,
  "dist/add-tool-view.js": 10_000,
  "dist/node-http.js": 20_000,
  "dist/send-message.js": 20_000,
  "dist/sandbox.js": 35_000,
  "dist/task-copies.js": 56_000,
  "dist/sandbox-place.js": 119_000,
  "dist/views.js": 27_000,
  "dist/seatbelt.js": 10_000,
  "dist/hosts-gateway.js": 20_000,
  "dist/hosts-bridge.js": 3_000,
  "dist/allowed-hosts.js": 8_000,
  "dist/rehearsal.js": 10_000,
  "dist/powershell.js": 40_000,
  "dist/publication.js": 25_000,
  "dist/command-changes.js": 25_000,
  "dist/manifests.js": 190_000,
  "dist/pdf-worker.js": 1_700_000,
  "dist/page-worker.js": 530_000,
  "dist/effects-worker.js": 52_000,
};

const built = await bundle({ version, sourcemap: production ? false : "linked" });
await Promise.all(built.map(({ path, contents }) => place(path, contents)));
for (const file of wasmFiles) {
  await place(outputPath(basename(file)), await readFile(file));
}
await place(outputPath("rg.wasm"), await ripgrepWasm());

// The types of the library and of the extension's API: files of types alone, which are declarations as they are.
for (const file of ["doors/shared/toolTypes", "doors/library/types", "doors/api/types"]) {
  await place(outputPath(`types/${file}.d.ts`), await readFile(new URL(`src/${file}.ts`, import.meta.url)));
}
await place(
  outputPath("types/library.d.ts"),
  Buffer.from(`import type { CreateInMemorySandbox, CreateToolhost } from "./doors/library/types.js";
export type * from "./doors/library/types.js";
/** Opens a folder. Throws a TypeError that names a wrong option, and an Error if a folder does not exist. */
export declare const createToolhost: CreateToolhost;
/** A sandbox in this process's memory, for useSandbox. */
export declare const inMemorySandbox: CreateInMemorySandbox;
`),
);

let over = false;
for (const [file, budget] of Object.entries(budgets)) {
  const { size } = await stat(new URL(file, import.meta.url));
  over ||= size > budget;
  console.log(`${file}  ${(size / 1000).toFixed(0)} kB of ${(budget / 1000).toFixed(0)} kB`);
}
if (over) {
  console.error("A bundle is over its budget: find what grew with `npx esbuild --analyze`.");
  process.exitCode = 1;
}

/** @param {string} name @returns {string} */
function outputPath(name) {
  return fileURLToPath(new URL(`dist/${name}`, import.meta.url));
}

/**
 * Writes a file of the product, whole or not at all, and only where something changed: a window that loads it meanwhile
 * sees one or the other.
 *
 * @param {string} path
 * @param {Uint8Array} contents
 */
async function place(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(contents)) {
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, contents);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
