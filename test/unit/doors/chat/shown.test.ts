import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../../src/agent/events.js";
import { linksIn } from "../../../../src/doors/chat/fileLinks.js";
import { namesIn } from "../../../../src/doors/chat/namedFiles.js";
import { planTools } from "../../../../src/doors/chat/planMode.js";
import { appended } from "../../../../src/doors/chat/remember.js";
import { chosenSession, lastExchanges, sessionRows } from "../../../../src/doors/chat/sessionList.js";
import { shownInChat } from "../../../../src/doors/chat/shownQuestion.js";
import type { PersonAnswer } from "../../../../src/ports/person.js";
import { ShownTurn } from "../../../../src/doors/chat/shownTurn.js";
import { leftWords, ownWords } from "../../../../src/agent/ownWords.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import type { SessionEntry, SessionSummary } from "../../../../src/ports/sessions.js";
import { tools } from "../../../../src/tools/index.js";

const EVIL = "*![x](https://example.com/a.png)* `$(trash)` <img src=x>";

function show(events: AgentEvent[]): { lines: string[]; shown: ShownTurn } {
  const lines: string[] = [];
  const shown = new ShownTurn(
    {
      said: (text) => lines.push(`said ${text}`),
      own: (text) => lines.push(`own ${text.trim()}`),
      progress: (text) => lines.push(`progress ${text}`),
    },
    "s",
    (tool) => tool !== "document_read",
    (call) => (call === "4" ? "p7" : undefined),
  );
  events.forEach((event) => shown.onEvent(event));
  return { lines, shown };
}

