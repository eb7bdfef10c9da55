import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../src/core/defineTool.js";
import type { Tool } from "../../../src/core/contract.js";
import type { Outcome } from "../../../src/core/outcome.js";
import { withParts } from "../../../src/core/toolParts.js";
import { cliSettings } from "../../../src/compose/cli/settings.js";
import type { AgentRequest } from "../../../src/doors/cli/agent.js";
import { hasCommand } from "../../../src/doors/cli/absentTools.js";
import { commandWords } from "../../../src/doors/cli/commandWords.js";
import { tools as shipped } from "../../../src/tools/index.js";
import type { CliHost, CliTarget } from "../../../src/doors/cli/host.js";
import { runCli } from "../../../src/doors/cli/program.js";

const common = {
  title: "Test",
  output: () => z.object({}),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  summary: () => "Testing",
  execute: async () => ({ text: "" }),
} as const;

const tools: Tool[] = [
  defineTool({
    ...common,
    name: "context_read",
    group: "context",
    description: "Read a note. More of it.",
    input: () =>
      z.object({
        path: z.string().describe("Note."),
        offset: z.int().min(0).optional().describe("Lines."),
        limit: z.int().optional().describe("Lines."),
      }),
    positional: ["path"],
  }),
  defineTool({
    ...common,
    name: "context_search",
    group: "context",
    description: "Search notes.",
    input: () =>
      z.object({
        query: z.string().describe("Text."),
        is_exact: z.boolean().optional().describe("A switch."),
      }),
    positional: ["query"],
  }),
  defineTool({
    ...common,
    name: "context_write",
    group: "context",
    description: "Write a note.",
    input: () =>
      z.object({
        path: z.string().describe("Note."),
        content: z.string().describe("Text."),
        tags: z.array(z.string()).optional().describe("Words."),
      }),
    positional: ["path"],
    texts: ["content", "tags"],
  }),
  defineTool({
    ...common,
    name: "task_list",
    group: "documents",
    description: "List tasks.",
    input: () =>
      z.object({
        query: z.string().optional().describe("Text."),
        is_done: z.boolean().default(true).describe("A switch."),
      }),
    positional: ["query"],
  }),
  defineTool({
    ...common,
    name: "shape",
    group: "runtime",
    description: "Take all shapes.",
    input: () =>
      z.object({
        count: z.number().optional().describe("A number."),
        is_on: z.boolean().optional().describe("A switch."),
        mode: z.enum(["fast", "slow"]).optional().describe("A choice."),
        names: z.array(z.string()).optional().describe("Words."),
        sizes: z.array(z.int()).optional().describe("Numbers."),
        edits: z
          .array(z.object({ line: z.int(), text: z.string() }))
          .optional()
          .describe("Records."),
        env: z.record(z.string(), z.string()).optional().describe("A map."),
        camelCase: z.string().optional().describe("Another house's spelling."),
        text: z.string().optional().describe("Text."),
      }),
    positional: ["count", "is_on"],
  }),
];

/** Named by somebody who did not think of this command line. */
const foreign: Tool[] = [
  defineTool({
    ...common,
    name: "clash",
    group: "runtime",
    description: "Clash.",
    input: () =>
      z.object(
        Object.fromEntries(
          ["json", "help", "no_color", "a_b", "aB", "a b", "-x", "__proto", "ok", "version", "workspace"].map(
            (field) => [field, z.string().optional().describe("A field.")],
          ),
        ),
      ),
    positional: ["json"],
  }),
  ...["run", "help", "describe"].map((name) =>
    defineTool({ ...common, name, group: "runtime", description: "Clash.", input: () => z.object({}) }),
  ),
];

interface Ran {
  code: number;
  calls: { target: CliTarget; tool: string; input: unknown }[];
  out: string[];
  err: string[];
  agent?: AgentRequest;
}

