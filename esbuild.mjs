// Bundles the extension and the command line, and prints what they weigh against their budgets.
import { build } from "esbuild";
import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const production = process.argv.includes("--production");
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));

/** Upper bounds in bytes, of the minified bundle (docs/architecture.md, "Budgets"). */
/** @type {Record<string, number>} */
const budgets = { "dist/extension.js": 1_500_000, "dist/cli.js": 1_500_000, "dist/web-tree-sitter.js": 200_000, "dist/jsonata-worker.js": 250_000, "dist/openai.js": 250_000 };

const require = createRequire(import.meta.url);

/** The parser of shell commands is a file of its own, which the bundles load when the first command is judged. */
/** @type {import("esbuild").Plugin} */
const lazyParser = {
  name: "lazy-parser",
  setup({ onResolve }) {
    onResolve({ filter: /^web-tree-sitter$/ }, () => ({ path: "./web-tree-sitter.js", external: true }));
  },
};

/** The client of model servers, loaded with the first request to one. */
/** @type {import("esbuild").Plugin} */
const lazyOpenAi = {
  name: "lazy-openai",
  setup({ onResolve }) {
    onResolve({ filter: /^openai$/ }, () => ({ path: "./openai.js", external: true }));
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
  // Names stay readable in stack traces and in VS Code's logs.
  keepNames: true,
  sourcemap: production ? false : "linked",
  mainFields: ["module", "main"],
  plugins: [lazyParser, lazyOpenAi],
  // An `import()` of a file of ours becomes a `require` at that moment: extension hosts load CommonJS.
  supported: { "dynamic-import": false },
  define: { __TOOLHOST_VERSION__: JSON.stringify(version) },
  logLevel: "warning",
};

await Promise.all([
  build({ ...shared, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", external: ["vscode"] }),
  build({ ...shared, entryPoints: ["src/cli.ts"], outfile: "dist/cli.js", banner: { js: "#!/usr/bin/env node" } }),
  // The program of a process that evaluates one expression.
  build({ ...shared, entryPoints: ["src/hosts/node/jsonata/worker.ts"], outfile: "dist/jsonata-worker.js" }),
  build({ ...shared, plugins: [], entryPoints: [require.resolve("web-tree-sitter")], outfile: "dist/web-tree-sitter.js" }),
  build({ ...shared, plugins: [], entryPoints: [require.resolve("openai").replace(/\.js$/, ".mjs")], outfile: "dist/openai.js" }),
]);
for (const grammar of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
  await copyFile(require.resolve(grammar), new URL(`dist/${grammar.split("/")[1]}`, import.meta.url));
}
const { SECRET_RULES_FILE, secretRules } = await loadSecretRules();
await writeFile(new URL(`dist/${SECRET_RULES_FILE}`, import.meta.url), secretRules());

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

/** @returns {Promise<typeof import("./src/hosts/secretRules.js")>} */
async function loadSecretRules() {
  const { outputFiles } = await build({ entryPoints: ["src/hosts/secretRules.ts"], bundle: true, write: false, format: "esm", platform: "node", logLevel: "warning" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? "").toString("base64")}`);
}
