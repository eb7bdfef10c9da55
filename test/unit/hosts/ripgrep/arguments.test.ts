import { minimatch } from "minimatch";
import { describe, expect, it } from "vitest";
import { globMatcher } from "../../../../src/core/paths/globMatcher";
import { namesIn } from "../../../../src/hosts/ripgrep/arguments";

const GLOBS: [glob: string, names: string[]][] = [
  ["*.ts", ["*.ts"]],
  ["**/*.d.ts", ["*.d.ts"]],
  ["src/**/schemas.js", ["schemas.js"]],
  ["a/*.{ts,tsx}", ["*.{ts,tsx}"]],
  [".env", [".env"]],
  // What the two engines could read differently, or what says nothing of names.
  ["src/**", []],
  ["src/", []],
  ["*", []],
  ["**", []],
  ["{a/b,c}/d.ts", []],
  ["{a,b/c.ts}", []],
  ["x{1..3}.ts", []],
  ["x{a}.ts", []],
  ["x{,a}.ts", []],
  ["a?.ts", []],
  ["[ab].ts", []],
  ["a**b", []],
  ["a\\*b", []],
  ["größe.ts", []],
  ["include:ts", []],
  ["!a", []],
];

describe("names that every match of a glob has", () => {
  it.each(GLOBS)("%s", (glob, names) => {
    expect(namesIn(glob)).toEqual(names);
  });

  it("are names of every path that the glob matches", () => {
    const paths = [
      "a.ts",
      "src/a.ts",
      "src/x/schemas.js",
      "schemas.js",
      "a/b.tsx",
      "a/b.ts",
      ".env",
      "x/.env",
      "lib/y.d.ts",
      ".ts",
      "src/.d.ts",
    ];
    for (const [glob, [name]] of GLOBS.filter(([, names]) => names.length > 0)) {
      for (const path of paths.filter(globMatcher(glob))) {
        expect(minimatch(path.slice(path.lastIndexOf("/") + 1), name ?? "", { dot: true }), `${glob} ${path}`).toBe(
          true,
        );
      }
    }
  });
});
