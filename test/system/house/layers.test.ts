// Who may import whom is held by lint: each rule of docs/architecture.md fails where it is broken.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { outsideOfVSCode, pure, roomOf, rooms } from "../../../scripts/layers.mjs";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const foldersIn = (path: string): string[] =>
  readdirSync(join(repository, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const withRooms = ["features", "hosts", "views", "doors"];
const folders = foldersIn("src").flatMap((name) =>
  withRooms.includes(name) ? foldersIn(`src/${name}`).map((inner) => `${name}/${inner}`) : [name],
);
const any = (room: string): string => room.replace(/\/.*/, "/*");
const isAmong = (list: readonly string[], room: string): boolean => list.includes(room) || list.includes(any(room));

/** Files to be linted, by their paths in src/, and the lines that the rule reports in each. */
const planted = new Map<string, string>();
const reported = new Map<string, number[]>();

/** Plants code in a folder; returns what gives the lines that the rule reports in it, once all is linted. */
function plant(folder: string, code: string): () => number[] {
  const path = `${folder}planted${planted.size}.ts`;
  planted.set(path, code);
  return () => reported.get(path) ?? [];
}

/** Plants an import of each module; returns what gives those that the folder may not import. */
function plantImports(folder: string, modules: readonly string[]): () => string[] {
  const lines = plant(folder, modules.map((name) => `import "${name}";`).join("\n"));
  return () => modules.filter((_, index) => lines().includes(index + 1));
}

/** Lints all that was planted, by the tool and the rule that lint this repository. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-layers-"));
  try {
    for (const [path, code] of planted) {
      await mkdir(join(folder, "src", dirname(path)), { recursive: true });
      await writeFile(join(folder, "src", path), code);
    }
    const config = { jsPlugins: [join(repository, "scripts/house-rules.mjs")], rules: { "house/layers": "error" } };
    await writeFile(join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, categories: { correctness: "off" } }));
    const cli = join(dirname(fileURLToPath(import.meta.resolve("oxlint"))), "cli.js");
    const { stdout } = spawnSync(process.execPath, [cli, "--format", "json"], {
      ...{ cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
    });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[];
    };
    for (const { code, filename, labels } of diagnostics) {
      expect(code).toBe("house(layers)");
      const path = filename.slice("src/".length);
      reported.set(path, [...(reported.get(path) ?? []), labels[0]?.span.line ?? 0]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

const up = (room: string): string => "../".repeat(room.split("/").length + 1);

describe("who may import whom", () => {
  it("is said of every folder of src, and of no other", () => {
    expect(folders.filter((room) => rooms[room] === undefined && rooms[any(room)] === undefined)).toEqual([]);
    const known = new Set([...folders, ...folders.map(any)]);
    const named = [...Object.entries(rooms).flat(2), ...pure, ...outsideOfVSCode];
    expect(named.filter((room) => !known.has(room))).toEqual([]);
    expect(folders.every((room) => roomOf(`${room}/file.ts`) === room)).toBe(true);
  });

  it("has no circle", () => {
    const below = (room: string): string[] =>
      folders.filter((other) => other !== room && isAmong(rooms[room] ?? rooms[any(room)] ?? [], other));
    const done = new Set<string>();
    const visit = (room: string, path: readonly string[]): string[] => {
      if (path.includes(room)) {
        return [[...path, room].join(" -> ")];
      }
      const circles = done.has(room) ? [] : below(room).flatMap((other) => visit(other, [...path, room]));
      done.add(room);
      return circles;
    };
    expect(folders.flatMap((room) => visit(room, [])).slice(0, 3)).toEqual([]);
  });

  describe.each(folders)("in src/%s", (room) => {
    const folder = `${room}/deep/`;
    const allowed = rooms[room] ?? rooms[any(room)] ?? [];
    const importOf = (other: string): string => `${up(room)}${other}/some.js`;
    const refused = plantImports(folder, folders.map(importOf));
    const composing = plantImports(folder, [`${up(room)}extension.js`, `${up(room)}cliAgent.js`]);
    const outside = plantImports(folder, [`${up(room)}../scripts/paths.mjs`]);
    const fine = plantImports(folder, ["./other.js", "zod"]);

    it("holds for every other room", () => {
      expect(refused()).toEqual(folders.filter((other) => other !== room && !isAmong(allowed, other)).map(importOf));
      expect(composing()).toHaveLength(2);
      expect(outside()).toHaveLength(1);
      expect(fine()).toEqual([]);
    });

    const names = builtinModules.filter((name) => !name.startsWith("_"));
    const modules = [...names, ...names.map((name) => `node:${name}`), "node:sqlite", "fs/promises", "vscode"];
    const kept = plantImports(folder, modules);

    it("keeps out Node and VS Code where the world is reached through ports", () => {
      const count = isAmong(pure, room) ? modules.length : isAmong(outsideOfVSCode, room) ? 1 : 0;
      expect(kept()).toHaveLength(count);
    });
  });

  describe.each([
    'import { a } from "../tools/index.js";',
    'import type { A } from "../tools/index.js";',
    'export { a } from "../tools/index.js";',
    'export * from "../tools/index.js";',
    'const a = await import("../tools/index.js");',
    'const a = require("../tools/index.js");',
    'type A = import("../tools/index.js").A;',
    'import a = require("../tools/index.js");',
  ])("in the form %s", (code) => {
    const [below, above] = [plant("text/", code), plant("agent/", code)];

    it("holds", () => {
      expect(below()).toEqual([1]);
      expect(above()).toEqual([]);
    });
  });

  it("is what docs/architecture.md says", () => {
    const page = readFileSync(join(repository, "docs/architecture.md"), "utf8");
    const rows = [...page.matchAll(/^\| `src\/([^`]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, room = "", allowed = ""]) => [
      room,
      [...allowed.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    ]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(Object.entries(rooms).map(([room, allowed]) => [room, allowed])),
    );
  });
});
