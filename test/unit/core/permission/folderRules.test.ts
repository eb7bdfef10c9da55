// The user's rules for agents that see one folder of a window with several.
import { describe, expect, it, test } from "vitest";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import { compileRule } from "../../../../src/core/permission/rules/compiledRule.js";
import { FolderRules } from "../../../../src/core/permission/rules/folderRules.js";
import { pathPattern, underFolders, type PathPattern } from "../../../../src/core/permission/rules/patterns.js";
import type { PlacedRule, Rule } from "../../../../src/ports/rules.js";

const underFolder = (pattern: PathPattern, name: string): PathPattern => underFolders(pattern, [{ name, at: "." }]);

const PATTERNS = [
  ...[
    "**",
    "*",
    ".",
    "*/a.ts",
    "**/a.ts",
    "src/**",
    "src",
    "A/**",
    "A/",
    "A",
    "A/src/a.ts",
    "A/src/*.ts",
    "./A/src/**",
  ],
  ...["{A,B}/src/**", "[AB]/**", "?/src/a.ts", "B/**", "AB/**", "A*/src/**", "a/**", "/ws/A/src/**", "/ws/**", "~/x"],
];
const PATHS = [
  ".",
  "a.ts",
  "src",
  "src/a.ts",
  "src/deep/b.ts",
  "A/src/a.ts",
  "B/src/a.ts",
  "/ws/A/src/a.ts",
  "/ws/B/x",
];

test.each(PATTERNS)("the pattern %s matches the same files, with the folder's name or without", (glob) => {
  const whole = pathPattern(glob);
  const seen = underFolder(whole, "A");
  for (const path of PATHS) {
    const named = path.startsWith("/") ? path : path === "." ? "A" : `A/${path}`;
    for (const fold of [false, true]) {
      expect([path, fold, seen.matches(path, fold)]).toEqual([path, fold, whole.matches(named, fold)]);
    }
  }
  expect(seen.literal).toBe(whole.literal);
});

test.each([
  ["A/src/**", "src"],
  ["A/src/a.ts", "src/a.ts"],
  ["A", "."],
  ["a/SRC/*", "SRC"],
  ["**/a.ts", "."],
  ["/ws/x/*", "/ws/x"],
])("the files of %s are in %s of its folder", (glob, base) => {
  expect(underFolder(pathPattern(glob), "A").base).toBe(base);
});

test.each(["B/**", "B", "AB/**", "src/**"])("%s is about other folders", (glob) => {
  const seen = underFolder(pathPattern(glob), "A");
  expect(seen.isElsewhere).toBe(true);
  expect(PATHS.filter((path) => seen.matches(path, true))).toEqual([]);
});

test.each([
  ["A/**", "~x/k.pem"],
  ["**/*.pem", "~k.pem"],
  ["**", "~x"],
  ["A/~x/**", "~x/y"],
])("%s denies %s, whatever its name looks like, and allows it not", (glob, path) => {
  const seen = underFolder(pathPattern(glob), "A");
  expect([seen.matches(path, true), seen.matches(path, false)]).toEqual([true, false]);
});

test.each(["**", "**/*.pem", "~k.pem"])("%s denies a file of the only folder whose name begins like a home", (glob) => {
  expect(pathPattern(glob).matches("~k.pem", true)).toBe(true);
});

test("an allowed pattern of files inside allows none of a home", () => {
  expect(pathPattern("**").matches("~root/x", false)).toBe(false);
});

test("rules hold for a folder in the folder by either name", () => {
  const folders = [
    { name: "A", at: "." },
    { name: "sub", at: "lib/sub" },
  ];
  const matches = (glob: string, path: string): boolean => underFolders(pathPattern(glob), folders).matches(path, true);
  for (const glob of ["sub/**", "sub/x.ts", "A/lib/sub/**", "**/x.ts", "A/**"]) {
    expect([glob, matches(glob, "lib/sub/x.ts"), matches(glob, "lib/other/y.ts")]).toEqual([
      glob,
      true,
      glob === "A/**",
    ]);
  }
  expect(underFolders(pathPattern("sub/x/**"), folders).base).toBe("lib/sub/x");
  expect(matches("sub", "lib/sub")).toBe(true);
});

describe("rules", () => {
  const placed = (rule: Rule): PlacedRule => ({ rule, source: "settings", place: "rules[0]" });
  const written: Rule[] = [];
  const settings = [
    placed({ tool: "edit", params: { path: "A/shut/**" }, decision: "deny" }),
    placed({ tool: "edit", params: { path: "B/**" }, decision: "deny" }),
    placed({ tool: "exec", params: { command: "npm test" }, decision: "allow" }),
  ];
  const open = (folder: string): { whole: Rules; seen: FolderRules } => {
    const whole = new Rules({ rules: () => settings, add: async (rules) => void written.push(...rules) }, () => 7);
    return { whole, seen: new FolderRules(whole, folder) };
  };

  it("are the same objects until they change", () => {
    const { seen } = open("A");
    expect(seen.rules("s").map(({ rule }) => rule)).toEqual(settings.map(({ rule }) => rule));
    expect(seen.rules("s")[0]).toBe(seen.rules("s")[0]);
    const [shut] = seen.rules("s");
    expect(shut && compileRule(shut).path?.matches("shut/a.ts", true)).toBe(true);
    expect(shut && compileRule(shut).path?.matches("A/shut/a.ts", true)).toBe(false);
  });

  it("are granted for the folder alone, and written with its name", async () => {
    const { whole, seen } = open("A");
    const granted: Rule = { tool: "edit", params: { path: "src/**" }, decision: "allow" };
    seen.grantForSession("s", [granted]);
    expect(whole.rules("s").at(-1)?.rule.params).toEqual({ path: "A/src/**" });
    const own = seen.rules("s").at(-1);
    expect(own && compileRule(own).path?.matches("src/a.ts", false)).toBe(true);
    const other = new FolderRules(whole, "B").rules("s").at(-1);
    expect(other && compileRule(other).path?.matches("src/a.ts", false)).toBe(false);
    await seen.grantAlways([
      granted,
      { tool: "read", params: { path: "~b/x.txt" }, decision: "allow" },
      { tool: "exec", params: { command: "make" }, decision: "allow" },
      { tool: "read", params: { path: "/etc/hosts" }, decision: "allow" },
    ]);
    expect(written.map(({ params }) => params)).toEqual([
      { path: "A/src/**" },
      { path: "A/~b/x.txt" },
      { command: "make" },
      { path: "/etc/hosts" },
    ]);
  });

  it.each(["a*[b]{c}", "{a,b}", "[a]", "a?"])(
    "name a folder whose name looks like a pattern as it is: %s",
    (folder) => {
      const { whole, seen } = open(folder);
      seen.grantForSession("s", [{ tool: "edit", params: { path: "x.ts" }, decision: "allow" }]);
      const [rule] = whole.rules("s").slice(-1);
      const pattern = rule && compileRule(rule).path;
      expect(pattern?.matches(`${folder}/x.ts`, false)).toBe(true);
      expect(["aab", "a", "b", "ab"].filter((name) => pattern?.matches(`${name}/x.ts`, false))).toEqual([]);
      const own = seen.rules("s").at(-1);
      expect(own && compileRule(own).path?.matches("x.ts", false)).toBe(true);
    },
  );

  it("remember when they last decided a call", () => {
    const { whole, seen } = open("A");
    const [shut] = seen.rules("s");
    seen.matched(shut ?? expect.unreachable());
    expect(whole.lastMatched(settings[0] ?? expect.unreachable())).toBe(7);
  });
});
