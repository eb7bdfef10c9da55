// What a window answers to `toolhost mcp` when its tools' answers cannot be sent as they are.
import { chmod } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ToolAnswer, ToolSource } from "../../../../src/doors/mcp/toolSource.js";
import type { ClientWishes, WindowNote } from "../../../../src/doors/mcp/window/protocol.js";
import { findWindow } from "../../../../src/doors/mcp/window/windowNotes.js";
import { WindowServer } from "../../../../src/doors/mcp/window/windowServer.js";
import { WindowTools } from "../../../../src/doors/mcp/window/windowTools.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** Opens a window whose tools are these. @param folders those that it has now */
async function open(
  source: Partial<ToolSource>,
  folders: readonly string[] | ReadonlyMap<string, string>,
  notes?: string,
): Promise<{ notes: string; server: WindowServer; opened: ClientWishes[] }> {
  const opened: ClientWishes[] = [];
  notes ??= await tempFolder();
  await chmod(notes, 0o700);
  const server = new WindowServer(
    {
      notes,
      owner: { pid: process.pid, started: "" },
      folders: () =>
        new Map(folders instanceof Map ? folders : (folders as string[]).map((path) => [path, "as it is"])),
      open: (client) => {
        opened.push(client);
        return {
          list: async () => [],
          call: async () => ({ ok: true, text: "done" }),
          offer: async () => ({}),
          onDidChange: () => ({ dispose: () => undefined }),
          ...source,
        };
      },
    },
    (problem) => expect.unreachable(problem),
  );
  onTestFinished(() => server.dispose());
  return { notes, server, opened };
}

/** Connects to a window whose tools are these. */
async function connected(source: Partial<ToolSource>, listTime?: number): Promise<WindowTools> {
  const { notes } = await open(source, ["/folder"]);
  const note = await poll("the note", () => findWindow(notes, "/folder", () => "alive"));
  const client = { planOnly: false, sendsData: true, served: [], key: "k", folder: "/folder" };
  const opened = await WindowTools.open(note, client, () => undefined, listTime);
  if (opened === undefined) {
    return expect.unreachable();
  }
  onTestFinished(() => opened.close());
  return opened;
}

const OPTIONS = {
  client: "c",
  signal: new AbortController().signal,
  report: () => undefined,
  turn: 1,
  answerSize: 7_800,
};
const LONG = "x".repeat(21_000_000);
const LEFT_OUT = "done\n[Data and pictures of this answer are left out: they have more than 20 MB or are not JSON.]";

it.each<[what: string, answer: () => Promise<ToolAnswer>, says: string, ok: boolean]>([
  ["data that is too long", async () => ({ ok: true, text: "done", data: { LONG } }), LEFT_OUT, true],
  ["data that is no JSON", async () => ({ ok: true, text: "done", data: { count: 1n } }), LEFT_OUT, true],
  [
    "a picture that is too large",
    async () => ({ ok: true, text: "done", media: [{ mimeType: "image/png", bytes: new Uint8Array(16_000_000) }] }),
    LEFT_OUT,
    true,
  ],
  ["a text that is too long", async () => ({ ok: true, text: LONG }), "and cannot be sent.\nHint: Look at", false],
  ["a call that fails without an answer", () => Promise.reject(new Error("odd")), "t: failed unexpectedly: odd", false],
])("answers %s, and other calls go on", async (_, answer, says, ok) => {
  let finish = (): void => undefined;
  const window = await connected({
    call: (name) =>
      name === "t" ? answer() : new Promise((resolve) => (finish = () => resolve({ ok: true, text: "other" }))),
  });
  const other = window.call("other", {}, OPTIONS);
  const got = await window.call("t", {}, OPTIONS);
  expect(got.ok).toBe(ok);
  expect(got.text).toContain(says);
  expect(got.media ?? got.data).toBeUndefined();
  finish();
  expect(await other).toEqual({ ok: true, text: "other" });
});

it("does not run a call whose input grows too long on its way", async () => {
  let calls = 0;
  const window = await connected({ call: async () => ({ ok: true, text: String(++calls) }) });
  // A client writes 1e9 in three bytes.
  const numbers = new Array<number>(2_500_000).fill(1e9);
  const { ok, text } = await window.call("t", { numbers }, OPTIONS);
  expect([ok, text]).toEqual([false, expect.stringContaining("t: the input has more than 20 MB. Nothing was done.")]);
  expect(await window.call("t", {}, OPTIONS)).toEqual({ ok: true, text: "1" });
});

