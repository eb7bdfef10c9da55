import { describe, expect, test } from "vitest";
import { tellUnread, type UnreadTask } from "../../../src/agent/work/taskBoard.js";
import { TaskWorker, type RunningTask, type TaskRun } from "../../../src/agent/work/taskWorker.js";
import { taskClaim } from "../../../src/features/documents/takeTask.js";
import { ToolError } from "../../../src/core/errors.js";
import { ModelError } from "../../../src/features/models/modelError.js";
import type { WorkHost } from "../../../src/agent/work/workHost.js";
import { call, text, type Script } from "../../unit/agent/rig.js";
import { workRig, type Answers, type WorkRig } from "../../unit/work/rig.js";

const task = (title: string, fields = "", body = "Do it."): string => `---\ntitle: ${title}\n${fields}---\n${body}\n`;
const one = { ".toolhost/tasks/a.md": task("A", "priority: high\n"), "file.txt": "one\n" };

async function run(
  rig: WorkRig,
  options: Partial<Parameters<TaskWorker["runNext"]>[0]> = {},
): Promise<TaskRun | undefined> {
  return new TaskWorker(rig.host(1)).runNext({ signal: new AbortController().signal, ...options });
}

/** Answers in this order, whatever is asked. */
function inOrder(...scripts: Script[]): Answers {
  let next = 0;
  return () => scripts[Math.min(next++, scripts.length - 1)] ?? [];
}