async function run(
  words: string[],
  outcome: Outcome = { ok: true, text: "done" },
  given: readonly Tool[] = tools,
  stdin: Pick<CliHost, "isPiped" | "readText"> = { isPiped: () => false, readText: async () => "" },
): Promise<Ran> {
  const ran: Ran = { code: 0, calls: [], out: [], err: [] };
  ran.code = await runCli(
    {
      version: "9.9.9",
      self: { command: "node", script: "/cli.js" },
      tools: given,
      invoke: async (target, tool, input) => {
        ran.calls.push({ target: { ...target }, tool, input });
        return outcome;
      },
      manifest: async () => outcome,
      connect: { run: async () => 0, entryText: async () => "" },
      explainer: async () => ({
        problems: [],
        explain: async (tool) => ({ ok: false, error: { type: "unknown_tool", message: tool } }),
      }),
      customTools: async (target, request) => {
        ran.calls.push({ target: { ...target }, tool: "tools", input: request });
        return 0;
      },
      undo: async (target, request) => {
        ran.calls.push({ target: { ...target }, tool: "undo", input: request });
        return outcome;
      },
      approvedTools: async () => [],
      agent: {
        tools: given,
        ownTools: async () => [],
        run: async (_target, request) => {
          ran.agent = request;
          return 0;
        },
      },
      mcp: async () => 0,
      mcpServers: async () => 0,
      work: () => Promise.resolve(0),
      ...stdin,
      readStdin: async () => '{"from":"stdin"}',
      readFile: async (path) => JSON.stringify({ from: path }),
      out: (text) => ran.out.push(text),
      err: (text) => ran.err.push(text),
    },
    words,
  );
  return ran;
}

describe("words become the input", () => {
  const cases: { words: string; tool?: string; input: unknown }[] = [
    { words: "context read notes/x --offset 10", tool: "context_read", input: { path: "notes/x", offset: 10 } },
    { words: "context search needle", tool: "context_search", input: { query: "needle" } },
    { words: "task list", tool: "task_list", input: {} },
    { words: "task_list login", tool: "task_list", input: { query: "login" } },
    { words: "shape", input: {} },
    { words: "shape 1.5 true", input: { count: 1.5, is_on: true } },
    { words: "shape -- -2 false", input: { count: -2, is_on: false } },
    { words: "shape --count -2", input: { count: -2 } },
    { words: "shape --count=1e3 --is-on", input: { count: 1000, is_on: true } },
    { words: "shape --mode fast", input: { mode: "fast" } },
    { words: "shape --names a --names b", input: { names: ["a", "b"] } },
    { words: "shape --names 1", input: { names: ["1"] } },
    { words: "shape --sizes 1 --sizes 2", input: { sizes: [1, 2] } },
    { words: 'shape --edits [{"line":1,"text":"x"}]', input: { edits: [{ line: 1, text: "x" }] } },
    { words: 'shape --env {"A":"b"}', input: { env: { A: "b" } } },
    { words: "shape --camelCase x", input: { camelCase: "x" } },
    { words: "shape --text 12", input: { text: "12" } },
    { words: "shape --text true", input: { text: "true" } },
    { words: "shape --text --json", input: { text: "--json" } },
    { words: "shape --text=", input: { text: "" } },
    // A switch is on, off, or given a value.
    { words: "shape --no-is-on", input: { is_on: false } },
    { words: "shape --is-on false", input: { is_on: false } },
    { words: "shape --is-on true --text x", input: { is_on: true, text: "x" } },
    { words: "shape --is-on=false", input: { is_on: false } },
    { words: "shape --is-on=true", input: { is_on: true } },
    { words: "shape --is-on 1.5", input: { is_on: true, count: 1.5 } },
    { words: "shape 1.5 -- true", input: { count: 1.5, is_on: true } },
    { words: "shape --text --is-on", input: { text: "--is-on" } },
    { words: "shape --names --is-on --is-on false", input: { names: ["--is-on"], is_on: false } },
    { words: "shape --text=--is-on --is-on=false", input: { text: "--is-on", is_on: false } },
    { words: "task list --is-done false", tool: "task_list", input: { is_done: false } },
    { words: "task list false", tool: "task_list", input: { query: "false" } },
    { words: "task list --is-done -- false", tool: "task_list", input: { query: "false", is_done: true } },
    {
      words: "context search false --is-exact false",
      tool: "context_search",
      input: { query: "false", is_exact: false },
    },
    {
      words: "context search --is-exact=true false",
      tool: "context_search",
      input: { query: "false", is_exact: true },
    },
    { words: "context search --no-is-exact false", tool: "context_search", input: { query: "false", is_exact: false } },
    {
      words: "context search --query x --is-exact false",
      tool: "context_search",
      input: { query: "x", is_exact: false },
    },
    { words: "run shape --json=false", input: {} },
    { words: "shape --json false", input: {} },
    { words: "run shape --input {}", input: {} },
    { words: "run shape", input: {} },
    { words: "run context_read --input -", tool: "context_read", input: { from: "stdin" } },
    { words: "run context_read --input @a/b.json", tool: "context_read", input: { from: "a/b.json" } },
    { words: "run nosuch --input [1]", tool: "nosuch", input: [1] },
  ];
  test.each(cases)("$words", async ({ words, tool = "shape", input }) => {
    const ran = await run(words.split(" "));
    expect(ran).toEqual({ code: 0, calls: [{ target: {}, tool, input }], out: ["done"], err: [] });
  });

  test("the target stands before the command", async () => {
    const { calls } = await run(["--workspace", "w", "--root", "a", "--root", "b", "context", "read", "x"]);
    expect(calls[0]?.target).toEqual({ workspace: "w", root: ["a", "b"] });
  });

  test("so does the time limit of tools", async () => {
    expect((await run(["--tool-timeout", "2.5", "shape"])).calls[0]?.target).toEqual({ toolTimeout: 2.5 });
    expect(cliSettings({ toolTimeout: 2.5 }).defaultTimeout).toBe(2_500);
    expect(cliSettings({}).defaultTimeout).toBe(30_000);
    for (const wrong of ["0", "0.5", "x", "", "Infinity", "1e9"]) {
      const { code, calls, err } = await run(["--tool-timeout", wrong, "shape"]);
      expect([code, calls]).toEqual([2, []]);
      expect(err).toEqual([`toolhost: --tool-timeout ${wrong}: expected seconds, from 1 to 86400.`]);
    }
  });
});

