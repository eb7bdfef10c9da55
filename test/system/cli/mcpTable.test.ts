// One table of calls, made by the SDK's client on every way to Toolhost's tools and in every revision of the protocol.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/client";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { ClientSession } from "../../../src/doors/mcp/clientSession.js";
import { offeredTools } from "../../../src/doors/mcp/offered.js";
import { serveMcp } from "../../../src/doors/mcp/serve.js";
import { findWindow } from "../../../src/doors/mcp/window/windowNotes.js";
import { WindowTools } from "../../../src/doors/mcp/window/windowTools.js";
import { livenessOf } from "../../../src/hosts/node/state/owner.js";
import { makeWindowNotes } from "../../../src/hosts/node/state/stateFolder.js";
import { tools } from "../../../src/tools/index.js";
import { poll } from "../../harness/poll.js";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, connectOver, REVISIONS, type Revision, type SdkClient } from "./mcpRig.js";
import { doors, openWindow, type TestWindow } from "./mcpWindowRig.js";

const cli = builtCli();
/** A picture of one point. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const FILES = {
  "a.txt": "one\ntwo\n",
  "a.png": Buffer.from(PNG, "base64"),
  "src/one.ts": "",
  "unread.txt": "x\n",
  ".env": "KEY=value-1\n",
  ".toolhost/memory/build commands.md": "npm test\n",
  ".github/prompts/review.prompt.md": "---\ndescription: Review a file\n---\nReview ${input:path:a file}.",
};
/** The user allows it: in a window when asked, without one by a rule. */
const ALLOWED = "install /dev/null allowed";
/** The user does not. */
const REFUSED = "install /dev/null refused";

interface Place extends Pick<SdkClient, "client" | "call" | "text"> {
  folder: string;
  /** The window in which the calls run. */
  window?: TestWindow;
}

const ROWS: Record<string, (place: Place) => Promise<void>> = {
  "the server introduces itself": async ({ client, folder, window }) => {
    expect(client.getServerVersion()).toMatchObject({ name: "toolhost", version: "1.2.3" });
    expect(client.getInstructions()).toContain(folder);
    expect(client.getInstructions()).toContain(window ? "in the window" : "without a window");
  },
  "tools are listed with title, annotations and schemas": async ({ client }) => {
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "edit")).toMatchObject({
      title: "Edit file",
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      inputSchema: { type: "object", required: ["path", "old_text", "new_text"] },
    });
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== "object").map(({ name }) => name)).toEqual([]);
    expect(tools.filter(({ title, annotations }) => !title || !annotations).map(({ name }) => name)).toEqual([]);
  },
  "a file is read": async ({ text }) => {
    expect(await text("read", { path: "a.txt" })).toBe("1\tone\n2\ttwo");
  },
  "a file is edited": async ({ text, folder }) => {
    expect(await text("edit", { path: "a.txt", old_text: "two", new_text: "2" })).toBe(
      "Edited a.txt: 1 replacement at line 2.",
    );
    expect(await contentOf(folder, "a.txt")).toBe("one\n2\n");
  },
  "a file is written": async ({ call, folder }) => {
    expect((await call("write", { path: "new/b.txt", content: "b\n" })).isError).toBeFalsy();
    expect(await contentOf(folder, "new/b.txt")).toBe("b\n");
  },
  "failures are results in our words": async ({ call }) => {
    for (const [name, input, words] of [
      ["read", { path: "b.txt" }, "Error (not_found): b.txt"],
      ["read", { path: 5 }, "Error (invalid_input)"],
      ["reed", {}, "Error (unknown_tool)"],
      ["write", { path: "unread.txt", content: "x" }, "Error (must_read)"],
    ] as const) {
      const { isError, content } = await call(name, input);
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(words)]);
    }
  },
  "a path outside and a file with secrets are refused, and the folder that is served is said": async ({
    call,
    folder,
  }) => {
    for (const path of ["/etc/hostname", ".env"]) {
      const { isError, content } = await call("read", { path });
      expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^Error \(denied\)/)]);
      expect(content[0]?.text).toContain(`This server serves ${folder}, and paths are relative to it.`);
    }
  },
  "a command runs, with its exit code": async ({ text }) => {
    expect(await text("exec", { command: "echo a; exit 3" })).toMatch(/^\[Exit code 3 [^\n]*\]\na$/);
  },
  "a command that asks runs if the user allows it": async ({ text, folder }) => {
    expect(await text("exec", { command: ALLOWED })).toContain("Exit code 0");
    expect(await contentOf(folder, "allowed")).toBe("");
  },
  "a command that asks is refused if not, and nothing is done": async ({ call, folder, window }) => {
    const { isError, content } = await call("exec", { command: REFUSED });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("Error (denied)")]);
    expect(content[0]?.text).toContain(
      window ? "the user said no" : `starting toolhost mcp with: --allow 'exec(command: ${REFUSED})'`,
    );
    await expect(contentOf(folder, "refused")).rejects.toThrow("ENOENT");
  },
  "results are data, too": async ({ call }) => {
    expect(await call("grep", { pattern: "one" })).toMatchObject({
      content: [{ text: expect.stringContaining("a.txt") as string }],
      structuredContent: { matches: [{ path: "a.txt", line: 1 }] },
    });
  },
  "a picture is a picture": async ({ call }) => {
    expect((await call("read", { path: "a.png" })).content).toEqual([
      { type: "text", text: expect.stringContaining("image/png") as string },
      { type: "image", mimeType: "image/png", data: PNG },
    ]);
  },
  "a resource is listed and read": async ({ client }) => {
    const uri = "toolhost://memory/build%20commands";
    expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text: "npm test\n" }]);
    await expect(client.readResource({ uri: "toolhost://memory/nope" })).rejects.toThrow("Error (not_found)");
  },
  "a prompt is listed and filled in": async ({ client }) => {
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["review"]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { path: "src/one.ts" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Review src/one.ts." } }]);
  },
  "a path is completed": async ({ client }) => {
    const ref = { type: "ref/prompt", name: "review" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "path", value: "src/o" } });
    expect(completion.values).toEqual(["src/one.ts"]);
  },
  "a long call tells its progress and ends when it is cancelled": async ({ client }) => {
    const cancellation = new AbortController();
    // Where it is contained, it has another number inside than outside.
    const sleep = `sleep 1000.${randomInt(1e9)}`;
    const isRunning = (): boolean => spawnSync("pgrep", ["-f", sleep]).status === 0;
    let progress = 0;
    const call = client.callTool(
      { name: "exec", arguments: { command: `${sleep} & echo begun; wait`, timeout: 900 } },
      {
        signal: cancellation.signal,
        onprogress: () => void progress++,
      },
    );
    call.catch(() => undefined);
    // On a busy machine the client is told that the call goes on before its command has begun.
    await poll("progress of a command that runs", () => progress > 0 && isRunning());
    cancellation.abort();
    await expect(call).rejects.toThrow();
    await poll("the end of the command", () => !isRunning());
    // The connection is as good as before.
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  },
  "all that was asked was asked in the window, in the client's name": async ({ window }) => {
    if (window !== undefined) {
      const asked = ["Read /etc/hostname", "Read .env", `Run ${ALLOWED}`, `Run ${REFUSED}`];
      expect(window.titles).toEqual(asked.map((title) => `Test Client: ${title}`));
      expect(new Set(doors(window).map((each) => each.replace(/ \w+$/, "")))).toEqual(new Set(["mcp:Test Client"]));
    }
  },
};

