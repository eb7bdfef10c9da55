// Clients of `toolhost mcp` that send what they should not, or go in the middle.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, memoryProbe } from "./built.js";
import { bare, INITIALIZE, toolCall } from "./mcpRig.js";

const cli = builtCli();
const FILES = { "a.txt": "one\n" };

describe("lines that are no message are answered, and the connection goes on", () => {
  const WRONG: { what: string; line: string; id?: unknown; says: string }[] = [
    { what: "garbage", line: "GET / HTTP/1.1", says: "The line is not JSON" },
    { what: "half a message", line: '{"jsonrpc":"2.0","id":7,"method":"tools/list"', says: "The line is not JSON" },
    { what: "another text encoding", line: "\u0000{\u0000}", says: "The line is not JSON" },
    { what: "a batch", line: '[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]', says: "MCP has no batches" },
    { what: "a number", line: "7", says: "The line is not a JSON-RPC 2.0 message" },
    {
      what: "a request without a version",
      line: '{"id":7,"method":"tools/list"}',
      id: 7,
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "a method that is a number",
      line: '{"jsonrpc":"2.0","id":7,"method":5}',
      id: 7,
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "an id that is an object",
      line: '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "an id beyond all numbers",
      line: '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "an id that is null",
      line: '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "two messages on a line",
      line: '{"jsonrpc":"2.0","id":7,"method":"ping"} {"jsonrpc":"2.0","id":6,"method":"ping"}',
      says: "The line is not JSON",
    },
    {
      what: "a token for progress that is an object",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","_meta":{"progressToken":{}}}}',
      id: 7,
      says: "The line is not a JSON-RPC 2.0 message",
    },
    {
      what: "a second greeting without parameters",
      line: '{"jsonrpc":"2.0","id":7,"method":"initialize"}',
      id: 7,
      says: "params",
    },
    {
      what: "what this server does not have",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/remove"}',
      id: 7,
      says: "Method not found",
    },
    {
      what: "a method of every object",
      line: '{"jsonrpc":"2.0","id":7,"method":"__proto__"}',
      id: 7,
      says: "Method not found",
    },
    {
      what: "an unknown method",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/destroy"}',
      id: 7,
      says: "Method not found",
    },
    {
      what: "a call without a name",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}',
      id: 7,
      says: "name",
    },
    {
      what: "a call whose arguments are a list",
      line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":[1]}}',
      id: 7,
      says: "arguments",
    },
  ];

  test.each(WRONG)("$what", async ({ line, id, says }) => {
    const client = bare(cli, await tempFolder(FILES));
    client.send(INITIALIZE);
    await client.hear("the greeting", (message) => message.id === 0);
    client.line(line);
    const answer = await client.hear("an error", ({ error }) => error !== undefined);
    expect(answer.id).toEqual(id);
    expect(answer.error?.message).toContain(says);
    client.send(toolCall(8, "read", { path: "a.txt" }));
    expect(await client.hear("an answer", (message) => message.id === 8)).toMatchObject({
      result: { content: [{ text: "1\tone" }] },
    });
  });
});

test("answers to questions that nobody asked, and notes on requests that nobody made, change nothing", async () => {
  const { send, hear, said } = bare(cli, await tempFolder(FILES));
  send(INITIALIZE);
  await hear("the greeting", ({ id }) => id === 0);
  for (const odd of [
    { id: 5, result: {} },
    { id: 5, error: { code: 1, message: "x" } },
    { method: "notifications/evil" },
    { method: "notifications/cancelled" },
    { method: "notifications/cancelled", params: { requestId: 777 } },
    { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  ]) {
    send(odd);
  }
  send(toolCall(8, "read", { path: "a.txt" }));
  await hear("an answer", (message) => message.id === 8);
  expect(said().map(({ id }) => id)).toEqual([0, 8]);
});

test("a call before initialize is refused and not run", async () => {
  const folder = await tempFolder(FILES);
  const { send, hear } = bare(cli, folder);
  send(toolCall(1, "edit", { path: "a.txt", old_text: "one", new_text: "1" }));
  expect((await hear("an error", ({ id }) => id === 1)).error?.message).toBe("Send initialize first. Nothing was run.");
  expect(await contentOf(folder, "a.txt")).toBe("one\n");
  send(INITIALIZE);
  await hear("the greeting", ({ id }) => id === 0);
});

test("a line of 50 MB is refused by its id, in little memory; blank lines and CRLF are fine", async () => {
  const folder = await tempFolder(FILES);
  const { preload, file, collected } = await memoryProbe(await tempFolder(), true);
  const child = cli.start(["mcp"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, NODE_OPTIONS: `--require ${preload}` },
  });
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const write = async (text: string): Promise<void> =>
    new Promise((resolve) => child.stdin?.write(text, () => resolve()));
  await write(`\n\r\n${JSON.stringify({ jsonrpc: "2.0", ...INITIALIZE })}\r\n`);
  await write('{"method":"tools/call","params":{"name":"write","arguments":{"path":"b.txt","content":"');
  for (let count = 0; count < 50; count++) {
    await write("z".repeat(1_000_000));
    // What is held counts, not what a busy machine has not thrown away yet.
    if (count % 10 === 9) await collected();
  }
  await write('"}},"jsonrpc":"2.0","id":5}\n');
  await write('{"jsonrpc":"2.0","id":"six","method":"tools/call","params":{"x":"');
  for (let count = 0; count < 20; count++) {
    await write("z".repeat(1_000_000));
    if (count % 10 === 9) await collected();
  }
  await write('"}}\n');
  await write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" })}\n`);
  await poll("the list", () => out.includes('"id":7'));
  child.stdin?.end();
  await new Promise((resolve) => child.on("close", resolve));
  const answers = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id?: unknown; error?: { message: string } });
  expect(answers.flatMap(({ id, error }) => (error === undefined ? [] : [{ id, says: error.message }]))).toEqual([
    { id: 5, says: "The message is longer than 16 MB, and nothing was done. Write a large file in parts." },
    { id: "six", says: "The message is longer than 16 MB, and nothing was done. Write a large file in parts." },
  ]);
  await expect(contentOf(folder, "b.txt")).rejects.toThrow("ENOENT");
  expect(Number(await readFile(file, "utf8"))).toBeLessThan(300_000_000);
});

