// `toolhost mcp` as a process, with the SDK's own client: its flags, the size of its answers, its end. The calls that every
// client makes are in mcpTable.test.ts.
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ActivityFile } from "../../../src/hosts/node/state/activityFile.js";
import { poll } from "../../harness/poll.js";
import { contentOf, plant, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { bare, connect, INITIALIZE, isGone, toolCall } from "./mcpRig.js";

const cli = builtCli();
const FILES = { "a.txt": "one\ntwo\n" };

test("changes are listed and undone with the client's name; calls close together are one turn", async () => {
  const folder = await tempFolder(FILES);
  const { text } = await connect(cli, folder);
  await text("edit", { path: "a.txt", old_text: "one", new_text: "1" });
  await text("edit", { path: "a.txt", old_text: "two", new_text: "2" });
  const undo = (...words: string[]) => cli.run(["undo", ...words], { cwd: folder });
  expect((await undo("--list")).out).toMatch(
    /^Test Client \(MCP\), just now\n.*edit {2}a\.txt[^\n]*\n.*edit {2}a\.txt/,
  );
  await undo();
  expect(await contentOf(folder, "a.txt")).toBe("one\ntwo\n");
});

test("calls are in the activity, with the client's name", async () => {
  const folder = await tempFolder(FILES);
  const { text } = await connect(cli, folder);
  await text("read", { path: "a.txt" });
  await text("read", { path: "none.txt" });
  const file = new ActivityFile(() => [folder]);
  onTestFinished(() => file.close());
  await poll("both calls", async () => {
    const { calls = [] } = (await file.log())?.calls(undefined, 10) ?? {};
    return calls.length === 2 && calls.every(({ state }) => state !== "running");
  });
  expect((await file.log())?.calls(undefined, 10).calls).toMatchObject([
    { tool: "read", door: "mcp:Test Client", state: "ok", input: '{"path":"a.txt"}' },
    { tool: "read", state: "not_found", failed: "not found" },
  ]);
});

test("--plan only reads, --tools chooses, --data sends data as its schema says", async () => {
  const folder = await tempFolder(FILES);
  const plan = await connect(cli, folder, ["--plan", "--allow-all"]);
  // Many clients drop the text where there is data, too.
  expect((await plan.client.listTools()).tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  expect(await plan.call("read", { path: "a.txt" })).toEqual({ content: [{ type: "text", text: "1\tone\n2\ttwo" }] });
  expect(await plan.text("edit", { path: "a.txt", old_text: "one", new_text: "1" })).toContain("Error (denied)");
  const chosen = await connect(cli, folder, ["--tools", "grep,memory", "--data"]);
  const { tools } = await chosen.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["grep", "memory_write", "read_result"]));
  expect(tools.map(({ name }) => name)).not.toContain("read");
  for (const [name, hint] of [
    ["read", "read is not served here: the user chooses what is with --tools of toolhost mcp."],
    ["BashOutput", "process is not served here: the user chooses what is with --tools of toolhost mcp."],
    ["complete_task", "complete_task ends a task of one of Toolhost's own agents."],
    ["symbols", "symbols is not served here: the user chooses what is with --tools of toolhost mcp."],
    ["get_symbols_overview", "No tool here asks a language server. Find names with grep."],
    [
      "no_tool_is_like_this",
      "Tools: grep, read_result, memory_search, memory_get, memory_read, memory_write, memory_list, memory_delete.",
    ],
  ] as const) {
    const answer = await chosen.text(name, { path: "a.txt" });
    expect(answer).toContain("Error (unknown_tool)");
    expect(answer).toContain(`Hint: ${hint}`);
  }
  const usual = (await plan.client.listTools()).tools.map(({ name }) => name);
  const more = await connect(cli, folder, ["--tools", "usual,code"]);
  const names = (await more.client.listTools()).tools.map(({ name }) => name);
  expect(usual).not.toContain("code_search");
  expect(names).toEqual(expect.arrayContaining([...usual, "code_search"]));
  expect(tools.find(({ name }) => name === "grep")?.outputSchema).toMatchObject({ type: "object" });
  expect(await chosen.call("grep", { pattern: "two" })).toMatchObject({
    content: [{ text: expect.stringContaining("a.txt") as string }],
    structuredContent: { matches: [{ path: "a.txt", line: 2 }] },
  });
  // Its model would get the data alone.
  const codex = await connect(
    cli,
    folder,
    ["--tools", "grep", "--data"],
    "2025-11-25",
    {},
    { info: { name: "codex-mcp-client" } },
  );
  expect((await codex.client.listTools()).tools.find(({ name }) => name === "grep")?.outputSchema).toBeUndefined();
  expect(await codex.call("grep", { pattern: "two" })).not.toHaveProperty("structuredContent");
  expect(await cli.run(["mcp", "--tools", "gerp"], { cwd: folder })).toMatchObject({
    code: 2,
    err: "toolhost: --tools gerp: there is no such tool or group. Did you mean grep?\n",
  });
});

