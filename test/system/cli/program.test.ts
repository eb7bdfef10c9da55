import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../src/core/defineTool.js";
import type { Tool } from "../../../src/core/contract.js";
import type { Outcome } from "../../../src/core/outcome.js";
import { runCli, type CliTarget } from "../../../src/doors/cli/program.js";

const common = {
  title: "Test",
  output: z.object({}),
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
    input: z.object({
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
    input: z.object({ query: z.string().describe("Text.") }),
    positional: ["query"],
  }),
  defineTool({
    ...common,
    name: "task_list",
    group: "documents",
    description: "List tasks.",
    input: z.object({ query: z.string().optional().describe("Text.") }),
    positional: ["query"],
  }),
  defineTool({
    ...common,
    name: "shape",
    group: "runtime",
    description: "Take all shapes.",
    input: z.object({
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
    input: z.object(
      Object.fromEntries(
        ["json", "help", "no_color", "a_b", "aB", "a b", "-x", "__proto", "ok", "version", "workspace"].map((field) => [
          field,
          z.string().optional().describe("A field."),
        ]),
      ),
    ),
    positional: ["json"],
  }),
  ...["run", "help", "describe"].map((name) =>
    defineTool({ ...common, name, group: "runtime", description: "Clash.", input: z.object({}) }),
  ),
];

interface Ran {
  code: number;
  calls: { target: CliTarget; tool: string; input: unknown }[];
  out: string[];
  err: string[];
}

async function run(
  words: string[],
  outcome: Outcome = { ok: true, text: "done" },
  given: readonly Tool[] = tools,
): Promise<Ran> {
  const ran: Ran = { code: 0, calls: [], out: [], err: [] };
  ran.code = await runCli(
    {
      version: "9.9.9",
      tools: given,
      invoke: async (target, tool, input) => {
        ran.calls.push({ target: { ...target }, tool, input });
        return outcome;
      },
      explainer: () => ({
        problems: [],
        explain: async (tool) => ({ ok: false, error: { type: "unknown_tool", message: tool } }),
      }),
      undo: async (target, request) => {
        ran.calls.push({ target: { ...target }, tool: "undo", input: request });
        return outcome;
      },
      agent: { tools: given, run: async () => 0 },
      work: () => Promise.resolve(0),
      isPiped: () => false,
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
    ["shape --is-on=false", /unknown option '--is-on=false'/],
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
        tools,
        invoke: () => Promise.reject(new Error("w: there is no such folder.")),
        explainer: () => ({
          problems: [],
          explain: async (tool) => ({ ok: false, error: { type: "unknown_tool", message: tool } }),
        }),
        undo: async () => ({ ok: true, text: "" }),
        agent: { tools, run: async () => 0 },
        work: async () => 0,
        isPiped: () => false,
        readStdin: async () => "",
        readFile: async () => "",
        out: () => undefined,
        err: (text) => expect(text).toBe("toolhost: w: there is no such folder."),
      },
      ["--workspace", "w", "shape"],
    );
    expect(code).toBe(2);
  });
});