describe("a task", () => {
  test.each<[string, object, string, string]>([
    ["complete_task", { summary: "All green: 12 tests." }, "complete", "Task completed: All green: 12 tests."],
    ["fail_task", { reason: "No compiler." }, "failed", "Task failed: No compiler."],
    ["wait_task", { reason: "Which branch?" }, "waiting", "Task waiting: Which branch?"],
  ])("that ends with %s is moved on by it", async (tool, input, status, said) => {
    const rig = await workRig(one, inOrder([call("1", "read", { path: "file.txt" })], [call("2", tool, input)]));
    const result = await run(rig);
    expect(result).toMatchObject({ name: "a", status, reason: "terminal", note: Object.values(input)[0] as string });
    const { fields, body } = await rig.task("a");
    expect(fields).toMatchObject({
      status,
      session: result?.session,
      [status === "waiting" ? "waiting_reason" : "output"]: Object.values(input)[0] as string,
    });
    expect(body).toBe("Do it.");
    expect(rig.events.find((event) => event.type === "result" && event.tool === tool)).toMatchObject({
      ok: true,
      text: said,
    });
    expect(rig.state.claims.standing(taskClaim("a"))).toBe("free");
    expect((await rig.log.status(result?.session ?? "")).kind).toBe("task");
    // Its model was told the task, and offered the tools that end one.
    expect(JSON.stringify(rig.requests[0]?.messages)).toContain("Task a: A");
    expect(rig.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["read", "exec", "find_tool", "complete_task", "fail_task", "wait_task"]),
    );
  });

  test("whose model has a question for the user waits for the answer, as with wait_task", async () => {
    const question = { questions: [{ question: "Which branch?", options: [{ label: "main" }, { label: "next" }] }] };
    for (const tool of ["ask_user", "AskUserQuestion"]) {
      const rig = await workRig(one, inOrder([call("1", tool, question)]));
      const note = "Which branch?\n- main\n- next";
      expect(await run(rig)).toMatchObject({ status: "waiting", reason: "terminal", note });
      expect((await rig.task("a")).fields.waiting_reason).toBe(note);
      expect(rig.requests[0]?.tools.map(({ name }) => name)).not.toContain("ask_user");
    }
  });

  test("whose model answers without such a call is asked for it once, and is complete with a note when it does not come", async () => {
    const rig = await workRig(one, inOrder([text("It is done.")]));
    expect(await run(rig)).toMatchObject({ status: "complete", reason: "answered" });
    expect((await rig.task("a")).fields.output).toBe(
      "Agent completed without explicit status tool call. Its last answer:\nIt is done.",
    );
    expect(rig.requests).toHaveLength(2);
    expect(rig.requests[1]?.tools.map(({ name }) => name)).toEqual(["complete_task", "fail_task", "wait_task"]);
    const asked = await workRig(
      one,
      inOrder([text("It is done.")], [call("1", "fail_task", { reason: "It was not." })]),
    );
    expect(await run(asked)).toMatchObject({ status: "failed", note: "It was not." });
  });

  test("runs out of requests, or turns in circles: failed with the reason", async () => {
    let count = 0;
    const endless = await workRig(one, (_said, request) =>
      request.withoutCalls === true
        ? [text("So far nothing.")]
        : [call(`${++count}`, "read", { path: "file.txt", offset: count })],
    );
    expect(await run(endless)).toMatchObject({
      status: "failed",
      reason: "limit",
      note: "Max turns exceeded. Its last answer:\nSo far nothing.",
    });
    const circling = await workRig(one, (_said, request) =>
      request.withoutCalls === true ? [text("I give up.")] : [call(`${++count}`, "read", { path: "file.txt" })],
    );
    expect(await run(circling)).toMatchObject({ status: "failed", reason: "repeated" });
    expect((await circling.task("a")).fields).toMatchObject({ status: "failed" });
  });

  test("that is stopped is pending again, and goes on in its session", async () => {
    const stop = new AbortController();
    const rig = await workRig(one, (said) => {
      if (said.length === 1) {
        stop.abort();
      }
      return [call("9", "complete_task", { summary: "Done at last." })];
    });
    const stopped = await run(rig, { signal: stop.signal });
    expect(stopped).toMatchObject({ status: "released", reason: "cancelled" });
    expect((await rig.task("a")).fields).toMatchObject({ status: "pending", session: stopped?.session });
    expect((await rig.task("a")).fields.claimed_by).toBeUndefined();
    expect(await run(rig)).toMatchObject({ status: "complete", session: stopped?.session });
  });

  /** A model that fails in the middle of each run. */
  function failingInTheMiddle(): () => Script {
    let requests = 0;
    return () =>
      requests++ % 2 === 0
        ? [call(`c${requests}`, "read", { path: "file.txt" })]
        : [new ModelError("The server is down.")];
  }

  test("whose model fails is pending again, left alone for a while, and failed after three tries", async () => {
    const failing = failingInTheMiddle();
    const rig = await workRig({ ...one, ".toolhost/tasks/b.md": task("B") }, (said) =>
      said[0]?.includes("Task a") === true ? failing() : [call("1", "complete_task", { summary: "b" })],
    );
    const worker = new TaskWorker(rig.host(1));
    const next = (): Promise<TaskRun | undefined> =>
      worker.runNext({ signal: new AbortController().signal, isPatient: true });
    expect(await next()).toMatchObject({
      name: "a",
      status: "released",
      note: "The server is down. It is pending again.",
    });
    expect(await next()).toMatchObject({ name: "b", status: "complete" });
    expect(await next()).toBeUndefined();
    rig.clock.now += 6 * 60_000;
    expect(await next()).toMatchObject({ name: "a", status: "released" });
    rig.clock.now += 6 * 60_000;
    expect(await next()).toMatchObject({ name: "a", status: "failed", note: "The server is down. (3 tries)" });
  });

  test("whose model fails in one process after the other is failed after three tries", async () => {
    const rig = await workRig(one, failingInTheMiddle());
    const runs = [await run(rig), await run(rig), await run(rig)];
    expect(runs.map((each) => each?.status)).toEqual(["released", "released", "failed"]);
    expect(runs[2]?.note).toBe("The server is down. (3 tries)");
    expect((await rig.task("a")).fields.tries).toBeUndefined();
    expect(await run(rig)).toBeUndefined();
  });

  test("that no model could begin is not failed for it", async () => {
    const rig = await workRig(one, () => [new ModelError("The server is down.")]);
    await die(rig, 11);
    for (let runs = 1; runs <= 4; runs++) {
      expect(await run(rig)).toMatchObject({ status: "released", note: "The server is down. It is pending again." });
      expect((await rig.task("a")).fields.tries).toBe(1);
    }
  });

  test("that is longer than its model takes is failed after three tries, and keeps no other waiting for ever", async () => {
    const rig = await workRig(one, () => [new ModelError("Too long.", { tooLong: true })]);
    const runs = [await run(rig), await run(rig), await run(rig)];
    expect(runs.map((each) => each?.status)).toEqual(["released", "released", "failed"]);
    expect(runs[2]?.note).toBe("Too long. (3 tries)");
  });

  /** A worker begins the task in a process of its own, which ends in the middle. */
  async function die(rig: WorkRig, process: number): Promise<RunningTask> {
    rig.alive.add(process);
    const dying = new TaskWorker(rig.host(process, { agents: { run: () => new Promise(() => undefined) } }));
    const begun = await new Promise<RunningTask>(
      (resolve) => void dying.runNext({ signal: new AbortController().signal, onBegin: resolve }),
    );
    rig.alive.delete(process);
    return begun;
  }

  test("whose worker dies each time is begun three times, then failed with these words, and no model is asked", async () => {
    const rig = await workRig(one, inOrder([call("1", "complete_task", { summary: "x" })]));
    const begun = [await die(rig, 11), await die(rig, 12), await die(rig, 13)];
    expect(begun.map(({ from }) => from)).toEqual(["pending", "abandoned", "abandoned"]);
    const last = await run(rig, { onBegin: () => expect.unreachable("it was begun again") });
    expect(last).toMatchObject({ name: "a", title: "A", from: "spent", status: "failed", session: begun[2]?.session });
    expect(last?.note).toMatch(/^It was started 3 times in a row and never finished; the last time its worker died/);
    expect((await rig.task("a")).fields).toMatchObject({ status: "failed", output: last?.note });
    expect((await rig.task("a")).fields.tries).toBeUndefined();
    expect([rig.requests, rig.state.claims.standing(taskClaim("a"))]).toEqual([[], "free"]);
    expect(await run(rig)).toBeUndefined();
  });

  test("whose worker died twice and that completes then is as if it had never been tried", async () => {
    const rig = await workRig(one, inOrder([call("1", "wait_task", { reason: "Why?" })]));
    await die(rig, 11);
    await die(rig, 12);
    expect(await run(rig)).toMatchObject({ from: "abandoned", status: "waiting" });
    expect((await rig.task("a")).fields.tries).toBeUndefined();
  });

  test("that is made pending by hand is tried anew", async () => {
    const rig = await workRig(one, failingInTheMiddle());
    await die(rig, 11);
    await die(rig, 12);
    await die(rig, 13);
    const stuck = (await rig.workspace.bytes(".toolhost/tasks/a.md")).toString();
    await rig.workspace.put(".toolhost/tasks/a.md", stuck.replace("status: in_progress", "status: pending"));
    expect(await run(rig)).toMatchObject({ status: "released" });
    expect((await rig.task("a")).fields.tries).toBe(1);
  });

  test("that is stopped again and again is not failed for it", async () => {
    let stop = new AbortController();
    const rig = await workRig(one, () => (stop.abort(), [text("x")]));
    await die(rig, 11);
    for (let stops = 1; stops <= 4; stops++) {
      stop = new AbortController();
      expect(await run(rig, { signal: stop.signal })).toMatchObject({ status: "released", reason: "cancelled" });
      expect((await rig.task("a")).fields.tries).toBe(1);
    }
  });

  test("that would be failed, and has unsaved changes in the editor, is left to whoever types", async () => {
    const rig = await workRig(one, inOrder([text("x")]));
    await die(rig, 11);
    await die(rig, 12);
    await die(rig, 13);
    const { files } = rig.workspace;
    const readUnsaved: typeof files.readSnapshot = async (...given) => ({
      ...(await files.readSnapshot(...given)),
      unsaved: true,
    });
    const typed = new Proxy(files, {
      get: (real, key) => {
        const value: unknown = key === "readSnapshot" ? readUnsaved : Reflect.get(real, key);
        return typeof value === "function" ? (value.bind(real) as unknown) : value;
      },
    });
    await expect(
      new TaskWorker(rig.host(1, { files: typed })).runNext({ signal: new AbortController().signal }),
    ).rejects.toThrow("has unsaved changes in the editor");
    expect((await rig.task("a")).fields.status).toBe("in_progress");
    expect(await run(rig)).toMatchObject({ from: "spent", status: "failed" });
  });

  test.each(["tries: many", "tries: -1", "tries: 1000000000"])(
    "whose file says %s is malformed, and left alone",
    async (line) => {
      const rig = await workRig({ ".toolhost/tasks/a.md": task("A", `${line}\n`) }, inOrder([text("x")]));
      expect(await run(rig)).toBeUndefined();
      expect((await rig.workspace.bytes(".toolhost/tasks/a.md")).toString()).toBe(task("A", `${line}\n`));
    },
  );

  test("that waits goes on in its session once a message was left for it, with the message", async () => {
    const rig = await workRig(one, (said) =>
      said.some((line) => line.includes("Use main."))
        ? [call("2", "complete_task", { summary: "On main." })]
        : [call("1", "wait_task", { reason: "Which branch?" })],
    );
    const waiting = await run(rig);
    expect(await run(rig)).toBeUndefined();
    await rig.log.leave(waiting?.session ?? "", { content: "Use main.", from: "the user" });
    const begun: RunningTask[] = [];
    expect(await run(rig, { onBegin: (running) => begun.push(running) })).toMatchObject({
      status: "complete",
      session: waiting?.session,
      from: "sentTo",
    });
    expect(JSON.stringify(rig.requests.at(-1)?.messages)).toContain("The task waited for: Which branch?");
    expect((await rig.task("a")).fields.waiting_reason).toBeUndefined();
  });

  test("whose worker is gone is taken again, which the next one is told", async () => {
    const rig = await workRig(one, inOrder([call("1", "complete_task", { summary: "x" })]));
    const dying = new TaskWorker(rig.host(2, { agents: { run: () => new Promise(() => undefined) } }));
    const begun = new Promise<RunningTask>(
      (resolve) => void dying.runNext({ signal: new AbortController().signal, onBegin: resolve }),
    );
    const { session } = await begun;
    expect(await run(rig)).toBeUndefined();
    rig.alive.delete(2);
    expect(await run(rig)).toMatchObject({ from: "abandoned", status: "complete" });
    expect(session).not.toBe("");
    expect(JSON.stringify(rig.requests[0]?.messages)).toContain("that process ended early");
  });

  test("is undone with its turn: its work and its state", async () => {
    const rig = await workRig(
      one,
      inOrder(
        [call("1", "read", { path: "file.txt" })],
        [call("2", "edit", { path: "file.txt", old_text: "one", new_text: "two" })],
        [call("3", "complete_task", { summary: "x" })],
      ),
    );
    const result = await run(rig);
    const { turn } = (await rig.log.history(result?.session ?? "", 1)).entries[0] ?? { turn: "" };
    await rig.workspace.changes.undo(
      { session: "s", turn: "undo", callId: "u", door: "api", summary: "Undo" },
      { session: result?.session ?? "", turn },
      rig.workspace.files,
      new AbortController().signal,
    );
    expect((await rig.workspace.bytes("file.txt")).toString()).toBe("one\n");
    expect((await rig.workspace.bytes(".toolhost/tasks/a.md")).toString()).toBe(one[".toolhost/tasks/a.md"]);
  });

  test("is undone with its turn, and counts as often tried as before it", async () => {
    const before = task("A", "status: pending\ntries: 2\n");
    const rig = await workRig(
      { ...one, ".toolhost/tasks/a.md": before },
      inOrder(
        [call("1", "read", { path: "file.txt" })],
        [call("2", "edit", { path: "file.txt", old_text: "one", new_text: "two" })],
        [new ModelError("Down.")],
      ),
    );
    const result = await run(rig);
    expect(result).toMatchObject({ status: "failed", note: "Down. (3 tries)" });
    const { turn } = (await rig.log.history(result?.session ?? "", 1)).entries[0] ?? { turn: "" };
    await rig.workspace.changes.undo(
      { session: "s", turn: "undo", callId: "u", door: "api", summary: "Undo" },
      { session: result?.session ?? "", turn },
      rig.workspace.files,
      new AbortController().signal,
    );
    expect((await rig.workspace.bytes("file.txt")).toString()).toBe("one\n");
    expect((await rig.workspace.bytes(".toolhost/tasks/a.md")).toString()).toBe(before);
  });

  test.each<[string, (rig: WorkRig) => Promise<void>, string]>([
    ["deleted", (rig) => rig.workspace.remove(".toolhost/tasks/a.md"), "Its file is gone or malformed."],
    [
      "broken",
      (rig) => rig.workspace.put(".toolhost/tasks/a.md", "---\ntitle: [\n---\n"),
      "Its file is gone or malformed.",
    ],
    [
      "taken over",
      (rig) =>
        rig.workspace.put(".toolhost/tasks/a.md", task("A", "status: in_progress\nclaimed_by: another machine\n")),
      "Another worker took it over.",
    ],
  ])("whose file is %s meanwhile is said to be lost, and nothing of it is overwritten", async (_what, meddle, note) => {
    const rig: WorkRig = await workRig(one, async () => {
      await meddle(rig);
      return [text("Done.")];
    });
    expect(await run(rig)).toMatchObject({ status: "lost", note });
  });

  test("of several: by priority, the blocked ones after what they wait for; broken ones are left alone", async () => {
    const tree = {
      ".toolhost/tasks/last.md": task("Last", "blocked_by: [first]\npriority: high\n"),
      ".toolhost/tasks/first.md": task("First", "priority: low\n"),
      ".toolhost/tasks/broken.md": "---\ntitle: X\nstatus: nonsense\n---\n",
      ".toolhost/tasks/never.md": task("Never", "blocked_by: [gone]\n"),
    };
    const rig = await workRig(tree, inOrder([call("1", "complete_task", { summary: "x" })]));
    expect([(await run(rig))?.name, (await run(rig))?.name, await run(rig)]).toEqual(["first", "last", undefined]);
  });

  test("that cannot be begun keeps no other waiting, and says why when there is none", async () => {
    const rig = await workRig(
      { ...one, ".toolhost/tasks/b.md": task("B") },
      inOrder([call("1", "complete_task", { summary: "x" })]),
    );
    const { changes } = rig.workspace;
    const readOnly: Partial<WorkHost> = {
      changes: {
        forCall: (origin, seen) => {
          const real = changes.forCall(origin, seen);
          const apply: typeof real.changes.apply = (made, signal) =>
            made[0]?.at.path === ".toolhost/tasks/a.md"
              ? Promise.reject(new ToolError("io_error", "a.md: is read-only."))
              : real.changes.apply(made, signal);
          return { ...real, changes: { ...real.changes, apply } };
        },
      },
    };
    const next = (host: Partial<WorkHost>): Promise<TaskRun | undefined> =>
      new TaskWorker(rig.host(1, host)).runNext({ signal: new AbortController().signal });
    expect(await next(readOnly)).toMatchObject({ name: "b", status: "complete" });
    await expect(next(readOnly)).rejects.toThrow("a.md: is read-only.");
    expect((await rig.task("a")).fields.status).toBe("pending");
    expect(await next({})).toMatchObject({ name: "a", status: "complete" });
  });

  test("runs in no session that its file makes up, nor in one of another kind", async () => {
    const rig = await workRig(
      { ...one, ".toolhost/tasks/a.md": task("A", "session: chat-session\n") },
      inOrder([call("1", "complete_task", { summary: "x" })]),
    );
    await rig.log.beginTurn({ session: "chat-session", turn: "t", kind: "chat", title: "Mine", model: "m" });
    await rig.log.endTurn("chat-session", "t");
    expect((await run(rig))?.session).not.toBe("chat-session");
    expect((await rig.log.history("chat-session", 10)).total).toBe(0);
  });
});

