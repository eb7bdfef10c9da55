import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { braceExpand } from "minimatch";
import { describe, expect, test, vi } from "vitest";
import { searchLocal } from "../../../../src/compose/files.js";
import { NodeDisk } from "../../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../../src/hosts/node/disk/files.js";
import { secretReason } from "../../../../src/core/paths/protectedFiles.js";
import { SECRET } from "../../../../src/core/paths/secretNames.js";
import { secretRulesFile } from "../../../../src/hosts/node/ripgrep/secretRulesFile.js";
import { SECRET_RULES_FILE, secretRules } from "../../../../src/hosts/ripgrep/secretRules.js";
import { createRipgrep } from "../../../../src/hosts/node/ripgrep/run.js";
import type { Ripgrep } from "../../../../src/hosts/ripgrep/ripgrep.js";
import type { UnsavedText } from "../../../../src/hosts/ripgrep/host.js";
import { RipgrepSearch } from "../../../../src/hosts/ripgrep/search.js";
import type { Root } from "../../../../src/ports/files.js";
import type { SearchRequest, SearchResult } from "../../../../src/ports/search.js";
import { asOrdinaryUser, openRipgrep, plant, ripgrepPath, tempFolder, type FileTree } from "../../tools/workspace.js";

const KNOWN = "ripgrep 15.0.0 (rev 3a612f88b8)";
const UNKNOWN = "ripgrep 16.0.0";

interface Searched {
  result: SearchResult;
  /** What was searched for ignored files, a list for each run; none where nothing had to be. */
  operands: string[][];
  /** Names that were listed. */
  listed: string[];
}

interface Given extends Partial<Omit<SearchRequest, "at">> {
  path?: string;
  roots?: readonly Root[];
  unsaved?: readonly UnsavedText[];
  ripgrep?: string | undefined;
  /** The file that makes the log name what may be secret. */
  secretRules?: string | undefined;
}

/** Searches as the second search of a window does, with a ripgrep that says it is of this version. */
async function search(
  folder: string,
  version: string,
  { path = ".", roots, unsaved = [], ripgrep = ripgrepPath, secretRules, ...request }: Given,
): Promise<Searched> {
  const files = new NodeFiles(new NodeDisk(), roots ?? [{ name: "ws", path: folder, scheme: "file" }]);
  const real = createRipgrep(ripgrep);
  let operands: string[][] = [];
  let listed: string[] = [];
  const run: Ripgrep = async (asked) => {
    if (asked.args[0] === "--version") {
      asked.onLine(version);
      return { exitCode: 0, errors: "" };
    }
    if (asked.args.includes("--json") && asked.args.includes("--no-ignore")) {
      operands.push(asked.args.slice(asked.args.indexOf("--") + 1));
    }
    const onLine = (line: string): void => {
      listed.push(...(asked.args.includes("--files") ? [line] : []));
      asked.onLine(line);
    };
    return real({ ...asked, onLine });
  };
  const engine = searchLocal(files, run, { unsaved: async () => unsaved, secretRules });
  const at = await files.resolve(path);
  const defaults = {
    pattern: "needle",
    literal: true,
    ignoreCase: false,
    multiline: false,
    context: 0,
    include: [],
    exclude: [],
    includeIgnored: false,
    timeLimit: 30_000,
  };
  const { signal } = new AbortController();
  await engine.search({ ...defaults, at, pattern: "stands nowhere" }, signal);
  [operands, listed] = [[], []];
  const result = await engine.search({ ...defaults, ...request, at }, signal);
  return { result, operands: operands.map((list) => list.sort()), listed };
}

/**
 * Searches with a log that names secrets, too, with one that does not, and with one that is not known: the answers are
 * the same.
 */
async function searchAlike(folder: string, given: Given = {}): Promise<Searched> {
  const named = await search(folder, KNOWN, { ...given, secretRules: await rulesFile() });
  const [quick, whole] = [await search(folder, KNOWN, given), await search(folder, UNKNOWN, given)];
  expect(quick.result).toEqual(whole.result);
  expect(named.result).toEqual(whole.result);
  expect(named.operands).toEqual(quick.operands);
  return named;
}

/** The file that the build leaves beside the bundles. */
async function rulesFile(): Promise<string> {
  const folder = await tempFolder({ [SECRET_RULES_FILE]: secretRules() });
  return secretRulesFile(folder) ?? "";
}

/** The end of a line of the log. */
const VERDICT =
  ': Ignore(IgnoreMatch(Gitignore(Glob { from: None, original: "x", actual: "x", is_whitelist: false, is_only_dir: false })))';
/** The same for an entry that rules let in. */
const LET_IN =
  ': Whitelist(IgnoreMatch(Gitignore(Glob { from: None, original: "!x", actual: "x", is_whitelist: true, is_only_dir: false })))';
