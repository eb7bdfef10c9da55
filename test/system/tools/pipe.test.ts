import * as z from "zod";
import { describe, expect, test } from "vitest";
import { defineTool } from "../../../src/core/defineTool.js";
import { ToolError } from "../../../src/core/errors.js";
import { failed, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

interface PipeData {
  path: string;
  bytes_written: number;
  preview: string;
  stored: string;
  undoable: boolean;
}

const common = {
  group: "fs",
  title: "Test",
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [],
  summary: () => "Testing",
} as const;

/** Gives as its data what it is given. */
const echo = defineTool({
  ...common,
  name: "echo",
  description: "Gives as its data what it is given.",
  input: () =>
    z.object({
      data: z.unknown().optional().describe("The data."),
      text: z.string().optional().describe("The text."),
    }),
  output: () => z.unknown(),
  execute: async ({ data, text = "said" }) => ({ text, ...(data === undefined ? {} : { data }) }),
});

/** Fails with a message. */
const fail = defineTool({
  ...common,
  name: "fail",
  description: "Fails with a message.",
  input: () => z.object({ message: z.string().describe("What it says.") }),
  output: () => z.unknown(),
  execute: async ({ message }) => {
    throw new ToolError("not_found", message, "Look elsewhere.");
  },
});

const finish = defineTool({
  ...common,
  name: "finish",
  description: "Ends the task.",
  terminal: true,
  input: () => z.object({}),
  output: () => z.unknown(),
  execute: async () => ({ text: "over" }),
});

const store = ".toolhost/context";

async function open(
  files: Record<string, string> = {},
): Promise<TestWorkspace & { stored: (path: string) => Promise<string> }> {
  const workspace = await openWorkspace(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`${store}/${path}`, content])),
    { moreTools: [echo, fail, finish] },
  );
  return { ...workspace, stored: async (path) => (await workspace.bytes(`${store}/${path}`)).toString() };
}

const turn = { session: "s1", turn: "t1" };

/** Takes the calls of the turn back. */
async function undo({ changes, files }: TestWorkspace): Promise<void> {
  await changes.undo(
    { session: "s1", turn: "t2", callId: "c2", door: "api", summary: "Undo" },
    turn,
    files,
    new AbortController().signal,
  );
}

describe("what comes in pages", () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ id: index, name: `order ${index}` }));

  test("of read is stored whole, as the text it is, and can be queried", async () => {
    const { put, call, stored } = await open();
    await put("data/orders.json", JSON.stringify(rows, undefined, 1));
    const { text, data } = result<PipeData>(
      await call("pipe", { tool_name: "read", tool_input: { path: "data/orders.json" }, path: "orders.json" }),
    );
    expect(await stored("orders.json")).toBe(JSON.stringify(rows, undefined, 1));
    expect(text).toContain("as orders.json (text).\nThis is the whole file.\n");
    expect(data.stored).toBe("text");
    expect(
      result(await call("query", { path: ".toolhost/context/orders.json", expression: "$count($)" })).text,
    ).toContain("5000");
  });

  test("of read is stored as was asked for, and says what it is", async () => {
    const { put, call } = await open();
    await put("a.txt", "line\n".repeat(10));
    const { text } = result(
      await call("pipe", { tool_name: "read", tool_input: { path: "a.txt", limit: 4 }, path: "a.json" }),
    );
    expect(text).toContain("This is one page, not all: the next one starts at offset=5.");
  });

  test("of read_result is stored whole", async () => {
    const { call, stored } = await open();
    const { data } = result<{ result_id: string }>(await call("exec", { command: "seq 1 30000" }));
    const { text } = result(
      await call("pipe", { tool_name: "read_result", tool_input: { id: data.result_id }, path: "numbers.txt" }),
    );
    expect(text).toContain(`This is all that was kept of ${data.result_id}.`);
    expect((await stored("numbers.txt")).trim().split("\n")).toHaveLength(30_000);
    expect(
      result(
        await call("pipe", {
          tool_name: "read_result",
          tool_input: { id: data.result_id, page: 2 },
          path: "page.json",
        }),
      ).text,
    ).toMatch(/This is page 2 of \d+, not all\./);
  });

  test("of grep is told to be a page", async () => {
    const { put, call } = await open();
    await put("a.txt", "needle\n".repeat(10));
    const { text } = result(
      await call("pipe", { tool_name: "grep", tool_input: { pattern: "needle", max_results: 3 }, path: "found.json" }),
    );
    expect(text).toContain("This is one page, not all: the next one starts at offset=3.");
  });

  test("of grep keeps more matches than fit into an answer", async () => {
    const { put, call } = await open();
    await put("a.txt", `needle ${"x".repeat(60)}\n`.repeat(900));
    const input = { pattern: "needle", max_results: 1_000 };
    const { text } = result(await call("pipe", { tool_name: "grep", tool_input: input, path: "found.json" }));
    expect(text).toContain("matches (array of 900)");
    expect(text).not.toContain("one page");
  });
});

