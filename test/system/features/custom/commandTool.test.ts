import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Tool } from "../../../../src/core/contract.js";
import { ApprovedFiles } from "../../../../src/features/custom/approvedFiles.js";
import { approvalsIn } from "../../../../src/features/custom/services.js";
import { readToolFiles, type ToolFile } from "../../../../src/features/custom/toolFiles.js";
import { NodeDisk } from "../../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../../src/hosts/node/disk/files.js";
import { openMemoryStore } from "../../../../src/hosts/node/state/store.js";
import { tools as shipped } from "../../../../src/tools/index.js";
import {
  failed,
  openWorkspace,
  result,
  type TestWorkspace,
  type WorkspaceOptions,
} from "../../../unit/tools/workspace.js";

const FILE = ".toolhost/tools.json";

function approvals(): ApprovedFiles {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return new ApprovedFiles(store, Date.now);
}

async function load(folder: string, approved = approvals()): Promise<ToolFile | undefined> {
  const [file] = await readToolFiles({
    files: new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }]),
    approved: async () => approved,
    approveBy: "toolhost tools approve",
    reserved: (name) => name === "read",
    ours: (name) => shipped.find((tool) => tool.name === name),
    secret: async (name) => (name === "known" ? "s3cret" : undefined),
    secretAdvice: (name) => `Set ${name}.`,
  });
  return file;
}

/** A workspace with the tools of entries, as an approved file would give them. */
async function withTools(
  entries: readonly object[],
  files: Record<string, string> = {},
  options: WorkspaceOptions = {},
): Promise<TestWorkspace & { tools: readonly Tool[] }> {
  const text = JSON.stringify({ tools: entries });
  const tree = { ...files, [FILE]: text };
  const first = await openWorkspace(tree);
  const file = await load(first.folder);
  expect(file?.problems).toEqual([]);
  const tools = file?.tools ?? [];
  const workspace = await openWorkspace(tree, { ...options, moreTools: tools });
  return { ...workspace, tools };
}

const parameters = (...names: string[]): object => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: "string", description: name }])),
});
const echo = {
  name: "echo_it",
  description: "Echo.",
  command: "printf",
  args: ["%s|", "{text}"],
  parameters: parameters("text"),
};

