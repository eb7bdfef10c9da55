// The user's own tools at the command line: list, describe, validate, approve and call.
import { chmod, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { agentRig, calls } from "./agentRig.js";
import { builtCli, type Finished } from "./built.js";
import { openToolsFolder, type ToolsFolder } from "./toolsFolder.js";

const cli = builtCli();
const FILE = ".toolhost/tools.json";
const COUNT = `{
  "tools": [
    // Counts lines.
    {
      "name": "count_lines",
      "description": "Count the lines of a file.",
      "command": "wc",
      "args": ["-l", "{path}"],
      "parameters": { "properties": { "path": { "type": "string", "description": "The file." } }, "required": ["path"] },
      "readOnly": true,
    },
  ],
}
`;

const open = (files: Record<string, string>): Promise<ToolsFolder> => openToolsFolder(cli, files);

describe("toolhost tools", () => {
  it("runs a tool only after its file was approved, and after each change anew", async () => {
    const { folder, tools } = await open({ [FILE]: COUNT, "a.txt": "1\n2\n" });
    const call = (): Promise<Finished> => tools(["call", "count_lines", "--input", '{"path": "a.txt"}']);
    expect(await call()).toMatchObject({
      code: 1,
      err: `Error (denied): count_lines: ${FILE} is not approved. Nothing was run.\nHint: Read and approve it: toolhost tools approve.\n`,
    });
    expect((await tools(["list"])).out).toContain(`${FILE}: inert: ${FILE} is not approved.`);
    expect(await tools(["approve"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^1 tool: count_lines\n[^]*\n\+ {6}"command": "wc",\n/) as string,
      err: expect.stringContaining("no terminal") as string,
    });
    expect(await tools(["approve", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\n\+ {6}"command": "wc",\n[^]*is approved: exactly this text\.\n$/) as string,
    });
    expect(await call()).toMatchObject({ code: 0, out: expect.stringContaining("2 a.txt") as string });
    expect((await tools(["list"])).out).toBe(`${FILE} (approved)\n  count_lines  Count the lines of a file.\n`);
    await writeFile(join(folder, FILE), COUNT.replace('"wc"', '"rm"'));
    expect(await call()).toMatchObject({
      code: 1,
      err: expect.stringContaining("has changed since it was approved") as string,
    });
    const { out } = await tools(["approve", "--yes"]);
    expect(out).toContain('-      "command": "wc",\n+      "command": "rm",');
    expect(out).not.toContain('+  "tools"');
  });

  it("knows the tools of a description that has changed since its approval, and says how to get them back", async () => {
    const pets = (more: object = {}): string =>
      JSON.stringify({
        ...{
          openapi: "3.1.0",
          info: { title: "Pets", version: "1", ...more },
          servers: [{ url: "http://127.0.0.1:9" }],
        },
        paths: { "/pets": { get: { operationId: "listPets", responses: {} } } },
      });
    const { folder, tools, run } = await open({ [FILE]: '{"openapi": [{"spec": "pets.json"}]}', "pets.json": pets() });
    await tools(["approve", "--yes"]);
    await writeFile(join(folder, "pets.json"), pets({ description: "new" }));
    const changed = "pets.json has changed since it was approved";
    expect(await run(["mcp", "--allow", "list_pets"])).toMatchObject({ code: 0 });
    for (const broken of ["as it is", "{"]) {
      await (broken === "{" ? writeFile(join(folder, "pets.json"), broken) : undefined);
      expect(await run(["list_pets"])).toMatchObject({
        code: 1,
        err: `Error (denied): list_pets: ${changed}. Nothing was run.\nHint: Read and approve it: toolhost tools approve.\n`,
      });
    }
    expect(await run(["mcp", "--allow", "list_dogs"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("no tool is called list_dogs") as string,
    });
  });

  it("takes the tools of the example", async () => {
    const example = await readFile(join(import.meta.dirname, "../../../examples/tools/tools.json"), "utf8");
    const passing = 'require("node:test")("adds", () => {});\n';
    const failing = 'require("node:test")("divides", () => { throw new Error("by zero"); });\n';
    const { tools } = await open({ [FILE]: example, "a.txt": "1\n2\n// TODO later\n", "x.test.js": passing + failing });
    expect((await tools(["validate"])).out.match(/^\w+ \w+/gm)).toEqual([
      "PASS count_lines",
      "PASS node_test",
      "PASS list_todos",
    ]);
    await tools(["approve", "--yes"]);
    const call = async (name: string, input: object): Promise<string> =>
      (await tools(["call", name, "--input", JSON.stringify(input)])).out;
    expect(await call("count_lines", { paths: ["a.txt", "x.test.js"] })).toMatch(/3 a\.txt[^]*2 x\.test\.js/);
    expect(await call("node_test", { path: "x.test.js" })).toContain("by zero");
    expect(await call("node_test", { path: "x.test.js", only: "^adds$" })).toContain("Exit code 0");
    expect(await call("list_todos", {})).toContain("TODO later");
  });

  it("lets no agent approve, and asks about an agent's call", async () => {
    const { tools } = await open({ [FILE]: COUNT.replace('"readOnly": true,', ""), "a.txt": "1\n" });
    expect(await tools(["approve", "--yes"], { TOOLHOST_AGENT: "1" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("only the user can approve") as string,
    });
    await tools(["approve", "--yes"]);
    const call = ["call", "count_lines", "--input", '{"path": "a.txt"}'];
    expect(await tools(call, { TOOLHOST_AGENT: "1" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("denied") as string,
    });
    expect(await tools(call)).toMatchObject({ code: 0 });
  });

  it("validates each entry, with its line", async () => {
    const file = `{"tools": [
{"name": "good", "description": "d", "command": "wc"},
{"name": "read", "description": "d", "command": "wc"},
{"name": "lost", "description": "d", "command": "no-such-program"},
{"name": "odd\\u202ename", "description": "d"},
{"name": "nowhere", "description": "d", "command": "wc", "cwd": "gone"},
{"name": "outside", "description": "d", "command": "wc", "cwd": "../.."},
{"name": "undo", "description": "d", "command": "wc"},
{"name": "help", "description": "d", "command": "wc"},
{"name": "go_od", "description": "d", "command": "wc"},
{"name": "mine", "description": "d", "command": "wc"},
{"name": "dashed", "description": "d", "command": "wc", "args": ["{x}"], "parameters": {"properties": {"x": {"type": "string", "default": "-rf", "description": "d"}}}}
]}`;
    const { folder, state, tools } = await open({ [FILE]: file, "broken.json": '{\n"tools": [,\n' });
    await writeFile(
      join(state, "users-tools.json"),
      '{"tools": [{"name": "mi_ne", "description": "d", "command": "wc"}]}',
    );
    expect(await tools(["validate"])).toMatchObject({
      code: 1,
      out: [
        `PASS good (${FILE}:2:1)`,
        `FAIL read (${FILE}:3:10): name: Toolhost has a tool with this name, or with a very similar one. Choose another.`,
        `WARN lost (${FILE}:4:1): no-such-program is missing or not executable on this machine.`,
        `FAIL odd\\u202ename (${FILE}:5:1): command: required (string), got nothing.`,
        `FAIL odd\\u202ename (${FILE}:5:10): name: must be lower case words with _ between them, such as count_lines.`,
        `WARN nowhere (${FILE}:6:1): cwd: there is no folder gone.`,
        `FAIL outside (${FILE}:7:1): cwd: "../..": it leads out of the workspace.`,
        `WARN undo (${FILE}:8:1): toolhost undo is another command: call it with toolhost run undo.`,
        `WARN help (${FILE}:9:1): toolhost help is another command: call it with toolhost run help.`,
        `FAIL go_od (${FILE}:10:10): name: another tool of this file has this name, or a very similar one. Choose another.`,
        `FAIL mine (${FILE}:11:10): name: your tools for every workspace, or another folder's, have this name, or a very similar one. Choose another.`,
        `FAIL dashed (${FILE}:12:139): parameters.properties.x.default: "-rf" begins with a dash, so the program would read it as an option. Put the argument "--" before it.`,
        "",
      ].join("\n"),
    });
    expect(await tools(["validate", "broken.json"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^FAIL the file \(broken\.json:2:11\): Not valid JSON/) as string,
    });
    await writeFile(join(folder, "latin.json"), Buffer.from([0x7b, 0xe9, 0x7d]));
    await symlink("broken.json", join(folder, "link.json"));
    for (const [file, why] of [
      ["latin.json", "UTF-8"],
      ["link.json", "link"],
      [".", "not a file"],
    ] as const) {
      const { code, out } = await tools(["validate", file]);
      expect([file, code, out]).toEqual([file, 1, expect.stringMatching(/^FAIL the file \(.*:1:1\): .*\n$/)]);
      expect(out).toContain(why);
    }
    expect(await tools(["call", "lost"])).toMatchObject({ code: 1 });
  });

  it("describes a tool with the schema of its output", async () => {
    const { tools } = await open({ [FILE]: COUNT });
    const { code, out } = await tools(["describe", "count_lines"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      name: "count_lines",
      group: "custom",
      inputSchema: { required: ["path"] },
      outputSchema: { properties: { exit_code: {} } },
      annotations: { readOnly: true },
    });
    expect(await tools(["describe", "other"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("not_found") as string,
    });
  });

  it("has a command of its own name, is explained, and is described with the others, once it is approved", async () => {
    const { folder, run } = await open({ [FILE]: COUNT, "a.txt": "1\n2\n" });
    const denied = expect.stringContaining("is not approved") as string;
    expect(await run(["count_lines", "a.txt"])).toMatchObject({ code: 1, err: denied });
    expect(await run(["explain", "count_lines"])).toMatchObject({ code: 1, err: denied });
    const described = async (...format: string[]): Promise<{ name: string; outputSchema?: object }[]> => {
      const all = JSON.parse((await run(["describe", ...format])).out) as unknown;
      return (Array.isArray(all) ? all : (all as { tools: unknown[] }).tools) as { name: string }[];
    };
    expect((await described()).map(({ name }) => name)).not.toContain("count_lines");
    await run(["tools", "approve", "--yes"]);
    expect(await run(["count_lines", "a.txt"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 a.txt") as string,
      err: "",
    });
    for (const words of [
      ["count_lines", "--help"],
      ["help", "count_lines"],
    ]) {
      expect(await run(words)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Usage: toolhost count_lines .*\n\nCount .*--path <value>/s) as string,
      });
    }
    const inside = ["explain", "count_lines", "--input", '{"path": "a.txt"}'];
    expect(await run(inside)).toMatchObject({ code: 0, out: expect.stringMatching(/^allow /) as string });
    expect(await run(["explain", "count_lines", "--input", '{"path": "/etc/hosts"}'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ask /) as string,
    });
    await writeFile(join(folder, "rules.json"), '[{ "tool": "count_lines", "decision": "deny" }]');
    expect(await run([...inside, "--rules", "rules.json"])).toMatchObject({
      out: expect.stringMatching(/^deny /) as string,
    });
    for (const format of [[], ["--format", "mcp"]]) {
      const all = await described(...format);
      for (const name of ["count_lines", "read"]) {
        expect(all.find((tool) => tool.name === name)?.outputSchema).toMatchObject({ type: "object" });
      }
    }
    expect(await run(["count_line"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown command 'count_line'") as string,
    });
  });

  it("takes the user's own file without an approval, but not from an agent", async () => {
    const { tools } = await open({ "a.txt": "1\n2\n" });
    const own = join(await tempFolder({ "mine.json": COUNT }), "mine.json");
    const call = (env: NodeJS.ProcessEnv): Promise<Finished> =>
      tools(["call", "count_lines", "--input", '{"path": "a.txt"}'], env);
    expect(await call({ TOOLHOST_TOOLS: own })).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 a.txt") as string,
    });
    expect(await call({ TOOLHOST_TOOLS: own, TOOLHOST_AGENT: "1" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("unknown_tool") as string,
    });
    expect(await call({ TOOLHOST_TOOLS: "/no/such" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be read") as string,
    });
  });

  it("takes the tools that a window kept from the user's settings, but not from an agent", async () => {
    const { state, run } = await open({ "a.txt": "1\n2\n" });
    const other = join(await tempFolder({ "mine.json": '{"tools": []}' }), "mine.json");
    await writeFile(join(state, "users-tools.json"), COUNT);
    const call = (env: NodeJS.ProcessEnv): Promise<Finished> => run(["count_lines", "a.txt"], env);
    expect(await call({})).toMatchObject({ code: 0, out: expect.stringContaining("2 a.txt") as string });
    expect(await run(["tools", "list"])).toMatchObject({
      out: expect.stringContaining("toolhost.tools (approved)\n  count_lines") as string,
    });
    expect((await call({ TOOLHOST_AGENT: "1" })).code).not.toBe(0);
    expect((await call({ TOOLHOST_TOOLS: other })).code).not.toBe(0);
  });

  it("gives secrets by variables and the command's own exit code", async () => {
    const entry = { name: "tell", description: "d", command: "./tell.sh", env: { KEY: { secret: "api" } } };
    const { folder, tools } = await open({
      [FILE]: JSON.stringify({ tools: [entry] }),
      "tell.sh": '#!/bin/sh\necho "${#KEY}"\nexit 7\n',
    });
    await chmod(join(folder, "tell.sh"), 0o755);
    await tools(["approve", "--yes"]);
    expect(await tools(["call", "tell"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Set the variable TOOLHOST_SECRET_api.") as string,
    });
    expect(await tools(["call", "tell"], { TOOLHOST_SECRET_api: "12345" })).toMatchObject({
      code: 7,
      out: expect.stringContaining("\n5\n") as string,
    });
  });
});

describe("a secret that a command prints", () => {
  const KEY = { KEY: { secret: "api" } };
  const entry = { name: "tell", description: "d", command: "./tell.sh", env: KEY, output: { type: "object" } };
  const script = [
    "#!/bin/sh",
    `printf '{"key": "%s", "b64": "%s", "pad": "' "$KEY" "$(printf %s "$KEY" | base64)"`,
    "head -c 200000 /dev/zero | tr '\\0' x",
    `printf '", "last": "%s"}' "$KEY"`,
    'printf "%s\n" "$KEY" >&2',
  ];

  it.each(["hunter2", "abcd", "password12", "1234567"])("is a handle everywhere, even %s", async (value) => {
    const { folder, tools, state } = await open({
      [FILE]: JSON.stringify({ tools: [entry] }),
      "tell.sh": `${script.join("\n")}\n`,
    });
    await chmod(join(folder, "tell.sh"), 0o755);
    await tools(["approve", "--yes"]);
    const { code, out, err } = await tools(["call", "tell", "--json"], { TOOLHOST_SECRET_api: value });
    expect([code, err]).toEqual([0, ""]);
    const stored = await storedTexts(state);
    expect(stored).toHaveLength(1);
    for (const text of [out, ...stored]) {
      expect(text).toMatch(/⟦secret TOOLHOST_SECRET_API #\w+⟧/);
      expect(text).not.toContain(value);
      expect(text).not.toContain(Buffer.from(value).toString("base64").replaceAll("=", ""));
    }
  });

  it("is said to be shown if it has fewer than four characters", async () => {
    const { folder, tools } = await open({
      [FILE]: JSON.stringify({ tools: [{ ...entry, output: undefined }] }),
      "tell.sh": '#!/bin/sh\necho "$KEY"\n',
    });
    await chmod(join(folder, "tell.sh"), 0o755);
    await tools(["approve", "--yes"]);
    expect(await tools(["call", "tell"], { TOOLHOST_SECRET_api: "abc" })).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        "TOOLHOST_SECRET_api has fewer than 4 characters, so results do not hide it.",
      ) as string,
    });
  });
});

/** Returns the texts of all stored results below a state folder. */
async function storedTexts(state: string): Promise<string[]> {
  const names = (await readdir(state, { recursive: true })).filter((name) => /\bresults\/.*\.(?:txt|log)$/.test(name));
  return Promise.all(names.map((name) => readFile(join(state, name), "utf8")));
}

describe("toolhost agent and the user's own tools", () => {
  const rig = agentRig();
  const echo = {
    ...{ name: "echo_it", description: "Echo a text.", command: "printf", args: ["<%s>", "{text}"] },
    parameters: { properties: { text: { type: "string", description: "The text." } } },
  };
  const script = [calls(["echo_it", { text: "good one" }]), calls(["echo_it", { text: "bad" }]), { text: "Done." }];

  it("calls one once its file is approved, where a rule allows it", async () => {
    const { agent, run } = await rig.inFolder({ [FILE]: JSON.stringify({ tools: [echo] }) });
    const words = ["--allow", "echo_it(text: good*)", "--json", "echo"];
    const before = await agent(script, words);
    expect(before.err).toContain(`${FILE} is not approved, so no agent has its tools.`);
    expect(before.out).not.toContain("<good one>");
    expect((await run("tools", "approve", "--yes")).code).toBe(0);
    const { code, out } = await agent(script, words);
    expect(code).toBe(0);
    expect(out).toContain("<good one>");
    expect(out).not.toContain("<bad>");
    expect(out).toContain("echo_it needs the user's permission");
  });

  it("cannot call one any more once its file has changed during the turn", async () => {
    const { agent, run } = await rig.inFolder({ [FILE]: JSON.stringify({ tools: [echo] }) });
    expect((await run("tools", "approve", "--yes")).code).toBe(0);
    const say = (text: string): object => calls(["echo_it", { text }]);
    const change = calls(["exec", { command: `echo >> ${FILE}` }]);
    const script = [say("before"), change, say("after"), { text: "Done." }];
    const { out } = await agent(script, ["--allow-all", "--json", "echo"]);
    expect(out).toContain("<before>");
    expect(out).not.toContain("<after>");
    expect(out).toContain(`echo_it: ${FILE} has changed since it was approved. Nothing was run.`);
  });

  it("is refused a rule for a tool that no file has", async () => {
    const { agent } = await rig.inFolder({ [FILE]: JSON.stringify({ tools: [echo] }) });
    const { code, err } = await agent([], ["--allow", "echo_that", "echo"]);
    expect(code).toBe(2);
    expect(err).toContain("no tool is called echo_that");
  });
});