describe("what is stored of a result:", () => {
  const cases: [name: string, input: { data?: unknown; text?: string }, stored: string, content: unknown][] = [
    [
      "a single field of text stays in its envelope",
      { data: { echoed: "hello pipe", is_error: false } },
      "envelope",
      { echoed: "hello pipe", is_error: false },
    ],
    ["a single array is unwrapped", { data: { rows: [1, 2], is_error: false } }, "payload", [1, 2]],
    ["a single object is unwrapped", { data: { row: { a: 1 }, next_action_hint: "go on" } }, "payload", { a: 1 }],
    ["a text that is an object is unwrapped", { data: { result: '{"a": 1}' } }, "payload", { a: 1 }],
    ["a text that is an array is unwrapped", { data: { result: "[1]", hint: "x" } }, "payload", [1]],
    ["a text that is a number stays", { data: { result: "12" } }, "envelope", { result: "12" }],
    ["a number stays", { data: { count: 12 } }, "envelope", { count: 12 }],
    ["several fields stay", { data: { rows: [], total: 0 } }, "envelope", { rows: [], total: 0 }],
    ["an array is stored as it is", { data: [{ a: 1 }] }, "envelope", [{ a: 1 }]],
    [
      "a field __proto__ is data like any other",
      { data: JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as unknown },
      "envelope",
      JSON.parse('{"__proto__": {"a": 1}, "b": 2}'),
    ],
  ];
  test.each(cases)("%s", async (_name, input, stored, content) => {
    const workspace = await open();
    const { data } = result<PipeData>(
      await workspace.call("pipe", { tool_name: "echo", tool_input: input, path: "out.json" }),
    );
    const written = await workspace.stored("out.json");
    expect(data).toMatchObject({ path: "out.json", bytes_written: Buffer.byteLength(written), stored, undoable: true });
    expect(JSON.parse(written)).toEqual(content);
  });

  test("a result without data is its text, to the byte", async () => {
    const workspace = await open();
    const text = "Zeile eins\r\nZeile zwei 😀\n";
    const { data } = result<PipeData>(
      await workspace.call("pipe", { tool_name: "echo", tool_input: { text }, path: "notes/said.txt" }),
    );
    expect(data).toMatchObject({ stored: "text", preview: text, bytes_written: Buffer.byteLength(text) });
    expect(await workspace.stored("notes/said.txt")).toBe(text);
  });

  test("a large number in a text keeps its digits", async () => {
    const workspace = await open();
    result(
      await workspace.call("pipe", {
        tool_name: "echo",
        tool_input: { data: { result: '{"id": 12345678901234567890}' } },
        path: "out.json",
      }),
    );
    expect(await workspace.stored("out.json")).toContain("12345678901234567890");
  });
});

test("the answer has the beginning and never the rest, and no half of a character", async () => {
  const { call } = await open();
  const text = `${"x".repeat(199)}😀${"SECRET".repeat(10_000)}`;
  const answer = result<PipeData>(await call("pipe", { tool_name: "echo", tool_input: { text }, path: "long.txt" }));
  expect(answer.data.preview).toBe("x".repeat(199));
  expect(answer.text).not.toContain("SECRET");
  expect(answer.text).toContain(String(Buffer.byteLength(text)));
});

