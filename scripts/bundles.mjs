// The bundles of the product: what each is made of.
import { build } from "esbuild";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { repository } from "./paths.mjs";
import { refuseOldNode } from "./refuse-old-node.mjs";

const require = createRequire(import.meta.url);

/**
 * Files of their own, which the bundles load when they need them: the parser when the first command is judged, the client
 * of model servers with the first request, MCP's SDK with `toolhost mcp`, its client with the first use of a server's tools, encodings with the first folder that sets one, times with the first schedule,
 * OpenAPI tools with the first description, what changes other agents' configurations when one is connected, the form for a
 * tool of the user's own and for a model server, the page of the activity, what knows of code with the first question about it, the search index with the first search, requests to sites, what sends a message with the first, and what reads
 * their answers, views of the workspace with the first command that has one, its way to hosts and what reads their list, the sandbox of macOS with the first command there, what tries a command with the first that is tried, what reaches a sandbox with the first one, what has tools work in one, copies of a folder for tasks that are to have one, what reads commands for PowerShell, workspace manifests with the first one, and the command line
 * after its start has checked Node's version.
 *
 * @type {Record<string, string>}
 */
const apart = {
  "web-tree-sitter": "./web-tree-sitter.js",
  openai: "./openai.js",
  "iconv-lite": "./iconv-lite.js",
  croner: "./croner.js",
  "./mcpClient.js": "./mcp-client.js",
  "./mcpSdk.js": "./mcp-sdk.js",
  "./cliMain.js": "./cli-main.js",
  "./openApi.js": "./openapi.js",
  "./configText.js": "./config-text.js",
  "../addTool.js": "./add-tool.js",
  "../activity.js": "./activity.js",
  "./codeWork.js": "./code-work.js",
  "../code/codeWork.js": "./code-work.js",
  "./moveImports.js": "./move-imports.js",
  "./syntaxCode.js": "./syntax-code.js",
  "./knowledgeIndex.js": "./knowledge-index.js",
  "./serverCode.js": "./server-code.js",
  "./webWork.js": "./web-work.js",
  "../web/webWork.js": "./web-work.js",
  "../outflow/outflow.js": "./outflow.js",
  "./explanation.js": "./explanation-page.js",
  "./compose/cli/sandbox.js": "./sandbox.js",
  "./taskCopies.js": "./task-copies.js",
  "./sandboxPlace.js": "./sandbox-place.js",
  "../sandboxPlace.js": "./sandbox-place.js",
  "./addServer.js": "./add-server.js",
  "../../views/tools/addTool.js": "./add-tool-view.js",
  "../hosts/node/http/nodeHttp.js": "./node-http.js",
  "./sendMessage.js": "./send-message.js",
  "../hosts/node/processes/view/views.js": "./views.js",
  "./seatbelt/seatbelt.js": "./seatbelt.js",
  "./hosts/gateway.js": "./hosts-gateway.js",
  "../../text/hosts/allowedHosts.js": "./allowed-hosts.js",
  "./rehearsal.js": "./rehearsal.js",
  "./publication.js": "./publication.js",
  "./commandChanges.js": "./command-changes.js",
  "../shell/powershell/analyse.js": "./powershell.js",
  "./manifests.js": "./manifests.js",
  "../shared/manifests.js": "./manifests.js",
  "../../doors/shared/manifests.js": "./manifests.js",
};

