// The npm package as a library, installed from its tarball: no VS Code, no source.
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { CreateToolhost, Question, Toolhost, ToolhostOptions } from "../../../src/doors/library/types.js";
import { poll } from "../../harness/poll.js";
import { startHttp } from "../../unit/features/openapi/rig.js";
import { packedFolder, repository } from "./packed.js";

const run = promisify(execFile);

let installed = "";
let createToolhost: CreateToolhost;

beforeAll(async () => {
  installed = await packedFolder();
  ({ createToolhost } = createRequire(join(installed, "x.js"))("toolhost") as { createToolhost: CreateToolhost });
});

async function newFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "library-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Opens a folder, and collects the questions. */
async function open(
  files: Readonly<Record<string, string>>,
  options: Partial<ToolhostOptions> = {},
): Promise<{ toolhost: Toolhost; folder: string; notices: string[] }> {
  const folder = await newFolder(files);
  const notices: string[] = [];
  const toolhost = await createToolhost({ folder, onNotice: (notice) => notices.push(notice), ...options });
  onTestFinished(() => toolhost.dispose());
  return { toolhost, folder, notices };
}

test("the example program runs, and its process ends by itself", async () => {
  const program = join(installed, "todos.mjs");
  await writeFile(program, await readFile(join(repository, "examples/program/todos.mjs")));
  const folder = await newFolder({ "src/a.ts": "// TODO(ann) x\n// TODO(bob) y\n", "src/b.ts": "// TODO(ann) z\n" });
  const { stdout, stderr } = await run(process.execPath, [program, folder]);
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "ann: 2",
    "bob: 1",
    expect.stringMatching(/^Not allowed: .*rm -r src/),
    "denied: nothing was removed",
    "",
  ]);
  expect(await readFile(join(folder, "src/a.ts"), "utf8")).toContain("TODO(ann)");
});

test("its types are those that a program needs, and no others come with them", async () => {
  await writeFile(
    join(installed, "consumer.mts"),
    `import { createToolhost, type Outcome, type ToolDefinition } from "toolhost";
const tool: ToolDefinition<{ text: string }> = {
  name: "shout", description: "Shouts.", inputSchema: { type: "object" },
  execute: ({ text }) => text.toUpperCase(),
};
await using toolhost = await createToolhost({ folder: ".", mode: "plan", confirm: () => "once" });
toolhost.registerTool(tool);
const outcome: Outcome = await toolhost.invoke("read", { path: "a" });
const text: string = outcome.ok ? outcome.text : outcome.error.type;
const shape: object | undefined = toolhost.describe("read")?.outputSchema;
// @ts-expect-error there is no such mode
await createToolhost({ folder: text, mode: "yolo" });
// @ts-expect-error only the outcome of a call that succeeded has a text
console.log(outcome.text, shape);
`,
  );
  const tsc = join(repository, "node_modules/typescript-native/bin/tsc");
  const flags =
    "--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023 --lib es2023,esnext.disposable,dom";
  const { stdout } = await run(process.execPath, [tsc, ...flags.split(" "), "consumer.mts"], { cwd: installed }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe("");
});

describe("tools", () => {
  test("are listed and described, those of VS Code and of tasks not among them", async () => {
    const { toolhost } = await open({});
    const names = toolhost.tools().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["read", "edit", "grep", "exec", "process"]));
    expect(names.filter((name) => ["run_task", "mcp_exec", "complete_task", "message"].includes(name))).toEqual([]);
    expect(toolhost.describe("toolhost_read")).toMatchObject({
      name: "read",
      inputSchema: { required: ["path"] },
      outputSchema: { type: "object" },
      annotations: { readOnly: true },
    });
    expect(toolhost.describe("nope")).toBeUndefined();
  });

  test("read, search, change and undoable changes need nobody; the rest is refused without an answer", async () => {
    const { toolhost, folder } = await open({ "a.txt": "one\ntwo\n", ".env": "KEY=hunter2hunter2\n" });
    expect(await toolhost.invoke("read", { path: "a.txt" })).toMatchObject({ ok: true, text: "1\tone\n2\ttwo" });
    expect(await toolhost.invoke("grep", { pattern: "two" })).toMatchObject({ ok: true });
    expect(await toolhost.invoke("edit", { path: "a.txt", old_text: "one", new_text: "1" })).toMatchObject({
      ok: true,
    });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("1\ntwo\n");
    expect(await toolhost.invoke("exec", { command: "wc -l a.txt" })).toMatchObject({ ok: true });
    for (const [name, input] of [
      ["exec", { command: "rm a.txt" }],
      ["read", { path: ".env" }],
      ["read", { path: "/etc/hostname" }],
      ["write", { path: "package.json", content: "{}" }],
    ] as const) {
      expect(await toolhost.invoke(name, input)).toMatchObject({ ok: false, error: { type: "denied" } });
    }
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("1\ntwo\n");
  });

  test("of the program's own come and go", async () => {
    const { toolhost } = await open({}, { mode: "bypass" });
    let changes = 0;
    toolhost.onDidChangeTools(() => changes++);
    const registered = toolhost.registerTool({
      name: "shout",
      description: "Shouts.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "What." } } },
      execute: ({ text }) => ({ text: String(text).toUpperCase(), data: { loud: true } }),
    });
    expect(await toolhost.invoke("shout", { text: "a" })).toEqual({ ok: true, text: "A", data: { loud: true } });
    expect(await toolhost.invoke("shout", { text: 1 })).toMatchObject({ error: { type: "invalid_input" } });
    registered.dispose();
    expect(await toolhost.invoke("shout", { text: "a" })).toMatchObject({ error: { type: "unknown_tool" } });
    expect(changes).toBe(2);
  });
});

