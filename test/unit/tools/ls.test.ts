import { execFileSync } from "node:child_process";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asOrdinaryUser, failed, hosts, openWorkspace, result, tempFolder, type FileTree } from "./workspace.js";

interface LsData {
  path: string;
  entries: { path: string; kind: string; link: boolean; size: number | null; ignored: boolean }[];
  omitted: number;
}

const tree: FileTree = {
  ".hidden": "1",
  "b.txt": "12345",
  "a/x.txt": "",
  "a/deep/y.txt": "é",
  ".git/config": "x",
  "node_modules/m/index.js": "x",
  empty: undefined,
};

describe.each(hosts)("what a reader sees, on the %s host", (host) => {
  const cases: { name: string; input: object; text: string }[] = [
    {
      name: "folders with /, files with their bytes, hidden ones too, by name",
      input: {},
      text: ".git/  (ignored)\n.hidden  (1 byte)\na/\nb.txt  (5 bytes)\nempty/\nnode_modules/",
    },
    {
      name: "two levels; .git and node_modules are not opened",
      input: { depth: 2 },
      text: ".git/  (ignored)\n.hidden  (1 byte)\na/\n  deep/\n  x.txt  (0 bytes)\nb.txt  (5 bytes)\nempty/\nnode_modules/",
    },
    { name: "three levels", input: { path: "a", depth: 3 }, text: "deep/\n  y.txt  (2 bytes)\nx.txt  (0 bytes)" },
    { name: "node_modules by path", input: { path: "node_modules", depth: 2 }, text: "m/\n  index.js  (1 byte)" },
    { name: "an empty folder", input: { path: "empty" }, text: "[empty is empty.]" },
    { name: "a path with ./, .. and / at its end", input: { path: "./a/../a/deep/" }, text: "y.txt  (2 bytes)" },
  ];
  test.each(cases)("$name", async ({ input, text }) => {
    const { call } = await openWorkspace(tree, { host });
    expect(result(await call("ls", input)).text).toBe(text);
  });

  test("an empty workspace", async () => {
    const { call } = await openWorkspace({}, { host });
    expect(result(await call("ls", {})).text).toBe("[The workspace is empty.]");
  });

  test("data has whole paths", async () => {
    const { call } = await openWorkspace(tree, { host });
    expect(result<LsData>(await call("ls", { path: "a", depth: 2 })).data).toEqual({
      path: "a",
      entries: [
        { path: "a/deep", kind: "directory", link: false, size: null, ignored: false },
        { path: "a/x.txt", kind: "file", link: false, size: 0, ignored: false },
        { path: "a/deep/y.txt", kind: "file", link: false, size: 2, ignored: false },
      ],
      omitted: 0,
    });
  });

  test("the folders of a workspace of several", async () => {
    const second = await tempFolder({ "b.txt": "1" });
    const beside = await tempFolder({ "c.txt": "1" });
    const { call } = await openWorkspace(
      { "a.txt": "1" },
      {
        name: "first",
        roots: [
          { name: "second", path: second },
          { name: "x", path: beside, beside: true },
        ],
      },
    );
    expect(result(await call("ls", { depth: 2 })).text).toBe("first/\n  a.txt  (1 byte)\nsecond/\n  b.txt  (1 byte)");
    expect(result<LsData>(await call("ls", { path: "second" })).data.entries[0]?.path).toBe("second/b.txt");
    expect(result<LsData>(await call("ls", { path: beside })).data.entries[0]?.path).toBe(join(beside, "c.txt"));
  });
});

