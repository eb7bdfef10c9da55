// The user's own tools at the command line: list, describe, validate, approve and call.
import { chmod, writeFile } from "node:fs/promises";
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
    expect(await tools(["approve"])).toMatchObject({ code: 1, err: expect.stringContaining("no terminal") as string });
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
{"name": "odd\\u202ename", "description": "d"}
]}`;
    const { tools } = await open({ [FILE]: file, "broken.json": '{\n"tools": [,\n' });
    expect(await tools(["validate"])).toMatchObject({
      code: 1,
      out: [
        `PASS good (${FILE}:2:1)`,
        `FAIL read (${FILE}:3:10): name: Toolhost has a tool of this name, or of one much like it. Choose another.`,
        `WARN lost (${FILE}:4:1): no-such-program is missing or not executable on this machine.`,
        `FAIL odd\\u202ename (${FILE}:5:1): command: required (string), got nothing.`,
        `FAIL odd\\u202ename (${FILE}:5:10): name: must be lower case words with _ between them, such as count_lines.`,
        "",
      ].join("\n"),
    });
    expect(await tools(["validate", "broken.json"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^FAIL the file \(broken\.json:2:11\): Not valid JSON/) as string,
    });
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

  it("is refused a rule for a tool that no file has", async () => {
    const { agent } = await rig.inFolder({ [FILE]: JSON.stringify({ tools: [echo] }) });
    const { code, err } = await agent([], ["--allow", "echo_that", "echo"]);
    expect(code).toBe(2);
    expect(err).toContain("no tool is called echo_that");
  });
});