describe("nothing runs", () => {
  test("and the task files that cannot be read are named: a task to do may be among them", async () => {
    const rig = await workRig(
      {
        ".toolhost/tasks/a.md": "no front matter",
        ".toolhost/tasks/b.md": Uint8Array.of(1, 0, 0, 2),
        ".toolhost/tasks/c.md": task("C", "status: complete\n"),
      },
      inOrder([text("x")]),
    );
    const told: (readonly UnreadTask[])[] = [];
    expect(await run(rig, { onUnread: (problems) => told.push(problems) })).toBeUndefined();
    expect(told).toEqual([
      [
        { path: ".toolhost/tasks/a.md", problem: expect.stringMatching(/^\.toolhost\/tasks\/a\.md: ./) as string },
        {
          path: ".toolhost/tasks/b.md",
          problem: expect.stringMatching(/^\.toolhost\/tasks\/b\.md: .*binary/) as string,
        },
      ],
    ]);
    expect(tellUnread(told[0] ?? [])).toMatch(
      /^Not read: \.toolhost\/tasks\/a\.md: .* \(and 1 more: a list of the tasks names them\)\.$/,
    );
    await rig.workspace.remove(".toolhost/tasks/a.md");
    await rig.workspace.remove(".toolhost/tasks/b.md");
    expect(await run(rig, { onUnread: (problems) => told.push(problems) })).toBeUndefined();
    expect(told).toHaveLength(1);
  });

  test("while the log cannot be asked for the session that a task ran in: begun anew, it would lose what was said", async () => {
    const rig = await workRig(
      { ...one, ".toolhost/tasks/a.md": task("A", "session: earlier-session\n") },
      inOrder([call("1", "complete_task", { summary: "x" })]),
    );
    const next = (host: Parameters<WorkRig["host"]>[1]): Promise<TaskRun | undefined> =>
      new TaskWorker(rig.host(1, host)).runNext({ signal: new AbortController().signal });
    await expect(
      next({ log: () => Promise.reject(new ToolError("io_error", "The state is busy.")) }),
    ).rejects.toMatchObject({ type: "io_error", message: "The state is busy." });
    expect(rig.requests).toHaveLength(0);
    expect((await rig.task("a")).fields).toMatchObject({ status: "pending", session: "earlier-session" });
    expect(await next({})).toMatchObject({ name: "a", status: "complete" });
  });

  test("without trust, without a model, without the tools that end a task", async () => {
    const rig = await workRig(one, inOrder([text("x")]));
    const next = (host: Parameters<WorkRig["host"]>[1]): Promise<unknown> =>
      new TaskWorker(rig.host(1, host)).runNext({ signal: new AbortController().signal });
    await expect(next({ isTrusted: () => false })).rejects.toMatchObject({ type: "untrusted" });
    await expect(next({ model: () => Promise.reject(new ModelError("no model")) })).rejects.toThrow("no model");
    await expect(next({ tools: () => [] })).rejects.toMatchObject({ type: "unavailable" });
    expect((await rig.task("a")).fields.status).toBe("pending");
    expect(rig.state.claims.standing(taskClaim("a"))).toBe("free");
  });

  test("and outside a task the tools that end one do nothing", async () => {
    const rig = await workRig(one, inOrder([text("x")]));
    expect(await rig.workspace.call("complete_task", { summary: "x" })).toMatchObject({
      ok: false,
      error: { type: "unavailable", message: "No task is running in this session, so there is none to end." },
    });
  });
});