describe.each(hosts)("what .gitignore leaves out, on the %s host", (host) => {
  const cases: { name: string; files: FileTree; input?: object; ignored: string[]; text?: string }[] = [
    {
      name: "files and folders by name",
      files: { ".gitignore": "*.log\nout\n", "a.log": "", "out/x": "", "a.txt": "" },
      ignored: ["a.log", "out"],
      text: ".gitignore  (10 bytes)\na.log  (0 bytes, ignored)\na.txt  (0 bytes)\nout/  (ignored)",
    },
    {
      name: "without a Git repository and within",
      files: { ".git/HEAD": "", ".gitignore": "a\n", a: "", b: "" },
      ignored: [".git", "a"],
    },
    {
      name: "a pattern for folders alone",
      files: { ".gitignore": "x/\n", "a/x/f": "", "b/x": "" },
      input: { depth: 2 },
      ignored: ["a/x"],
    },
    {
      name: "a path from its folder",
      files: { ".gitignore": "/x\nb/y\n", x: "", "a/x": "", "b/y": "", "a/b/y": "" },
      input: { depth: 3 },
      ignored: ["b/y", "x"],
    },
    {
      name: "** in a path",
      files: { ".gitignore": "a/**/x\n", "a/x": "", "a/b/c/x": "", "b/x": "" },
      input: { depth: 4 },
      ignored: ["a/b/c/x", "a/x"],
    },
    {
      name: "letting in again",
      files: { ".gitignore": "*.log\n!keep.log\n", "a.log": "", "keep.log": "" },
      ignored: ["a.log"],
    },
    {
      name: "letting in again in a folder below",
      files: { ".gitignore": "*.log\n", "s/.gitignore": "!a.log\n", "s/a.log": "", "s/b.log": "" },
      input: { path: "s" },
      ignored: ["s/b.log"],
    },
    {
      name: "nothing is let in again below a folder left out",
      files: { ".gitignore": "out/\n!out/keep\n", "out/keep": "" },
      input: { depth: 2 },
      ignored: ["out", "out/keep"],
      text: ".gitignore  (15 bytes)\nout/  (ignored)\n  keep  (0 bytes)",
    },
    {
      name: "a folder below that lets itself in",
      files: { ".gitignore": "/gen/*\n!/gen/sub\n", "gen/a": "", "gen/sub/b": "" },
      input: { depth: 3 },
      ignored: ["gen/a"],
    },
    {
      name: "a file of rules below",
      files: { "s/.gitignore": "/x\n", x: "", "s/x": "", "s/t/x": "" },
      input: { depth: 3 },
      ignored: ["s/x"],
    },
    {
      name: "rules from above hold in a folder by its path",
      files: { ".gitignore": "*.log\n", "s/.gitignore": "tmp\n", "s/t/a.log": "", "s/t/tmp": "" },
      input: { path: "s/t" },
      ignored: ["s/t/a.log", "s/t/tmp"],
    },
    {
      name: ".ignore stands over .gitignore, .rgignore over both",
      files: { ".gitignore": "a\nb\nc\n", ".ignore": "!a\n!b\nd\n", ".rgignore": "b\n", a: "", b: "", c: "", d: "" },
      ignored: ["b", "c", "d"],
    },
    {
      name: ".git/info/exclude stands behind .gitignore",
      files: { ".git/info/exclude": "a\nb\n", ".gitignore": "!b\n", a: "", b: "" },
      ignored: [".git", "a"],
    },
    {
      name: "Git's rules end where another repository begins, others do not",
      files: { ".gitignore": "a\n", ".ignore": "b\n", "sub/.git": "gitdir: x", "sub/a": "", "sub/b": "" },
      input: { path: "sub" },
      ignored: ["sub/.git", "sub/b"],
    },
    { name: "case counts", files: { ".gitignore": "A\n", a: "", A: "" }, ignored: ["A"] },
    {
      name: "comments, blanks and escapes",
      files: { ".gitignore": "# a\n\n  \n\\#b\n\\!c\nd\\ \ne   \n", a: "", "#b": "", "!c": "", "d ": "", e: "" },
      ignored: ["!c", "#b", "d ", "e"],
    },
    {
      name: "CRLF and a byte order mark",
      files: { ".gitignore": "\uFEFFa\r\nb\r\n", a: "", b: "" },
      ignored: ["a", "b"],
    },
    {
      name: "names that read as something else",
      files: { ".gitignore": "~\nC:\n", "~": "", "C:": "", "..a": "", "x/~": "" },
      input: { depth: 2 },
      ignored: ["C:", "x/~", "~"],
    },
    { name: "a folder of that name is no list of rules", files: { ".gitignore/a": "", a: "" }, ignored: [] },
    { name: "a list too large to be one", files: { ".gitignore": `a\n${"x".repeat(1_000_000)}`, a: "" }, ignored: [] },
    {
      name: "a hostile list ends at once",
      files: { ".gitignore": `${"*a".repeat(60)}*b\n${"**/a/".repeat(60)}b\n`, [`${"ba".repeat(100)}c`]: "" },
      ignored: [],
    },
  ];
  test.each(cases)("$name", async ({ files, input = {}, ignored, text }) => {
    const { call } = await openWorkspace(files, { host });
    const answer = result<LsData>(await call("ls", input));
    expect(
      answer.data.entries
        .filter((entry) => entry.ignored)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(ignored);
    if (text !== undefined) {
      expect(answer.text).toBe(text);
    }
  });

  test("a folder that is left out as a whole says so once", async () => {
    const { call } = await openWorkspace({ ".gitignore": "out/\n", "out/a": "", "out/deep/b": "" }, { host });
    const { text, data } = result<LsData>(await call("ls", { path: "out", depth: 2 }));
    expect(text).toBe(
      "a  (0 bytes)\ndeep/\n  b  (0 bytes)\n[out and everything in it is ignored by .gitignore or a similar file.]",
    );
    expect(data.entries.map(({ ignored }) => ignored)).toEqual([true, true, true]);
    expect(result(await call("ls", { path: "out/deep" })).text).toBe(
      "b  (0 bytes)\n[out/deep and everything in it is ignored by .gitignore or a similar file.]",
    );
  });

  test("each folder of a workspace of several has its own, one let in beside too", async () => {
    const [second, beside] = [
      await tempFolder({ ".gitignore": "b\n", a: "", b: "" }),
      await tempFolder({ ".gitignore": "c\n", "d/c": "" }),
    ];
    const { call } = await openWorkspace(
      { ".gitignore": "a\n", a: "", b: "" },
      {
        name: "one",
        roots: [
          { name: "two", path: second },
          { name: "x", path: beside, beside: true },
        ],
      },
    );
    const ignoredIn = async (input: object): Promise<string[]> =>
      result<LsData>(await call("ls", input))
        .data.entries.filter(({ ignored }) => ignored)
        .map(({ path }) => path);
    expect(await ignoredIn({ depth: 2 })).toEqual(["one/a", "two/b"]);
    expect(await ignoredIn({ path: "two" })).toEqual(["two/b"]);
    expect(await ignoredIn({ path: join(beside, "d") })).toEqual([join(beside, "d", "c")]);
  });

  test("a list that is a link to outside is not read", async () => {
    const { call, link, outside } = await openWorkspace({ a: "" }, { host, outside: { rules: "a\n" } });
    await link(".gitignore", join(outside, "rules"));
    expect(result(await call("ls", {})).text).toBe(".gitignore  (link, broken or leading outside)\na  (0 bytes)");
  });

  test("glob leaves out the same files", async () => {
    for (const { files } of cases.filter(({ name }) => !/too large|hostile|another repository/.test(name))) {
      const { call } = await openWorkspace(files, { host });
      const listed = result<LsData>(await call("ls", { depth: 5 }))
        .data.entries.filter(({ kind, ignored }) => kind === "file" && !ignored)
        .map(({ path }) => path);
      const found = result<{ files: { path: string }[] }>(
        await call("glob", { pattern: "**", max_results: 5000 }),
      ).data.files.map(({ path }) => path);
      expect(found.sort()).toEqual(listed.sort());
    }
  });
});

describe("links", () => {
  test("show as what they lead to inside, and tell nothing of what is outside", async () => {
    const outside = await tempFolder({ "secret.txt": "12345" });
    const { folder, call } = await openWorkspace({ "real/f.txt": "123" });
    const links = {
      file: "real/f.txt",
      folder: "real",
      circle: ".",
      broken: "nowhere",
      loop: "loop",
      outFile: join(outside, "secret.txt"),
      outFolder: outside,
    };
    for (const [name, target] of Object.entries(links)) {
      await symlink(target, join(folder, name));
    }
    const told = "  (link, broken or leading outside)";
    expect(result(await call("ls", { depth: 5 })).text).toBe(
      [
        `broken${told}`,
        "circle/  (link)",
        "file  (link, 3 bytes)",
        "folder/  (link)",
        `loop${told}`,
        `outFile${told}`,
        `outFolder${told}`,
        "real/",
        "  f.txt  (3 bytes)",
      ].join("\n"),
    );
    expect(result(await call("ls", { path: "folder" })).text).toBe("f.txt  (3 bytes)");
    expect(failed(await call("ls", { path: "outFolder" })).type).toBe("outside_workspace");
  });
});

describe.each(hosts)("caps are told, on the %s host", (host) => {
  const names = (count: number): FileTree =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(4, "0")}`, ""]));

  test("1,000 entries are all listed", async () => {
    const { call } = await openWorkspace(names(1000), { host });
    expect(
      result(await call("ls", {}))
        .text.split("\n")
        .at(-1),
    ).toBe("f0999  (0 bytes)");
  });

  test("of more, the first, and how many are left out", async () => {
    const { call } = await openWorkspace(names(1003), { host });
    const { text, data } = result<LsData>(await call("ls", {}));
    expect(text.split("\n").slice(-2)).toEqual([
      "f0999  (0 bytes)",
      "[1000 entries listed, 3 omitted. List a subfolder, or find files with glob.]",
    ]);
    expect([data.entries.length, data.omitted]).toEqual([1000, 3]);
  });

  test("upper levels come first; folders that were not opened make the count a lower bound", async () => {
    const { call, makeFolder } = await openWorkspace({ ...names(990), "a/1": "", "a/2": "", "z/1": "" }, { host });
    for (let index = 0; index < 20; index++) {
      await makeFolder(`a/d${index}/e`);
    }
    const { text, data } = result<LsData>(await call("ls", { depth: 3 }));
    expect(data.entries.map(({ path }) => path)).toContain("z");
    expect(text.split("\n").at(-1)).toBe(
      `[1000 entries listed, at least ${data.omitted} omitted. List a subfolder or use a smaller depth, or find files with glob.]`,
    );
  });
});

describe("odd entries", () => {
  test("a name cannot pretend to be other entries", async () => {
    const names = [
      "a\nb.txt  (3 bytes)",
      "  child",
      "tab\there",
      "esc\x1b[2J",
      '"quoted"',
      "right\u202eleft",
      "[1 entries listed.]",
    ];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
    const { text, data } = result<LsData>(await call("ls", {}));
    expect(data.entries.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(text.split("\n").sort()).toEqual(
      [
        '"  child"',
        '"\\"quoted\\""',
        '"[1 entries listed.]"',
        '"a\\nb.txt  (3 bytes)"',
        '"esc\\u001b[2J"',
        '"right\\u202eleft"',
        '"tab\\there"',
      ]
        .map((name) => `${name}  (0 bytes)`)
        .sort(),
    );
  });

  test("ordinary names stay as they are", async () => {
    const names = ["sp ace", "-dash", "[id].tsx", "it's", "😀", "a\\b", "!x", "#y", "(z)", "~", "$HOME"];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
    expect(
      result(await call("ls", {}))
        .text.split("\n")
        .sort(),
    ).toEqual(names.map((name) => `${name}  (0 bytes)`).sort());
  });

  test("folders whose names read as something else are opened all the same", async () => {
    const { call } = await openWorkspace({ "a::b/x": "", "~/x": "", "C:/x": "", "ok/x": "" });
    expect(result(await call("ls", { depth: 2 })).text).toBe(
      "C:/\n  x  (0 bytes)\na::b/\n  x  (0 bytes)\nok/\n  x  (0 bytes)\n~/\n  x  (0 bytes)",
    );
  });

  test("a pipe is no file, and is not opened", async () => {
    const { folder, call } = await openWorkspace({ "a.txt": "" });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(result(await call("ls", {})).text).toBe("a.txt  (0 bytes)\npipe  (not a file)");
    expect(failed(await call("ls", { path: "pipe" }))).toEqual({
      type: "unsupported",
      message: "pipe is a pipe, socket or device, not a folder.",
    });
  });

  test("a folder that may not be read is marked below, and fails by its own path", async () => {
    const { folder, call } = await openWorkspace({ "locked/x": "", "ok/x": "" });
    await chmod(join(folder, "locked"), 0);
    const [below, itself] = await asOrdinaryUser(() =>
      Promise.all([call("ls", { depth: 2 }), call("ls", { path: "locked" })]),
    );
    await chmod(join(folder, "locked"), 0o755);
    expect(result(below).text).toBe("locked/  (cannot be read)\nok/\n  x  (0 bytes)");
    expect(failed(itself)).toMatchObject({ type: "io_error", message: "locked: the system does not permit it." });
  });
});

test("in a folder whose files may not be looked at, what it tells of them is listed", async () => {
  const { folder, call } = await openWorkspace({ "d/a.txt": "", "d/sub/x": "" });
  await chmod(join(folder, "d"), 0o444);
  const outcome = await asOrdinaryUser(() => call("ls", { path: "d" }));
  await chmod(join(folder, "d"), 0o755);
  expect(result(outcome).text).toBe("a.txt\nsub/");
});

describe.each(hosts)("what is refused, on the %s host", (host) => {
  const cases: { path: string; type: string; message: string; hint?: string }[] = [
    {
      path: "emtpy",
      type: "not_found",
      message: "emtpy: there is no such file or folder.",
      hint: "Did you mean empty?",
    },
    {
      path: "a/deeep",
      type: "not_found",
      message: "a/deeep: there is no such file or folder.",
      hint: "Did you mean a/deep?",
    },
    { path: "/", type: "outside_workspace", message: '"/": it lies outside the workspace.' },
    { path: "..", type: "outside_workspace", message: '"..": it leads out of the workspace.' },
  ];
  test.each(cases)("$path", async ({ path, type, message, hint }) => {
    const { call } = await openWorkspace(tree, { host });
    expect(failed(await call("ls", { path }))).toMatchObject({
      type,
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  });

  test.each([0, 1.5, "two"])("depth %s", async (depth) => {
    const { call } = await openWorkspace(tree, { host });
    expect(failed(await call("ls", { depth })).message).toMatch(/^ls: depth: /);
  });

  test("but not more levels than are listed, which are as many as are", async () => {
    const { call } = await openWorkspace(tree, { host });
    const five = await call("ls", { depth: 5 });
    const six = await call("ls", { depth: 6 });
    expect(six).toMatchObject({ ok: true, data: five.ok ? five.data : undefined });
    expect(six.ok && six.text).toMatch(/^\[depth=6 was lowered to the maximum of 5\.\]\n/);
  });
});
