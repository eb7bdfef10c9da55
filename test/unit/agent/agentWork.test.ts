import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Agents } from "../../../src/agent/agents.js";
import { directCaller, onlyReads } from "../../../src/agent/directCaller.js";
import type { AgentEvent } from "../../../src/agent/events.js";
import { mainAgentTools } from "../../../src/agent/toolSets.js";
import type { AgentCall, AskedCall, CallResult, TurnResult } from "../../../src/agent/turn.js";
import type { SpawnRequest } from "../../../src/ports/sessions.js";
import { tools } from "../../../src/tools/index.js";
import { openWorkspace, type TestWorkspace } from "../tools/workspace.js";
import { call, lines, ScriptedModel, sessionLog, text, type Script } from "./rig.js";

interface Work {
  workspace: TestWorkspace;
  run: (
    scripts: readonly Script[],
    more?: {
      planOnly?: boolean;
      signal?: AbortSignal;
      child?: readonly Script[];
      onEvent?: (event: AgentEvent) => void;
    },
  ) => Promise<{ result: TurnResult; told: string[] }>;
}

/** An agent with the real tools on a real folder. */
async function work(): Promise<Work> {
  const workspace = await openWorkspace({ "a.txt": "one\n", "b.txt": "alpha\n" });
  const log = sessionLog();
  const agents = new Agents({
    ...{
      log: () => Promise.resolve(log),
      files: workspace.files,
      results: undefined,
      tools: () => mainAgentTools(workspace.pipeline.available()),
    },
    models: {
      list: () => Promise.resolve({ models: [], problems: [] }),
      find: () => Promise.reject(new Error("none")),
    },
    ...{
      callTool: directCaller({ pipeline: workspace.pipeline, door: "api" }),
      onlyReads: (made: AskedCall) => onlyReads(workspace.pipeline, "api", made),
      isTrusted: () => true,
      hasMemory: () => true,
      now: Date.now,
    },
  });
  return {
    workspace,
    run: async (
      scripts,
      { planOnly = false, signal = new AbortController().signal, child = [], onEvent = () => undefined } = {},
    ) => {
      const direct = directCaller({ pipeline: workspace.pipeline, door: "api", planOnly });
      const callTool = async (made: AgentCall): Promise<CallResult> => {
        if (made.tool !== "sessions_spawn") {
          return direct(made);
        }
        await made.ready;
        const { text: answer } = await agents.spawn({ tools: "inherit", ...made.input } as SpawnRequest, {
          session: made.session,
          callId: made.id,
          signal: made.signal,
          report: (message) => made.report(message),
        });
        return { ok: true, text: answer };
      };
      const [own, theirs] = [new ScriptedModel(scripts), new ScriptedModel(child)];
      const model = Object.assign(new ScriptedModel([]), {
        send: (request: Parameters<ScriptedModel["send"]>[0], sending: AbortSignal) =>
          (lines(request.messages)[0]?.includes("subagent") ? theirs : own).send(request, sending),
      });
      const result = await agents.run({
        session: "s",
        kind: "agent",
        content: [{ type: "text", text: "Do it." }],
        model,
        tools: mainAgentTools(tools),
        callTool,
        signal,
        onEvent,
      });
      return { result, told: lines(result.messages).filter((line) => line.startsWith("user: ←")) };
    },
  };
}

const done: Script = [text("Done.")];
test("a call is shown by what it does, also where its fields have another system's names", async () => {
  const { run } = await work();
  const shown: string[] = [];
  const calls = [
    call("1", "read", { file_path: "a.txt" }),
    call("2", "sessions_spawn", { task: "Count the files" }),
    call("3", "read", { nothing: "a.txt" }),
  ];
  await run([calls, done], {
    child: [done],
    onEvent: (event) => void (event.type === "call" && shown.push(event.summary)),
  });
  expect(shown).toContain("Read a.txt");
  expect(shown).toContain("Call read");
  expect(shown.some((line) => line.includes("Count the files"))).toBe(true);
  expect(shown).not.toContain("Call sessions_spawn");
});

const edit = (id: string, path: string, from: string, to: string) =>
  call(id, "edit", { path, old_text: from, new_text: to });

