import { describe, expect, test } from "vitest";
import { aliasCandidates, exactAliases } from "../../../../src/text/imports/aliases.js";

const paths = {
  "@lib/*": ["src/lib/*"],
  "@lib/deep/*": ["other/*", "../shared/*"],
  "@lib": ["src/lib/index.ts"],
  "*/styles": ["themes/*/styles.ts"],
  "~/*": ["./*"],
};
const aliases = { baseUrl: "/p/base", folder: "/p", paths };

describe("a name of a module means, by a project's own names,", () => {
  test.each([
    ["@lib/a", "/p/src/lib/a.ts"],
    ["@lib/a.js", "/p/src/lib/a.ts"],
    ["@lib/a", "/p/src/lib/a/index.tsx"],
    ["@lib/deep/b", "/p/other/b.ts"],
    ["@lib/deep/b", "/shared/b.ts"],
    ["@lib", "/p/src/lib/index.ts"],
    ["dark/styles", "/p/themes/dark/styles.ts"],
    ["~/$&", "/p/$&.ts"],
    ["plain/c", "/p/base/plain/c.ts"],
  ])("%s, %s", (name, file) => {
    expect(aliasCandidates(name, aliases).map(({ path }) => path)).toContain(file);
  });

  test.each([
    ["the pattern with the longest beginning alone", "@lib/deep/b", "/p/src/lib/deep/b.ts"],
    ["no base folder, where a pattern fits", "@lib/a", "/p/base/@lib/a.ts"],
    ["no more than a whole name", "@library", "/p/src/lib/index.ts"],
  ])("%s: not of %s, %s", (_what, name, file) => {
    expect(aliasCandidates(name, aliases).map(({ path }) => path)).not.toContain(file);
  });

  test("nothing where plain names are packages", () => {
    expect(aliasCandidates("plain/c", { ...aliases, baseUrl: undefined })).toEqual([]);
  });
});

test("names without a pattern that mean one of some files are known", () => {
  expect(exactAliases(new Set(["/p/src/lib/index.ts", "/p/src/lib/a.ts"]), aliases)).toEqual(["@lib"]);
});
