// No file needs itself to be loaded: modules that import values from each other run in an order that nobody sees.
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../../../src");
/** An import or a re-export of values; with only `type` names in its braces it is one of types. */
const IMPORT = /^(?:import|export) (?!type )(?<names>[^;]*?)from "(?<path>\.[^"]+)\.js";$/gm;

function valueImports(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  return [...text.matchAll(IMPORT)]
    .filter(({ groups }) => {
      const named = /^\{(.*)\}\s*$/s.exec(groups?.["names"] ?? "")?.[1];
      return named?.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type ")) !== true;
    })
    .map(({ groups }) => `${posix.join(posix.dirname(file), groups?.["path"] ?? "")}.ts`);
}

/** The first circle below a file, as `a -> b -> a`; undefined if there is none. */
function circleFrom(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  above: readonly string[] = [],
): string | undefined {
  if (above.includes(file)) {
    return [...above.slice(above.indexOf(file)), file].join(" -> ");
  }
  if (done.has(file)) {
    return undefined;
  }
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, imports, done, [...above, file]);
    if (circle !== undefined) {
      return circle;
    }
  }
  done.add(file);
  return undefined;
}

function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  return [...imports.keys()].flatMap((file) => circleFrom(file, imports, done) ?? []);
}

it("has no circles of values among its files", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
  const imports = new Map(files.map((file) => [file, valueImports(file)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
  expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
  expect(circles(imports)).toEqual([]);
});

it("would name one", () => {
  expect(
    circles(
      new Map([
        ["a.ts", ["b.ts"]],
        ["b.ts", ["c.ts", "d.ts"]],
        ["c.ts", []],
        ["d.ts", ["b.ts"]],
      ]),
    ),
  ).toContain("b.ts -> d.ts -> b.ts");
});
