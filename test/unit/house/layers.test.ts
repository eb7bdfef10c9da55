import { Linter } from "eslint";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parser } from "typescript-eslint";
import { describe, expect, it } from "vitest";
import { layersRule, outsideOfVSCode, pure, roomOf, rooms } from "../../../scripts/layers.mjs";

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

const linter = new Linter();
/** What the rule says of code in a file of src/. */
function reports(file: string, code: string): Linter.LintMessage[] {
  return linter.verify(
    code,
    {
      files: ["**/*.ts"],
      languageOptions: { parser: parser },
      plugins: { house: { rules: { layers: layersRule } } },
      rules: { "house/layers": "error" },
    },
    join(repository, "src", file),
  );
}
/** Which of these modules the file may not import. */
function refusedBy(file: string, modules: readonly string[]): string[] {
  const lines = reports(file, modules.map((name) => `import "${name}";`).join("\n")).map(({ line }) => line);
  return modules.filter((_, index) => lines.includes(index + 1));
}
const fileIn = (room: string): string => (room === "root" ? "some.ts" : `${room}/deep/some.ts`);
const up = (room: string): string => "../".repeat(fileIn(room).split("/").length - 1) || "./";

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

  it.each(folders)("holds for src/%s and every other room", (room) => {
    const allowed = rooms[room] ?? rooms[any(room)] ?? [];
    const importOf = (other: string): string => `${up(room)}${other}/some.js`;
    expect(refusedBy(fileIn(room), folders.map(importOf))).toEqual(
      folders.filter((other) => other !== room && !isAmong(allowed, other)).map(importOf),
    );
    expect(reports(fileIn(room), `import "${up(room)}extension.js"; import "${up(room)}cliAgent.js";`)).toHaveLength(2);
    expect(reports(fileIn(room), `import "${up(room)}../scripts/paths.mjs";`)).toHaveLength(1);
    expect(reports(fileIn(room), `import "./other.js"; import "zod";`)).toEqual([]);
  });

  it.each(folders)("keeps src/%s from Node and VS Code where it reaches the world through ports", (room) => {
    const modules = builtinModules.filter((name) => !name.startsWith("_"));
    const refused = refusedBy(fileIn(room), [
      ...modules,
      ...modules.map((name) => `node:${name}`),
      ...["node:sqlite", "fs/promises", "vscode"],
    ]);
    const all = modules.length * 2 + 3;
    expect(refused.length).toBe(isAmong(pure, room) ? all : isAmong(outsideOfVSCode, room) ? 1 : 0);
  });

  it.each([
    'import { a } from "../tools/index.js";',
    'import type { A } from "../tools/index.js";',
    'export { a } from "../tools/index.js";',
    'export * from "../tools/index.js";',
    'const a = await import("../tools/index.js");',
    'const a = require("../tools/index.js");',
    'type A = import("../tools/index.js").A;',
    'import a = require("../tools/index.js");',
  ])("is held in every form: %s", (code) => {
    expect(reports("text/some.ts", code)).toHaveLength(1);
    expect(reports("agent/some.ts", code)).toEqual([]);
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