test("of two calls with one id the second is refused, and the first gets its answer", async () => {
  const folder = await tempFolder(FILES);
  const { send, hear, said } = bare(cli, folder, ["--allow-all"]);
  send(INITIALIZE);
  send(toolCall(1, "exec", { command: "until [ -e go ]; do sleep 0.05; done; echo first", timeout: 100 }));
  send(toolCall(1, "edit", { path: "a.txt", old_text: "one", new_text: "1" }));
  const refused = await hear("the refusal", ({ error }) => error !== undefined);
  expect(refused).toMatchObject({
    error: { message: expect.stringContaining("Request 1 (tools/call) was not run") as string },
  });
  expect(refused.id).toBeUndefined();
  send(toolCall(2, "exec", { command: "touch go" }));
  expect(JSON.stringify(await hear("the answer", ({ id }) => id === 1))).toContain("first");
  expect(await contentOf(folder, "a.txt")).toBe("one\n");
  expect(said().filter(({ id }) => id === 1)).toHaveLength(1);
});

test("a flood of calls is answered, each run or refused", async () => {
  const folder = await tempFolder(FILES);
  const { send, said } = bare(cli, folder);
  send(INITIALIZE);
  for (let id = 1; id <= 1_000; id++) {
    send(toolCall(id, "read", { path: "a.txt" }));
  }
  await poll("all answers", () => said().length === 1_001);
  const refused = said().filter(({ error }) => error !== undefined);
  expect(refused.length).toBeLessThan(1_000);
  for (const { error } of refused) {
    expect(error?.message).toBe("100 requests have no answer yet, and this one was not run. Wait for answers.");
  }
});

test("deep and strange arguments fail in words", async () => {
  const { send, hear, line } = bare(cli, await tempFolder(FILES));
  send(INITIALIZE);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  line(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":${deep}}}}`);
  line(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"__proto__":{"path":"a.txt"}}}}',
  );
  send(toolCall(3, "x".repeat(1_000_000), {}));
  send(toolCall(4, "__proto__", {}));
  for (const id of [1, 2, 3, 4]) {
    const { result, error } = await hear(`answer ${id}`, (message) => message.id === id);
    expect(error !== undefined || (result as { isError?: boolean }).isError).toBe(true);
    expect(JSON.stringify({ result, error }).length).toBeLessThan(5_000);
  }
  send(toolCall(5, "read", { path: "a.txt" }));
  await hear("the next answer", ({ id }) => id === 5);
});

test("a client that vanishes in the middle: its command ends, its change is whole or absent", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `f${index}.txt`);
  const folder = await tempFolder(Object.fromEntries(names.map((name) => [name, "old\n"])));
  const { child, send, hear, ended } = bare(cli, folder, ["--allow-all", "--tools", "usual,multi_edit"]);
  send(INITIALIZE);
  await hear("the greeting", ({ id }) => id === 0);
  send(toolCall(1, "exec", { command: "echo $$ > pid; exec sleep 1000", timeout: 900 }));
  const pid = await poll("the command", async () => Number((await contentOf(folder, "pid")).trim()));
  const edits = names.map((path) => ({ path, old_text: "old", new_text: "new" }));
  send(toolCall(2, "multi_edit", { edits }));
  child.stdout?.destroy();
  child.stdin?.destroy();
  expect(await ended).toMatchObject({ signal: null });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  const now = new Set(await Promise.all(names.map((name) => readFile(join(folder, name), "utf8"))));
  expect(now.size).toBe(1);
});
