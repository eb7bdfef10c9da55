import { describe, expect, test } from "vitest";
import { lostTabs } from "../../../src/text/lostTabs.js";

describe("a makefile", () => {
  const SPACED = "CC = gcc\n\nall: a.o \\\n    b.o\n    $(CC) -o all a.o\n\nclean:\n    rm -f all\n";

  test.each(["Makefile", "lib/makefile", "GNUmakefile", "rules.mk"])("%s whose recipes begin with spaces", (path) => {
    expect(lostTabs(path, undefined, SPACED)).toBe(
      "make needs a tab where recipe lines begin with spaces: lines 5, 8.",
    );
  });

  test.each([
    ["has tabs", "all:\n\tgcc\n\nifdef X\n  Y = 1\nendif\n"],
    ["assigns", "X := 1\n  Y = 2\n"],
    ["has another prefix", `.RECIPEPREFIX = >\n${SPACED}`],
    ["indents what make reads itself", "all:\n\tgcc\n  # why\n  ifdef X\n\trm\n  endif\n  CFLAGS += -g\n"],
    ["defines a text", "define HELP\n  Use: make all\nendef\n"],
  ])("that %s", (_what, text) => {
    expect(lostTabs("Makefile", "all:\n\tgcc\n", text)).toBeUndefined();
  });

  test("is no file of another name", () => {
    expect(lostTabs("a.yml", undefined, "all:\n    b: 1\n")).toBeUndefined();
  });
});

test("a file whose tabs are gone", () => {
  expect(lostTabs("a.go", "func a() {\n\tb()\n}\n", "func a() {\n    c()\n}\n")).toBe(
    "The file had tabs in 1 line; the new text has spaces instead.",
  );
  expect(lostTabs("a.tsv", "a\tb\n1\t2\n", "a  b\n1  2\n")).toBe(
    "The file had tabs in 2 lines; the new text has spaces instead.",
  );
});

test.each([
  ["keeps them", "a.go", "func a() {\n\tb()\n}\n", "func a() {\n\tc()\n}\n"],
  ["has nothing in their place", "a.tsv", "a\tb\n", "a,b\n"],
  ["had none", "a.go", "package a\n", "func a() {\n    b()\n}\n"],
])("a text that %s", (_what, path, before, after) => {
  expect(lostTabs(path, before, after)).toBeUndefined();
});