describe("it is refused before anything runs:", () => {
  const cases: [name: string, input: Record<string, unknown>, type: string, message: string, hint: string][] = [
    ["no such tool", { tool_name: "ecko", tool_input: {} }, "unknown_tool", "ecko", "echo"],
    [
      "itself",
      { tool_name: "pipe", tool_input: { tool_name: "echo", tool_input: {}, path: "x" } },
      "forbidden_tool",
      "itself",
      "Name the tool",
    ],
    [
      "itself, by the name that models know",
      { tool_name: "toolhost_pipe", tool_input: {} },
      "forbidden_tool",
      "itself",
      "Name the tool",
    ],
    ["a tool that ends the task", { tool_name: "finish", tool_input: {} }, "forbidden_tool", "finish", "directly"],
    [
      "a field of a wrong type",
      { tool_name: "echo", tool_input: { text: 5 } },
      "invalid_input",
      "text",
      "Fields of echo",
    ],
    ["a field that is missing", { tool_name: "fail", tool_input: {} }, "invalid_input", "message", "Fields of fail"],
    [
      "an input that is no object",
      { tool_name: "echo", tool_input: "text" },
      "invalid_input",
      "tool_input",
      "Fields of pipe",
    ],
    [
      "a place that is taken",
      { tool_name: "fail", tool_input: { message: "ran" }, path: "old.json" },
      "path_conflict",
      "old.json",
      "on_conflict='overwrite'",
    ],
    [
      "a place that is a folder",
      { tool_name: "fail", tool_input: { message: "ran" }, path: "folder", on_conflict: "overwrite" },
      "is_directory",
      "folder",
      "context_tree",
    ],
    [
      "a path that leads out",
      { tool_name: "fail", tool_input: { message: "ran" }, path: "../x" },
      "invalid_input",
      "leaves a folder",
      "context store",
    ],
    [
      "an unknown tool and a place that is taken",
      { tool_name: "ecko", tool_input: {}, path: "old.json" },
      "unknown_tool",
      "ecko",
      "echo",
    ],
    [
      "a bad input and a place that is taken",
      { tool_name: "echo", tool_input: { text: 5 }, path: "old.json" },
      "invalid_input",
      "text",
      "Fields of echo",
    ],
  ];
  test.each(cases)("%s", async (_name, input, type, message, hint) => {
    const workspace = await open({ "old.json": "old", "folder/in.json": "1" });
    const error = failed(await workspace.call("pipe", { path: "new.json", ...input }));
    expect(error).toMatchObject({ type });
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("ran");
    expect(error.hint ?? "").toContain(hint);
    expect((await workspace.names(store)).sort()).toEqual(["folder", "old.json"]);
    expect(await workspace.stored("old.json")).toBe("old");
  });
});

test("on_conflict=overwrite replaces, and an undo brings the old text back", async () => {
  const workspace = await open({ "out.json": "old" });
  result(
    await workspace.call(
      "pipe",
      { tool_name: "echo", tool_input: { text: "new" }, logical_path: "out.json", on_conflict: "overwrite" },
      turn,
    ),
  );
  expect(await workspace.stored("out.json")).toBe("new");
  await undo(workspace);
  expect(await workspace.stored("out.json")).toBe("old");
});

describe("when the other tool fails nothing is stored, and its error is told:", () => {
  test("short, with its hint", async () => {
    const workspace = await open({ "old.json": "old" });
    const error = failed(
      await workspace.call("pipe", {
        tool_name: "fail",
        tool_input: { message: "the thing is gone" },
        path: "old.json",
        on_conflict: "overwrite",
      }),
    );
    expect(error).toEqual({
      type: "inner_tool_error",
      message: "fail failed (not_found), and nothing was stored: the thing is gone",
      hint: "Look elsewhere.",
    });
    expect(await workspace.stored("old.json")).toBe("old");
  });

  test("long, cut at 2,000 characters with the number of the rest", async () => {
    const { call, names } = await open();
    const error = failed(
      await call("pipe", { tool_name: "fail", tool_input: { message: "m".repeat(5_000) }, path: "new.json" }),
    );
    expect(error.message).toMatch(/[^m]m{2000}…\[truncated, 3000 more chars\]$/);
    expect(await names(".")).toEqual([]);
  });
});

test("the other tool is found by the name that language models know, too", async () => {
  const { call } = await open();
  expect(
    result<PipeData>(await call("pipe", { tool_name: "toolhost_echo", tool_input: { data: { rows: [1] } }, path: "a" }))
      .data.stored,
  ).toBe("payload");
});

