// The unit tests as modules for Node on Windows, where neither Vite nor this machine's esbuild runs.
import { build, type Plugin } from "esbuild";
import { readFile, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** What a module of the sources says of its own place, which is another once it is bundled. Files are as in the checkout. */
const places: readonly (readonly [RegExp, (file: string) => string])[] = [
  [/import\.meta\.url/g, (file) => `__placeUrl(${JSON.stringify(file)})`],
  [/import\.meta\.dirname/g, (file) => `__place(${JSON.stringify(dirname(file))})`],
];

const banner = `import { pathToFileURL as __url } from "node:url";
import { resolve as __place } from "node:path";
import { createRequire as __createRequire } from "node:module";
const __placeUrl = (file) => __url(__place(file)).href;
const require = __createRequire(import.meta.url);`;

/**
 * @param files of tests, from the checkout; the tests find their places from the working directory
 * @returns for each of the files and the program the module's path in the folder `out`
 */
export async function bundleTests(
  repository: string,
  out: string,
  files: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  await rm(out, { recursive: true, force: true });
  const bundles = Object.fromEntries(files.map((file) => [file, file.replace(/\.ts$/, ".mjs")]));
  await build({
    absWorkingDir: repository,
    entryPoints: files.map((file) => ({ in: file, out: file.replace(/\.ts$/, "") })),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    logLevel: "warning",
    define: { __TOOLHOST_VERSION__: '"test"' },
    banner: { js: banner },
    plugins: [ownPlaces(repository)],
  });
  return bundles;
}

const ownPlaces = (repository: string): Plugin => ({
  name: "own-places",
  setup(plugins) {
    plugins.onResolve({ filter: /^vitest$/ }, () => ({ path: join(repository, "test", "windows", "vitest.ts") }));
    const [tests, path] = [join(repository, "test"), join(repository, "test", "windows", "path.ts")];
    plugins.onResolve({ filter: /^node:path$/ }, ({ importer }) =>
      importer.startsWith(tests) && importer !== path ? { path } : undefined,
    );
    plugins.onLoad({ filter: /[\\/](src|test|scripts)[\\/].*\.(?:ts|mjs)$/ }, async ({ path }) => {
      const file = relative(repository, path);
      const text = await readFile(path, "utf8");
      return {
        loader: path.endsWith(".ts") ? "ts" : "js",
        contents: places.reduce((changed, [said, place]) => changed.replace(said, () => place(file)), text),
      };
    });
  },
});
