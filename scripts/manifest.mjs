// Writes what package.json contributes, its texts for people in package.nls.json, those of the views in l10n, docs/tools.md, the file of the agent and the schema of files of tools from the sources; with --check, fails when they differ.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { bundleOf, viewTexts } from "./l10n.mjs";

const root = new URL("../", import.meta.url);
const check = process.argv.includes("--check");

/**
 * @returns {Promise<typeof import("../src/manifest/manifest.js") & typeof import("../src/manifest/toolsPage.js") &
 * typeof import("../src/manifest/localize.js") & typeof import("../src/manifest/toolsSchema.js") & typeof import("../src/manifest/agentFile.js") &
 * typeof import("../src/names/contributed.js") & typeof import("../src/tools/index.js")>}
 */
async function loadRegistry() {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'export * from "./src/manifest/manifest.ts"; export * from "./src/manifest/localize.ts"; export * from "./src/manifest/toolsPage.ts"; export * from "./src/manifest/toolsSchema.ts"; export * from "./src/manifest/agentFile.ts"; export * from "./src/names/contributed.ts"; export * from "./src/tools/index.ts";',
      resolveDir: new URL(".//", root).pathname,
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
    // The registry runs anywhere: a package that has a form of its own for Node could not be loaded from a data URL.
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? "").toString("base64")}`);
}

/**
 * @param {string} file
 * @param {string} wanted
 */
async function put(file, wanted) {
  const url = new URL(file, root);
  const found = await readFile(url, "utf8").catch(() => "");
  if (found === wanted) {
    return;
  }
  if (check) {
    console.error(`${file} is not what the registry says. Run npm run manifest and commit the result.`);
    process.exitCode = 1;
    return;
  }
  await writeFile(url, wanted);
  console.log(`wrote ${file}`);
}

const { AGENT, agentFile, contributions, localize, toolsPage, toolsSchema, tools } = await loadRegistry();
const manifest = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
const { contributes, texts } = localize(contributions(tools));
manifest.contributes = contributes;
await put("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
await put("package.nls.json", `${JSON.stringify(texts, undefined, 2)}\n`);
await put("l10n/bundle.l10n.json", `${JSON.stringify(bundleOf(viewTexts()), undefined, 2)}\n`);
await put("docs/tools.md", toolsPage(tools));
await put(AGENT.file, agentFile(tools));
await put("media/tools.schema.json", `${JSON.stringify(toolsSchema(), undefined, 2)}\n`);
if (check && process.exitCode === undefined) {
  console.log("package.json and docs/tools.md are what the registry says.");
}