describe("a command tool", () => {
  it("runs its command with the values of a call as arguments, whatever they contain", async () => {
    const { call } = await withTools([echo]);
    const text = "a $(touch x) `id`; rm -rf * \"q\" 'z'\n%s";
    expect(result(await call("echo_it", { text })).text).toMatch(/^\[Exit code 0 after .*\]\na \$\(touch x\)/);
    const { data } = result(await call("echo_it", { text }, { readsData: true }));
    expect(data).toMatchObject({ status: "exited", exit_code: 0, stdout: `${text}|`, stderr: "" });
  });

  it("checks its input like any tool", async () => {
    const { call } = await withTools([{ ...echo, parameters: { ...parameters("text"), required: ["text"] } }]);
    expect(failed(await call("echo_it", {})).message).toBe("echo_it: text: required (string), got nothing.");
    expect(failed(await call("echo_it", { text: "a", txt: 1 })).message).toContain(
      'txt: unknown field; did you mean "text"?',
    );
    expect(failed(await call("echo_it", { text: "-rf" })).message).toContain("begins with a dash");
  });

  it("reports a failing command as a result", async () => {
    const { call } = await withTools([
      { name: "fail", description: "Fails.", command: "sh", args: ["-c", "echo no >&2; exit 3"] },
    ]);
    const { text, data } = result(await call("fail", {}));
    expect(text).toMatch(/^\[Exit code 3 after .*\]\nno$/);
    expect(data).toMatchObject({ status: "exited", exit_code: 3 });
  });

  it("says that a program is missing or not executable", async () => {
    const { call } = await withTools(
      [
        { name: "missing", description: "-", command: "no-such-program-here" },
        { name: "absent", description: "-", command: "./absent.sh" },
        { name: "plain", description: "-", command: "./plain.sh" },
      ],
      { "plain.sh": "#!/bin/sh\n" },
    );
    expect(failed(await call("missing", {}))).toMatchObject({
      type: "not_found",
      message: "no-such-program-here: there is no such program.",
    });
    expect(failed(await call("absent", {}))).toMatchObject({ type: "not_found", hint: "Correct its path." });
    expect(failed(await call("plain", {}))).toMatchObject({
      type: "unsupported",
      hint: "Make it executable: chmod +x.",
    });
  });

  it("gets its input as JSON on standard input, and may ignore it", async () => {
    const { call } = await withTools([
      { name: "cat_it", description: "-", command: "cat", stdin: "json", parameters: parameters("a") },
      { name: "ignore", description: "-", command: "true", stdin: "json", parameters: parameters("a") },
    ]);
    expect(result(await call("cat_it", { a: "é\n" }, { readsData: true })).data).toMatchObject({
      stdout: '{"a":"é\\n"}',
    });
    expect(result(await call("ignore", { a: "x".repeat(1_000_000) })).data).toMatchObject({ exit_code: 0 });
  });

  it("runs in its folder, with its variables and secrets", async () => {
    const { call } = await withTools(
      [
        {
          ...{ name: "where", description: "-", command: "sh", cwd: "d" },
          args: ["-c", 'basename "$PWD"; echo "$A $B" | tr a-z A-Z'],
          env: { A: "one", B: { secret: "known" } },
        },
        { name: "lost", description: "-", command: "true", env: { A: { secret: "other" } } },
        { name: "gone", description: "-", command: "true", cwd: "e" },
        { name: "out", description: "-", command: "true", cwd: "../.." },
      ],
      { "d/x": "" },
    );
    expect(result(await call("where", {}, { readsData: true })).data).toMatchObject({ stdout: "d\nONE S3CRET\n" });
    expect(failed(await call("lost", {}))).toMatchObject({
      message: "lost: the secret other is not set. Nothing was run.",
      hint: "Set other.",
    });
    expect(failed(await call("gone", {})).type).toBe("not_found");
    expect(failed(await call("out", {})).type).toBe("outside_workspace");
  });

  it("is ended after its time, with its output", async () => {
    const { call } = await withTools([
      { name: "slow", description: "-", command: "sh", args: ["-c", "echo begun; sleep 60"], timeout: 1 },
    ]);
    const { text, data } = result(await call("slow", {}));
    expect(text).toContain("begun");
    expect(data).toMatchObject({ status: "timeout" });
  });

  it("that promises JSON gives it as data, or says what was printed instead", async () => {
    const output = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const printing = (name: string, script: string): object => ({
      name,
      description: "-",
      command: "sh",
      args: ["-c", script],
      output,
    });
    const { call } = await withTools([
      printing("good", "echo '{\"n\": 3}'; echo note >&2"),
      printing("words", "echo hello"),
      printing("wrong", 'echo \'{"n": "x"}\''),
      printing("nothing", "true"),
      printing("fails", "echo hello; exit 4"),
    ]);
    expect(result(await call("good", {})).data).toMatchObject({ exit_code: 0, json: { n: 3 } });
    expect(failed(await call("words", {}))).toMatchObject({
      type: "invalid_json",
      message: expect.stringContaining("it is not JSON") as string,
      hint: expect.stringContaining('It printed: "hello"') as string,
    });
    expect(failed(await call("wrong", {})).message).toContain("n: expected number");
    expect(failed(await call("nothing", {})).hint).toContain("It printed: nothing.");
    expect(result(await call("fails", {})).data).toMatchObject({ exit_code: 4 });
  });
});

