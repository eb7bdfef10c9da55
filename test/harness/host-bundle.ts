// Bundles in-host test files into one CommonJS file, with what the run tells them.
import { build } from "esbuild";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { repository } from "../../scripts/paths.mjs";
import type { HostContext } from "./host-context";

/**
 * Writes the module whose `run()` VS Code calls inside the extension host.
 * @param files test files, absolute
 * @param outfile below the checkout, so that mocha is found from there
 */
export async function bundleHostTests(files: string[], context: HostContext, outfile: string): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  const bundle = outfile.replace(/\.js$/, ".bundle.js");
  // Source maps count only for files that are loaded after they were turned on.
  writeFileSync(outfile, `process.setSourceMapsEnabled(true);\nmodule.exports = require(${JSON.stringify(bundle)});\n`);
  const entries = files.map(
    (file) => `[${JSON.stringify(relative(repository, file))}, () => import(${JSON.stringify(file)})]`,
  );
  await build({
    stdin: {
      contents: `import { runMocha } from "./host-mocha";\nexport const run = () => runMocha([${entries.join(", ")}]);\n`,
      resolveDir: join(repository, "test", "harness"),
      loader: "ts",
    },
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    sourcemap: "inline",
    mainFields: ["module", "main"],
    // One mocha, not a copy in the bundle: it loads parts of itself by path.
    external: ["vscode", "mocha"],
    define: { __HOST_CONTEXT__: JSON.stringify(context), __TOOLHOST_VERSION__: '"test"' },
    logLevel: "warning",
  });
}