test("what is stored can be queried and searched at once, and stays out of Git", async () => {
  const workspace = await open();
  await workspace.put("src/a.ts", "// TODO: one\n// zebra crossing\n// TODO: two\n");
  result(
    await workspace.call("pipe", { tool_name: "grep", tool_input: { pattern: "TODO|zebra" }, path: "found.json" }),
  );
  const lines = result<{ result: unknown }>(
    await workspace.call("query", { path: "found.json", expression: "matches[$contains(text, 'TODO')].line" }),
  );
  expect(lines.data.result).toEqual([1, 3]);
  expect(result(await workspace.call("context_search", { query: "zebra" })).text).toContain("found.json");
  expect(await workspace.stored(".gitignore")).toBe("*\n");
});

describe("a command's output", () => {
  test("is stored as it is, and how it ended is told", async () => {
    const workspace = await open();
    const { text, data } = result<PipeData>(
      await workspace.call("pipe", {
        tool_name: "exec",
        tool_input: { command: `printf '[{"n":1},{"n":2}]\\n'; exit 3` },
        path: "out.json",
      }),
    );
    expect(data).toMatchObject({ stored: "text", bytes_written: 18 });
    expect(text).toContain("Exit code 3");
    expect(
      result<{ result: unknown }>(await workspace.call("query", { path: "out.json", expression: "$sum(n)" })).data
        .result,
    ).toBe(3);
  });

  describe("of two streams", () => {
    const cases: { name: string; command: string; stored: string; says: string }[] = [
      {
        name: "is stored without a warning, which the answer has",
        command: `echo warn >&2; echo '[{"a":1}]'`,
        stored: '[{"a":1}]\n',
        says: "This is its standard output. To store both, add 2>&1. Its standard error:\nwarn\nIt starts:",
      },
      {
        name: "is both where the command joins them",
        command: "echo 1; { echo 2 >&2; } 2>&1",
        stored: "1\n2\n",
        says: "",
      },
      {
        name: "is standard error where there is nothing else",
        command: "echo 1 >&2; exit 2",
        stored: "1\n",
        says: "It wrote to standard error only: that is stored.",
      },
      {
        name: "does not bring a long standard error into the answer",
        command: "echo out; seq 1 3000 >&2",
        stored: "out\n",
        says: "characters omitted; all of it: read_result r",
      },
    ];
    test.each(cases)("$name", async ({ command, stored, says }) => {
      const workspace = await open();
      const { text } = result(
        await workspace.call("pipe", { tool_name: "exec", tool_input: { command }, path: "out.txt" }),
      );
      expect(await workspace.stored("out.txt")).toBe(stored);
      expect(text).toContain(says);
      expect(text.length).toBeLessThan(2_000);
    });

    test("can be queried although a warning came before it", async () => {
      const workspace = await open();
      const command = `echo warn >&2; echo '[{"a":1}]'`;
      result(await workspace.call("pipe", { tool_name: "exec", tool_input: { command }, path: "k.json" }));
      expect(
        result<{ result: unknown }>(await workspace.call("query", { path: "k.json", expression: "a" })).data.result,
      ).toBe(1);
    });
  });

  test("of a megabyte is whole, and can be undone", async () => {
    const workspace = await open();
    const { data } = result<PipeData>(
      await workspace.call("pipe", {
        tool_name: "exec",
        tool_input: { command: "seq 1 150000" },
        path: "numbers.jsonl",
      }),
    );
    expect(data).toMatchObject({ bytes_written: 938_895, undoable: true });
    expect(
      result<{ result: unknown }>(await workspace.call("query", { path: "numbers.jsonl", expression: "$sum($)" })).data
        .result,
    ).toBe((150_000 * 150_001) / 2);
  });

  test("that takes the place of another can bring the other back", async () => {
    const workspace = await open({ "log.txt": "what was there" });
    const input = { tool_name: "exec", tool_input: { command: "seq 1 2000000" }, path: "log.txt" };
    expect(failed(await workspace.call("pipe", input)).type).toBe("path_conflict");
    const { data } = result<PipeData>(await workspace.call("pipe", { ...input, on_conflict: "overwrite" }, turn));
    expect(data.undoable).toBe(false);
    expect((await workspace.stored("log.txt")).startsWith("1\n2\n3\n")).toBe(true);
    // An undo never goes over what somebody put there; once that is gone, what the call replaced comes back.
    await expect(undo(workspace)).rejects.toMatchObject({ type: "conflict" });
    await workspace.remove(`${store}/log.txt`);
    await undo(workspace);
    expect(await workspace.stored("log.txt")).toBe("what was there");
  });
});