/** What grep refuses. */
const isOrdinary = (path: string): boolean => secretReason(path) === undefined;
const EVERYTHING = [["./"]];
const NOTHING: string[][] = [];

const many = (count: number): FileTree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index % 7}/${index}.log`, "needle\n"]));

describe("ignored files where nothing matched", () => {
  const cases: {
    name: string;
    files: FileTree;
    given?: Given;
    ignored: number;
    operands: string[][];
    withheld?: number;
  }[] = [
    { name: "no rules", files: { "a/b.txt": "x\n" }, ignored: 0, operands: NOTHING },
    {
      name: "rules that leave nothing out",
      files: { ".gitignore": "*.log\n", "a.txt": "x\n" },
      ignored: 0,
      operands: NOTHING,
    },
    {
      name: "a file",
      files: { ".gitignore": "*.log\n", "a.log": "needle\nneedle\n", "b.txt": "x\n" },
      ignored: 2,
      operands: [["./a.log"]],
    },
    {
      name: "a folder, once",
      files: { ".gitignore": "out/\n", "out/a": "needle\n", "out/deep/b": "needle\n", "out/.git/c": "needle\n" },
      ignored: 2,
      operands: [["./out"]],
    },
    {
      name: "rules further down",
      files: { "a/.gitignore": "x\n/y\n", "a/b/x/1": "needle\n", "a/y": "needle\n", "a/b/y": "z\n" },
      ignored: 2,
      operands: [["./a/b/x", "./a/y"]],
    },
    {
      name: ".ignore and .rgignore",
      files: { ".ignore": "a\n", ".rgignore": "b\n", a: "needle\n", b: "needle\n" },
      ignored: 2,
      operands: [["./a", "./b"]],
    },
    {
      name: "an exception",
      files: { ".gitignore": "*.log\n!keep.log\n", "a.log": "needle\n", "keep.log": "x\n" },
      ignored: 1,
      operands: [["./a.log"]],
    },
    {
      name: "a folder below the workspace",
      files: { ".gitignore": "/s/out\n", "s/out": "needle\n" },
      given: { path: "s" },
      ignored: 1,
      operands: [["./out"]],
    },
    {
      name: "an ignored folder by its name",
      files: { ".gitignore": "s/*\n", "s/out": "needle\n" },
      given: { path: "s" },
      ignored: 1,
      operands: [["./out"]],
    },
    {
      name: "a file by its name",
      files: { ".gitignore": "*.log\n", "a.log": "x\n" },
      given: { path: "a.log" },
      ignored: 0,
      operands: NOTHING,
    },
    {
      name: "blanks, quotes, dashes, brackets",
      files: {
        ".gitignore": "*.log\n",
        " a  b .log": "needle\n",
        "\"q' \\.log": "needle\n",
        "--pre=id.log": "needle\n",
        "[x]{y}.log": "needle\n",
      },
      ignored: 4,
      operands: [["./ a  b .log", "./\"q' \\.log", "./--pre=id.log", "./[x]{y}.log"].sort()],
    },
    {
      name: "a colon as in the log",
      files: { ".gitignore": "*.log\n", "ignoring x: Some(1).log": "needle\n" },
      ignored: 1,
      operands: [["./ignoring x: Some(1).log"]],
    },
    {
      name: "names like what stands in front of a name",
      files: {
        ".gitignore": "*.log\n",
        "walk.rs:1: whitelisting x.log": "needle\n",
        "walk.rs:1: ignoring ./x.log": "needle\n",
        "x.log": "x\n",
      },
      ignored: 2,
      operands: [["./walk.rs:1: ignoring ./x.log", "./walk.rs:1: whitelisting x.log", "./x.log"]],
    },
    {
      name: "a name with a newline",
      files: { ".gitignore": "*.log\n", "a\nb.log": "needle\n" },
      ignored: 1,
      operands: EVERYTHING,
    },
    {
      name: "a name with U+FFFD",
      files: { ".gitignore": "*.log\n", "a\uFFFD.log": "needle\n" },
      ignored: 1,
      operands: EVERYTHING,
    },
    {
      name: "a name like a verdict",
      files: { ".gitignore": "x*\n", [`x${VERDICT}`]: "needle\n", x: "needle\n" },
      ignored: 2,
      operands: EVERYTHING,
    },
    {
      name: "a rule like a verdict",
      files: { ".gitignore": "x\n: Ignore(*\n", x: "needle\n", ": Ignore(y": "needle\n" },
      ignored: 2,
      operands: EVERYTHING,
    },
    {
      name: "a name that the gate refuses",
      files: { ".gitignore": "*.log\n", "~/a.log": "needle\n" },
      ignored: 1,
      operands: EVERYTHING,
    },
    {
      name: "two hundred entries",
      files: { ".gitignore": "*.log\n", ...many(200) },
      ignored: 200,
      operands: [
        Object.keys(many(200))
          .map((path) => `./${path}`)
          .sort(),
      ],
    },
    { name: "one more", files: { ".gitignore": "*.log\n", ...many(201) }, ignored: 201, operands: EVERYTHING },
    { name: "a thousand", files: { ".gitignore": "*.log\n", ...many(1_000) }, ignored: 1_000, operands: EVERYTHING },
    {
      name: "names too long for a command line",
      files: {
        ".gitignore": "*.log\n",
        ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${"n".repeat(200)}${index}.log`, "needle\n"])),
      },
      ignored: 50,
      operands: EVERYTHING,
    },
    {
      name: "an include of names",
      files: { ".gitignore": "*.log\n", "a.log": "needle\n", "b.txt": "x\n" },
      given: { include: ["*.log"] },
      ignored: 1,
      operands: EVERYTHING,
    },
    {
      name: "an include of paths",
      files: { ".gitignore": "out\n", "out/a.log": "needle\n", "b.txt": "x\n" },
      given: { include: ["out/**"] },
      ignored: 1,
      operands: EVERYTHING,
    },
    {
      name: "an exclude of what is ignored",
      files: { ".gitignore": "out\n*.log\n", "out/a": "needle\n", "b.log": "needle\n" },
      given: { exclude: ["out"] },
      ignored: 1,
      operands: [["./b.log"]],
    },
    {
      name: "an exclude within what is ignored",
      files: { ".gitignore": "out\n", "out/a.x": "needle\n", "out/b.y": "needle\n", "c.x": "needle\n" },
      given: { exclude: ["*.x"] },
      ignored: 1,
      operands: [["./out"]],
    },
    {
      name: "an exclude of a path within it",
      files: { ".gitignore": "out\n", "out/a/x": "needle\n", "out/b/x": "needle\n" },
      given: { exclude: ["out/a/**"] },
      ignored: 1,
      operands: [["./out"]],
    },
    {
      name: "an exclude with a folder's rule upside down",
      files: { ".gitignore": "!a\n*.log\n", a: "x\n", "b.log": "needle\n" },
      ignored: 1,
      operands: [["./b.log"]],
    },
    {
      name: "ignored files searched with all others",
      files: { ".gitignore": "*.log\n", "a.log": "x\n" },
      given: { includeIgnored: true },
      ignored: 0,
      operands: EVERYTHING,
    },
    {
      name: "a binary file",
      files: { ".gitignore": "*.log\n", "a.log": "\0\nneedle\n", "b.log": "needle\n" },
      ignored: 1,
      operands: [["./a.log", "./b.log"]],
    },
    {
      name: "a NUL far on, and matches on both sides",
      files: { ".gitignore": "*.log\n", "a.log": `needle\n${"a\n".repeat(90_000)}\0\nneedle\n`, "b.log": "needle\n" },
      ignored: 2,
      operands: [["./a.log", "./b.log"], ["./"]],
    },
    {
      name: "the same over lines",
      files: { ".gitignore": "*.log\n", "a.log": `needle\n${"a\n".repeat(90_000)}\0\nneedle\n` },
      given: { multiline: true },
      ignored: 1,
      operands: [["./a.log"], ["./"]],
    },
    {
      name: "a NUL far on in an ignored folder",
      files: { ".gitignore": "out\n", "out/a.log": `needle\n${"a\n".repeat(90_000)}\0\nneedle\n` },
      ignored: 1,
      operands: [["./out"], ["./"]],
    },
    {
      name: "UTF-16",
      files: { ".gitignore": "*.log\n", "a.log": Buffer.from("\uFEFFneedle\n", "utf16le") },
      ignored: 1,
      operands: [["./a.log"]],
    },
    {
      name: "files that may not be shown",
      files: {
        ".gitignore": "out\n",
        "out/.env": "needle\n",
        "out/b": "needle\n",
        ".env": "needle\n",
        "c/.env": "x\n",
      },
      ignored: 1,
      operands: [["./out"]],
      withheld: 2,
    },
  ];
  test.each(cases)("$name", async ({ files, given = {}, ignored, operands, withheld = 0 }) => {
    const found = await searchAlike(await tempFolder(files), { pattern: "needle", ...given });
    expect(found.result).toMatchObject({ partial: undefined, withheld, ignoredMatches: ignored });
    expect(found.operands).toEqual(operands);
  });
});

