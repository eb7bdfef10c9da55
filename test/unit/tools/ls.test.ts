import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asOrdinaryUser, failed, openWorkspace, result, tempFolder, type FileTree } from "./workspace.js";

interface LsData {
  path: string;
  entries: { path: string; kind: string; link: boolean; size: number | null }[];
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

describe("what a reader sees", () => {
  const cases: { name: string; input: object; text: string }[] = [
    { name: "folders with /, files with their bytes, hidden ones too, by name", input: {}, text: ".git/\n.hidden  (1 bytes)\na/\nb.txt  (5 bytes)\nempty/\nnode_modules/" },
    { name: "two levels; .git and node_modules are not opened", input: { depth: 2 }, text: ".git/\n.hidden  (1 bytes)\na/\n  deep/\n  x.txt  (0 bytes)\nb.txt  (5 bytes)\nempty/\nnode_modules/" },
    { name: "three levels", input: { path: "a", depth: 3 }, text: "deep/\n  y.txt  (2 bytes)\nx.txt  (0 bytes)" },
    { name: "node_modules by path", input: { path: "node_modules", depth: 2 }, text: "m/\n  index.js  (1 bytes)" },
    { name: "an empty folder", input: { path: "empty" }, text: "[empty is empty.]" },
    { name: "a path with ./, .. and / at its end", input: { path: "./a/../a/deep/" }, text: "y.txt  (2 bytes)" },
  ];
  test.each(cases)("$name", async ({ input, text }) => {
    const { call } = await openWorkspace(tree);
    expect(result(await call("ls", input)).text).toBe(text);
  });

  test("an empty workspace", async () => {
    const { call } = await openWorkspace();
    expect(result(await call("ls", {})).text).toBe("[The workspace is empty.]");
  });

  test("data has whole paths", async () => {
    const { call } = await openWorkspace(tree);
    expect(result<LsData>(await call("ls", { path: "a", depth: 2 })).data).toEqual({
      path: "a",
      entries: [
        { path: "a/deep", kind: "directory", link: false, size: null },
        { path: "a/x.txt", kind: "file", link: false, size: 0 },
        { path: "a/deep/y.txt", kind: "file", link: false, size: 2 },
      ],
      omitted: 0,
    });
  });

  test("the folders of a workspace of several", async () => {
    const second = await tempFolder({ "b.txt": "1" });
    const beside = await tempFolder({ "c.txt": "1" });
    const { call } = await openWorkspace({ "a.txt": "1" }, { name: "first", roots: [{ name: "second", path: second }, { name: "x", path: beside, beside: true }] });
    expect(result(await call("ls", { depth: 2 })).text).toBe("first/\n  a.txt  (1 bytes)\nsecond/\n  b.txt  (1 bytes)");
    expect(result<LsData>(await call("ls", { path: "second" })).data.entries[0]?.path).toBe("second/b.txt");
    expect(result<LsData>(await call("ls", { path: beside })).data.entries[0]?.path).toBe(join(beside, "c.txt"));
  });
});

describe("links", () => {
  test("show as what they lead to inside, and tell nothing of what is outside", async () => {
    const outside = await tempFolder({ "secret.txt": "12345" });
    const { folder, call } = await openWorkspace({ "real/f.txt": "123" });
    const links = { file: "real/f.txt", folder: "real", circle: ".", broken: "nowhere", loop: "loop", outFile: join(outside, "secret.txt"), outFolder: outside };
    for (const [name, target] of Object.entries(links)) {
      await symlink(target, join(folder, name));
    }
    const told = "  (link, broken or leading outside)";
    expect(result(await call("ls", { depth: 5 })).text).toBe(
      [`broken${told}`, "circle/  (link)", "file  (link, 3 bytes)", "folder/  (link)", `loop${told}`, `outFile${told}`, `outFolder${told}`, "real/", "  f.txt  (3 bytes)"].join("\n"),
    );
    expect(result(await call("ls", { path: "folder" })).text).toBe("f.txt  (3 bytes)");
    expect(failed(await call("ls", { path: "outFolder" })).type).toBe("outside_workspace");
  });
});

describe("caps are told", () => {
  const names = (count: number): FileTree => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(4, "0")}`, ""]));

  test("1,000 entries are all listed", async () => {
    const { call } = await openWorkspace(names(1000));
    expect(result(await call("ls", {})).text.split("\n").at(-1)).toBe("f0999  (0 bytes)");
  });

  test("of more, the first, and how many are left out", async () => {
    const { call } = await openWorkspace(names(1003));
    const { text, data } = result<LsData>(await call("ls", {}));
    expect(text.split("\n").slice(-2)).toEqual(["f0999  (0 bytes)", "[1000 entries listed, 3 left out. List a subfolder, or grep with output=files.]"]);
    expect([data.entries.length, data.omitted]).toEqual([1000, 3]);
  });

  test("upper levels come first; folders that were not opened make the count a lower bound", async () => {
    const { folder, call } = await openWorkspace({ ...names(990), "a/1": "", "a/2": "", "z/1": "" });
    for (let index = 0; index < 20; index++) {
      await mkdir(join(folder, `a/d${index}/e`), { recursive: true });
    }
    const { text, data } = result<LsData>(await call("ls", { depth: 3 }));
    expect(data.entries.map(({ path }) => path)).toContain("z");
    expect(text.split("\n").at(-1)).toBe(`[1000 entries listed, at least ${data.omitted} left out. List a subfolder or use a smaller depth, or grep with output=files.]`);
  });
});

describe("odd entries", () => {
  test("a name cannot pretend to be other entries", async () => {
    const names = ["a\nb.txt  (3 bytes)", "  child", "tab\there", "esc\x1b[2J", "\"quoted\"", "right\u202eleft", "[1 entries listed.]"];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
    const { text, data } = result<LsData>(await call("ls", {}));
    expect(data.entries.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(text.split("\n").sort()).toEqual(
      ['"  child"', '"\\"quoted\\""', '"[1 entries listed.]"', '"a\\nb.txt  (3 bytes)"', '"esc\\u001b[2J"', '"right\\u202eleft"', '"tab\\there"'].map((name) => `${name}  (0 bytes)`).sort(),
    );
  });

  test("ordinary names stay as they are", async () => {
    const names = ["sp ace", "-dash", "[id].tsx", "it's", "😀", "a\\b", "!x", "#y", "(z)", "~", "$HOME"];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
    expect(result(await call("ls", {})).text.split("\n").sort()).toEqual(names.map((name) => `${name}  (0 bytes)`).sort());
  });

  test("folders whose names read as something else are opened all the same", async () => {
    const { call } = await openWorkspace({ "a::b/x": "", "~/x": "", "C:/x": "", "ok/x": "" });
    expect(result(await call("ls", { depth: 2 })).text).toBe("C:/\n  x  (0 bytes)\na::b/\n  x  (0 bytes)\nok/\n  x  (0 bytes)\n~/\n  x  (0 bytes)");
  });

  test("a pipe is no file, and is not opened", async () => {
    const { folder, call } = await openWorkspace({ "a.txt": "" });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(result(await call("ls", {})).text).toBe("a.txt  (0 bytes)\npipe  (not a file)");
    expect(failed(await call("ls", { path: "pipe" }))).toEqual({ type: "unsupported", message: "pipe: is neither a file nor a folder (a pipe, socket or device)." });
  });

  test("a folder that may not be read is marked below, and fails by its own path", async () => {
    const { folder, call } = await openWorkspace({ "locked/x": "", "ok/x": "" });
    await chmod(join(folder, "locked"), 0);
    const [below, itself] = await asOrdinaryUser(() => Promise.all([call("ls", { depth: 2 }), call("ls", { path: "locked" })]));
    await chmod(join(folder, "locked"), 0o755);
    expect(result(below).text).toBe("locked/  (cannot be read)\nok/\n  x  (0 bytes)");
    expect(failed(itself)).toMatchObject({ type: "io_error", message: "locked: the system does not permit it." });
  });
});

describe("what is refused", () => {
  const cases: { path: string; type: string; message: string; hint?: string }[] = [
    { path: "b.txt", type: "invalid_input", message: "b.txt: is a file, not a folder.", hint: "Use read to see what is in it." },
    { path: "emtpy", type: "not_found", message: "emtpy: there is no such file or folder.", hint: "Did you mean empty?" },
    { path: "a/deeep", type: "not_found", message: "a/deeep: there is no such file or folder.", hint: "Did you mean a/deep?" },
    { path: "/", type: "outside_workspace", message: '"/": it lies outside the workspace.' },
    { path: "..", type: "outside_workspace", message: '"..": it leads out of the workspace.' },
  ];
  test.each(cases)("$path", async ({ path, type, message, hint }) => {
    const { call } = await openWorkspace(tree);
    expect(failed(await call("ls", { path }))).toMatchObject({ type, message, ...(hint === undefined ? {} : { hint }) });
  });

  test.each([0, 6, 1.5, "2"])("depth %s", async (depth) => {
    const { call } = await openWorkspace(tree);
    expect(failed(await call("ls", { depth })).message).toMatch(/^ls: depth: /);
  });
});
