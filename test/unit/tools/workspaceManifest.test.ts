import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LocalSources } from "../../../src/features/manifests/sandbox.js";
import { manifestTool, sourcesTool } from "../../../src/tools/manifests/workspaceManifest.js";
import {
  failed,
  openWorkspace,
  result,
  type FileTree,
  type TestWorkspace,
  type WorkspaceOptions,
} from "./workspace.js";

interface Data {
  entries: { path: string; status: string; message?: string }[];
  files: { path: string; change: string }[];
  left_out: string[];
}

async function open(files: FileTree = {}, options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  return openWorkspace(files, { moreTools: [manifestTool()], ...options });
}

/** Calls as an extension or program does: permission decides, and the answer is given. */
function asModel(ws: TestWorkspace, entries: object, answer: boolean, action = "apply") {
  return ws.call(
    "workspace_manifest",
    { action, manifest: { entries } },
    { as: "model", mode: "default", reads: "ask", answer },
  );
}

const apply = (ws: TestWorkspace, entries: object, more: object = {}) =>
  ws.call("workspace_manifest", { action: "apply", manifest: { entries }, ...more });

const file = (content: string, encoding?: string): object => ({ type: "file", content, ...(encoding && { encoding }) });

/** Undoes the first call that changed something. */
async function undo(ws: TestWorkspace): Promise<void> {
  const call = { session: "s", turn: "undo", callId: "undo", door: "cli", summary: "Undo" } as const;
  await ws.changes.undo(call, { calls: [1] }, ws.files, new AbortController().signal);
}