describe("permission", () => {
  const reading = {
    name: "count",
    description: "-",
    command: "wc",
    args: ["-l", "{path}"],
    parameters: parameters("path"),
    readOnly: true,
  };

  it("is asked for every tool that is not read-only, with the exact command", async () => {
    const { call, asked } = await withTools([echo]);
    expect(failed(await call("echo_it", { text: "a" }, { as: "model" })).type).toBe("denied");
    expect(result(await call("echo_it", { text: "a b" }, { as: "model", answer: true })).text).toContain("a b|");
    expect(asked.map(({ detail }) => detail.text)).toEqual(["printf '%s|' 'a b'"]);
  });

  it("can be given by a rule with the tool's name and arguments", async () => {
    const rules = [{ tool: "echo_it", params: { text: "good*" }, decision: "allow" }];
    const { call } = await withTools([echo], {}, { rules });
    expect(result(await call("echo_it", { text: "good one" }, { as: "model" })).text).toContain("good one|");
    expect(failed(await call("echo_it", { text: "bad" }, { as: "model" })).type).toBe("denied");
  });

  it("is not asked for a read-only tool on files inside, except in mode ask", async () => {
    const { call, asked } = await withTools([reading], { "a.txt": "1\n" });
    expect(result(await call("count", { path: "a.txt" }, { as: "model" })).text).toContain("1 a.txt");
    expect(result(await call("count", { path: "a.txt" }, { as: "model", mode: "plan" })).text).toContain("1 a.txt");
    expect(failed(await call("count", { path: "a.txt" }, { as: "model", mode: "ask", answer: false })).type).toBe(
      "denied",
    );
    expect(asked).toHaveLength(1);
  });

  test.each(["/etc/passwd", "../x", "~/x", "a/../../x", ".env", "x=/etc/passwd", "file:///etc/passwd", "out"])(
    "is asked for a read-only tool with %s",
    async (path) => {
      const workspace = await withTools([reading], { ".env": "A=1" });
      await workspace.link("out", "/etc");
      expect(failed(await workspace.call("count", { path }, { as: "model" })).type).toBe("denied");
    },
  );

  test.each(["lïnk/passwd", "li(nk/passwd", "a\nb", "lïnk"])(
    "is asked for a read-only tool with a link that is named %j",
    async (path) => {
      const workspace = await withTools([reading], {});
      for (const name of ["lïnk", "li(nk", "a\nb"]) {
        await workspace.link(name, "/etc");
      }
      expect(failed(await workspace.call("count", { path }, { as: "model" })).type).toBe("denied");
    },
  );

  test.each([
    [["conf/.{a}"], { a: "env" }],
    [["conf/{a}.pem"], { a: "server" }],
    [["{a}{b}"], { a: ".", b: "./etc/passwd" }],
    [["{a}/{b}"], { a: "docs", b: "link" }],
  ])("is asked for a read-only tool whose arguments %j become a path that asks", async (args, input) => {
    const properties = Object.fromEntries(
      Object.keys(input).map((name) => [name, { type: "string", description: "-" }]),
    );
    const tool = { name: "show", description: "-", command: "cat", args, parameters: { properties }, readOnly: true };
    const workspace = await withTools([tool], { "conf/.env": "A=1", "conf/server.pem": "A", "docs/x": "" });
    await workspace.link("docs/link", "/etc/hostname");
    expect(failed(await workspace.call("show", input, { as: "model" })).type).toBe("denied");
  });

  it("is asked for a read-only tool that runs a file of the workspace, which may have changed since", async () => {
    const script = { "c.sh": "#!/bin/sh\necho ran\n" };
    const { call, folder } = await withTools(
      [
        { name: "script", description: "-", command: "./c.sh", readOnly: true },
        { name: "by_shell", description: "-", command: "sh", args: ["c.sh"], readOnly: true },
        { name: "by_option", description: "-", command: "sh", args: ["--rcfile=c.sh"], readOnly: true },
      ],
      script,
    );
    await writeFile(join(folder, "c.sh"), "#!/bin/sh\necho other\n");
    await chmod(join(folder, "c.sh"), 0o755);
    for (const name of ["script", "by_shell", "by_option"]) {
      const { type, hint } = failed(await call(name, {}, { as: "model" }));
      expect([type, hint]).toEqual(["denied", expect.stringContaining("may have changed since its tool was approved")]);
    }
  });

  it.each([
    { command: "wc", args: ["--version"], env: { PATH: "bin" } },
    { command: "node", args: ["-e", "1"], env: { NODE_OPTIONS: "--require ./bin/x.js" } },
    { command: "node", args: ["bin/x"] },
    { command: "node", args: ["bin"] },
    { command: "node", args: ["x"], cwd: "bin" },
    { command: "node", args: ["-e", "require('./bin/x.js')"] },
    { command: "env", args: ["node", "bin/x"] },
    { command: "cat", args: ["-"], env: { SETTINGS: "bin/x.js" } },
    { command: "node", args: ["-e", "require('foo')"] },
    { command: "node", args: ["-e", "require('@own/foo/deep')"], cwd: "bin" },
    { command: "env", args: ["-S", "sh ./a.sh"] },
    { command: "awk", args: ['BEGIN{system("sh a.sh")}'] },
    { command: "awk", args: ['BEGIN{system("./a.sh")}'] },
    { command: "perl", args: ["-Ilib", "-e", "require foo"] },
    { command: "perl", args: ["-Mfoo", "-e", "1"], cwd: "lib" },
    { command: "sh", args: ["{c}"] },
    { command: "env", args: ["sh", "-x", "{c}"] },
    { command: "env", args: ["-S", "sh {c}"] },
    { command: "env", args: ["{c}"] },
    { command: "env", args: ["BASH_ENV={c}", "wc", "--version"] },
    { command: "timeout", args: ["5", "{c}"] },
    { command: "xargs", args: ["-n1", "{c}"] },
    { command: "node", args: ["--eval={c}"] },
    { command: "python3", args: ["-c{c}"] },
    { command: "sh", args: ["-c", "cat {c}"] },
    { command: "awk", args: ['BEGIN{system("{c}")}'] },
    { command: "find", args: ["bin", "-exec", "{c}", ";"] },
    { command: "npx", args: ["foo"] },
    { command: "env", args: ["make", "all"] },
  ])("is asked for a read-only tool that reaches code of the workspace in another way: %j", async (entry) => {
    const takesScript = "args" in entry && entry.args.some((each) => each.includes("{c}"));
    const parameters = { properties: { c: { type: "string", description: "-" } } };
    const given = { name: "script", description: "-", ...entry, readOnly: true, ...(takesScript && { parameters }) };
    const { call } = await withTools([given], {
      "bin/x.js": "console.log('ran')",
      "bin/package.json": '{"main":"x.js"}',
      "a.sh": "echo ran\n",
      "node_modules/foo/index.js": "console.log('ran')",
      "node_modules/@own/foo/deep.js": "console.log('ran')",
      "lib/foo.pm": "print 'ran'; 1;",
    });
    expect(failed(await call("script", takesScript ? { c: "a.sh" } : {}, { as: "model" })).type).toBe("denied");
  });

  it.each([
    { command: "node", args: ["--version"] },
    { command: "node", args: ["-e", "console.log(6 * 7)"] },
    { command: "grep", args: ["-rc", "x", "bin"], env: { LANG: "C" } },
    { command: "sh", args: ["-c", "echo $((6 * 7))"] },
    { command: "awk", args: ["BEGIN { print 6 * 7 }"] },
    { command: "awk", args: ["-v", "n={c}", "BEGIN { print n }"] },
    { command: "env", args: ["LANG=C", "printf", "%s", "{c}"] },
    { command: "timeout", args: ["5", "printf", "%s", "{c}"] },
  ])("is not asked for a read-only tool that reaches none: %j", async (entry) => {
    const parameters = { properties: { c: { type: "string", description: "-" } } };
    const takesValue = entry.args.some((each) => each.includes("{c}"));
    const given = { name: "script", description: "-", ...entry, readOnly: true, ...(takesValue && { parameters }) };
    const { call } = await withTools([given], { "bin/x.js": "x" });
    expect(result(await call("script", takesValue ? { c: "7" } : {}, { as: "model" })).text).toContain("Exit code 0");
  });

  it("is asked for a read-only tool whose script came after its tool was read", async () => {
    const { call, put } = await withTools([
      { name: "late", description: "-", command: "sh", args: ["late.sh"], readOnly: true },
    ]);
    await put("late.sh", "echo ran\n");
    expect(failed(await call("late", {}, { as: "model" }))).toMatchObject({
      type: "stale",
      message: expect.stringContaining("late: nothing was run. It runs with late.sh") as string,
    });
    expect(failed(await call("late", {}, { as: "model" })).type).toBe("denied");
    expect(result(await call("late", {}, { as: "model", answer: true })).text).toContain("ran");
  });

  it("is refused where the workspace is not trusted", async () => {
    const { call } = await withTools([reading], { "a.txt": "1\n" }, { trusted: false });
    expect(failed(await call("count", { path: "a.txt" }, { as: "model" })).type).toBe("untrusted");
  });
});