describe("where the context store lies on no local disk", () => {
  const large = defineTool({
    ...common,
    name: "large",
    description: "Gives a text of so many characters.",
    input: () => z.object({ size: z.int().describe("Characters.") }),
    output: () => z.unknown(),
    execute: async ({ size }) => ({ text: "x".repeat(size) }),
  });
  const openVirtual = (): Promise<TestWorkspace> =>
    openWorkspace({ [`${store}/old.txt`]: "old" }, { host: "memory", moreTools: [large] });

  test("what the undo journal takes is stored", async () => {
    const { call, bytes } = await openVirtual();
    const { data } = result<PipeData>(
      await call("pipe", { tool_name: "large", tool_input: { size: 9_000_000 }, path: "new.txt" }),
    );
    expect(data).toMatchObject({ bytes_written: 9_000_000, undoable: true });
    expect((await bytes(`${store}/new.txt`)).length).toBe(9_000_000);
  });

  test("more is refused with the limit, and what stood there stays", async () => {
    const { call, bytes, names } = await openVirtual();
    const error = failed(
      await call("pipe", {
        tool_name: "large",
        tool_input: { size: 20_000_001 },
        path: "old.txt",
        on_conflict: "overwrite",
      }),
    );
    expect(error).toMatchObject({ type: "too_large" });
    expect(error.message).toMatch(
      /^old\.txt: the result has more than 20000000 characters, the limit where the context store is not on a local disk/,
    );
    expect((await bytes(`${store}/old.txt`)).toString()).toBe("old");
    expect((await names(store)).sort()).toEqual(["old.txt"]);
  });
});

describe("permission is the other tool's own:", () => {
  test("its command is asked about, as it will run, and a no stores nothing", async () => {
    const workspace = await open();
    const error = failed(
      await workspace.call(
        "pipe",
        { tool_name: "exec", tool_input: { command: "install -d made.txt" }, path: "out.txt" },
        { as: "model", answer: false, mode: "default" },
      ),
    );
    expect(error).toMatchObject({ type: "inner_tool_error" });
    expect(error.message).toContain("the user said no");
    expect(workspace.asked.map(({ tool, detail }) => [tool, detail.text])).toEqual([["exec", "install -d made.txt"]]);
    expect(await workspace.names(".")).toEqual([]);
  });

  test("a yes to it stores its result", async () => {
    const workspace = await open();
    result(
      await workspace.call(
        "pipe",
        { tool_name: "exec", tool_input: { command: "install -d made.txt" }, path: "out.txt" },
        { as: "model", answer: true, mode: "default" },
      ),
    );
    expect((await workspace.names(".")).sort()).toEqual([".toolhost", "made.txt"]);
  });

  test("a secret asks every time, although pipe itself does not", async () => {
    const workspace = await open();
    await workspace.put(".env", "KEY=1");
    const error = failed(
      await workspace.call(
        "pipe",
        { tool_name: "read", tool_input: { path: ".env" }, path: "out.txt" },
        { as: "model" },
      ),
    );
    expect(error.message).toContain("permission");
    expect(await workspace.names(".")).toEqual([".env"]);
  });

  test("nothing runs in plan mode", async () => {
    const workspace = await open();
    expect(
      failed(
        await workspace.call(
          "pipe",
          { tool_name: "echo", tool_input: { text: "x" }, path: "out.txt" },
          { as: "model", mode: "plan" },
        ),
      ).type,
    ).toBe("denied");
  });
});

test("a call that is cancelled ends the other tool, and stores nothing", async () => {
  const workspace = await open();
  const cancellation = new AbortController();
  const running = workspace.call(
    "pipe",
    { tool_name: "exec", tool_input: { command: "echo begun; sleep 600" }, path: "out.txt" },
    { signal: cancellation.signal },
  );
  setTimeout(() => cancellation.abort(), 500);
  await expect(running).rejects.toThrow("cancelled");
  expect(await workspace.names(".")).toEqual([]);
});
