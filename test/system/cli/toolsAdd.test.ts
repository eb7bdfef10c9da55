// `toolhost tools add`: by flags alone, and by asking on a real terminal.
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { onTerminal } from "./agentRig.js";
import { builtCli } from "./built.js";
import { openToolsFolder } from "./toolsFolder.js";

const cli = builtCli();
const FILE = ".toolhost/tools.json";
const COUNT = [
  ...["add", "--name", "count_lines", "--description", "Count the lines of a file.", "--read-only"],
  ...["--command", "wc -l -- {path}", "--param", "path=The file."],
];
const ENTRY = {
  ...{ name: "count_lines", description: "Count the lines of a file.", command: "wc", args: ["-l", "--", "{path}"] },
  parameters: { properties: { path: { type: "string", description: "The file." } }, required: ["path"] },
  readOnly: true,
};

describe("toolhost tools add, by flags", () => {
  it("tries the tool, writes it and approves the file that it makes", async () => {
    const { folder, tools } = await openToolsFolder(cli, { "a.txt": "1\n2\n" });
    const { code, out } = await tools([...COUNT, "--yes", "--input", '{"path": "a.txt"}']);
    expect(out).toBe(
      `[Exit code 0 after 0.0 s.]\n2 a.txt\ncount_lines is added to ${FILE}, which is approved with it.\n`.replace(
        "0.0",
        /after (\S+) s/.exec(out)?.[1] ?? "",
      ),
    );
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, FILE), "utf8"))).toEqual({ tools: [ENTRY] });
    expect(await tools(["call", "count_lines", "--input", '{"path": "a.txt"}'])).toMatchObject({ code: 0 });
  });

  it("keeps the file's comments, and approves nothing that the person has not read", async () => {
    const before =
      '{\n  // Mine.\n  "tools": [\n    { "name": "a", "description": "d", "command": "true" }, // a\n  ],\n}\n';
    const { folder, tools } = await openToolsFolder(cli, { [FILE]: before });
    const { out } = await tools([...COUNT, "--yes", "--no-trial"]);
    expect(out).toContain("You have not approved other parts of that file");
    const after = await readFile(join(folder, FILE), "utf8");
    expect(after.startsWith(before.slice(0, before.indexOf("  ],")))).toBe(true);
    expect(await tools(["call", "count_lines", "--input", '{"path": "x"}'])).toMatchObject({ code: 1 });
    expect((await tools(["validate"])).out).toMatch(/^PASS a .*\nPASS count_lines .*\n$/);
    // Once it is approved, a tool that is added is approved with it.
    await tools(["approve", "--yes"]);
    const more = await tools(["add", "--name", "b", "--description", "d", "--command", "true", "--yes"]);
    expect(more.out).toContain("which is approved with it");
    expect(await tools(["call", "b"])).toMatchObject({ code: 0 });
  });

  it.each([
    {
      what: "nothing",
      words: [],
      says: /flags are missing: --command <line>, --use <tool> or --openapi [^;]*; --yes\./,
    },
    {
      what: "no description",
      words: ["--command", "wc {path}", "--name", "w"],
      says: /--description <text>; --param path=<description>; --yes/,
    },
    {
      what: "no input for the trial",
      words: [...COUNT.slice(1), "--yes"],
      says: /--input <json>: Every call must give path/,
    },
    {
      what: "a name of ours",
      words: ["--name", "read", "--command", "wc"],
      says: /--name <name>: Toolhost has a tool/,
    },
    {
      what: "a name in capitals",
      words: ["--name", "Read\u202eMe", "--command", "wc"],
      says: /--name <name>: must be lower/,
    },
    {
      what: "a pipe",
      words: ["--name", "w", "--command", "wc | cat"],
      says: /No shell runs the command, so \| is not/,
    },
    {
      what: "a parameter too many",
      words: [...COUNT.slice(1), "--param", "x=X."],
      says: /--param x: the command line has no/,
    },
    {
      what: "an endless timeout",
      words: [...COUNT.slice(1), "--timeout", "0"],
      says: /--timeout <seconds>: timeout: /,
    },
    {
      what: "a description that is none",
      words: ["--openapi", "a.txt"],
      says: /--openapi <file or address>: a\.txt: /,
    },
    { what: "a missing description", words: ["--openapi", "no.json"], says: /no\.json/ },
    {
      what: "a field that grep has not",
      words: ["--use", "grep", "--with", "no=1"],
      says: /no such field|required|--name/,
    },
  ])("refuses, and writes nothing: $what", async ({ words, says }) => {
    const { folder, tools } = await openToolsFolder(cli, { "a.txt": "1\n" });
    const { code, err } = await tools(["add", ...words]);
    expect(err).toMatch(says);
    expect(code).toBe(1);
    await expect(readFile(join(folder, FILE), "utf8")).rejects.toThrow("ENOENT");
  });

  it("adds nothing for an agent, nothing after a trial that could not run, and nothing to a broken file", async () => {
    const { folder, tools } = await openToolsFolder(cli, { [FILE]: '{"tools": [' });
    expect(await tools([...COUNT, "--yes", "--no-trial"], { TOOLHOST_AGENT: "1" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("only the user can approve") as string,
    });
    const broken = await tools([...COUNT, "--yes", "--no-trial"]);
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining("Not valid JSON") as string });
    expect(await readFile(join(folder, FILE), "utf8")).toBe('{"tools": [');
    const lost = await tools(["add", "--name", "lost", "--description", "d", "--command", "./no-such", "--yes"]);
    expect(lost).toMatchObject({ code: 1, err: expect.stringContaining("nothing was added") as string });
  });

  it("adds one of ours with preset fields, and a tool for every folder", async () => {
    const { tools } = await openToolsFolder(cli, { "a.txt": "one\nTODO two\n" });
    const own = join(await tempFolder(), "mine.json");
    const grep = [
      "add",
      "--name",
      "find_todos",
      "--use",
      "grep",
      "--with",
      "pattern=TODO",
      "--without",
      "path",
      "--yes",
    ];
    const { code, out, err } = await tools([...grep, "--user"], { TOOLHOST_TOOLS: own });
    expect(err).toBe("");
    expect(out).toContain("TODO two");
    expect(out).toContain(`find_todos is added to ${own}.`);
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(own, "utf8"))).toEqual({
      tools: [{ name: "find_todos", use: "grep", with: { pattern: "TODO" }, without: ["path"] }],
    });
    expect(await tools([...grep, "--user"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Set the variable TOOLHOST_TOOLS") as string,
    });
  });

  it("adds a service, and approves its description with it", async () => {
    const description = {
      openapi: "3.1.0",
      servers: [{ url: "http://127.0.0.1:9" }],
      paths: {
        "/pets": { get: { operationId: "listPets", summary: "List.", tags: ["p"] }, post: { operationId: "add" } },
      },
    };
    const { folder, tools } = await openToolsFolder(cli, { "api.json": JSON.stringify(description) });
    const add = ["add", "--openapi", "api.json", "--operation", "tag:p", "--auth", "bearer", "--auth-secret", "PETS"];
    const { code, out } = await tools([...add, "--yes"]);
    expect(out).toContain("api.json is added");
    expect(out).toContain("TOOLHOST_SECRET_PETS");
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, FILE), "utf8"))).toEqual({
      openapi: [{ spec: "api.json", operations: ["tag:p"], auth: { type: "bearer", secret: "PETS" } }],
    });
    expect((await tools(["list"])).out).toMatch(/\(approved\)\n {2}list_pets {2}List\./);
    const none = await tools(["add", "--openapi", "api.json", "--operation", "petz", "--yes"]);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("matches no operation") as string });
  });
});