test("operations of a service become tools: a path parameter, a body and an auth header reach a real server", async () => {
  const { origin, asked } = await startHttp();
  const { toolhost } = await open({}, { confirm: () => "once" });
  const { tools, leftOut } = toolhost.createOpenApiTools(
    {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: {
        "/pets/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
          get: { operationId: "getPet", responses: {} },
          put: {
            operationId: "renamePet",
            requestBody: {
              content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" } } } } },
            },
            responses: {},
          },
        },
      },
    },
    { server: origin, allowPrivate: true, auth: { type: "bearer", secret: "key" }, secret: () => "s3cret-of-pets" },
  );
  expect([tools.map(({ name }) => name), leftOut]).toEqual([["get_pet", "rename_pet"], []]);
  tools.forEach((tool) => toolhost.registerTool(tool));
  expect(await toolhost.invoke("get_pet", { id: 3 })).toMatchObject({ ok: true });
  expect(await toolhost.invoke("get_pet", { id: "x" })).toMatchObject({ error: { type: "invalid_input" } });
  const fields = Object.keys((tools[1]?.inputSchema as { properties: object }).properties);
  const input = fields.includes("body") ? { id: 4, body: { name: "Rex" } } : { id: 4, name: "Rex" };
  expect(await toolhost.invoke("rename_pet", input)).toMatchObject({ ok: true });
  expect(asked.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])).toEqual([
    ["GET", "/pets/3", "", "Bearer s3cret-of-pets"],
    ["PUT", "/pets/4", '{"name":"Rex"}', "Bearer s3cret-of-pets"],
  ]);
  const refusing = await open({});
  const [get] = refusing.toolhost.createOpenApiTools(
    { openapi: "3.1.0", info: {}, paths: { "/a": { get: { operationId: "getA" } } } },
    { server: origin, allowPrivate: true },
  ).tools;
  refusing.toolhost.registerTool(get ?? expect.unreachable());
  expect(await refusing.toolhost.invoke("get_a", {})).toMatchObject({ error: { type: "denied" } });
  expect(asked).toHaveLength(2);
});

describe("permission", () => {
  const command = { command: "mkdir made" };

  test.each<{ what: string; confirm: unknown; ok: boolean }>([
    { what: "once", confirm: () => "once", ok: true },
    { what: "a promise of yes", confirm: async () => "once", ok: true },
    { what: "no", confirm: () => "no", ok: false },
    { what: "true, which is no answer", confirm: () => true, ok: false },
    { what: "nothing", confirm: () => undefined, ok: false },
    {
      what: "an exception",
      confirm: () => {
        throw new Error("theirs");
      },
      ok: false,
    },
  ])("confirm: $what", async ({ confirm, ok }) => {
    const { toolhost } = await open({}, { confirm: confirm as NonNullable<ToolhostOptions["confirm"]> });
    const outcome = await toolhost.invoke("exec", command);
    expect(outcome).toMatchObject(ok ? { ok } : { ok, error: { type: "denied" } });
  });

  test("a yes for the session is one for its calls alone", async () => {
    const asked: Question[] = [];
    const confirm = (question: Question): "session" => (asked.push(question), "session");
    const { toolhost } = await open({}, { confirm });
    for (const session of ["one", "one", "two"]) {
      expect(await toolhost.invoke("exec", { command: "mkdir -p made" }, { session })).toMatchObject({ ok: true });
    }
    expect(asked.map(({ tool, detail }) => [tool, detail.text])).toEqual([
      ["exec", "mkdir -p made"],
      ["exec", "mkdir -p made"],
    ]);
  });

  test("rules allow and deny, in every mode; plan changes nothing", async () => {
    const rules = [
      { tool: "exec", params: { command: "mkdir **" }, decision: "allow" },
      { tool: "read", params: { path: "private/**" }, decision: "deny" },
    ] as const;
    const { toolhost } = await open({ "private/a.txt": "x" }, { rules });
    expect(await toolhost.invoke("exec", command)).toMatchObject({ ok: true });
    const bypass = await open({ "private/a.txt": "x" }, { rules, mode: "bypass" });
    expect(await bypass.toolhost.invoke("read", { path: "private/a.txt" })).toMatchObject({
      error: { type: "denied" },
    });
    const plan = await open({}, { rules, mode: "plan" });
    expect(await plan.toolhost.invoke("exec", command)).toMatchObject({ error: { type: "denied" } });
  });

  test("a rule for a tool that comes later applies then, and one that names none is told", async () => {
    const { toolhost, notices } = await open({}, { rules: [{ tool: "shout", decision: "allow" }] });
    expect(notices).toEqual([expect.stringMatching(/^rules\[0\]: no tool is called shout/)]);
    const tool = { name: "shout", description: "Shouts.", inputSchema: { type: "object" }, execute: () => "A" };
    toolhost.registerTool(tool);
    expect(await toolhost.invoke("shout", {})).toMatchObject({ ok: true });
  });
});

