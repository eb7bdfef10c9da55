// What a client learns of windows and tools that come and go, and a window of its clients.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../src/core/defineTool.js";
import { Registry } from "../../../src/core/registry.js";
import { PipelineTools } from "../../../src/doors/mcp/pipelineTools.js";
import { findWindow } from "../../../src/doors/mcp/window/windowNotes.js";
import { WindowServer } from "../../../src/doors/mcp/window/windowServer.js";
import { livenessOf, thisProcess } from "../../../src/hosts/node/state/owner.js";
import { makeWindowNotes } from "../../../src/hosts/node/state/stateFolder.js";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { bare, connect, INITIALIZE, REVISIONS, toolCall } from "./mcpRig.js";

const cli = builtCli();
const CHANGED = "notifications/tools/list_changed";

function toolNamed(name: string) {
  return defineTool({
    ...{ name, group: "tools", title: "A tool", description: "A tool of the window.", needs: [] as const },
    ...{
      input: () => z.object({}),
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    ...{ touches: () => [], positional: [], summary: () => "", expose: "default" },
    output: () => z.object({}),
    execute: async () => ({ text: "", data: {} }),
  });
}

/** A window whose tools are those of a registry. */
async function openWindow(
  folder: string,
  registry: Registry,
  answer: () => Promise<string> = () => Promise.resolve("done"),
): Promise<{ server: WindowServer; clients: string[][] }> {
  const clients: string[][] = [];
  const server = new WindowServer(
    {
      notes: makeWindowNotes(),
      owner: thisProcess(),
      folders: () => new Map([[folder, ""]]),
      onClients: (names) => void clients.push([...names]),
      open: ({ planOnly, sendsData }, session) =>
        new PipelineTools({
          ...{ folder, registry, results: undefined, planOnly, sendsData, session },
          ...{ shipped: [], isServed: () => true },
          pipeline: {
            available: () => [...registry.list()],
            invoke: async () => ({ ok: true, text: await answer() }),
            meant: (name) => name,
          },
          confirm: { ask: async () => "no" },
        }),
    },
    (problem) => expect.unreachable(problem),
  );
  onTestFinished(() => server.dispose());
  await poll("the window's note", () => findWindow(makeWindowNotes(), folder, livenessOf));
  return { server, clients };
}

test.each(REVISIONS)(
  "a client of revision %s is told when the list changes: by a window or in it",
  async (revision) => {
    const folder = await tempFolder();
    const lists: string[][] = [];
    const { client, text } = await connect(
      cli,
      folder,
      [],
      revision,
      {},
      { onTools: (names) => void lists.push(names) },
    );
    const told = (what: string, isIt: (names: string[]) => boolean): Promise<unknown> =>
      poll(what, () => lists.at(-1) !== undefined && isIt(lists.at(-1) ?? []));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("edit");
    const registry = new Registry([toolNamed("first")]);
    const { server } = await openWindow(folder, registry);
    // The next call finds the window.
    expect(await text("first", {})).toBe("done");
    await told("the window's list", (names) => names.join() === "first");
    registry.register(toolNamed("second"));
    await told("the new tool", (names) => names.join() === "first,second");
    server.dispose();
    await told("the list without the window", (names) => names.includes("edit"));
  },
);

test("VS Code is told that a tool is gone when its call has ended, and the window knows when it has the answer", async () => {
  const folder = await tempFolder();
  const registry = new Registry([toolNamed("stays")]);
  const gone = registry.register(toolNamed("goes"));
  let end = (_text: string): void => undefined;
  const answer = new Promise<string>((resolve) => (end = resolve));
  let calls = 0;
  const { server } = await openWindow(folder, registry, () => (calls++, answer));
  // On the wire: the SDK's client hands out a notification earlier than an answer that was written before it.
  const { send, hear, said } = bare(cli, folder, ["--asks-alone", "--window", server.id]);
  const ended = (): unknown[] =>
    said()
      .filter(({ id, method }) => id === 2 || method === CHANGED)
      .map(({ id, method }) => method ?? id);
  send(INITIALIZE);
  await hear("the opening", ({ id }) => id === 0);
  send({ method: "notifications/initialized" });
  const listed = async (id: number): Promise<string[]> => {
    send({ id, method: "tools/list" });
    const { result } = await hear("the list", (message) => message.id === id);
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  expect(await listed(1)).toEqual(["stays", "goes"]);
  send(toolCall(2, "goes", {}));
  await poll("the call", () => calls === 1);
  let isAnswered = false;
  const answered = server.answered().then(() => (isAnswered = true));
  gone.dispose();
  // Whatever was to be sent by now is here: another answer has come behind it.
  expect(await listed(3)).toEqual(["stays"]);
  expect(ended()).toEqual([]);
  end("answered");
  await hear("the change", ({ method }) => method === CHANGED);
  expect(ended()).toEqual([2, CHANGED]);
  expect(isAnswered).toBe(false);
  await listed(4);
  await answered;
  await server.answered();
});

test("a window knows who is connected, by name, from the list of tools on until they go", async () => {
  const folder = await tempFolder();
  const { clients } = await openWindow(folder, new Registry([toolNamed("first")]));
  const one = await connect(cli, folder);
  await one.client.listTools();
  await poll("the first client", () => clients.at(-1)?.join() === "Test Client");
  const other = await connect(cli, folder);
  await other.text("first", {});
  await poll("both", () => clients.at(-1)?.length === 2);
  await one.client.close();
  await other.client.close();
  await poll("nobody", () => clients.at(-1)?.length === 0);
  expect(clients.map(({ length }) => length)).toEqual([1, 2, 1, 0]);
});

test("without a window, the user's own tools are those of the file as it is approved now", async () => {
  const entry = (name: string): string =>
    JSON.stringify({ tools: [{ name, description: "Say it.", command: "echo", args: [`said ${name}`] }] });
  const folder = await tempFolder({ ".toolhost/tools.json": entry("one") });
  const approve = (): Promise<unknown> => cli.run(["tools", "approve", "--yes"], { cwd: folder, detached: true });
  await approve();
  const lists: string[][] = [];
  const { client, text, stderr } = await connect(
    cli,
    folder,
    ["--tools", "own", "--allow", "one", "--allow-all"],
    "2025-11-25",
    {},
    { onTools: (names) => void lists.push(names) },
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["one"]);
  expect(await text("one", {})).toContain("said one");
  // Neither a call nor a list between the change and what the client is told.
  await writeFile(join(folder, ".toolhost/tools.json"), entry("two"));
  await poll("the list without the tool", () => lists.at(-1)?.join() === "");
  expect(await text("one", {})).toContain(
    "Error (unknown_tool): one: .toolhost/tools.json has changed since it was approved.",
  );
  expect(stderr()).toContain(".toolhost/tools.json has changed since it was approved, so no agent has its tools.");
  await approve();
  await poll("the list with the new tool", () => lists.at(-1)?.join() === "two");
  expect(await text("two", {})).toContain("said two");
  // A call at once after a change finds the file as it is.
  await writeFile(join(folder, ".toolhost/tools.json"), `${entry("two")}\n`);
  expect(await text("two", {})).toContain(
    "Error (unknown_tool): two: .toolhost/tools.json has changed since it was approved.",
  );
});