describe("links and pipes among ignored files", () => {
  test("nothing is searched through a link", async () => {
    const outside = await tempFolder({ "a.txt": "needle\n", "out/b.txt": "needle\n" });
    for (const [name, target] of [
      ["file.log", join(outside, "a.txt")],
      ["folder.log", outside],
      ["inside.log", "in.txt"],
      ["broken.log", "nowhere"],
      ["around.log", "."],
    ] as const) {
      const folder = await tempFolder({ ".gitignore": "*.log\n*.tmp\n", "in.txt": "x\n", "a.tmp": "needle\n" });
      await symlink(target, join(folder, name));
      const { result, operands } = await searchAlike(folder);
      expect([name, result.ignoredMatches, operands]).toEqual([name, 1, EVERYTHING]);
    }
  });

  test("nor through one in an ignored folder", async () => {
    const outside = await tempFolder({ "a.txt": "needle\n" });
    const folder = await tempFolder({ ".gitignore": "out\n", "out/b.txt": "needle\n" });
    await symlink(outside, join(folder, "out", "link"));
    await symlink(join(outside, "a.txt"), join(folder, "out", "a.txt"));
    const { result, operands } = await searchAlike(folder);
    expect([result.ignoredMatches, operands]).toEqual([1, [["./out"]]]);
  });

  test("a pipe is not waited for", async () => {
    const folder = await tempFolder({ ".gitignore": "*.log\n", "a.log": "needle\n" });
    execFileSync("mkfifo", [join(folder, "pipe.log")]);
    const { result, operands } = await searchAlike(folder);
    expect([result.ignoredMatches, operands]).toEqual([1, EVERYTHING]);
  });

  test("a folder asked for through a link", async () => {
    const folder = await tempFolder({ "real/.gitignore": "out\n", "real/out/a": "needle\n" });
    await symlink("real", join(folder, "link"));
    const { result, operands } = await searchAlike(folder, { path: "link" });
    expect([result.ignoredMatches, operands]).toEqual([1, [["./out"]]]);
  });

  test.each(["x.end", "link/x.end"])("lines of a log in a name hide nothing, and lead nowhere: %s", async (path) => {
    const outside = await tempFolder({ "x.end": "needle\n" });
    const lines = `x${VERDICT}\nrg: DEBUG|ignore::walk|crates/ignore/src/walk.rs:1942: ignoring ./${path}`;
    const folder = await tempFolder({
      ".gitignore": "*.end\n!/x.end\n",
      x: "x\n",
      "x.end": "x\n",
      [lines]: "needle\n",
    });
    await symlink(outside, join(folder, "link"));
    const { result, operands } = await searchAlike(folder);
    expect([result.ignoredMatches, operands]).toEqual([1, EVERYTHING]);
  });
});

