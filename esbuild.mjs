// Bundles the extension and the command line, and prints what they weigh against their budgets.
import { build } from "esbuild";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { refuseOldNode } from "./scripts/refuse-old-node.mjs";

const production = process.argv.includes("--production");
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));

/** Upper bounds in bytes, of the minified bundle (docs/architecture.md, "Budgets"). */
/** @type {Record<string, number>} */
const budgets = {
  "dist/extension.js": 20_000,
  "dist/window.js": 1_800_000,
  "dist/cli.js": 20_000,
  "dist/cli-main.js": 1_700_000,
  "dist/library.js": 1_460_000,
  "dist/web-tree-sitter.js": 100_000,
  "dist/jsonata-worker.js": 230_000,
  "dist/openai.js": 180_000,
  "dist/mcp-client.js": 430_000,
  "dist/mcp-sdk.js": 500_000,
  "dist/iconv-lite.js": 550_000,
  "dist/openapi.js": 280_000,
  "dist/config-text.js": 60_000,
  "dist/add-tool.js": 65_000,
  "dist/activity.js": 20_000,
  "dist/activity-page.js": 15_000,
  "dist/code-work.js": 105_000,
  "dist/syntax-code.js": 25_000,
  "dist/server-code.js": 35_000,
  "dist/web-work.js": 70_000,
  "dist/outflow.js": 20_000,
  "dist/node-http.js": 20_000,
  "dist/views.js": 20_000,
  "dist/pdf-worker.js": 1_700_000,
  "dist/page-worker.js": 530_000,
  "dist/effects-worker.js": 45_000,
};

const require = createRequire(import.meta.url);

/**
 * Files of their own, which the bundles load when they need them: the parser when the first command is judged, the client
 * of model servers with the first request, MCP's SDK with `toolhost mcp`, its client with the first use of a server's tools, encodings with the first folder that sets one,
 * OpenAPI tools with the first description, what changes other agents' configurations when one is connected, the form for a
 * tool of the user's own, the page of the activity, what knows of code with the first question about it, requests to sites and what reads
 * their answers, searches of the web, what a call takes off this machine, views of the workspace with the first command that has one, and the command line
 * after its start has checked Node's version.
 *
 * @type {Record<string, string>}
 */
const apart = {
  "web-tree-sitter": "./web-tree-sitter.js",
  openai: "./openai.js",
  "iconv-lite": "./iconv-lite.js",
  "./mcpClient.js": "./mcp-client.js",
  "./mcpSdk.js": "./mcp-sdk.js",
  "./cliMain.js": "./cli-main.js",
  "./openApi.js": "./openapi.js",
  "./configText.js": "./config-text.js",
  "../addTool.js": "./add-tool.js",
  "../activity.js": "./activity.js",
  "./codeWork.js": "./code-work.js",
  "../code/codeWork.js": "./code-work.js",
  "./syntaxCode.js": "./syntax-code.js",
  "./serverCode.js": "./server-code.js",
  "./webWork.js": "./web-work.js",
  "../web/webWork.js": "./web-work.js",
  "../outflow/outflow.js": "./outflow.js",
  "../hosts/node/http/nodeHttp.js": "./node-http.js",
  "../hosts/node/processes/view/views.js": "./views.js",
};

/** @type {import("esbuild").Plugin} */
const loadApart = {
  name: "load-apart",
  setup({ onResolve }) {
    const filter = new RegExp(`^(${Object.keys(apart).join("|")})$`);
    onResolve({ filter }, ({ path }) => ({ path: apart[path] ?? path, external: true }));
  },
};

/**
 * VS Code's module, once for all files: for each `import * as vscode` from an external module esbuild would define a
 * getter for each of its hundreds of exports, which takes as long as all else that the first call loads.
 *
 * @type {import("esbuild").Plugin}
 */
const oneVscode = {
  name: "one-vscode",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/, namespace: "file" }, ({ path }) => ({ path, namespace: "one-vscode" }));
    onResolve({ filter: /^vscode$/, namespace: "one-vscode" }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: "one-vscode" }, () => ({ contents: 'export * from "vscode";' }));
  },
};

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  platform: "node",
  // CommonJS: the form every VS Code since 1.110 and plain Node 20 load alike.
  format: "cjs",
  target: "node20",
  minify: true,
  sourcemap: production ? false : "linked",
  mainFields: ["module", "main"],
  plugins: [loadApart, oneVscode],
  // An `import()` of a file of ours becomes a `require` at that moment: extension hosts load CommonJS.
  supported: { "dynamic-import": false },
  define: { __TOOLHOST_VERSION__: JSON.stringify(version) },
  logLevel: "warning",
};

/** @param {import("esbuild").BuildOptions} options */
const bundle = async (options) => {
  const { outputFiles = [] } = await build({ ...shared, ...options, write: false });
  await Promise.all(outputFiles.map(({ path, contents }) => place(path, contents)));
};