describe("every switch", () => {
  const switches = withParts<Tool>(shipped)
    .filter(hasCommand)
    .flatMap((tool) =>
      Object.entries(tool.inputSchema.properties).flatMap(([field, { type }]) =>
        type === "boolean" ? [{ tool, field, flag: `--${field.replaceAll("_", "-")}` }] : [],
      ),
    );

  test.each(switches)("of $tool.name: $flag", async ({ tool, field, flag }) => {
    const { parent, verb } = commandWords(tool);
    const words = [
      ...(parent === undefined ? [verb] : [parent, verb]),
      ...tool.positional.filter((name) => tool.inputSchema.required?.includes(name)).map(() => "x"),
    ];
    const given = [{ ...tool, parse: (input: Record<string, unknown>) => ({ ok: true, input }) as const }];
    for (const [more, value] of [
      [[flag], true],
      [[flag, "true"], true],
      [[flag, "false"], false],
      [[`${flag}=false`], false],
      [[`--no-${flag.slice(2)}`], false],
    ] as const) {
      const ran = await run([...words, ...more], undefined, given);
      expect(ran).toMatchObject({ code: 0, calls: [{ tool: tool.name, input: { [field]: value } }], err: [] });
    }
    expect((await run([...words, "--help"], undefined, given)).out.join("\n")).toContain(`  --[no-]${flag.slice(2)} `);
  });

  test("of the other commands is off where it is said to be", async () => {
    for (const words of ["Look --allow-all false", "--allow-all=false Look"]) {
      expect((await run(["agent", ...words.split(" ")])).agent).toMatchObject({
        allowAll: false,
        content: [{ type: "text", text: "Look" }],
      });
    }
    expect((await run(["agent", "--allow-all", "Look"])).agent).toMatchObject({ allowAll: true });
    expect((await run(["undo", "--list=false"])).calls).toMatchObject([{ input: { kind: "last" } }]);
  });
});