describe("a manifest in the workspace", () => {
  test("makes files, folders and copies, says what it did, and is the same the second time", async () => {
    const ws = await open({
      "fix/a/b.txt": "b\n",
      "fix/c.bin": new Uint8Array([0, 255]),
      "old.txt": "old\n",
      "one.txt": "1\n",
    });
    const entries = {
      "task.md": file("# Task\n"),
      "out//deep": { type: "dir" },
      "old.txt": file("new\n"),
      "wide.txt": file("ä", "utf16le"),
      bin: file("AP8=", "base64"),
      "copy/one.txt": { type: "localFile", src: "one.txt" },
      data: { type: "localDir", src: "fix" },
      store: { type: "s3Mount", bucket: "b", region: "eu" },
    };
    const { text, data } = result<Data>(await apply(ws, entries));
    expect(text).toBe(
      [
        "Applied the manifest: 9 created, 1 changed.",
        ...["created  task.md", "created  out/deep/", "changed  old.txt", "created  wide.txt", "created  bin"],
        ...[
          "created  copy/one.txt",
          "created  data/",
          "created  data/a/",
          "created  data/a/b.txt",
          "created  data/c.bin",
        ],
        "store: s3Mount requires a provider-specific sandbox adapter.",
      ].join("\n"),
    );
    expect(data.entries.map(({ path, status }) => `${path} ${status}`)).toEqual([
      ...["task.md applied", "out/deep applied", "old.txt applied", "wide.txt applied", "bin applied"],
      ...["copy/one.txt applied", "data applied", "store unsupported"],
    ]);
    expect(String(await ws.bytes("task.md"))).toBe("# Task\n");
    expect(String(await ws.bytes("old.txt"))).toBe("new\n");
    expect([...(await ws.bytes("wide.txt"))]).toEqual([0xe4, 0]);
    expect([...(await ws.bytes("bin"))]).toEqual([0, 255]);
    expect(String(await ws.bytes("data/a/b.txt"))).toBe("b\n");
    expect([...(await ws.bytes("data/c.bin"))]).toEqual([0, 255]);
    expect(await ws.names("out/deep")).toEqual([]);
    const again = result<Data>(await apply(ws, entries));
    expect(again.text.split("\n")[0]).toBe("Applied the manifest: 10 the same.");
  });

  test("shows what it would change, and changes nothing", async () => {
    const ws = await open({ "a.txt": "one\n" });
    const { text, data } = result<Data>(
      await ws.call("workspace_manifest", {
        action: "diff",
        manifest: { entries: { "a.txt": file("two\n"), n: file("n\n") } },
      }),
    );
    expect(text).toContain("Applying the manifest would change this: 1 created, 1 changed.");
    expect(text).toContain("-one\n+two");
    expect(data.entries[0]).toEqual({ path: "a.txt", type: "file", status: "planned" });
    expect(String(await ws.bytes("a.txt"))).toBe("one\n");
    expect(await ws.names()).toEqual(["a.txt"]);
  });

  test("is taken back by undo, folders included", async () => {
    const ws = await open({ "old.txt": "old\n", "fix/a/b.txt": "b" });
    result(
      await apply(ws, {
        "old.txt": file("new"),
        "x/y/z.txt": file("z"),
        e: { type: "dir" },
        d: { type: "localDir", src: "fix" },
      }),
    );
    await undo(ws);
    expect((await ws.names()).toSorted()).toEqual(["fix", "old.txt"]);
    expect(String(await ws.bytes("old.txt"))).toBe("old\n");
  });

  test("does all or nothing: a folder where a file would be", async () => {
    const ws = await open({ "taken/x": "x", "old.txt": "old" });
    const error = failed(await apply(ws, { "new.txt": file("n"), "old.txt": file("new"), taken: file("t") }));
    expect(error).toMatchObject({ type: "path_conflict", message: "taken: a folder is there. Nothing was done." });
    expect((await ws.names()).toSorted()).toEqual(["old.txt", "taken"]);
    expect(String(await ws.bytes("old.txt"))).toBe("old");
  });

  test("names the entry of a problem, and a source that is not there", async () => {
    const ws = await open({ d: undefined });
    expect(failed(await apply(ws, { "../x": file("") })).message).toContain(
      'entries["../x"]: workspace manifest path cannot contain traversal segments',
    );
    expect(failed(await apply(ws, { a: { type: "localFile", src: "nope" } }))).toMatchObject({ type: "not_found" });
    expect(failed(await apply(ws, { a: { type: "localFile", src: "d" } })).type).toBe("is_directory");
    expect(failed(await apply(ws, { x: { type: "localDir", src: "." } })).message).toContain("into itself");
    expect(await ws.names()).toEqual(["d"]);
  });

  test("takes names that mean something elsewhere as plain names", async () => {
    const ws = await open();
    const names = ["~/x", "C:x", "__proto__", "untitled:z", "a\nb", "$(touch y)"];
    const entries = JSON.parse(
      `{${names.map((name) => `${JSON.stringify(name)}:{"type":"file","content":"x"}`).join()}}`,
    ) as object;
    result(await apply(ws, entries));
    expect((await ws.names()).toSorted()).toEqual(["$(touch y)", "C:x", "__proto__", "a\nb", "untitled:z", "~"]);
  });

  test("opens no pipe, and no secret by a link with another name", async () => {
    const ws = await open({ ".env": "KEY=1" });
    await ws.makePipe("pipe");
    await ws.link("n.txt", ".env");
    expect(failed(await apply(ws, { k: { type: "localFile", src: "pipe" } })).type).toBe("unsupported");
    expect(failed(await asModel(ws, { k: { type: "localFile", src: "n.txt" } }, false, "diff")).type).toBe("denied");
    expect(ws.asked[0]?.reasons.join(" ")).toContain("really .env");
  });

  test("does not follow links of a local folder, not even a circle of them", async () => {
    const ws = await open({ "fix/a.txt": "a" }, { outside: { "secret.txt": "s" } });
    await ws.link("fix/self", ".");
    await ws.link("fix/out", ws.outside);
    await ws.link("fix/b.txt", "a.txt");
    const { data } = result<Data>(await apply(ws, { d: { type: "localDir", src: "fix" } }));
    expect(await ws.names("d")).toEqual(["a.txt"]);
    expect(data.left_out.toSorted()).toEqual(["fix/b.txt", "fix/out", "fix/self"]);
  });
});