describe("what else decides", () => {
  test("rules between the root and a folder below, where ripgrep must not look above", async () => {
    const parent = await tempFolder({
      ".gitignore": "*\n",
      "ws/.gitignore": "*.log\n",
      "ws/sub/a.log": "needle\n",
      "ws/sub/b.txt": "x\n",
    });
    const folder = join(parent, "ws");
    expect((await searchAlike(folder, { path: "sub" })).result.ignoredMatches).toBe(1);
    expect((await searchAlike(folder)).result.ignoredMatches).toBe(1);
  });

  test("unsaved texts in place of their files, ignored ones among the rest", async () => {
    const folder = await tempFolder({
      ".gitignore": "out\n*.log\n",
      "out/a": "needle\n",
      "out/b": "x\n",
      "c.log": "needle\n",
      "d.txt": "x\n",
      "out/.git/e": "x\n",
    });
    const unsaved = (path: string, text: string): UnsavedText => ({ path, absolute: join(folder, path), text });
    const texts = [
      unsaved("out/a", "nothing\n"),
      unsaved("out/b", "needle\nneedle\n"),
      unsaved("d.txt", "nothing\n"),
      unsaved("out/gone", "needle\n"),
      unsaved("out/.git/e", "needle\n"),
    ];
    const { result, operands } = await searchAlike(folder, { unsaved: texts });
    expect([result.ignoredMatches, operands]).toEqual([3, [["./c.log", "./out"]]]);
  });

  test("several folders, each by its own log", async () => {
    const [first, second, third] = [
      await tempFolder({ ".gitignore": "*.log\n", "a.log": "needle\n" }),
      await tempFolder({ "b.txt": "x\n" }),
      await tempFolder({ ".gitignore": "*.log\n", "a\n.log": "needle\n" }),
    ];
    const roots = [first, second, third].map((path, index): Root => ({ name: `r${index}`, path, scheme: "file" }));
    const { result, operands } = await searchAlike(first, { roots });
    expect([result.ignoredMatches, operands]).toEqual([2, [["./a.log"], ["./"]]]);
  });

  test("what could not be read is told as ever, without a word of the log", async () => {
    const folder = await tempFolder({
      ".gitignore": "*.log\n",
      "a.log": "needle\n",
      "locked/b.txt": "x\n",
      "b\nrg.log": "x\n",
      "img\nrg": "\0",
    });
    execFileSync("chmod", ["0", join(folder, "locked")]);
    const ripgrep = await openRipgrep();
    const { result } = await asOrdinaryUser(() => searchAlike(folder, { ripgrep }));
    expect(result).toMatchObject({
      ignoredMatches: 1,
      problems: ["Not searched: locked: Permission denied (os error 13)"],
    });
    execFileSync("chmod", ["755", join(folder, "locked")]);
  });

  test("a bad regular expression or glob is refused as ever", async () => {
    const folder = await tempFolder({ "a.txt": "x\n" });
    for (const given of [{ pattern: "(", literal: false }, { exclude: ["[z"] }]) {
      const said = await Promise.all(
        [KNOWN, UNKNOWN].map((version) =>
          search(folder, version, given).then(
            () => "nothing",
            (error: unknown) => String(error),
          ),
        ),
      );
      expect(said[0]).toMatch(/Invalid/);
      expect(said[0]).toBe(said[1]);
    }
  });

  test("a log that cannot be written ends no search in the middle", async () => {
    const tools = await tempFolder({
      rg: `#!/bin/sh\ncase "$*" in *--debug*) exec "${ripgrepPath}" "$@" 2>/dev/full;; *) exec "${ripgrepPath}" "$@";; esac\n`,
    });
    const ripgrep = join(tools, "rg");
    execFileSync("chmod", ["755", ripgrep]);
    const folder = await tempFolder({
      ".gitignore": "dist/\n",
      "dist/a.txt": "needle\n",
      "b.txt": "x\n",
      "c/d.txt": "rare\n",
    });
    expect((await search(folder, KNOWN, { ripgrep, pattern: "rare" })).result).toMatchObject({
      files: [{ path: "c/d.txt" }],
      problems: [],
    });
    const { result, operands } = await search(folder, KNOWN, { ripgrep });
    expect([result.ignoredMatches, result.problems, operands]).toEqual([1, [], [["./"]]]);
  });

  test("where no file can be made for it, a log comes by itself", async () => {
    const folder = await tempFolder({ ".gitignore": "dist/\n", "dist/a.txt": "needle\n", "b.txt": "x\n" });
    vi.stubEnv("TMPDIR", join(folder, "gone"));
    const { result, operands } = await search(folder, KNOWN, {});
    vi.unstubAllEnvs();
    expect([result.ignoredMatches, operands]).toEqual([1, [["./dist"]]]);
  });

  test("nothing is left in the temporary folder", async () => {
    const [folder, temporary] = [
      await tempFolder({ ".gitignore": "dist/\n", "dist/a.txt": "needle\n" }),
      await tempFolder(),
    ];
    vi.stubEnv("TMPDIR", temporary);
    const { operands } = await search(folder, KNOWN, {});
    vi.unstubAllEnvs();
    expect([operands, readdirSync(temporary)]).toEqual([[["./dist"]], []]);
  });

  test("the version is asked once, and a log only where it would help", async () => {
    const folder = await tempFolder({ ".gitignore": "*.log\n", "a.log": "needle\n" });
    const files = new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }]);
    const asked: string[] = [];
    const real = createRipgrep(ripgrepPath);
    const run: Ripgrep = (what) => {
      asked.push(...what.args.filter((word) => word === "--version" || word === "--debug"));
      return real(what);
    };
    const engine = new RipgrepSearch({
      run,
      roots: () => files.roots(),
      resolve: (raw) => files.resolve(raw),
      kindOf: async (at) => (await files.stat(at)).kind,
      unsaved: async () => [],
      files,
    });
    const request = {
      pattern: "needle",
      literal: true,
      ignoreCase: false,
      multiline: false,
      context: 0,
      include: [],
      exclude: [],
      includeIgnored: false,
      timeLimit: 30_000,
    };
    const [folderAt, fileAt] = [await files.resolve("."), await files.resolve("a.log")];
    for (const each of [
      { at: folderAt, pattern: "log" },
      { at: fileAt, pattern: "nowhere" },
      { at: folderAt, include: ["*.txt"] },
    ]) {
      await engine.search({ ...request, ...each }, new AbortController().signal);
    }
    expect(asked).toEqual([]);
    for (let turn = 0; turn < 3; turn++) {
      await engine.search({ ...request, at: folderAt }, new AbortController().signal);
    }
    expect(asked).toEqual(["--version", "--debug", "--debug"]);
    // A log of many lines is not waited for, and not asked for again.
    await plant(folder, Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`${index}.log`, "needle\n"])));
    asked.length = 0;
    for (let turn = 0; turn < 3; turn++) {
      const { ignoredMatches } = await engine.search({ ...request, at: folderAt }, new AbortController().signal);
      expect(ignoredMatches).toBe(1_501);
    }
    expect(asked).toEqual(["--debug"]);
  });
});