describe("a tool that is one of Toolhost's under another name", () => {
  const todos = { name: "find_todos", use: "grep", with: { pattern: "TODO" }, without: ["ignore_case"] };
  const files = { "a.txt": "x\nTODO one\n", ".env": "TODO=1\n" };

  it("has its presets, and no field for them", async () => {
    const { call, tools } = await withTools([todos], files);
    const [tool] = tools;
    expect(Object.keys(tool?.inputSchema.properties ?? {})).not.toContain("pattern");
    expect(Object.keys(tool?.inputSchema.properties ?? {})).not.toContain("ignore_case");
    expect(tool?.inputSchema.required ?? []).toEqual([]);
    expect(result(await call("find_todos", {})).text).toContain("TODO one");
    expect(failed(await call("find_todos", { pattern: "x" })).message).toBe("find_todos: pattern: unknown field.");
    // Another system's name for the field does not work, either.
    expect(failed(await call("find_todos", { query: "x" })).type).toBe("invalid_input");
    expect(failed(await call("find_todos", { ignore_case: true })).type).toBe("invalid_input");
  });

  it("asks, is allowed and is denied like the tool that it is", async () => {
    const remove = { name: "clean", use: "exec", with: { command: "rm a.txt" } };
    const look = { name: "look", use: "exec", with: { command: "cat a.txt" } };
    const plain = await withTools([remove, look, todos], files);
    expect(failed(await plain.call("clean", {}, { as: "model" })).type).toBe("denied");
    expect(result(await plain.call("look", {}, { as: "model" })).text).toContain("TODO one");
    expect(failed(await plain.call("find_todos", { path: ".env" }, { as: "model" })).type).toBe("denied");
    const rules = [{ tool: "exec", params: { command: "cat **" }, decision: "deny" }];
    const ruled = await withTools([look], files, { rules });
    expect(failed(await ruled.call("look", {}, { as: "model" })).type).toBe("denied");
    const own = await withTools([remove], files, { rules: [{ tool: "clean", decision: "deny" }] });
    expect(failed(await own.call("clean", {}, { as: "model", answer: true })).type).toBe("denied");
    const allowed = await withTools([remove], files, {
      rules: [{ tool: "exec", params: { command: "rm a.txt" }, decision: "allow" }],
    });
    expect(result(await allowed.call("clean", {}, { as: "model" })).text).toContain("Exit code 0");
  });
});

