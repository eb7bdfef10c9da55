// The files that import one, by relative paths and by the names of their project, found on a real disk.
import { expect, test } from "vitest";
import { searchLocal } from "../../../src/compose/files.js";
import { importersOf } from "../../../src/features/changes/importers.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { ripgrepPath, tempFolder, type FileTree } from "../../unit/tools/workspace.js";

const USES = (name: string): string => `import { a } from "${name}";\na();\n`;
const CONFIG = (options: object, more: object = {}): string =>
  `// Ours\n${JSON.stringify({ ...more, compilerOptions: options })}`.replace(/\}$/, ",}");

async function importers(files: FileTree, ...targets: string[]): Promise<string[]> {
  const folder = await tempFolder({ "src/lib/a.ts": "export const a = () => 1;\n", ...files });
  const seen = new NodeFiles(new NodeDisk(), [{ name: "project", path: folder, scheme: "file" }]);
  const search = searchLocal(seen, createRipgrep(ripgrepPath));
  const wanted = await Promise.all(targets.map((path) => seen.resolve(path)));
  const options = { limit: 60_000, most: 10, signal: new AbortController().signal };
  const found = await importersOf(wanted, { files: seen, search }, options);
  expect(found.total).toBe(found.importers.length);
  expect(found.isWhole).toBe(true);
  return found.importers.map(({ path }) => path);
}

test.each<{ what: string; config: FileTree }>([
  { what: "in its own", config: { "tsconfig.json": CONFIG({ paths: { "@lib/*": ["./src/lib/*"] } }) } },
  {
    what: "from a base folder",
    config: { "tsconfig.json": CONFIG({ baseUrl: "src", paths: { "@lib/*": ["lib/*"] } }) },
  },
  { what: "in jsconfig.json", config: { "jsconfig.json": CONFIG({ paths: { "@lib/*": ["./src/lib/*"] } }) } },
  {
    what: "in one that it builds on",
    config: {
      "src/tsconfig.json": CONFIG({}, { extends: ["@tsconfig/node20", "../tsconfig.base"] }),
      "tsconfig.base.json": CONFIG({ paths: { "@lib/*": ["./src/lib/*"] } }),
    },
  },
  {
    what: "in a part of it",
    config: {
      "tsconfig.json": JSON.stringify({ files: [], references: [{ path: "./tsconfig.app.json" }, { path: "./gone" }] }),
      "tsconfig.app.json": CONFIG({ paths: { "@lib/*": ["./src/lib/*"] } }),
    },
  },
])("files import one by a name of their project's configuration: $what", async ({ config }) => {
  const files = {
    ...config,
    "src/uses.ts": USES("@lib/a"),
    "src/relative.ts": USES("./lib/a.js"),
    "src/other.ts": USES("@other/a"),
    "src/said.ts": "// '@lib/b'\n",
  };
  expect(await importers(files, "src/lib/a.ts")).toEqual(["src/relative.ts", "src/uses.ts"]);
});

test("a file with a name of its own is found by that", async () => {
  const files = {
    "tsconfig.json": CONFIG({ paths: { "@lib": ["./src/lib/index.ts"], "#a": ["./src/lib/a.ts"] } }),
    "src/lib/index.ts": "export * from './a';\n",
    "src/uses.ts": USES("@lib"),
    "src/direct.ts": USES("#a"),
  };
  expect(await importers(files, "src/lib/index.ts")).toEqual(["src/uses.ts"]);
  expect(await importers(files, "src/lib/a.ts")).toEqual(["src/direct.ts", "src/lib/index.ts"]);
});

test.each<{ what: string; config: string }>([
  { what: "that is malformed", config: "{ not JSON" },
  { what: "that builds on itself", config: JSON.stringify({ extends: "./tsconfig.json" }) },
  { what: "that leaves the workspace", config: JSON.stringify({ extends: "../../../tsconfig.json" }) },
  {
    what: "with values of other kinds",
    config: '{ "extends": 1, "references": 2, "compilerOptions": { "paths": { "a": 3 } } }',
  },
])("a configuration $what hides no relative import", async ({ config }) => {
  const files = { "tsconfig.json": config, "src/relative.ts": USES("./lib/a"), "src/uses.ts": USES("@lib/a") };
  expect(await importers(files, "src/lib/a.ts")).toEqual(["src/relative.ts"]);
});

const PACKAGE = (fields: object): string => JSON.stringify({ name: "@us/lib", ...fields });

test.each<{ what: string; fields: object; name: string }>([
  { what: "that its main file has", fields: { main: "./src/a.ts" }, name: "@us/lib" },
  { what: "that its types have", fields: { main: "./dist/a.js", types: "src/a.ts" }, name: "@us/lib" },
  { what: "of a file below", fields: {}, name: "@us/lib/src/a" },
  { what: "that it exports as a whole", fields: { exports: "./src/a.ts" }, name: "@us/lib" },
  {
    what: "that it exports under a condition",
    fields: { exports: { ".": { import: { types: "./src/a.ts", default: "./dist/a.js" } } } },
    name: "@us/lib",
  },
  { what: "that it exports", fields: { exports: { "./start": "./src/a.ts" } }, name: "@us/lib/start" },
  { what: "that fits a pattern", fields: { exports: { "./*": "./src/*.ts" } }, name: "@us/lib/a" },
])("files of other packages import one by the name $what", async ({ fields, name }) => {
  const files = {
    "packages/lib/package.json": PACKAGE(fields),
    "packages/lib/src/a.ts": "export const a = () => 1;\n",
    "packages/lib/src/b.ts": USES("./a"),
    "packages/app/package.json": JSON.stringify({ name: "app", dependencies: { "@us/lib": "workspace:*" } }),
    "packages/app/src/uses.ts": USES(name),
    "packages/app/src/other.ts": USES("@us/other"),
    "node_modules/@us/lib/src/c.ts": USES("./a"),
  };
  expect(await importers(files, "packages/lib/src/a.ts")).toEqual([
    "packages/app/src/uses.ts",
    "packages/lib/src/b.ts",
  ]);
});

test.each<{ what: string; manifest: string }>([
  { what: "names what a build makes", manifest: PACKAGE({ main: "./dist/a.js", exports: { ".": "./dist/a.js" } }) },
  { what: "is malformed", manifest: "{ not JSON" },
  { what: "has no name", manifest: "{}" },
  { what: "has values of other kinds", manifest: '{ "name": "@us/lib", "main": 1, "exports": { ".": [2, null] } }' },
])("a package whose package.json $what is not imported by its name", async ({ manifest }) => {
  const files = {
    "packages/lib/package.json": manifest,
    "packages/lib/src/a.ts": "export const a = () => 1;\n",
    "packages/lib/src/b.ts": USES("./a"),
    "packages/app/src/uses.ts": USES("@us/lib"),
  };
  expect(await importers(files, "packages/lib/src/a.ts")).toEqual(["packages/lib/src/b.ts"]);
});