// util-linux's `script` gives a command a terminal; other systems have another `script`.
describe.skipIf(process.platform !== "linux")("toolhost tools add, on a terminal", () => {
  /** Types each answer at the next prompt that comes. */
  async function talk(
    folder: string,
    state: string,
    answers: readonly (string | (() => Promise<string>))[],
  ): Promise<{ shown: string; code: number | null }> {
    const at = onTerminal(`'${process.execPath}' '${cli.script}' tools add`, {
      cwd: folder,
      env: { ...process.env, TOOLHOST_AGENT: undefined, TOOLHOST_STATE: state, XDG_STATE_HOME: state },
    });
    let read = 0;
    for (const answer of answers) {
      await poll("a prompt", () => /(?:> |: )$/.test(at.shown().slice(read)));
      read = at.shown().length;
      at.type(`${typeof answer === "string" ? answer : await answer()}\n`);
    }
    return { code: await at.code, shown: at.shown() };
  }

  it("asks, goes back, tries the tool with the question that every call has, and writes it", async () => {
    const [folder, state] = [await tempFolder({ "t.sh": '#!/bin/sh\necho "got $*"\n' }), await tempFolder()];
    await chmod(join(folder, "t.sh"), 0o755);
    const { shown, code } = await talk(folder, state, [
      ...["1", "read", "greet", "Say hello.", "<", "Say hello to somebody.", "./t.sh --to {who} {loud?--loud}"],
      ...["", "Whom to greet.", "2", "", "Say it loudly.", ""],
      // Try it, without a value and then with one.
      ...["", "", "true", "y", "again", "Bob", "", "y", ""],
    ]);
    expect(shown).toContain("! Toolhost has a tool with this name");
    // What was refused is not suggested.
    expect(shown).not.toContain("Enter alone = read");
    expect(shown).toContain("Allow this? greet: ./t.sh --loud");
    expect(shown).toContain("  │ got --loud\n");
    expect(shown).toContain("  │ got --to Bob --loud\n");
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, FILE), "utf8"))).toEqual({
      tools: [
        {
          ...{ name: "greet", description: "Say hello to somebody.", command: "./t.sh" },
          args: [["--to", "{who}"], "{loud?--loud}"],
          parameters: {
            properties: {
              who: { type: "string", description: "Whom to greet." },
              loud: { type: "boolean", description: "Say it loudly." },
            },
          },
        },
      ],
    });
  });

  it("loses nothing that another wrote into the file meanwhile, and then approves nothing", async () => {
    const [folder, state] = [await tempFolder({ [FILE]: "{}" }), await tempFolder()];
    const other = '{"tools": [{"name": "other", "description": "d", "command": "true"}]}';
    const add = async (): Promise<string> => writeFile(join(folder, FILE), other).then(() => "add it");
    const { shown, code } = await talk(folder, state, ["1", "say_hi", "Say hi.", "echo hi", "", add]);
    expect(shown).toContain("You have not approved other parts of that file");
    expect(code).toBe(0);
    const { tools } = JSON.parse(await readFile(join(folder, FILE), "utf8")) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(["other", "say_hi"]);
  });

  it("adds nothing where a person leaves", async () => {
    const [folder, state] = [await tempFolder(), await tempFolder()];
    const { shown, code } = await talk(folder, state, ["1", "some_name", "\u0004"]);
    expect(shown).toContain("Nothing was added.");
    expect(code).toBe(130);
    await expect(readFile(join(folder, FILE), "utf8")).rejects.toThrow("ENOENT");
  });
});