/** With an include all names are listed and looked at one by one: the same are withheld. */
async function expectWithheld(folder: string, given: Given, { files, withheld }: SearchResult): Promise<void> {
  if (files.length === 0) {
    const listed = await search(folder, UNKNOWN, { ...given, include: given.include ?? ["*"] });
    expect(withheld).toBe(listed.result.withheld);
  }
}

describe("files that may hold secrets", () => {
  const nowhere: Given = { pattern: "stands nowhere" };
  const withheldOf = async (files: FileTree, given: Given = {}): Promise<number> => {
    const folder = await tempFolder(files);
    const { result } = await searchAlike(folder, { ...nowhere, ...given });
    await expectWithheld(folder, { ...nowhere, ...given }, result);
    return result.withheld;
  };

  const cases: { name: string; files: FileTree; given?: Given; withheld: number }[] = [
    { name: "none", files: { "a.ts": "x\n", "keys/b.ts": "x\n" }, withheld: 0 },
    {
      name: "names, samples and public keys",
      files: { ".env": "x\n", ".env.example": "x\n", "a/id_rsa": "x\n", "a/id_rsa.pub": "x\n", "a/id_list.ts": "x\n" },
      withheld: 2,
    },
    {
      name: "folders",
      files: {
        ".ssh/config": "x\n",
        ".ssh/id_rsa.pub": "x\n",
        "b/.aws/c/d": "x\n",
        ".kube/config": "x\n",
        ".kube/other": "x\n",
      },
      withheld: 3,
    },
    { name: "a file by the name of such a folder", files: { "a/.aws": "x\n" }, withheld: 1 },
    {
      name: "what rules leave out",
      files: {
        ".gitignore": ".env\n*.pem\n!keep.pem\n.aws/\n",
        ".env": "x\n",
        "a.pem": "x\n",
        "keep.pem": "x\n",
        ".aws/b": "x\n",
        "c/.aws/d/e": "x\n",
        "f/.env": "x\n",
        "g.key": "x\n",
      },
      withheld: 2,
    },
    {
      name: "what rules leave out, further down",
      files: {
        "a/.gitignore": "out\n",
        "a/out/.env": "x\n",
        "b/out/.env": "x\n",
        ".ssh/.ignore": "c\n",
        ".ssh/c/d": "x\n",
        ".ssh/e": "x\n",
      },
      withheld: 3,
    },
    {
      name: "what rules leave out, asked for",
      files: { ".gitignore": ".env\nout\n", ".env": "x\n", "out/.env": "x\n" },
      given: { includeIgnored: true },
      withheld: 2,
    },
    {
      name: "an exclude",
      files: { ".env": "x\n", "b/.env": "x\n", "c.pem": "x\n", "D.PEM": "x\n" },
      given: { exclude: ["*.pem"] },
      withheld: 3,
    },
    {
      name: "an exclude of a folder",
      files: { ".env": "x\n", "b/.env": "x\n" },
      given: { exclude: ["b"] },
      withheld: 1,
    },
    { name: "an include", files: { ".env": "x\n", "c.pem": "x\n" }, given: { include: ["*.pem"] }, withheld: 1 },
    { name: "in .git", files: { ".git/a.pem": "x\n", ".git/.ssh/a": "x\n", ".aws/.git/b": "x\n" }, withheld: 0 },
    {
      name: "a folder that holds nothing else",
      files: { ".ssh/a": "x\n", ".ssh/b/c": "x\n" },
      given: { path: ".ssh" },
      withheld: 2,
    },
    {
      name: "a folder that only the path above tells",
      files: { ".kube/config": "x\n", ".kube/a": "x\n" },
      given: { path: ".kube" },
      withheld: 1,
    },
    {
      name: "more ignored files than are kept of a log",
      files: { ".gitignore": "*.log\n.env\n", ...many(300), ".env": "x\n", "a/.envrc": "x\n" },
      withheld: 1,
    },
  ];
  test.each(cases)("are counted: $name", async ({ files, given, withheld }) => {
    expect(await withheldOf(files, given)).toBe(withheld);
  });

  test("are counted under the real name of a folder", async () => {
    const folder = await tempFolder({ ".aws/a": "x\n", ".aws/b/c": "x\n" });
    await symlink(".aws", join(folder, "cloud"));
    const { result } = await searchAlike(folder, { ...nowhere, path: "cloud" });
    expect(result.withheld).toBe(2);
  });

  test("are counted by every name that is one, in any case", async () => {
    const globs = SECRET.flatMap((rule) => rule.globs).flatMap((glob) => braceExpand(glob));
    const fills = ["", "a", ".", ".example", "_B", ".pub", "é"];
    const names = globs.flatMap((glob) =>
      fills.map((fill) =>
        glob.replace("**/", "").replace("[._-]", "_").replaceAll("**", `f${fill}`).replaceAll("*", fill),
      ),
    );
    const spelled = [
      ...new Set(names.flatMap((name) => [name, name.toUpperCase(), `.${name}`, `${name}x`, `x${name}`])),
    ].concat("a.\u212Aey", "\u212Aey");
    // A folder each, for disks that take two spellings for one name. No search goes into .git.
    const paths = spelled
      .filter((name) => !/(^|\/)(?:\.{1,2}|\.git)(\/|$)/.test(name))
      .map((name, index) => `${index}/${name}`);
    expect(paths.length).toBeGreaterThan(400);
    const { result } = await searchAlike(
      await tempFolder(Object.fromEntries(paths.map((path) => [path, "x\n"]))),
      nowhere,
    );
    expect(result.withheld).toBe(paths.filter((path) => !isOrdinary(path)).length);
  });

  test("are listed alone", async () => {
    const folder = await tempFolder({ "a.ts": "x\n", "b/c.ts": "x\n", ".env": "x\n" });
    const { listed } = await search(folder, KNOWN, nowhere);
    expect(listed).toEqual(["./.env"]);
  });

  /** With names that only the log tells: what could not be read from it is listed as ever. */
  const told: { name: string; files: FileTree; given?: Given; withheld: number; isListed?: boolean }[] = [
    { name: "none", files: { "a.ts": "x\n" }, withheld: 0 },
    {
      name: "files, samples, folders and what they hold",
      files: {
        ".env": "x\n",
        ".env.example": "x\n",
        ".ssh/id_rsa.pub": "x\n",
        ".ssh/a/b": "x\n",
        "x.pem/y.ts": "x\n",
        "x.pem/z.key": "x\n",
      },
      withheld: 3,
    },
    {
      name: "what rules of the workspace let in",
      files: {
        ".gitignore": "*.pem\n!keep.pem\n!*.key\n",
        "keep.pem": "x\n",
        "a.pem": "x\n",
        "b.key/c": "x\n",
        "d.key": "x\n",
      },
      withheld: 2,
    },
    {
      name: "what rules let in, most of it ordinary",
      files: {
        ".gitignore": "*\n!*/\n!*.ts\n!.env\n",
        ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.ts`, "x\n"])),
        ".env": "x\n",
      },
      withheld: 1,
    },
    {
      name: "blanks, quotes, brackets, dashes",
      files: { " a \"b' .pem": "x\n", "--pre=id.key": "x\n", "[x]{y}*.p12": "x\n", "back\\slash.pem": "x\n" },
      withheld: 4,
    },
    {
      name: "names as in the log",
      files: { "walk.rs:1: whitelisting ./x.pem": "x\n", "ignoring ./y.pem": "x\n" },
      withheld: 2,
    },
    { name: "a name with a newline", files: { "a\nb.pem": "x\n", ".env": "x\n" }, withheld: 2, isListed: true },
    {
      name: "a name with a line of the log in it",
      files: { [`a${LET_IN}\nrg: DEBUG|ignore::walk|crates/ignore/src/walk.rs:1945: whitelisting ./b.pem`]: "x\n" },
      withheld: 1,
      isListed: true,
    },
    { name: "a name like a verdict", files: { [`a${LET_IN}.pem`]: "x\n" }, withheld: 1, isListed: true },
    { name: "a name with U+FFFD", files: { "a\uFFFD.pem": "x\n" }, withheld: 1, isListed: true },
    { name: "a name that the gate refuses", files: { "~/a.pem": "x\n" }, withheld: 1, isListed: true },
    {
      name: "two hundred",
      files: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`d${index % 7}/${index}.pem`, "x\n"])),
      withheld: 200,
    },
    {
      name: "one more",
      files: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`d${index % 7}/${index}.pem`, "x\n"])),
      withheld: 201,
      isListed: true,
    },
    {
      name: "more than are waited for",
      files: Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`d${index % 7}/${index}.pem`, "x\n"])),
      withheld: 1_200,
      isListed: true,
    },
    { name: "an include", files: { ".env": "x\n" }, given: { include: [".*"] }, withheld: 1, isListed: true },
    { name: "an exclude", files: { ".env": "x\n", "a/.env": "x\n" }, given: { exclude: ["a"] }, withheld: 1 },
    {
      name: "with ignored files",
      files: { ".gitignore": ".env\n", ".env": "x\n" },
      given: { includeIgnored: true },
      withheld: 1,
      isListed: true,
    },
    { name: "a folder below", files: { "s/.env": "x\n", ".env": "x\n" }, given: { path: "s" }, withheld: 1 },
    {
      name: "a folder that is secret by its own name",
      files: { ".aws/a": "x\n" },
      given: { path: ".aws" },
      withheld: 1,
      isListed: true,
    },
  ];
  test.each(told)("are told by the log: $name", async ({ files, given, withheld, isListed = false }) => {
    const folder = await tempFolder(files);
    const { result, listed } = await searchAlike(folder, { ...nowhere, ...given });
    expect([result.withheld, listed.length > 0]).toEqual([withheld, isListed]);
  });

  test("are told by the log: bytes that are no UTF-8", async () => {
    const folder = await tempFolder({ ".env": "x\n" });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff, 0xfe), Buffer.from(".pem")]), "x\n");
    expect((await searchAlike(folder, nowhere)).result.withheld).toBe(2);
  });

  test("are not links, pipes and folders, wherever those lead", async () => {
    const outside = await tempFolder({ "a.pem": "x\n" });
    const folder = await tempFolder({ "real.txt": "x\n", "dir.pem/a.ts": "x\n", "b.key": "x\n" });
    for (const [name, to] of [
      ["in.pem", "real.txt"],
      ["out.pem", join(outside, "a.pem")],
      ["folder.pem", outside],
      ["gone.pem", "nowhere"],
      ["around.pem", "."],
      ["secret.txt", "b.key"],
    ] as const) {
      await symlink(to, join(folder, name));
    }
    execFileSync("mkfifo", [join(folder, "pipe.pem")]);
    expect((await searchAlike(folder, nowhere)).result.withheld).toBe(1);
  });

  test("are counted of each of several folders", async () => {
    const folders = [
      await tempFolder({ ".env": "x\n" }),
      await tempFolder({ "a\n.pem": "x\n" }),
      await tempFolder({ "a/.netrc": "x\n", "a/b": "x\n" }),
    ];
    const roots = folders.map((path, index): Root => ({ name: `r${index}`, path, scheme: "file" }));
    const { result, listed } = await searchAlike(folders[0] ?? "", { ...nowhere, roots });
    expect([result.withheld, listed]).toEqual([3, ["./a\n.pem"]]);
  });

  test("are counted where the rules are gone, and nothing is told of that", async () => {
    const folder = await tempFolder({ ".env": "x\n", "locked/a": "x\n" });
    const ripgrep = await openRipgrep();
    execFileSync("chmod", ["0", join(folder, "locked")]);
    const { result } = await asOrdinaryUser(() =>
      search(folder, KNOWN, { ...nowhere, ripgrep, secretRules: join(folder, "gone") }),
    );
    execFileSync("chmod", ["755", join(folder, "locked")]);
    expect(result).toMatchObject({ withheld: 1, problems: ["Not searched: locked: Permission denied (os error 13)"] });
  });

  test("fill no search: more matches in one than are held make nothing partial", async () => {
    const { result } = await search(
      await tempFolder({ ".env": "needle\n".repeat(100_001), "a.txt": "needle\n" }),
      KNOWN,
      {},
    );
    expect(result).toMatchObject({ partial: undefined, files: [{ path: "a.txt", matchCount: 1 }] });
  });
});

describe("random trees with random rules", () => {
  const names = ["a", "b", "c.log", "d.pem", ".env", ".aws", "out", "é", "x y"];
  const name = fc.constantFrom(...names);
  const rule = fc
    .tuple(
      fc.constantFrom("", "", "!"),
      fc.constantFrom("", "/", "**/"),
      fc.array(fc.oneof(name, fc.constantFrom("*", "*.log", "?")), { minLength: 1, maxLength: 2 }),
      fc.constantFrom("", "", "/", "/**"),
    )
    .map(([not, start, parts, end]) => `${not}${start}${parts.join("/")}${end}`);
  const content = fc.constantFrom("x\n", "needle\n", "needle\nneedle\n", "\0needle\n");
  const folder = fc.array(name, { maxLength: 3 });
  const tree = fc.record({
    files: fc.array(fc.tuple(folder, name, content), { minLength: 1, maxLength: 14 }),
    rules: fc.array(
      fc.tuple(
        folder,
        fc.constantFrom(".gitignore", ".gitignore", ".ignore"),
        fc.array(rule, { minLength: 1, maxLength: 4 }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    exclude: fc.option(
      rule.filter((glob) => !glob.startsWith("!")),
      { nil: undefined },
    ),
  });

  test("give the answer of a search of everything", async () => {
    let spared = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ files, rules, exclude }) => {
        const root = await tempFolder();
        // What comes later lies where something else was: it is left out.
        for (const [below, file, text] of [
          ...rules.map(([below, file, lines]) => [below, file, `${lines.join("\n")}\n`] as const),
          ...files,
        ]) {
          await mkdir(join(root, ...below), { recursive: true })
            .then(() => plant(root, { [[...below, file].join("/")]: text }))
            .catch(() => undefined);
        }
        const given: Given = { exclude: exclude === undefined ? [] : [exclude] };
        const { result, operands } = await searchAlike(root, given);
        await expectWithheld(root, given, result);
        spared += result.files.length === 0 && operands.every((list) => !list.includes("./")) ? 1 : 0;
      }),
      { numRuns: 60 },
    );
    expect(spared).toBeGreaterThan(10);
    // Some hundred runs of ripgrep.
  }, 240_000);
});