describe("a manifest for another place", () => {
  test("says which links of a folder of this machine are not copied", async () => {
    let sources: LocalSources | undefined;
    const here = await openWorkspace({ "fix/a.txt": "a" }, { moreTools: [sourcesTool((read) => (sources = read))] });
    await here.link("fix/b.txt", "a.txt");
    const manifest = { entries: { d: { type: "localDir", src: "fix" } } };
    result(await here.call("workspace_manifest", { manifest }));
    const there = await openWorkspace({}, { moreTools: [manifestTool(sources)] });
    const { text, data } = result<Data>(await there.call("workspace_manifest", { action: "apply", manifest }));
    expect(await there.names("d")).toEqual(["a.txt"]);
    expect(data.left_out).toEqual(["fix/b.txt"]);
    expect(text).toContain("Links and special files are not copied: fix/b.txt.");
  });
});

describe("a manifest that permission decides on", () => {
  test("applies ordinary files without a question", async () => {
    const ws = await open();
    result(await asModel(ws, { "src/a.ts": file("a") }, false));
    expect(ws.asked).toEqual([]);
  });

  test.each([
    ["a protected file", ".vscode/tasks.json", ".vscode/tasks.json"],
    ["a hook of Git", ".git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["a file of secrets", ".env", ".env"],
  ])("asks about %s, and does nothing after a no", async (_, path, named) => {
    const ws = await open();
    expect(failed(await asModel(ws, { "a.txt": file("a"), [path]: file("x") }, false)).type).toBe("denied");
    expect(ws.asked[0]?.reasons.join(" ")).toContain(named);
    expect(await ws.names()).toEqual([]);
    result(await asModel(ws, { "a.txt": file("a"), [path]: file("x") }, true));
    expect(String(await ws.bytes(path))).toBe("x");
  });

  test("asks about such files in a local folder, and at their new place", async () => {
    const ws = await open({ "fix/.env": "KEY=1", "fix/a.txt": "a" });
    expect(failed(await asModel(ws, { d: { type: "localDir", src: "fix" } }, false)).type).toBe("denied");
    expect(ws.asked[0]?.reasons.join(" ")).toContain("fix/.env");
    result(await asModel(ws, { d: { type: "localDir", src: "fix" } }, true));
    expect(String(await ws.bytes("d/.env"))).toBe("KEY=1");
  });

  test("asks before a source outside the workspace is read, also for a diff", async () => {
    const ws = await open({}, { outside: { "notes/n.txt": "n\n" } });
    const entries = { d: { type: "localDir", src: join(ws.outside, "notes") } };
    for (const action of ["diff", "apply"]) {
      expect(failed(await asModel(ws, entries, false, action)).type).toBe("denied");
    }
    expect(ws.asked[0]?.reasons.join(" ")).toContain("outside the workspace");
    result(await asModel(ws, entries, true));
    expect(String(await ws.bytes("d/n.txt"))).toBe("n\n");
  });

  test("asks before it replaces a file that nobody has read", async () => {
    const ws = await open({ "a.txt": "mine\n" });
    expect(failed(await asModel(ws, { "a.txt": file("theirs\n") }, false)).type).toBe("denied");
    expect(ws.asked[0]?.detail.text).toContain("-mine");
  });

  test("asks about the command that clones, and refuses folders that programs run from", async () => {
    const ws = await open();
    const repo = { type: "gitRepo", url: "https://example.com/x.git", ref: "main" };
    expect(failed(await asModel(ws, { "a.txt": file("a"), r: repo }, false)).type).toBe("denied");
    expect(ws.asked[0]?.detail.text).toContain("git clone --depth 1 --branch main https://example.com/x.git r");
    for (const path of [".vscode", ".git/hooks", "a/.git"]) {
      expect(failed(await asModel(ws, { [path]: repo }, true))).toMatchObject({ type: "protected" });
    }
    expect(failed(await asModel(ws, { r: { type: "gitRepo", url: "ext::sh -c x" } }, true)).message).toContain(
      "must not name a helper program",
    );
    expect(await ws.names()).toEqual([]);
  });

  test("keeps to the rules of the user", async () => {
    const ws = await open({}, { rules: [{ tool: "*", params: { path: "migrations/**" }, decision: "deny" }] });
    expect(failed(await asModel(ws, { "migrations/1.sql": file("") }, true)).type).toBe("denied");
  });
});