test("no answer is longer than clients show whole; the rest is said to be there, and is", async () => {
  const line = "x".repeat(98);
  const folder = await tempFolder({ "long.txt": `${line}\n`.repeat(1_000), "wide.txt": "y".repeat(100_000) });
  await plant(
    folder,
    Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`many/${String(index).padStart(4, "0")}-${line}`, ""]),
    ),
  );
  await symlink("long.txt", join(folder, "link.txt"));
  const { text } = await connect(cli, folder, ["--allow-all"]);
  const page = await text("read", { path: "long.txt" });
  expect(page.length).toBeLessThanOrEqual(20_000);
  const next = Number(/Continue with offset=(\d+)\.\]$/.exec(page)?.[1]);
  expect(await text("read", { path: "long.txt", offset: next })).toMatch(new RegExp(`^${next}\t${line}`));
  const calls: [string, Record<string, unknown>][] = [
    ["read", { path: "link.txt", limit: 1_000 }],
    ["read", { path: "wide.txt" }],
    ["grep", { pattern: "x", path: "long.txt", max_results: 1_000 }],
    ["exec", { command: "cat long.txt" }],
    ["glob", { pattern: "many/*" }],
  ];
  for (const [name, input] of calls) {
    const answer = await text(name, input);
    expect(answer.length, name).toBeLessThanOrEqual(20_000);
    expect(answer.length, answer).toBeGreaterThan(1_000);
  }
  const all = await text("glob", { pattern: "many/*" });
  const [, id] = /read_result {"id": "(\w+)", "page": \d+}/.exec(all) ?? [];
  expect(await text("read_result", { id, page: -1 })).toContain(`many/0199-${line}`);
});

test.each([
  ["Cline", 7_800],
  ["unknown", 7_800],
  ["claude-code", 20_000],
] as const)("a client called %s gets what it shows whole: %i characters", async (name, most) => {
  const line = "x".repeat(98);
  const folder = await tempFolder({ "long.txt": `${line}\n`.repeat(1_000), "short.txt": "x\n".repeat(30_000) });
  const { text } = await connect(cli, folder, ["--allow-all"], "2025-11-25", {}, { info: { name } });
  const calls: [string, Record<string, unknown>][] = [
    ["read", { path: "long.txt" }],
    ["grep", { pattern: "x", path: "long.txt", max_results: 1_000 }],
    ["exec", { command: "cat long.txt; exit 1" }],
    ["edit", { path: "long.txt", old_text: "y".repeat(100_000), new_text: "" }],
    ["no".repeat(50_000), {}],
  ];
  for (const [tool, input] of calls) {
    const answer = await text(tool, input);
    expect(answer.length, answer).toBeLessThanOrEqual(most);
  }
  const long = await text("exec", { command: "seq 100000" });
  const [, id] = /read_result "?(?:\{"id": ")?(r\w+)/.exec(long) ?? [];
  for (const input of [{ id }, { id, page: -1 }, { id, pattern: "9" }, { id, offset: 1 }]) {
    expect((await text("read_result", input)).length).toBeLessThanOrEqual(most);
  }
});