describe("a turn as it is shown", () => {
  test("names each subagent and what it does, and leaves its words to the agent that asked", () => {
    const { lines } = show([
      {
        type: "call",
        session: "s",
        id: "1",
        tool: "sessions_spawn",
        input: { prompt: "Find the\ntests" },
        summary: "Running a subagent: Find the tests",
      },
      { type: "call", session: "s", id: "2", tool: "sessions_spawn", input: { prompt: "x".repeat(100) }, summary: "" },
      { type: "text", session: "child", text: "not for the user" },
      { type: "notice", session: "child", kind: "retry", message: "not for the user either" },
      { type: "progress", session: "s", id: "1", message: "Reading a" },
      { type: "progress", session: "s", id: "2", message: "Thinking" },
      { type: "text", session: "s", text: "Done." },
    ]);
    expect(lines).toEqual([
      "progress Subagent “Find the tests”\\: Reading a",
      `progress Subagent “${"x".repeat(39)}…”\\: Thinking`,
      "said Done.",
    ]);
  });

  test("keeps what subagents answered, by their tasks, for the links at the turn's end", () => {
    const spawn = (id: string, prompt: string): AgentEvent => ({
      ...{ type: "call", session: "s", id, tool: "sessions_spawn" },
      ...{ input: { prompt }, summary: "" },
    });
    const end = (id: string, ok: boolean, text: string): AgentEvent => ({
      ...{ type: "result", session: "s", id, tool: "sessions_spawn", ok, text },
    });
    const { shown } = show([
      ...[spawn("1", "Find it"), spawn("2", "Fail"), end("2", false, "Error")],
      ...[end("1", true, "Subagent completed task. Result:\nIn a.ts.\nLine 3.")],
      { type: "result", session: "s", id: "3", tool: "read", ok: true, text: "a" },
    ]);
    expect(shown.subagents).toEqual([{ task: "Subagent “Find it”", text: "In a.ts.\nLine 3." }]);
    const many = Array.from({ length: 30 }, (_, at) => [spawn(`${at}`, "x"), end(`${at}`, true, "y")]).flat();
    expect(show(many).shown.subagents).toHaveLength(20);
  });

  test("tells what calls do that VS Code does not show, and no others", () => {
    const { lines } = show([
      { type: "call", session: "s", id: "1", tool: "read", input: {}, summary: "Reading a" },
      { type: "progress", session: "s", id: "1", message: "half" },
      { type: "call", session: "s", id: "2", tool: "document_read", input: {}, summary: "Reading the document" },
      { type: "progress", session: "s", id: "2", message: "page 3" },
    ]);
    expect(lines).toEqual(["progress Reading the document", "progress Reading the document\\: page 3"]);
  });

  test("marks each call that did not do its work, whoever shows it, and no other", () => {
    const call = (id: string, tool: string, summary: string): AgentEvent => ({
      type: "call",
      session: "s",
      id,
      tool,
      input: {},
      summary,
    });
    const { lines } = show([
      call("1", "exec", "Run rm *"),
      call("2", "read", "Read a"),
      call("3", "document_read", "Read the document"),
      call("4", "exec", "Run exit 3"),
      { type: "result", session: "s", id: "1", tool: "exec", ok: false, text: "Error", failed: "not run: you said no" },
      { type: "result", session: "s", id: "2", tool: "read", ok: true, text: "a" },
      { type: "result", session: "s", id: "3", tool: "document_read", ok: false, text: "Error" },
      { type: "result", session: "s", id: "4", tool: "exec", ok: true, text: "[Exit code 3]", failed: "exit 3" },
      { type: "result", session: "child", id: "4", tool: "exec", ok: false, text: "Error", failed: "of a subagent" },
    ]);
    expect(lines).toEqual([
      "progress Read the document",
      "own $(error) Run rm \\* — **not run\\: you said no**",
      "own $(error) Read the document — **failed**",
      // The only one that ran.
      'own $(error) Run exit 3 — **exit 3** · [Show Terminal](command:toolhost.showTerminal?%5B%22p7%22%5D "Show Terminal")',
    ]);
  });

  const refusal = (id: string, failed: string): AgentEvent[] => [
    { type: "call", session: "s", id, tool: "exec", input: {}, summary: `Run ${id}` },
    { type: "result", session: "s", id, tool: "exec", ok: false, text: "Error", failed },
  ];

  test("does not repeat a no that the chat tells where it was given", () => {
    const lines: string[] = [];
    const shown = new ShownTurn(
      { said: () => undefined, own: (text) => lines.push(text.trim()), progress: () => undefined },
      "s",
      () => true,
      () => undefined,
    );
    shown.noteRefused("Run 1");
    [...refusal("1", "not run: you said no"), ...refusal("2", "not run: you said no")].forEach((event) =>
      shown.onEvent(event),
    );
    expect(lines).toEqual(["$(error) Run 2 — **not run\\: you said no**"]);
    // Only once: the same question may be answered in a dialog later.
    refusal("1", "not run: you said no").forEach((event) => shown.onEvent(event));
    expect(lines).toHaveLength(2);
  });

  test("counts failures for the end only if a later step folds a mark away", () => {
    expect(show(refusal("1", "exit 1")).shown.hiddenFailures).toBe(0);
    expect(show([...refusal("1", "exit 1"), ...refusal("2", "exit 1")]).shown.hiddenFailures).toBe(2);
    const { shown } = show([
      ...refusal("1", "exit 1"),
      { type: "call", session: "s", id: "2", tool: "read", input: {}, summary: "Read a" },
    ]);
    expect(shown.hiddenFailures).toBe(1);
  });

  test("keeps what Restricted Mode refused for one line at the end, each once", () => {
    const { lines, shown } = show(["1", "2", "1"].flatMap((id) => refusal(id, "not run: Restricted Mode")));
    expect(lines).toEqual([]);
    expect([...shown.restricted]).toEqual(["Run 1", "Run 2"]);
    expect(shown.hiddenFailures).toBe(0);
  });

  test("shows the list of steps when it has other steps, and how far it is otherwise", () => {
    const todos = (...statuses: ("pending" | "in_progress" | "completed")[]): AgentEvent => ({
      ...{ type: "todos", session: "s" },
      todos: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })),
    });
    const { lines } = show([
      todos("in_progress", "pending"),
      todos("completed", "in_progress"),
      todos("completed", "completed"),
      todos("completed", "completed", "pending"),
      todos(),
      { ...todos("pending"), session: "child" },
    ]);
    expect(lines).toEqual([
      "own - $(arrow-right) Step 1\n- $(circle-large-outline) Step 2",
      "own $(checklist) 1 of 2 steps done\\: Step 2",
      "own $(checklist) 2 of 2 steps done",
      "own - $(pass) Step 1\n- $(pass) Step 2\n- $(circle-large-outline) Step 3",
    ]);
  });

  test("shows a question with its choices, and its answer", async () => {
    const shown: string[] = [];
    const answers: PersonAnswer[] = [{ chosen: ["A"], words: "*but* fast" }, { chosen: [], words: "" }, "unanswered"];
    const person = shownInChat(
      { answer: () => Promise.resolve(answers.shift() ?? "nobody") },
      { own: (text) => shown.push(text.trim()), progress: () => undefined },
    );
    const { signal } = new AbortController();
    const choices = [{ label: "A" }, { label: EVIL, description: EVIL }];
    await person.answer({ question: `Which?\n\n# ${EVIL}`, choices, several: false }, signal);
    await person.answer({ question: "Which?", choices: [], several: false }, signal);
    await person.answer({ question: "Which?", choices: [], several: false }, signal);
    expect(shown[0]).toMatch(/^\$\(question\) Which\\\?\\\n\\# .*\n\n- \*\*A\*\*\n- \*\*.*\*\*: /s);
    expect(shown[0]?.replaceAll(/\\[!-/:-@[-`{-~]/g, "")).not.toMatch(/[![\]`<#]|\$\(trash/);
    // VS Code makes an icon of it despite the escapes.
    expect(shown[0]).not.toContain("\\$\\(");
    expect(shown.slice(1)).toEqual([
      "$(reply) A\\; \\*but\\* fast",
      ...["$(question) Which\\?", "$(reply) *None of these.*"],
      ...["$(question) Which\\?", "$(reply) *No answer.*"],
    ]);
  });

  test("lets no name or message break the Markdown", () => {
    const { lines } = show([
      { type: "notice", session: "s", kind: "message", message: `${EVIL}\n# heading` },
      { type: "call", session: "s", id: "2", tool: "document_read", input: {}, summary: EVIL },
    ]);
    expect(lines.filter((line) => line.startsWith("own ")).join()).not.toContain("\\$\\(");
    expect(lines.join("\n").replaceAll(/\\[!-/:-@[-`{-~]/g, "")).not.toMatch(/[![\]()`<$#]|^\*\*/m);
  });

  test("remembers what commands changed that is not recorded, those of subagents too, and the answer", () => {
    const result = { type: "result", tool: "exec", ok: true, text: "" } as const;
    const { shown } = show([
      { ...result, session: "child", id: "1", data: { changed: { unknown: "too slow" } } },
      { ...result, session: "s", id: "2", data: { changed: { not_undone: ["big (too large)"] } } },
      { type: "text", session: "s", text: "in `a.ts`" },
    ]);
    expect(shown.unrecorded.phrases).toEqual(["what a command changed (too slow)", "big (too large)"]);
    expect(shown.answer).toBe("in `a.ts`");
  });
});

test.each([
  { answer: "See `src/a.ts:3` and src/b.ts.", names: ["src/a.ts:3", "src/b.ts"] },
  { answer: "`README.md`, `./x/y.ts:1-4`, (z/w.py:10:2)", names: ["README.md", "x/y.ts:1", "z/w.py:10"] },
  { answer: "No file: either/or, https://example.com/a.ts, `npm test`, e.g. this, 1.5", names: ["either/or"] },
  { answer: "```ts\nimport a from './c.ts';\n```\nIn `d.ts`.", names: ["d.ts"] },
  { answer: "~~~\nopen/fence.ts", names: [] },
  { answer: "`with blanks/in it.md`", names: ["with blanks/in it.md"] },
  { answer: "src/a.ts:3 and src/a.ts:3", names: ["src/a.ts:3"] },
  { answer: "", names: [] },
])("files that an answer may name: $answer", ({ answer, names }) => {
  expect(namesIn(answer).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))).toEqual(names);
});

test("only what is there becomes a link, each file once, and nothing that is linked elsewhere", async () => {
  const disk = new MemoryDisk();
  disk.makeFolder("/ws");
  ["src/a.ts", "c.ts"].forEach((path) => disk.write(`/ws/${path}`, ""));
  const files = new MemoryFiles(disk, [{ name: "ws", path: "/ws", scheme: "memory" }]);
  const host = {
    files,
    addressOf: (path: string) =>
      Promise.resolve({
        toString: () => `file:///${encodeURI(path)}`,
        with: ({ fragment }: { fragment?: string }) => ({ toString: () => `file:///${path}#${fragment ?? ""}` }),
      } as never),
  };
  const links = await linksIn(host, "`src/a.ts`, `src/a.ts:3`, src/missing.ts, `c.ts`, `src`, `../../etc/passwd.txt`", [
    "c.ts",
  ]);
  expect(links).toEqual(["[src\\/a\\.ts\\:3](file:///src/a.ts#L3)"]);
});

test("a search for names in a hostile answer ends", () => {
  for (const answer of [
    "`".repeat(100_000),
    "```".repeat(30_000),
    "a/".repeat(50_000),
    "~~~\n".repeat(25_000),
    ":1".repeat(50_000),
  ]) {
    expect(namesIn(answer).length).toBeLessThanOrEqual(40);
  }
});

test("a plan has the tools that look, commands and subagents, and none that changes files", () => {
  const names = planTools(tools).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["read", "grep", "exec", "sessions_spawn"]));
  for (const name of ["edit", "write", "apply_patch", "memory_write", "context_write", "process", "run_task", "pipe"]) {
    expect(names).not.toContain(name);
  }
});

test.each([
  { page: undefined, text: "# Memory\n\n- note\n", line: 3 },
  { page: " \n", text: "# Memory\n\n- note\n", line: 3 },
  { page: "# Mine\n\n- a", text: "# Mine\n\n- a\n- note\n", line: 4 },
  { page: "# Mine\r\n- a\r\n", text: "# Mine\r\n- a\r\n- note\r\n", line: 3 },
])("a note goes to the end of %j", ({ page, text, line }) => {
  expect(appended(page, "- note")).toMatchObject({ text, line });
});

describe("a list of sessions", () => {
  const session = (more: Partial<SessionSummary>): SessionSummary => ({
    ...{
      id: "0123",
      title: "Fix it",
      kind: "chat",
      state: "idle",
      parent: undefined,
      model: "m",
      created: 0,
      updated: 0,
      messages: 1,
      cost: undefined,
    },
    ...{ tokens: { input: 0, output: 0, estimated: false } },
    ...more,
  });

  test("tells state, age, messages, tokens and cost", () => {
    const now = 5 * 60_000;
    expect(
      sessionRows(
        [
          session({}),
          session({
            state: "interrupted",
            messages: 12,
            tokens: { input: 12_000, output: 345, estimated: true },
            cost: 0.256,
          }),
        ],
        "0123",
        now,
      ),
    ).toBe(
      [
        '1. [Fix it](command:toolhost.openSession?%5B%220123%22%5D "Continue this session") — this chat, 5 minutes ago, 1 message',
        '2. [Fix it](command:toolhost.openSession?%5B%220123%22%5D "Continue this session") — this chat, interrupted, 5 minutes ago, 12 messages, about 12,345 tokens, cost 0.26',
      ].join("\n"),
    );
  });

  test("a title is no Markdown and no other command", () => {
    const row = sessionRows([session({ title: `](command:evil) ${EVIL}\n2. two` })], "", 0);
    expect(row.split("\n")).toHaveLength(1);
    expect(row.replaceAll(/\\[!-/:-@[-`{-~]/g, "").match(/\]\(/g)).toHaveLength(1);
  });

  test.each([
    { words: "2", chosen: { id: "b" } },
    { words: " #1. ", chosen: { id: "a" } },
    { words: "9", chosen: { problem: "The list has 2 sessions." } },
    { words: "abcdef12", chosen: { id: "abcdef12" } },
    {
      words: "the one about tests",
      chosen: { problem: "Write `/sessions` for a list, or `/sessions <number or id>` to continue one." },
    },
  ])("chosen by $words", ({ words, chosen }) => {
    expect(chosenSession(words, ["a", "b"])).toEqual(chosen);
  });

  test("a number without a list", () => {
    expect(chosenSession("1", [])).toHaveProperty("problem");
  });

  test("its last exchanges are what was said, cut and escaped", () => {
    const entry = (role: "user" | "assistant", text: string, more: Partial<SessionEntry> = {}): SessionEntry => ({
      seq: 1,
      turn: "t",
      at: 0,
      message: { role, content: [{ type: "text", text }] },
      ...more,
    });
    const call: SessionEntry = {
      seq: 1,
      turn: "t",
      at: 0,
      message: { role: "user", content: [{ type: "result", id: "1", text: "a file" }] },
    };
    const shown = lastExchanges([
      entry("user", "old"),
      ...Array.from({ length: 3 }, () => [entry("user", EVIL), call, entry("assistant", "y".repeat(5_000))]).flat(),
      entry("user", "sum", { isSummary: true }),
    ]);
    expect(shown.match(/\*\*(You|Toolhost):\*\*/g)).toHaveLength(6);
    expect(shown).not.toContain("old");
    expect(shown).not.toContain("a file");
    expect(shown).not.toContain("sum");
    expect(shown).not.toContain("![x](");
    expect(shown.length).toBeLessThan(3_000);
  });

  test("what other agents and Toolhost said is not shown as the user's", () => {
    const said = ["Hello.", leftWords({ content: "Delete all.", from: "session evil" }), ownWords("Answer now.")];
    const entries = said.map((text): SessionEntry => ({
      seq: 1,
      turn: "t",
      at: 0,
      message: { role: "user", content: [{ type: "text", text }] },
    }));
    expect(lastExchanges(entries)).toBe("**You:** Hello\\.");
  });
});
