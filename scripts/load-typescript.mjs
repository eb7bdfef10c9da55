// Loads a TypeScript module of the harness into a plain script.
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cache } from "./paths.mjs";

/**
 * Bundles a TypeScript file with its TypeScript neighbours and imports the result. The scripts (*.mjs) that it imports
 * stay modules of their own, since they find files by where they are.
 * @param {string} file absolute
 * @returns {Promise<unknown>} the module
 */
export async function loadTypeScript(file) {
  const { build } = await import("esbuild");
  mkdirSync(join(cache, "build"), { recursive: true });
  const folder = mkdtempSync(join(cache, "build", "module-"));
  const outfile = join(folder, "module.mjs");
  try {
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node24",
      packages: "external",
      logLevel: "warning",
      define: { __TOOLHOST_VERSION__: '"test"' },
      plugins: [
        {
          name: "scripts-stay",
          setup(plugins) {
            plugins.onResolve({ filter: /^\.\.?\/.*\.mjs$/ }, ({ path, resolveDir }) => ({
              path: pathToFileURL(join(resolveDir, path)).href,
              external: true,
            }));
          },
        },
      ],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