describe("texts from standard input", () => {
  const stdin = (words: string, text: string, isPiped = true): Promise<Ran> =>
    run(words.split(" "), undefined, undefined, { isPiped: () => isPiped, readText: async () => text });

  test.each<{ words: string; text?: string; input: object }>([
    { words: "context write a.md --content -", input: { path: "a.md", content: "one\ntwo\n" } },
    { words: "context write a.md", input: { path: "a.md", content: "one\ntwo\n" } },
    { words: "context write --content=- a.md", input: { path: "a.md", content: "one\ntwo\n" } },
    { words: "context write a.md --content -", text: "", input: { path: "a.md", content: "" } },
    { words: "context write a.md --content x", input: { path: "a.md", content: "x" } },
    { words: "context write a.md --content @x", input: { path: "a.md", content: "@x" } },
    {
      words: "context write a.md --content x --tags -",
      text: '["y"]',
      input: { path: "a.md", content: "x", tags: ["y"] },
    },
  ])("$words", async ({ words, text = "one\ntwo\n", input }) => {
    expect(await stdin(words, text)).toMatchObject({ code: 0, calls: [{ tool: "context_write", input }], err: [] });
  });

  test("a dash is a dash in a field that holds no whole text", async () => {
    expect((await stdin("context search -", "x")).calls).toMatchObject([{ input: { query: "-" } }]);
    expect((await stdin("context write - --content x", "y")).calls).toMatchObject([{ input: { path: "-" } }]);
  });

  test.each([
    { what: "where nothing is piped", text: "x", isPiped: false },
    { what: "where the pipe is empty", text: "", isPiped: true },
  ])("nothing is taken $what", async ({ text, isPiped }) => {
    const { code, calls, err } = await stdin("context write a.md", text, isPiped);
    expect([code, calls]).toEqual([2, []]);
    expect(err.join("\n")).toContain("content: required (string), got nothing.");
  });

  test("one text at most comes from there", async () => {
    const { code, calls, err } = await stdin("context write a.md --content - --tags -", "x");
    expect([code, calls]).toEqual([2, []]);
    expect(err).toEqual(["toolhost: content and tags cannot both come from standard input."]);
  });

  test("what cannot be read is wrong usage", async () => {
    const { code, calls, err } = await run("context write a.md --content -".split(" "), undefined, undefined, {
      isPiped: () => true,
      readText: () => Promise.reject(new Error("it is not UTF-8 text")),
    });
    expect([code, calls]).toEqual([2, []]);
    expect(err).toEqual(["toolhost: content cannot be read from standard input: it is not UTF-8 text"]);
  });

  test("the help says which", async () => {
    const { out } = await run(["context", "write", "--help"]);
    expect(out.join("\n")).toContain(
      "\nFrom standard input, with - as the value: content (also if it is not given), tags.\n",
    );
    expect((await run(["context", "search", "--help"])).out.join("\n")).not.toContain("standard input");
  });
});

describe("names that are the command line's own", () => {
  const runForeign = (words: string[]): Promise<Ran> => run(words, { ok: true, text: "done" }, [...tools, ...foreign]);

  test.each([
    {
      words: ["clash", "--ok", "x", "--a-b", "y", "--version", "v", "--workspace", "w"],
      input: { ok: "x", a_b: "y", version: "v", workspace: "w" },
    },
    { words: ["clash", "as an argument"], input: { json: "as an argument" } },
    {
      words: ["run", "clash", "--input", '{"json":"x","help":"y","no_color":"z"}'],
      input: { json: "x", help: "y", no_color: "z" },
    },
  ])("$words", async ({ words, input }) => {
    expect(await runForeign(words)).toMatchObject({ code: 0, calls: [{ tool: "clash", input }], out: ["done"] });
  });

  test("--json and --help stay what they are for every tool", async () => {
    expect(JSON.parse((await runForeign(["clash", "--json"])).out.join())).toEqual({ ok: true, text: "done" });
    const { code, calls, out } = await runForeign(["clash", "--help"]);
    expect([code, calls]).toEqual([0, []]);
    expect(out.join("\n")).toContain(
      "\nFields without a flag: json, help, no_color, aB, a b, -x, __proto. Give the whole input with: toolhost run clash --input '<json>'",
    );
  });

  test("what has no flag is no flag", async () => {
    for (const flag of ["--no-color", "--aB", "-x"]) {
      expect(await runForeign(["clash", flag, "x"])).toMatchObject({ code: 2, calls: [] });
    }
  });

  test("tools named as commands are run by run, and help says so", async () => {
    expect((await runForeign(["--help"])).out.join("\n")).toContain(
      "\nTools with the name of a command above: run, help, describe. Run one with: toolhost run <tool> --input '<json>'",
    );
    expect((await runForeign(["run", "describe"])).calls).toEqual([{ target: {}, tool: "describe", input: {} }]);
    expect(JSON.parse((await runForeign(["describe"])).out.join())).toMatchObject({ schemaVersion: "v1" });
  });

  test("where nothing clashes nothing is said", async () => {
    expect((await run(["--help"])).out.join("\n")).not.toContain("Tools with the name");
    expect((await run(["shape", "--help"])).out.join("\n")).not.toContain("Fields without a flag");
  });
});