/** @type {import("esbuild").Plugin} */
const loadApart = {
  name: "load-apart",
  setup({ onResolve }) {
    const filter = new RegExp(`^(${Object.keys(apart).join("|")})$`);
    onResolve({ filter }, ({ path, resolveDir }) => {
      const own = apart[path] ?? path;
      // Another folder may have a file of that name.
      const isMeant = !path.startsWith(".") || sourceOf(own) === join(resolveDir, path).replace(/\.js$/, ".ts");
      return isMeant ? { path: own, external: true } : undefined;
    });
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
  absWorkingDir: repository,
  bundle: true,
  platform: "node",
  // CommonJS: the form every VS Code since 1.110 and plain Node 20 load alike.
  format: "cjs",
  target: "node20",
  minify: true,
  mainFields: ["module", "main"],
  plugins: [loadApart, oneVscode],
  // An `import()` of a file of ours becomes a `require` at that moment: extension hosts load CommonJS.
  supported: { "dynamic-import": false },
  logLevel: "warning",
};

/** For what runs in a browser or a webview. */
const forBrowser = /** @type {const} */ ({ platform: "browser", format: "iife", target: "es2022" });

/** @type {readonly (import("esbuild").BuildOptions & { entryPoints: string[]; outfile: string })[]} paths are relative to the repository */
const bundles = [
  // The extension in a browser: one file, since an extension host there loads no other.
  {
    ...{ ...forBrowser, entryPoints: ["src/extension.web.ts"], outfile: "dist/web.js", format: "cjs" },
    ...{ plugins: [oneVscode], conditions: ["browser"] },
    // What sends to model servers writes bytes as Node does.
    inject: [join(repository, "scripts", "web", "buffer.mjs")],
    define: {
      // The address of SQLite's program, which is given to it as bytes.
      "import.meta.url": '"file:///sqlite3.mjs"',
      // @cfworker/json-schema makes an address of it, which fails in a thread that has a blob's.
      "self.location": "undefined",
    },
  },
  // The program of a thread there that searches texts.
  { ...forBrowser, entryPoints: ["src/hosts/web/ripgrep/worker.ts"], outfile: "dist/web-rg.js" },
  // What a window loads when it comes up, and what its first call loads.
  { entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" },
  { entryPoints: ["src/window.ts"], outfile: "dist/window.js" },
  {
    entryPoints: ["src/cli.ts"],
    outfile: "dist/cli.js",
    banner: { js: `#!/usr/bin/env node\n${refuseOldNode}` },
  },
  { entryPoints: ["src/cliMain.ts"], outfile: "dist/cli-main.js" },
  { entryPoints: ["src/library.ts"], outfile: "dist/library.js" },
  { entryPoints: ["src/compose/openApi.ts"], outfile: "dist/openapi.js" },
  { entryPoints: ["src/compose/configText.ts"], outfile: "dist/config-text.js" },
  { entryPoints: ["src/compose/addTool.ts"], outfile: "dist/add-tool.js" },
  { entryPoints: ["src/compose/activity.ts"], outfile: "dist/activity.js" },
  // The program of the page that shows it, in a webview or a browser.
  {
    ...forBrowser,
    entryPoints: ["src/views/activity/page/main.ts"],
    outfile: "dist/activity-page.js",
    sourcemap: false,
  },
  { entryPoints: ["src/tools/code/codeWork.ts"], outfile: "dist/code-work.js" },
  { entryPoints: ["src/compose/moveImports.ts"], outfile: "dist/move-imports.js" },
  { entryPoints: ["src/compose/syntaxCode.ts"], outfile: "dist/syntax-code.js" },
  { entryPoints: ["src/compose/knowledgeIndex.ts"], outfile: "dist/knowledge-index.js" },
  { entryPoints: ["src/compose/window/serverCode.ts"], outfile: "dist/server-code.js" },
  { entryPoints: ["src/views/permission/explanation.ts"], outfile: "dist/explanation-page.js" },
  { entryPoints: ["src/views/models/addServer.ts"], outfile: "dist/add-server.js" },
  { entryPoints: ["src/views/tools/addTool.ts"], outfile: "dist/add-tool-view.js" },
  { entryPoints: ["src/tools/web/webWork.ts"], outfile: "dist/web-work.js" },
  { entryPoints: ["src/core/outflow/outflow.ts"], outfile: "dist/outflow.js" },
  { entryPoints: ["src/compose/cli/sandbox.ts"], outfile: "dist/sandbox.js" },
  { entryPoints: ["src/compose/cli/taskCopies.ts"], outfile: "dist/task-copies.js" },
  { entryPoints: ["src/compose/sandboxPlace.ts"], outfile: "dist/sandbox-place.js" },
  { entryPoints: ["src/hosts/node/http/nodeHttp.ts"], outfile: "dist/node-http.js" },
  { entryPoints: ["src/hosts/node/messages/sendMessage.ts"], outfile: "dist/send-message.js" },
  { entryPoints: ["src/hosts/node/processes/view/views.ts"], outfile: "dist/views.js" },
  { entryPoints: ["src/hosts/node/processes/seatbelt/seatbelt.ts"], outfile: "dist/seatbelt.js" },
  { entryPoints: ["src/tools/runtime/rehearsal.ts"], outfile: "dist/rehearsal.js" },
  { entryPoints: ["src/features/changes/publication.ts"], outfile: "dist/publication.js" },
  { entryPoints: ["src/features/changes/commandChanges.ts"], outfile: "dist/command-changes.js" },
  { entryPoints: ["src/doors/shared/manifests.ts"], outfile: "dist/manifests.js" },
  { entryPoints: ["src/hosts/node/processes/hosts/gateway.ts"], outfile: "dist/hosts-gateway.js" },
  { entryPoints: ["src/text/hosts/allowedHosts.ts"], outfile: "dist/allowed-hosts.js" },
  { entryPoints: ["src/shell/powershell/analyse.ts"], outfile: "dist/powershell.js" },
  // The program in a sandbox that passes connections on.
  { entryPoints: ["src/hosts/node/processes/hosts/bridge.ts"], outfile: "dist/hosts-bridge.js" },
  // The program of a process that evaluates one expression.
  { entryPoints: ["src/hosts/node/jsonata/worker.ts"], outfile: "dist/jsonata-worker.js" },
  // The program of a process that reads one PDF.
  { entryPoints: ["src/hosts/node/pdf/worker.ts"], outfile: "dist/pdf-worker.js" },
  // The program of a process that reads one web page. Its parser is linkedom: turndown's own is only for texts.
  {
    entryPoints: ["src/hosts/node/pages/worker.ts"],
    outfile: "dist/page-worker.js",
    alias: { turndown: join(dirname(require.resolve("turndown")), "turndown.browser.es.js") },
  },
  // The thread that sees which files a command changes.
  { entryPoints: ["src/hosts/node/effects/worker.ts"], outfile: "dist/effects-worker.js" },
  { plugins: [], entryPoints: [require.resolve("web-tree-sitter")], outfile: "dist/web-tree-sitter.js" },
  { plugins: [], entryPoints: [require.resolve("iconv-lite")], outfile: "dist/iconv-lite.js" },
  { plugins: [], entryPoints: [require.resolve("croner")], outfile: "dist/croner.js" },
  {
    entryPoints: ["src/compose/mcpClient.ts"],
    outfile: "dist/mcp-client.js",
    // Node's shim brings a validator of 150 kB, which nothing here uses.
    alias: {
      "@modelcontextprotocol/client/_shims": join(
        dirname(require.resolve("@modelcontextprotocol/client")),
        "shimsBrowser.mjs",
      ),
    },
  },
  { entryPoints: ["src/doors/mcp/mcpSdk.ts"], outfile: "dist/mcp-sdk.js" },
  { plugins: [], entryPoints: [require.resolve("openai").replace(/\.js$/, ".mjs")], outfile: "dist/openai.js" },
];

/** @param {string} own a bundle's file, as other bundles load it @returns {string} the absolute path of its source */
function sourceOf(own) {
  const [source] = bundles.find(({ outfile }) => outfile === `dist/${own.slice("./".length)}`)?.entryPoints ?? [];
  return join(repository, source ?? "");
}

/**
 * Bundles the sources as they are.
 *
 * @param {object} options
 * @param {string} options.version which the product says it has
 * @param {boolean | "linked"} options.sourcemap
 * @param {(file: string) => boolean} [options.isWanted] by the path from the repository, such as `dist/cli.js`
 * @returns {Promise<import("esbuild").OutputFile[]>} with paths in the repository; nothing is written
 */
export async function bundle({ version, sourcemap, isWanted = () => true }) {
  const define = { __TOOLHOST_VERSION__: JSON.stringify(version) };
  const built = await Promise.all(
    bundles
      .filter(({ outfile }) => isWanted(outfile))
      .map((options) =>
        build({ ...shared, sourcemap, ...options, define: { ...define, ...options.define }, write: false }),
      ),
  );
  return built.flatMap(({ outputFiles }) => outputFiles);
}

/** The grammars of src/hosts/node/syntax/languages.ts. */
const grammars = ["typescript", "tsx", "javascript", "python", "go", "java", "rust", "c-sharp", "cpp", "php", "ruby"];

/** Files of packages that the product has beside its bundles: the grammars and their engine. */
export const wasmFiles = [
  ...["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"],
  "@sqlite.org/sqlite-wasm/sqlite3.wasm",
  ...grammars.map((name) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`),
].map((file) => require.resolve(file));

/**
 * Returns ripgrep for WebAssembly, which its package holds compressed, inside a module.
 *
 * @returns {Promise<Uint8Array>}
 */
export async function ripgrepWasm() {
  const folder = dirname(fileURLToPath(import.meta.resolve("ripgrep")));
  const { getCompressedBytes } = await import(pathToFileURL(join(folder, "_rg.wasm.mjs")).href);
  return brotliDecompressSync(getCompressedBytes());
}