it("says why there is no list", async () => {
  const annotations = {
    title: "T",
    ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  const tool = {
    name: "t",
    title: "T",
    description: LONG,
    inputSchema: { type: "object" as const, properties: {} },
    annotations,
  };
  const lists: [list: ToolSource["list"], says: string, listTime?: number][] = [
    [() => Promise.reject(new Error("odd")), "VS Code's window cannot list its tools: odd"],
    [async () => [tool], "the list of tools has more than 20 MB."],
    [() => new Promise(() => undefined), "VS Code's window is busy and did not list its tools.", 10],
  ];
  for (const [list, says, listTime] of lists) {
    const window = await connected({ list }, listTime);
    await expect(window.list("test")).rejects.toThrow(says);
    expect(await window.call("t", {}, OPTIONS)).toEqual({ ok: true, text: "done" });
  }
});

describe("a window with several folders", () => {
  const FOLDERS = ["/one", "/two"];
  const client = { planOnly: false, sendsData: true, served: [], key: "k" };
  const connect = (note: WindowNote, more: object, onClosed = (): void => undefined) =>
    WindowTools.open(note, { ...client, ...more }, onClosed);

  it("serves each to agents that work there, and all of them to VS Code's own agents alone", async () => {
    const { notes, opened } = await open({}, FOLDERS);
    const note = await poll("the note", () => findWindow(notes, "/two", () => "alive"));
    expect(findWindow(notes, "/three", () => "alive")).toBeUndefined();
    for (const more of [{ isOffered: true }, { folder: "/one" }, { folder: "/two" }]) {
      const served = await connect(note, more);
      expect(served).toBeDefined();
      served?.close();
    }
    expect(opened.map(({ folder }) => folder)).toEqual([undefined, "/one", "/two"]);
    for (const [more, given] of [
      [{}, note],
      [{ isOffered: "true" }, note],
      [{ folder: "/three" }, note],
      [{ folder: "/three", isOffered: true }, note],
      [{ folder: "/one" }, { ...note, token: "0".repeat(64) }],
      [{ isOffered: true }, { ...note, token: "0".repeat(64) }],
    ] as const) {
      expect([more, await connect(given, more)]).toEqual([more, undefined]);
    }
    expect(opened).toHaveLength(3);
  });

  it("leaves a folder to a window that has it alone", async () => {
    const { notes } = await open({}, FOLDERS);
    await poll("the first note", () => findWindow(notes, "/one", () => "alive"));
    const { server } = await open({}, ["/one"], notes);
    await poll("the second note", () => findWindow(notes, "/one", () => "alive", server.id));
    expect(findWindow(notes, "/one", () => "alive")?.folders).toEqual(["/one"]);
    expect(findWindow(notes, "/two", () => "alive")?.folders).toEqual(FOLDERS);
  });

  it("disconnects who works in a folder that it closes, and serves one that it adds", async () => {
    const folders = new Map(FOLDERS.map((path) => [path, "as it is"]));
    const { notes, server } = await open({}, folders);
    const note = await poll("the note", () => findWindow(notes, "/two", () => "alive"));
    let closed: string[] = [];
    const one = await connect(note, { folder: "/one" }, () => (closed = [...closed, "/one"]));
    const two = await connect(note, { folder: "/two" }, () => (closed = [...closed, "/two"]));
    folders.delete("/two");
    folders.set("/three", "new");
    server.update();
    await poll("the end of a connection", () => closed.length > 0);
    expect(closed).toEqual(["/two"]);
    expect(await one?.call("t", {}, OPTIONS)).toEqual({ ok: true, text: "done" });
    expect(findWindow(notes, "/two", () => "alive")).toBeUndefined();
    expect(findWindow(notes, "/three", () => "alive")?.folders).toEqual(["/one", "/three"]);
    // Its rules are others now.
    folders.set("/one", "renamed");
    server.update();
    await poll("the end of the other connection", () => closed.length > 1);
    expect(closed).toEqual(["/two", "/one"]);
    const again = await connect(note, { folder: "/one" });
    expect(await again?.call("t", {}, OPTIONS)).toEqual({ ok: true, text: "done" });
    [one, two, again].forEach((each) => each?.close());
  });
});