describe("wrong usage exits with 2 and runs nothing", () => {
  test.each([
    ["context", /^Usage: toolhost context/],
    ["context raed x", /unknown command 'raed'/],
    ["bash ls", /^error: unknown command 'bash'\nNo tool here does that\.$/],
    ["web_fetch x", /^error: unknown command 'web_fetch'\nNo tool here reaches the web\.$/],
    ["context_read x", /unknown command 'context_read'/],
    ["context read", /context_read: path: required \(string\), got nothing/],
    ["context read x --offset ten", /offset: expected .*got string "ten"/],
    ["context read x --offset 1.5", /offset: expected integer, got number 1\.5/],
    ["context read x --offset -1", /offset: must be at least 0, got -1/],
    ["context read x --offset Infinity", /offset: expected .*got string "Infinity"/],
    ["context read x --path y", /path is given twice/],
    ["context read x y", /too many arguments/],
    ["shape --mode quick", /mode: must be one of fast, slow; got string "quick"/],
    ["shape --count", /argument missing/],
    ["shape --edits nonsense", /edits: expected array, got string "nonsense"/],
    ["shape --sizes 1 --sizes x", /sizes\[1\]: expected .*got string "x"/],
    ["shape 1 maybe", /is_on: expected boolean, got string "maybe"/],
    ["shape --is-on=maybe", /error: --is-on=maybe: expected true or false/],
    ["shape --is-on=", /error: --is-on=: expected true or false/],
    ["shape --no-is-on=false", /unknown option '--no-is-on=false'/],
    ["shape --no-count", /unknown option '--no-count'/],
    [
      "context search --is-exact false",
      /error: --is-exact false: this can be the flag's value or query\. Write --is-exact=false, or query before the flag/,
    ],
    ["context search --is-exact false src", /Write --is-exact=false, or query before the flag/],
    ["agent --plan true story", /Write --plan=true, or prompt before the flag/],
    ["run --json false", /Write --json=false, or tool before the flag/],
    ["run", /missing required argument 'tool'/],
    ["run shape --input {", /--input is not JSON/],
    ["describe --format xml", /Allowed choices are anthropic, openai, mcp/],
  ])("%s", async (words, said) => {
    const { code, calls, err } = await run(words.split(" "));
    expect([code, calls]).toEqual([2, []]);
    expect(err.join("\n")).toMatch(said);
  });
});