describe("an agent with real tools", () => {
  test("reads, edits and proves, and its turn is undone in one step", async () => {
    const { workspace, run } = await work();
    const { result, told } = await run([
      [call("1", "read", { path: "a.txt" }), call("2", "read", { path: "b.txt" })],
      [
        edit("3", "a.txt", "one", "two"),
        edit("4", "b.txt", "alpha", "beta"),
        call("5", "exec", { command: "cat a.txt b.txt" }),
      ],
      done,
    ]);
    expect(result.reason).toBe("answered");
    expect(told.at(-1)).toContain("two\nbeta");
    const undone = await workspace.changes.undo(
      { session: "s", turn: "undo", callId: "u", door: "api", summary: "Undo" },
      { session: "s", turn: result.turn },
      workspace.files,
      new AbortController().signal,
    );
    expect(undone.files.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt"]);
    expect([(await workspace.bytes("a.txt")).toString(), (await workspace.bytes("b.txt")).toString()]).toEqual([
      "one\n",
      "alpha\n",
    ]);
  });

  test("has to have read what it overwrites", async () => {
    const { workspace, run } = await work();
    const { told } = await run([[call("1", "write", { path: "a.txt", content: "two\n" })], done]);
    expect(told[0]).toContain("Error (must_read)");
    expect((await workspace.bytes("a.txt")).toString()).toBe("one\n");
  });

  test("inserts behind a line, as Anthropic's editor does", async () => {
    const { workspace, run } = await work();
    const { told } = await run([
      [call("1", "read", { path: "a.txt" })],
      [call("2", "edit", { command: "insert", path: "a.txt", insert_line: 1, insert_text: "two" })],
      done,
    ]);
    expect(told[1]).toContain("Applied the patch to 1 file");
    expect((await workspace.bytes("a.txt")).toString()).toBe("one\ntwo\n");
  });

  test("applies a patch that is typed as a command, as Codex's models do", async () => {
    const { workspace, run } = await work();
    const patch = ["*** Begin Patch", "*** Update File: a.txt", "@@", "-one", "+two", "*** End Patch"].join("\n");
    const { told } = await run([
      [call("1", "read", { path: "a.txt" })],
      [call("2", "exec", { command: `apply_patch <<'EOF'\n${patch}\nEOF` })],
      done,
    ]);
    expect(told[1]).toContain("Applied the patch to 1 file");
    expect((await workspace.bytes("a.txt")).toString()).toBe("two\n");
  });

  test("that plans may only look, whatever the user's mode", async () => {
    const { workspace, run } = await work();
    const { told } = await run(
      [
        [call("1", "read", { path: "a.txt" })],
        [
          edit("2", "a.txt", "one", "two"),
          call("3", "exec", { command: "touch x" }),
          call("4", "exec", { command: "cat b.txt" }),
        ],
        done,
      ],
      { planOnly: true },
    );
    expect(told.slice(1).map((line) => /Error \((\w+)\)/.exec(line)?.[1] ?? "ok")).toEqual(["denied", "denied", "ok"]);
    expect((await workspace.names()).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test.each<{ what: string; tool: string; input: object }>([
    {
      what: "a command through pipe",
      tool: "pipe",
      input: { tool_name: "exec", tool_input: { command: "touch x" }, path: "out.txt" },
    },
    {
      what: "an edit through pipe",
      tool: "pipe",
      input: { tool_name: "edit", tool_input: { path: "a.txt", old_text: "one", new_text: "two" }, path: "out.txt" },
    },
    {
      what: "what pipe itself stores",
      tool: "pipe",
      input: { tool_name: "read", tool_input: { path: "a.txt" }, path: "out.txt" },
    },
    { what: "a command in the background", tool: "exec", input: { command: "sleep 0 && touch x", background: true } },
    { what: "a command that writes by its output", tool: "exec", input: { command: "cat a.txt > x" } },
    { what: "a command inside one that reads", tool: "exec", input: { command: "cat $(touch x; echo a.txt)" } },
    { what: "a note", tool: "memory_write", input: { key: "x", content: "y" } },
    {
      what: "a skill",
      tool: "document",
      input: { action: "write", kind: "skill", name: "x", description: "y", content: "z" },
    },
    {
      what: "a skill, by the name of a part",
      tool: "skill_write",
      input: { name: "x", description: "y", content: "z" },
    },
  ])("that plans changes nothing through $what", async ({ tool, input }) => {
    const { workspace, run } = await work();
    const { told } = await run([[call("1", "read", { path: "a.txt" })], [call("2", tool, input)], done], {
      planOnly: true,
    });
    expect(told[1]).toMatch(/Error \(denied\)/);
    expect((await workspace.names()).sort()).toEqual(["a.txt", "b.txt"]);
    expect((await workspace.bytes("a.txt")).toString()).toBe("one\n");
  });

  test("is told no where nobody can be asked, and goes on", async () => {
    const { run, workspace } = await work();
    const { result, told } = await run([[call("1", "exec", { command: "install /dev/null x" })], done]);
    expect(result.reason).toBe("answered");
    expect(told[0]).toContain("needs the user's permission, and no one can be asked here");
    expect(await workspace.names()).not.toContain("x");
  });

  test("runs commands that only read side by side, and gives their results in the order of the calls", async () => {
    const { workspace, run } = await work();
    const names = ["p1", "p2", "p3"];
    for (const name of names) {
      await workspace.makePipe(name);
    }
    const done = run([names.map((name) => call(name, "exec", { command: `cat ${name}` })), [text("ok")]]);
    // A pipe opens only once its reader has: all three commands have started, and none has ended.
    const pipes = await Promise.all(names.map((name) => open(join(workspace.folder, name), "w")));
    for (const [index, pipe] of [...pipes.entries()].reverse()) {
      await pipe.writeFile(`text of p${index + 1}\n`);
      await pipe.close();
    }
    const results = (await done).told.filter((line) => line.includes("←"));
    expect(results.map((line) => /text of (p\d)/.exec(line)?.[1])).toEqual(names);
  });

  test("stops a command at once with its turn", async () => {
    const controller = new AbortController();
    const { result } = await (
      await work()
    ).run([[call("1", "exec", { command: "tail -f a.txt", timeout: 600 })], done], {
      signal: controller.signal,
      onEvent: ({ type }) => type === "call" && setTimeout(() => controller.abort(new Error("stop")), 50),
    });
    expect(result.reason).toBe("cancelled");
  });
});

describe("a subagent with its parent's tools", () => {
  test("has to read for itself, and what it changes is undone with its parent's turn", async () => {
    const { workspace, run } = await work();
    const { result, told } = await run(
      [[call("1", "read", { path: "a.txt" })], [call("2", "sessions_spawn", { prompt: "change a" })], done],
      {
        child: [
          [edit("1", "a.txt", "one", "two")],
          [call("2", "read", { path: "a.txt" })],
          [edit("3", "a.txt", "one", "two")],
          [text("Changed.")],
        ],
      },
    );
    expect(told.at(-1)).toBe("user: ← Changed.");
    expect((await workspace.bytes("a.txt")).toString()).toBe("two\n");
    await workspace.changes.undo(
      { session: "s", turn: "undo", callId: "u", door: "api", summary: "Undo" },
      { session: "s", turn: result.turn },
      workspace.files,
      new AbortController().signal,
    );
    expect((await workspace.bytes("a.txt")).toString()).toBe("one\n");
  });

  test("plans when its parent plans", async () => {
    const { workspace, run } = await work();
    await run([[call("1", "sessions_spawn", { prompt: "change a" })], done], {
      planOnly: true,
      child: [[call("1", "read", { path: "a.txt" })], [edit("2", "a.txt", "one", "two")], [text("Changed?")]],
    });
    expect((await workspace.bytes("a.txt")).toString()).toBe("one\n");
  });

  test("is stopped in the middle of its command", async () => {
    const controller = new AbortController();
    const { result } = await (
      await work()
    ).run([[call("1", "sessions_spawn", { prompt: "wait" })], done], {
      signal: controller.signal,
      child: [[new Promise(() => undefined)]],
      onEvent: (event) => event.type === "request" && event.session !== "s" && controller.abort(new Error("stop")),
    });
    expect(result.reason).toBe("cancelled");
  });
});