test("a client of 2026 that does not introduce itself is served", async () => {
  const folder = await tempFolder(FILES);
  const { send, hear } = bare(cli, folder);
  const key = "io.modelcontextprotocol";
  const meta = { [`${key}/protocolVersion`]: "2026-07-28", [`${key}/clientCapabilities`]: {} };
  send(toolCall(1, "read", { path: "a.txt" }, meta));
  expect(await hear("the text", ({ id }) => id === 1)).toMatchObject({
    result: { content: [{ text: "1\tone\n2\ttwo" }] },
  });
  send(toolCall(2, "edit", { path: "a.txt", old_text: "one", new_text: "1" }, meta));
  await hear("the edit", ({ id }) => id === 2);
  expect((await cli.run(["undo", "--list"], { cwd: folder })).out).toMatch(/^MCP client \(MCP\), just now\n/);
});

describe("the end", () => {
  const ENDS: [string, (child: ReturnType<typeof bare>["child"]) => void][] = [
    ["a closed input", (child) => child.stdin?.end()],
    ["SIGINT", (child) => void child.kill("SIGINT")],
    ["SIGTERM", (child) => void child.kill("SIGTERM")],
  ];

  test.each(ENDS)("by %s takes what runs along, also in the background", async (_, end) => {
    const folder = await tempFolder();
    const { child, send, hear, ended } = bare(cli, folder, ["--allow-all"]);
    send(INITIALIZE);
    send(toolCall(1, "exec", { command: "echo $$ > behind; exec sleep 1000", background: true }));
    await hear("the background process", ({ id }) => id === 1);
    send(toolCall(2, "exec", { command: "echo $$ > before; exec sleep 1000", timeout: 900 }));
    const pids = await poll("both commands", async () =>
      Promise.all(
        ["behind", "before"].map(
          async (file) => Number((await contentOf(folder, file)).trim()) || Promise.reject(new Error(file)),
        ),
      ),
    );
    end(child);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
  });
});

test("a client may ask for the server's revisions first, and then greet it in its own", async () => {
  const folder = await tempFolder({ "a.txt": "one\n" });
  for (const revision of ["2026-07-28", "2025-11-25"]) {
    const { send, hear } = bare(cli, folder);
    const _meta = { "io.modelcontextprotocol/protocolVersion": revision };
    send({ jsonrpc: "2.0", id: "d", method: "server/discover", params: { _meta } });
    await hear("an answer", ({ id }) => id === "d");
    send(INITIALIZE);
    await hear("the greeting", ({ id, result }) => id === 0 && result !== undefined);
    send(toolCall(1, "read", { path: "a.txt" }));
    expect(JSON.stringify(await hear("the file", ({ id }) => id === 1))).toContain("1\\tone");
  }
});

test("it works with the few variables that Codex passes on", async () => {
  const folder = await tempFolder({ "a.txt": "one\n" });
  const names = ["HOME", "LANG", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
  const few = Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const { send, hear, child, ended } = bare(cli, folder, [], { ...few, HOME: await tempFolder() });
  send(INITIALIZE);
  send(toolCall(1, "edit", { path: "a.txt", old_text: "one", new_text: "two" }));
  expect(JSON.stringify(await hear("the edit", ({ id }) => id === 1))).toContain("1 replacement");
  send(toolCall(2, "exec", { command: "cat a.txt" }));
  expect(JSON.stringify(await hear("the command", ({ id }) => id === 2))).toContain("two");
  child.stdin?.end();
  expect(await ended).toEqual({ code: 0, signal: null });
});

test("20 processes serve 20 clients in one folder at once", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`);
  const folder = await tempFolder(Object.fromEntries(names.map((name) => [name, "old\n"])));
  const answers = await Promise.all(
    names.map(async (path) => {
      const { text } = await connect(cli, folder);
      return text("edit", { path, old_text: "old", new_text: "new" });
    }),
  );
  expect(answers.filter((answer) => !answer.startsWith("Edited"))).toEqual([]);
  expect(await Promise.all(names.map((name) => contentOf(folder, name)))).toEqual(names.map(() => "new\n"));
});