const withUser = (): Promise<TestWindow> =>
  openWindow(FILES, { answer: (title) => (title.includes(ALLOWED) ? "once" : "no") });

/** The client's end of two streams. */
class StreamTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport["onmessage"];

  constructor(
    readonly input: Readable,
    readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    createInterface({ input: this.input })
      .on("line", (line) => this.onmessage?.(JSON.parse(line)))
      .on("close", () => this.onclose?.());
  }

  async send(message: object): Promise<void> {
    this.output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.output.end();
  }
}

const alone = async (revision: Revision): Promise<Place> => {
  const folder = await tempFolder(FILES);
  return { ...(await connect(cli, folder, ["--data", "--allow", `exec(command: ${ALLOWED})`], revision)), folder };
};

const inWindow = async (revision: Revision): Promise<Place> => {
  const window = await withUser();
  return { ...(await connect(cli, window.folder, ["--data"], revision)), folder: window.folder, window };
};

/** The window's socket does not speak MCP: what does, `toolhost mcp` otherwise, is in this process. */
const onSocket = async (revision: Revision): Promise<Place> => {
  const window = await withUser();
  const { folder } = window;
  const note = findWindow(makeWindowNotes(), folder, livenessOf);
  const session = new ClientSession(Date.now);
  const served = offeredTools(tools).map(({ name }) => name);
  const wishes = { planOnly: false, sendsData: true, served, key: session.key, folder };
  const source = note && (await WindowTools.open(note, wishes, () => undefined));
  if (source === undefined) {
    expect.unreachable("The window does not answer.");
  }
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveMcp({
    ...{ source, session, input, output, version: "1.2.3", sendsData: true, asksAlone: false },
    asksByForms: true,
    ...{ refusal: () => undefined, instructions: async () => `${folder} in the window` },
    silence: 20,
    ...{ signal: new AbortController().signal, log: (message) => expect.unreachable(message) },
  }).finally(() => {
    source.close();
    output.end();
  });
  onTestFinished(() => ended);
  return { ...(await connectOver(new StreamTransport(output, input), revision)), folder, window };
};

const WAYS: [Revision, string, (revision: Revision) => Promise<Place>][] = [
  ["2024-11-05", "without a window", alone],
  ...REVISIONS.flatMap((revision): typeof WAYS => [
    [revision, "without a window", alone],
    [revision, "in a window", inWindow],
    [revision, "on a window's socket", onSocket],
  ]),
];

test.each(WAYS)("a client of revision %s %s gets every call answered", async (revision, _, open) => {
  const place = await open(revision);
  expect(place.client.getNegotiatedProtocolVersion()).toBe(revision);
  for (const [row, check] of Object.entries(ROWS)) {
    await check(place).catch((cause: unknown) => {
      throw new Error(`Not so: ${row}.`, { cause });
    });
  }
});

test.each(REVISIONS)("a client of revision %s is told that a call goes on which says nothing", async (revision) => {
  const { client, folder } = await onSocket(revision);
  let tell = (_: string | undefined): void => undefined;
  const told = new Promise<string | undefined>((resolve) => (tell = resolve));
  const call = client.callTool(
    { name: "exec", arguments: { command: "until [ -e go.txt ]; do sleep 0.05; done" } },
    { onprogress: ({ message }) => tell(message) },
  );
  expect(await told).toMatch(/^Still running, or waiting for the user \(\d+ s\)$/);
  await writeFile(join(folder, "go.txt"), "");
  expect((await call).isError).toBeFalsy();
});