describe("what is printed", () => {
  test("what was repaired in --input comes first", async () => {
    const words = ["run", "shape", "--input", '{"text":"a\nb"}}'];
    const note =
      "[The input was not quite JSON: line endings and tabs in strings were not escaped; a closing } too many was ignored.]";
    expect(await run(words)).toMatchObject({ code: 0, calls: [{ input: { text: "a\nb" } }], out: [`${note}\ndone`] });
    expect(JSON.parse((await run([...words, "--json"])).out.join())).toEqual({ ok: true, text: `${note}\ndone` });
  });

  test("an error of the tool goes to standard error, with exit code 1", async () => {
    const error = { type: "not_found", message: "x: gone.", hint: "Look." } as const;
    expect(await run(["context", "read", "x"], { ok: false, error })).toMatchObject({
      code: 1,
      out: [],
      err: ["Error (not_found): x: gone.\nHint: Look."],
    });
    expect(await run(["context", "read", "x", "--json"], { ok: false, error })).toMatchObject({
      code: 1,
      out: [JSON.stringify({ ok: false, error })],
      err: [],
    });
  });

  test("wrong usage of a field as JSON, too", async () => {
    const { code, out, err } = await run(["context", "read", "--json"]);
    expect([code, err]).toEqual([2, []]);
    expect(JSON.parse(out.join())).toMatchObject({ ok: false, error: { type: "invalid_input" } });
  });

  test("an empty text prints nothing", async () => {
    expect((await run(["shape"], { ok: true, text: "" })).out).toEqual([]);
  });

  test("a group's help lists its verbs in a sentence each", async () => {
    const { code, out } = await run(["context", "--help"]);
    expect(code).toBe(0);
    expect(out.join("\n")).toMatch(
      /read \[options\] \[path\] +Read a note\.\n +search \[options\] \[query\] +Search notes\.\n/,
    );
  });

  test.each<{ words: string[]; request: unknown }>([
    { words: ["undo"], request: { kind: "last" } },
    { words: ["undo", "--last", "--json"], request: { kind: "last" } },
    { words: ["undo", "--id", "12"], request: { kind: "call", id: 12 } },
    { words: ["undo", "--list"], request: { kind: "list" } },
  ])("$words", async ({ words, request }) => {
    expect(await run(["--workspace", "w", ...words])).toMatchObject({
      code: 0,
      calls: [{ target: { workspace: "w" }, tool: "undo", input: request }],
    });
  });

  test.each([
    { words: ["undo", "--id", "x"], err: "toolhost: --id x is not a call's number. See: toolhost undo --list" },
    { words: ["undo", "--id=-1"], err: "toolhost: --id -1 is not a call's number. See: toolhost undo --list" },
    { words: ["undo", "--last", "--id", "3"], err: "error: option '--last' cannot be used with option '--id <n>'" },
    { words: ["undo", "--id", "3", "--list"], err: "error: option '--id <n>' cannot be used with option '--list'" },
    { words: ["undo", "3"], err: "error: too many arguments for 'undo'. Expected 0 arguments but got 1." },
  ])("$words is wrong usage", async ({ words, err }) => {
    expect(await run(words)).toMatchObject({ code: 2, calls: [], err: [err] });
  });

  test.each([
    [
      ["help", "shape"],
      ["shape", "--help"],
    ],
    [
      ["context", "help", "read"],
      ["context", "read", "--help"],
    ],
  ])("%j shows the same as %j", async (asked, flag) => {
    const { code, out } = await run(asked);
    expect(code).toBe(0);
    expect(out).toEqual((await run(flag)).out);
    expect(out.join("\n")).toContain("Arguments:");
  });

  test("the help of every command tells the exit codes", async () => {
    for (const words of [["--help"], ["shape", "--help"], ["context", "read", "--help"], ["run", "--help"]]) {
      expect((await run(words)).out.join("\n")).toContain(
        "Exit code 0: done, 1: the tool failed, 2: the command line is wrong. exec exits with its command's own code",
      );
    }
  });

  const ended = { status: "exited", exit_code: null, signal: null, duration_ms: 5, omitted: 0, left_running: false };
  test.each([
    { data: { ...ended, exit_code: 0 }, code: 0 },
    { data: { ...ended, exit_code: 3 }, code: 3 },
    { data: { ...ended, exit_code: 255 }, code: 255 },
    { data: { ...ended, status: "signaled", signal: "SIGSEGV" }, code: 139 },
    { data: { ...ended, status: "signaled", signal: "SIGKILL" }, code: 137 },
    { data: { ...ended, status: "timeout", signal: "SIGTERM" }, code: 124 },
    { data: { ...ended, status: "timeout", exit_code: 0 }, code: 124 },
    { data: { ...ended, status: "cancelled", exit_code: 0 }, code: 130 },
    { data: { ...ended, status: "unobserved" }, code: 1 },
    { data: { exit_code: 3 }, code: 0 },
    { data: undefined, code: 0 },
  ])(
    "a command's own exit code is that of the command line: $data.status, $data.exit_code, $data.signal: $code",
    async ({ data, code }) => {
      for (const words of [["shape"], ["shape", "--json"], ["run", "shape"]]) {
        expect((await run(words, { ok: true, text: "told", data })).code).toBe(code);
      }
    },
  );

  test("an undo that fails", async () => {
    const { code, err } = await run(["undo"], {
      ok: false,
      error: { type: "conflict", message: "a.ts: no.", hint: "Look." },
    });
    expect([code, err]).toEqual([1, ["Error (conflict): a.ts: no.\nHint: Look."]]);
  });

  test("a workspace that cannot be opened is wrong usage", async () => {
    const code = await runCli(
      {
        version: "",
        self: { command: "node", script: "/cli.js" },
        tools,
        invoke: () => Promise.reject(new Error("w: there is no such folder.")),
        explainer: async () => ({
          problems: [],
          explain: async (tool) => ({ ok: false, error: { type: "unknown_tool", message: tool } }),
        }),
        undo: async () => ({ ok: true, text: "" }),
        approvedTools: async () => [],
        agent: { tools, ownTools: async () => [], run: async () => 0 },
        work: async () => 0,
        customTools: async () => 0,
        mcp: async () => 0,
        manifest: async () => ({ ok: true, text: "" }),
        connect: { run: async () => 0, entryText: async () => "" },
        mcpServers: async () => 0,
        isPiped: () => false,
        readStdin: async () => "",
        readText: async () => "",
        readFile: async () => "",
        out: () => undefined,
        err: (text) => expect(text).toBe("toolhost: w: there is no such folder."),
      },
      ["--workspace", "w", "shape"],
    );
    expect(code).toBe(2);
  });
});