await Promise.all([
  // What a window loads when it comes up, and what its first call loads.
  bundle({ entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" }),
  bundle({ entryPoints: ["src/window.ts"], outfile: "dist/window.js" }),
  bundle({
    entryPoints: ["src/cli.ts"],
    outfile: "dist/cli.js",
    banner: { js: `#!/usr/bin/env node\n${refuseOldNode}` },
  }),
  bundle({ entryPoints: ["src/cliMain.ts"], outfile: "dist/cli-main.js" }),
  bundle({ entryPoints: ["src/library.ts"], outfile: "dist/library.js" }),
  bundle({ entryPoints: ["src/compose/openApi.ts"], outfile: "dist/openapi.js" }),
  bundle({ entryPoints: ["src/compose/configText.ts"], outfile: "dist/config-text.js" }),
  bundle({ entryPoints: ["src/compose/addTool.ts"], outfile: "dist/add-tool.js" }),
  bundle({ entryPoints: ["src/compose/activity.ts"], outfile: "dist/activity.js" }),
  // The program of the page that shows it, in a webview or a browser.
  bundle({
    ...{ entryPoints: ["src/views/activity/page/main.ts"], outfile: "dist/activity-page.js" },
    ...{ platform: "browser", format: "iife", target: "es2022", sourcemap: false },
  }),
  bundle({ entryPoints: ["src/tools/code/codeWork.ts"], outfile: "dist/code-work.js" }),
  bundle({ entryPoints: ["src/compose/syntaxCode.ts"], outfile: "dist/syntax-code.js" }),
  bundle({ entryPoints: ["src/compose/window/serverCode.ts"], outfile: "dist/server-code.js" }),
  bundle({ entryPoints: ["src/tools/web/webWork.ts"], outfile: "dist/web-work.js" }),
  bundle({ entryPoints: ["src/core/outflow/outflow.ts"], outfile: "dist/outflow.js" }),
  bundle({ entryPoints: ["src/hosts/node/http/nodeHttp.ts"], outfile: "dist/node-http.js" }),
  bundle({ entryPoints: ["src/hosts/node/processes/view/views.ts"], outfile: "dist/views.js" }),
  // The program of a process that evaluates one expression.
  bundle({ entryPoints: ["src/hosts/node/jsonata/worker.ts"], outfile: "dist/jsonata-worker.js" }),
  // The program of a process that reads one PDF.
  bundle({ entryPoints: ["src/hosts/node/pdf/worker.ts"], outfile: "dist/pdf-worker.js" }),
  // The program of a process that reads one web page. Its parser is linkedom: turndown's own is only for texts.
  bundle({
    entryPoints: ["src/hosts/node/pages/worker.ts"],
    outfile: "dist/page-worker.js",
    alias: { turndown: join(dirname(require.resolve("turndown")), "turndown.browser.es.js") },
  }),
  // The thread that sees which files a command changes.
  bundle({ entryPoints: ["src/hosts/node/effects/worker.ts"], outfile: "dist/effects-worker.js" }),
  bundle({ plugins: [], entryPoints: [require.resolve("web-tree-sitter")], outfile: "dist/web-tree-sitter.js" }),
  bundle({ plugins: [], entryPoints: [require.resolve("iconv-lite")], outfile: "dist/iconv-lite.js" }),
  bundle({
    entryPoints: ["src/compose/mcpClient.ts"],
    outfile: "dist/mcp-client.js",
    // Node's shim brings a validator of 150 kB, which nothing here uses.
    alias: {
      "@modelcontextprotocol/client/_shims": join(
        dirname(require.resolve("@modelcontextprotocol/client")),
        "shimsBrowser.mjs",
      ),
    },
  }),
  bundle({ entryPoints: ["src/doors/mcp/mcpSdk.ts"], outfile: "dist/mcp-sdk.js" }),
  bundle({ plugins: [], entryPoints: [require.resolve("openai").replace(/\.js$/, ".mjs")], outfile: "dist/openai.js" }),
]);
/** The grammars of src/hosts/node/syntax/languages.ts. */
const grammars = ["typescript", "tsx", "javascript", "python", "go", "java", "rust", "c-sharp", "cpp", "php", "ruby"];
for (const file of [
  ...["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"],
  ...grammars.map((name) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`),
]) {
  await place(outputPath(file.split("/").at(-1) ?? ""), await readFile(require.resolve(file)));
}

// The types of the library and of the extension's API: files of types alone, which are declarations as they are.
for (const file of ["doors/shared/toolTypes", "doors/library/types", "doors/api/types"]) {
  await place(outputPath(`types/${file}.d.ts`), await readFile(new URL(`src/${file}.ts`, import.meta.url)));
}
await place(
  outputPath("types/library.d.ts"),
  Buffer.from(`import type { CreateToolhost } from "./doors/library/types.js";
export type * from "./doors/library/types.js";
/** Opens a folder. Throws a TypeError that names a wrong option, and an Error if a folder does not exist. */
export declare const createToolhost: CreateToolhost;
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
