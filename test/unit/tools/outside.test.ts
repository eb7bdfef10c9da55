import { randomUUID } from "node:crypto";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { fileKey } from "../../../src/core/paths/fileKey.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { pinFiles } from "../../../src/core/paths/pinnedFiles.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { callPermitted, outsideOf, refusal } from "./outsideCalls.js";
import {
  hosts,
  NO_MATCH,
  openWorkspace,
  tempFolder,
  type FileTree,
  type Host,
  type TestWorkspace,
} from "./workspace.js";

const never = new AbortController().signal;
const FILES: FileTree = { "src/a.ts": "inside\n", "b.txt": "one\ntwo\n" };
const OUTSIDE: FileTree = {
  "notes.txt": "one\ntwo\nthree\n",
  "deep/d.csv": "a,b\n",
  "deep/.env": "KEY=1\n",
  "deep/more/e.csv": "c,d\n",
  "skipped.log": "a,b\n",
  ".gitignore": "*.log\n",
  bin: new Uint8Array([0, 255, 1]),
};

/** A workspace in `ws`, and beside it what the calls are let into. */
async function open(host: Host): Promise<TestWorkspace> {
  return openWorkspace(FILES, { host, outside: OUTSIDE });
}

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe.each(hosts)("outside the workspace, on the %s host", (host) => {
  test("read gives a file by its absolute path, and below a link out", async () => {
    const ws = await open(host);
    await ws.link("out", ws.outside);
    const path = join(ws.outside, "notes.txt");
    expect(await callPermitted(ws, host, "read", { path, limit: 1 })).toMatchObject({ data: { path } });
    expect((await callPermitted(ws, host, "read", { path: "out/deep/d.csv" })).text).toBe("1\ta,b");
  });

  test("a path up and out counts from the only folder", async () => {
    const ws = await open(host);
    const up = `${relative(ws.folder, ws.outside)}/notes.txt`;
    expect((await callPermitted(ws, host, "read", { path: up })).text).toBe("1\tone\n2\ttwo\n3\tthree");
  });

  test("ls lists a folder to any depth, with what its rules leave out", async () => {
    const ws = await open(host);
    const { data } = await callPermitted(ws, host, "ls", { path: ws.outside, depth: 3 });
    const { entries } = data as { entries: { path: string; ignored: boolean }[] };
    expect(
      entries.map(({ path, ignored }) => `${path.slice(ws.outside.length + 1)}${ignored ? " (ignored)" : ""}`),
    ).toEqual(expect.arrayContaining(["notes.txt", "deep", "deep/d.csv", "deep/more/e.csv", "skipped.log (ignored)"]));
  });

  test("ls tells nothing of what a link of the folder leads to", async () => {
    const ws = await open(host);
    await ws.link(join(ws.outside, "on"), ws.folder);
    await ws.link(join(ws.outside, "own"), "deep");
    expect(
      (await callPermitted(ws, host, "ls", { path: ws.outside })).text
        .split("\n")
        .filter((line) => line.includes("link")),
    ).toEqual(["on  (link, broken or leading outside)", "own/  (link)"]);
  });

  test("glob finds files in a folder, the newest first, too", async () => {
    const ws = await open(host);
    const found = async (input: object): Promise<string[]> =>
      (
        (await callPermitted(ws, host, "glob", { path: ws.outside, pattern: "*.csv", ...input })).data as {
          files: { path: string }[];
        }
      ).files.map(({ path }) => path);
    const [first, second] = [join(ws.outside, "deep/d.csv"), join(ws.outside, "deep/more/e.csv")];
    expect(await found({})).toEqual([first, second]);
    await ws.date(second, 4_000_000_000_000);
    expect(await found({ sort: "modified" })).toEqual([second, first]);
  });

  test("grep searches a folder, without its secrets and what its rules leave out", async () => {
    const ws = await open(host);
    const found = async (pattern: string): Promise<string> =>
      (await callPermitted(ws, host, "grep", { path: ws.outside, pattern })).text;
    expect(await found("a,b")).toBe(`${join(ws.outside, "deep/d.csv")}\n  1: a,b\n[1 match in 1 file.]`);
    expect(await found("KEY")).not.toContain("KEY=1");
    expect(
      (await callPermitted(ws, host, "grep", { path: join(ws.outside, "notes.txt"), pattern: "three" })).text,
    ).toContain("  3: three");
  });

  test.each([
    { name: "a text that is not there", file: "notes.txt", old_text: "nothing like it" },
    { name: "a file that is not there", file: "none.txt", old_text: "one" },
  ])("nothing of a file is told before a yes: $name", async ({ file, old_text }) => {
    const ws = await open(host);
    const outcome = await ws.call(
      "edit",
      { path: `${ws.outside}/${file}`, old_text, new_text: "x" },
      { as: "model", answer: false },
    );
    expect(outcome).toMatchObject({
      ok: false,
      error: { type: "denied", message: "edit: the user said no. Nothing was done." },
    });
    expect(ws.asked.map(({ reasons }) => reasons.join(" "))).toEqual([
      expect.stringContaining("lies outside the workspace"),
    ]);
  });

  test.each<{ name: string; tool: string; input: (outside: string) => object; after: FileTree; gone?: string[] }>([
    {
      name: "edit",
      tool: "edit",
      input: (outside) => ({ path: `${outside}/notes.txt`, old_text: "two", new_text: "TWO" }),
      after: { "notes.txt": "one\nTWO\nthree\n" },
    },
    {
      name: "multi_edit",
      tool: "multi_edit",
      input: (outside) => ({
        edits: [
          { path: `${outside}/notes.txt`, old_text: "two", new_text: "2" },
          { path: `${outside}/deep/d.csv`, old_text: "a", new_text: "A" },
        ],
      }),
      after: { "notes.txt": "one\n2\nthree\n", "deep/d.csv": "A,b\n" },
    },
    {
      name: "write over a file",
      tool: "write",
      input: (outside) => ({ path: `${outside}/notes.txt`, content: "new\n" }),
      after: { "notes.txt": "new\n" },
    },
    {
      name: "write of a new file in new folders",
      tool: "write",
      input: (outside) => ({ path: `${outside}/x/y/z.txt`, content: "made\n" }),
      after: { "x/y/z.txt": "made\n" },
    },
    {
      name: "a patch that adds, changes and deletes",
      tool: "apply_patch",
      input: (outside) => ({
        patch: patch(
          `*** Add File: ${outside}/n/new.txt`,
          "+made",
          `*** Update File: ${outside}/notes.txt`,
          "@@",
          "-one",
          "+1",
          `*** Delete File: ${outside}/bin`,
        ),
      }),
      after: { "n/new.txt": "made\n", "notes.txt": "1\ntwo\nthree\n" },
      gone: ["bin"],
    },
  ])("$name is made, and undone", async ({ tool, input, after, gone = [] }) => {
    const ws = await open(host);
    const before = await bytesOf(ws, OUTSIDE);
    const names = await ws.names(ws.outside);
    const [session, turn] = [randomUUID(), randomUUID()];
    await callPermitted(ws, host, tool, input(ws.outside), { session, turn });
    expect(await bytesOf(ws, after)).toEqual(
      Object.fromEntries(Object.entries(after).map(([path, content]) => [path, String(content)])),
    );
    expect((await ws.names(ws.outside)).filter((name) => gone.includes(name))).toEqual([]);

    const undone = await ws.changes.undo(
      { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
      { session, turn },
      ws.files,
      never,
    );
    expect(undone.conflicts).toEqual([]);
    expect(await bytesOf(ws, OUTSIDE)).toEqual(before);
    expect(await ws.names(ws.outside)).toEqual(names);
  });

  test("a file moves over the border, out and in, and back again by undo", async () => {
    const ws = await open(host);
    const [session, turn] = [randomUUID(), randomUUID()];
    const out = join(ws.outside, "moved/b.txt");
    const moves = patch(
      "*** Update File: b.txt",
      `*** Move to: ${out}`,
      "@@",
      "-one",
      "+ONE",
      `*** Update File: ${ws.outside}/bin`,
      "*** Move to: in/bin",
    );
    await callPermitted(ws, host, "apply_patch", { patch: moves }, { session, turn });
    expect(String(await ws.bytes(out))).toBe("ONE\ntwo\n");
    expect([...(await ws.bytes("in/bin"))]).toEqual([0, 255, 1]);
    expect(await ws.names()).not.toContain("b.txt");

    await ws.changes.undo(
      { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
      { session, turn },
      ws.files,
      never,
    );
    expect(String(await ws.bytes("b.txt"))).toBe("one\ntwo\n");
    expect([...(await ws.bytes(join(ws.outside, "bin")))]).toEqual([0, 255, 1]);
    expect(await ws.names()).toEqual(["b.txt", "src"]);
    expect(await ws.names(ws.outside)).not.toContain("moved");
  });

  test("a move over the border leaves imports alone, which then lead elsewhere", async () => {
    const ws = await open(host);
    await ws.put("src/user.ts", 'import "./lib";\n');
    await ws.put("src/lib.ts", 'import "./a";\n');
    await callPermitted(ws, host, "apply_patch", {
      patch: patch("*** Update File: src/lib.ts", `*** Move to: ${ws.outside}/lib.ts`),
    });
    expect(String(await ws.bytes("src/user.ts"))).toBe('import "./lib";\n');
    expect(String(await ws.bytes(join(ws.outside, "lib.ts")))).toBe('import "./a";\n');
  });

  test("an undo of a change inside does not follow a link out that took its folder's place", async () => {
    const ws = await open(host);
    const [session, turn] = [randomUUID(), randomUUID()];
    await callPermitted(
      ws,
      host,
      "edit",
      { path: "src/a.ts", old_text: "inside", new_text: "changed" },
      { session, turn },
    );
    await ws.put(join(ws.outside, "src/a.ts"), "changed\n");
    await ws.remove("src");
    await ws.link("src", join(ws.outside, "src"));
    const call = { session, turn: "undo", callId: randomUUID(), door: "palette" as const, summary: "undo" };
    await expect(ws.changes.undo(call, { session, turn }, ws.files, never)).rejects.toMatchObject({ type: "conflict" });
    expect(String(await ws.bytes(join(ws.outside, "src/a.ts")))).toBe("changed\n");
  });

  test("what was read outside is known: unread and changed files are not changed", async () => {
    const ws = await open(host);
    const session = randomUUID();
    const path = join(ws.outside, "notes.txt");
    const edit = (): ReturnType<typeof callPermitted> =>
      callPermitted(ws, host, "edit", { path, old_text: "two", new_text: "TWO" }, { session, reads: "must" });
    const write = callPermitted(ws, host, "write", { path, content: "" }, { session, reads: "must" });
    expect((await refusal(write)).type).toBe("must_read");
    await callPermitted(ws, host, "read", { path }, { session });
    await ws.put(path, "zero\ntwo\n");
    expect((await refusal(edit())).type).toBe("stale");
    await edit();
    expect(String(await ws.bytes(path))).toBe("zero\nTWO\n");
  });

  test("a pipe is not opened, and what is not there is told without its neighbours", async () => {
    const ws = await open(host);
    await ws.makePipe(join(ws.outside, "pipe"));
    expect((await refusal(callPermitted(ws, host, "read", { path: join(ws.outside, "pipe") }))).type).toBe(
      "unsupported",
    );
    const missing = await refusal(callPermitted(ws, host, "read", { path: join(ws.outside, "note.txt") }));
    expect(missing.type).toBe("not_found");
    expect(missing.hint).toBe(
      "It is outside the workspace, so similar names were not looked up. Use ls on its folder.",
    );
    expect(
      (await refusal(callPermitted(ws, host, "write", { path: join(ws.outside, "notes.txt/x"), content: "" }))).type,
    ).toBe("path_conflict");
  });

  test("a folder of the way that was exchanged for a link after the decision leads nowhere new", async () => {
    const ws = await open(host);
    const victim = join(ws.folder, "victim");
    await ws.put("victim/d.csv", "victim\n");
    const exchange = async (): Promise<void> => {
      await ws.remove(join(ws.outside, "deep"));
      await ws.link(join(ws.outside, "deep"), victim);
    };
    await refusal(
      callPermitted(
        ws,
        host,
        "write",
        { path: join(ws.outside, "deep/new.csv"), content: "x" },
        { meanwhile: exchange },
      ),
    );
    expect(await ws.names(victim)).toEqual(["d.csv"]);
    await ws.remove(join(ws.outside, "deep"));
    await ws.put(join(ws.outside, "deep/d.csv"), "a,b\n");
    const edit = { path: join(ws.outside, "deep/d.csv"), old_text: "victim", new_text: "changed" };
    await refusal(callPermitted(ws, host, "edit", edit, { meanwhile: exchange }));
    expect(String(await ws.bytes("victim/d.csv"))).toBe("victim\n");
  });

  test.each([
    { tool: "read", path: "deep/d.csv", input: {} },
    { tool: "ls", path: "deep", input: {} },
    { tool: "edit", path: "deep/d.csv", input: { old_text: "victim", new_text: "changed" } },
    { tool: "write", path: "deep/d.csv", input: { content: "changed\n" } },
  ])(
    "$tool of what lay in a folder that was exchanged for a link fails, and tells nothing",
    async ({ tool, path, input }) => {
      const ws = await open(host);
      await ws.put("victim/d.csv", "victim\n");
      const exchange = async (): Promise<void> => {
        await ws.remove(join(ws.outside, "deep"));
        await ws.link(join(ws.outside, "deep"), join(ws.folder, "victim"));
      };
      const error = await refusal(
        callPermitted(ws, host, tool, { path: join(ws.outside, path), ...input }, { meanwhile: exchange }),
      );
      expect(error.type).toBe("stale");
      expect(`${error.message}${error.hint}`).not.toContain("victim");
      expect(String(await ws.bytes("victim/d.csv"))).toBe("victim\n");
    },
  );

  test("a folder that was exchanged for a link while it was listed or searched is not looked into", async () => {
    const ws = await open(host);
    await ws.put("victim/d.csv", "a,b victim\n");
    const exchange = async (): Promise<void> => {
      await ws.remove(join(ws.outside, "deep"));
      await ws.link(join(ws.outside, "deep"), join(ws.folder, "victim"));
    };
    const listing = await callPermitted(ws, host, "ls", { path: ws.outside, depth: 3 }, { meanwhile: exchange });
    expect(listing.text.split("\n")).toContain("deep  (link, broken or leading outside)");
    expect((await callPermitted(ws, host, "grep", { path: ws.outside, pattern: "victim" })).text).toBe(NO_MATCH);
  });

  test("a link that was exchanged after the decision still means the file that was decided on", async () => {
    const ws = await open(host);
    const link = join(ws.outside, "link");
    await ws.link(link, "notes.txt");
    const exchange = async (): Promise<void> => {
      await ws.remove(link);
      await ws.link(link, "deep/.env");
    };
    expect((await callPermitted(ws, host, "read", { path: link }, { meanwhile: exchange })).text).toContain("three");
  });
});

describe.each(hosts)("pins, on the %s host", (host) => {
  test.each([
    { what: "the pin by its absolute name", path: "deep", result: "reached" },
    { what: "what lies below it", path: "deep/more/e.csv", result: "reached" },
    { what: "what will lie below it", path: "deep/new/f.csv", result: "reached" },
    { what: "its neighbour", path: "notes.txt", result: "outside_workspace" },
    { what: "one whose name begins alike", path: "deeper/x", result: "outside_workspace" },
    { what: "by dots", path: "deep/../notes.txt", result: "outside_workspace" },
    { what: "by a link of it", path: "deep/on/notes.txt", result: "outside_workspace" },
    { what: "into the workspace by a link of it", path: "deep/in/a.ts", result: "outside_workspace" },
  ])("let in no more than what was decided on: $what", async ({ path, result }) => {
    const ws = await open(host);
    await ws.link(join(ws.outside, "deep/on"), ws.outside);
    await ws.link(join(ws.outside, "deep/in"), join(ws.folder, "src"));
    const pinned = pinFiles(ws.files, new Map([["given", await outsideOf(ws.files, join(ws.outside, "deep"))]]));
    await expect(
      pinned.resolve(`${ws.outside}/${path}`).then(
        ({ outside }) => (outside ? "reached" : "inside"),
        (error: { type: string }) => error.type,
      ),
    ).resolves.toBe(result);
  });

  test("leave inside what is inside, and give nobody a way out", async () => {
    const ws = await open(host);
    const pinned = pinFiles(ws.files, new Map([["given", await outsideOf(ws.files, ws.outside)]]));
    expect(await pinned.resolve("src/a.ts")).toEqual(await ws.files.resolve("src/a.ts"));
    expect("outside" in pinned).toBe(false);
    const other = pinFiles(ws.files, new Map());
    await expect(other.resolve(ws.outside)).rejects.toMatchObject({ type: "outside_workspace" });
  });

  test("stay what they were, by their own absolute names, too", async () => {
    const ws = await open(host);
    const link = join(ws.outside, "link");
    await ws.link(link, "notes.txt");
    const pin = await outsideOf(ws.files, link);
    const pinned = pinFiles(ws.files, new Map([["given", pin]]));
    await ws.remove(link);
    await ws.link(link, "bin");
    expect(await pinned.resolve("given")).toBe(pin);
    expect(await pinned.resolve(link)).toBe(pin);
  });

  test("show that there are folders above one, and nothing in them", async () => {
    const ws = await open(host);
    const pinned = pinFiles(ws.files, new Map([["given", await outsideOf(ws.files, join(ws.outside, "deep/d.csv"))]]));
    const above = await pinned.resolve(ws.outside);
    expect((await pinned.stat(above)).kind).toBe("directory");
    await expect(pinned.list(above)).rejects.toMatchObject({ type: "outside_workspace" });
  });
});

test("an undo goes where the change went, and nowhere that a link leads now", async () => {
  const ws = await open("node");
  const [session, turn] = [randomUUID(), randomUUID()];
  await ws.link("out", join(ws.outside, "deep"));
  await callPermitted(ws, "node", "edit", { path: "out/d.csv", old_text: "a", new_text: "A" }, { session, turn });
  await ws.put(join(ws.outside, "other/d.csv"), "A,b\n");
  await ws.remove("out");
  await ws.link("out", join(ws.outside, "other"));
  await ws.changes.undo(
    { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
    { session, turn },
    ws.files,
    never,
  );
  expect(String(await ws.bytes(join(ws.outside, "deep/d.csv")))).toBe("a,b\n");
  expect(String(await ws.bytes(join(ws.outside, "other/d.csv")))).toBe("A,b\n");
});

test("what was changed inside a folder of the workspace is not undone when the folder has left it", async () => {
  const second = await tempFolder({ "f.txt": "two\n" });
  const ws = await openWorkspace({}, { name: "one", roots: [{ name: "two", path: second }] });
  const [session, turn] = [randomUUID(), randomUUID()];
  await callPermitted(ws, "node", "write", { path: "two/f.txt", content: "changed\n" }, { session, turn });
  const left = new NodeFiles(new NodeDisk(), [{ name: "one", path: ws.folder, scheme: "file" }]);
  const undo = ws.changes.undo(
    { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
    { session, turn },
    left,
    never,
  );
  await expect(undo).rejects.toMatchObject({ type: "conflict" });
  expect(String(await ws.bytes(join(second, "f.txt")))).toBe("changed\n");
});

test.each(["/dev/null", "/dev/zero", "/proc/self/fd/0"])("a device is not opened: %s", async (path) => {
  const ws = await open("node");
  expect((await refusal(callPermitted(ws, "node", "read", { path }))).type).toMatch(/unsupported|not_found/);
});

test("another name of the workspace's own disk leads inside", async () => {
  const ws = await openWorkspace({ ".env": "KEY=1\n" });
  const at = await outsideOf(ws.files, `/proc/self/root${ws.folder}/.env`);
  expect(at).toMatchObject({ path: ".env", realPath: ".env" });
  expect(at.outside).toBeUndefined();
});

test("a file moves to another disk", async (context) => {
  const ws = await openWorkspace({ "a.txt": "over\n" });
  const { mkdtemp, rm, stat } = await import("node:fs/promises");
  const folder = await mkdtemp("/dev/shm/toolhost-").catch(() => undefined);
  if (folder === undefined || (await stat(folder)).dev === (await stat(ws.folder)).dev) {
    context.skip();
    return;
  }
  try {
    await callPermitted(ws, "node", "apply_patch", {
      patch: patch("*** Update File: a.txt", `*** Move to: ${folder}/a.txt`),
    });
    expect(String(await ws.bytes(join(folder, "a.txt")))).toBe("over\n");
    expect(await ws.names()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the journal finds a file outside by its key, and no other in its place", async () => {
  const ws = await open("node");
  const key = fileKey(await outsideOf(ws.files, join(ws.outside, "deep/d.csv")));
  expect(await lookAt(ws.files, key)).toMatchObject({ text: "a,b\n" });
  await ws.put(join(ws.outside, "other/d.csv"), "other\n");
  await ws.remove(join(ws.outside, "deep"));
  expect(await lookAt(ws.files, key)).toBeUndefined();
  await ws.link(join(ws.outside, "deep"), "other");
  await expect(lookAt(ws.files, key)).rejects.toMatchObject({ type: "outside_workspace" });
});

/** The texts of the files of a tree that lies outside, bytes one by one. */
async function bytesOf(ws: TestWorkspace, tree: FileTree): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(
      Object.keys(tree).map(
        async (path) => [path, (await ws.bytes(join(ws.outside, path))).toString("latin1")] as const,
      ),
    ),
  );
}