describe("a task that asks for a copy of the folder", () => {
  const inCopy = { ".toolhost/tasks/b.md": task("B", "sandbox: worktree\npriority: high\n") };

  test("is left to those who make copies, and said; others are done", async () => {
    const rig = await workRig({ ...one, ...inCopy }, () => [call("1", "complete_task", { summary: "Done." })]);
    expect(await run(rig)).toMatchObject({ name: "a", status: "complete" });
    for (const only of [{}, { only: "b" }]) {
      await expect(run(rig, only)).rejects.toMatchObject({
        type: "unsupported",
        message: "task b asks to be done in a copy of the folder (sandbox: worktree), which is not made here.",
        hint: "toolhost work does it.",
      });
    }
    expect((await rig.task("b")).fields.status).toBe("pending");
    expect(rig.state.claims.standing(taskClaim("b"))).toBe("free");
  });

  test("names a place that there is", async () => {
    const rig = await workRig({ ".toolhost/tasks/b.md": task("B", "sandbox: none\n") }, () => []);
    const unread: UnreadTask[] = [];
    expect(await run(rig, { onUnread: (problems) => unread.push(...problems) })).toBeUndefined();
    expect(unread.map(({ problem }) => problem)).toEqual([
      '.toolhost/tasks/b.md: sandbox: must be one of worktree; got string "none"',
    ]);
  });
});