describe("a file of tools", () => {
  it("is approved by its exact text, and a change shows what was approved before", async () => {
    const { folder, put } = await openWorkspace({ [FILE]: JSON.stringify({ tools: [echo] }) });
    const approved = approvals();
    const before = await load(folder, approved);
    expect(before).toMatchObject({ isApproved: false, lastApproved: undefined });
    await approved.approve(FILE, before?.text ?? "");
    expect(await load(folder, approved)).toMatchObject({ isApproved: true });
    await put(FILE, `${before?.text ?? ""} `);
    expect(await load(folder, approved)).toMatchObject({ isApproved: false, lastApproved: before?.text });
  });

  it("that is a link, too large, a folder or not UTF-8 gives no tools and says why", async () => {
    const { folder, put, link, remove, makeFolder } = await openWorkspace({
      "real.json": JSON.stringify({ tools: [echo] }),
    });
    const problem = async (): Promise<[number | undefined, string | undefined]> => {
      const file = await load(folder);
      return [file?.tools.length, file?.problems[0]?.message];
    };
    expect(await load(folder)).toBeUndefined();
    await makeFolder(".toolhost");
    await link(FILE, "../real.json");
    expect(await problem()).toEqual([
      0,
      `${FILE} is a link, or is in a linked folder: it leads to real.json. Put the file itself there.`,
    ]);
    await remove(FILE);
    await put(FILE, `{"tools": [${" ".repeat(10_000_000)}]}`);
    expect(await problem()).toEqual([0, `${FILE} has 10000013 bytes; at most 1000000 can be read whole.`]);
    await put(FILE, new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(await problem()).toEqual([0, "The file is not UTF-8. Save it as UTF-8."]);
    await remove(FILE);
    await makeFolder(FILE);
    expect(await problem()).toEqual([0, `${FILE} is not a file.`]);
  });
});

test("what a user approved in a window with several folders holds for agents in that folder, and in no other", async () => {
  const whole = approvals();
  await whole.approve(`site/${FILE}`, "text");
  await whole.approve("openapi site/api.json", "{}");
  await whole.approve("openapi https://example.org/api.json", "{}");
  const [site, shop] = [approvalsIn(whole, "site"), approvalsIn(whole, "shop")];
  expect(await site.isApproved(FILE, "text")).toBe(true);
  expect(await site.isApproved(FILE, "another text")).toBe(false);
  expect(site.lastApproved("openapi api.json")).toBe("{}");
  expect([await shop.isApproved(FILE, "text"), shop.lastApproved("openapi api.json")]).toEqual([false, undefined]);
  // An address is the same everywhere.
  for (const folder of [site, shop]) {
    expect(await folder.isApproved("openapi https://example.org/api.json", "{}")).toBe(true);
  }
  // Not an address, though it looks like one.
  await whole.approve("openapi site/c:api.json", "{}");
  expect(shop.lastApproved("openapi c:api.json")).toBeUndefined();
  expect(site.lastApproved("openapi c:api.json")).toBe("{}");
});