describe("an end in order", () => {
  test("running calls are cancelled, what they left running ends, and later calls are told", async () => {
    const { toolhost, folder } = await open({}, { mode: "bypass" });
    await toolhost.invoke("exec", { command: "echo $$ > pid; exec sleep 600", background: true });
    const pid = Number(await poll("the command", () => readFile(join(folder, "pid"), "utf8").catch(() => "")));
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    toolhost.registerTool({
      name: "wait",
      description: "Waits.",
      inputSchema: { type: "object" },
      execute: (_input, { signal }) => {
        started();
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      },
    });
    const call = toolhost.invoke("wait", {});
    await running;
    await Promise.all([toolhost.dispose(), toolhost.dispose()]);
    expect(await call).toMatchObject({ error: { type: "cancelled" } });
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(await toolhost.invoke("read", { path: "a" })).toMatchObject({
      error: { type: "unavailable", message: "read: this toolhost was disposed." },
    });
  });

  test("nothing of those that ended stays in the process", async () => {
    const folder = await newFolder();
    const before = process.listenerCount("exit");
    for (let count = 0; count < 3; count++) {
      const toolhost = await createToolhost({ folder });
      await toolhost.invoke("exec", { command: "true" });
      await toolhost.dispose();
    }
    expect(process.listenerCount("exit")).toBe(before);
  });

  test("two of a folder do not disturb each other", async () => {
    const { toolhost, folder } = await open({ "a.txt": "one\n" });
    const other = await createToolhost({ folder });
    onTestFinished(() => other.dispose());
    await toolhost.invoke("edit", { path: "a.txt", old_text: "one", new_text: "two" });
    await toolhost.dispose();
    expect(await other.invoke("read", { path: "a.txt" })).toMatchObject({ text: "1\ttwo" });
  });
});

test.each<{ options: unknown; problem: string }>([
  { options: undefined, problem: "options: expected an object {folder, …}, got nothing." },
  { options: {}, problem: "folder: expected the path of a folder, got nothing." },
  { options: { folder: ".", mod: "plan" }, problem: '"mod": there is no such option (did you mean mode?).' },
  { options: { folder: ".", tools: [{}] }, problem: "tools[0]: name: expected a text, got nothing." },
  {
    options: { folder: ".", tools: [{ name: "read", description: "x", inputSchema: {}, execute: () => "" }] },
    problem: 'tools[0]: Tool "read" is already registered.',
  },
  { options: { folder: ".", mode: "yolo" }, problem: "mode: expected one of default, ask, plan, bypass, got" },
  { options: { folder: ".", confirm: true }, problem: "confirm: expected a function, got" },
  { options: { folder: ".", timeout: 0 }, problem: "timeout: expected milliseconds, 1 to 86400000, got" },
  { options: { folder: ".", roots: "x" }, problem: "roots: expected a list of folders, got" },
  { options: { folder: ".", rules: {} }, problem: "rules: expected a list of rules, got" },
  {
    options: { folder: ".", rules: [{ tool: "exec", decision: "yes" }] },
    problem: "rules[0]: decision: must be one of",
  },
  {
    options: { folder: ".", rules: [{ tool: "read", params: { pth: "a" }, decision: "deny" }] },
    problem: "rules[0]: params.pth: ",
  },
])("a wrong option: $problem", async ({ options, problem }) => {
  const failed: unknown = await createToolhost(options as ToolhostOptions).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(TypeError);
  expect((failed as Error).message).toContain(`Toolhost createToolhost: ${problem}`);
});

test("a folder that is not there is an error, and the module can be imported and required", async () => {
  await expect(createToolhost({ folder: join(installed, "nope") })).rejects.toThrow("there is no such folder");
  const print = "console.log(typeof createToolhost)";
  const node = (args: string[]): string => execFileSync(process.execPath, args, { cwd: installed, encoding: "utf8" });
  expect(node(["--input-type=module", "-e", `import { createToolhost } from "toolhost"; ${print}`])).toBe("function\n");
  expect(node(["-e", `const { createToolhost } = require("toolhost"); ${print}`])).toBe("function\n");
});
