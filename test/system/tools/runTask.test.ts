import { describe, expect, test } from "vitest";
import type { TaskStep } from "../../../src/ports/tasks.js";
import { openWorkspace, result, type TestWorkspace, type WorkspaceOptions } from "../../unit/tools/workspace.js";

interface Step {
  label: string;
  status: string;
  exit_code: number | null;
  process_id?: string;
  stdout?: string;
  stderr?: string;
}

/** A workspace with one task, whose steps are given stage by stage; how VS Code's are read is tested in test/integration/folder. */
function withTask(
  stages: readonly (readonly (Partial<TaskStep> & { command: string })[])[],
  options: WorkspaceOptions = {},
): Promise<TestWorkspace> {
  const resolved = {
    label: "all",
    stages: stages.map((stage) =>
      stage.map((step) => ({ label: step.command, workdir: ".", env: {}, background: false, ...step })),
    ),
  };
  const tasks = { list: async () => [{ label: "all", source: "Workspace" }], resolve: async () => resolved };
  return openWorkspace({}, { ...options, capabilities: { tasks } });
}

describe.skipIf(process.platform === "win32")("both streams", () => {
  const stages = [[{ command: "echo 1; echo 2 >&2; echo 3" }]];

  test("come in their order for a model", async () => {
    const { call } = await withTask(stages);
    const { text, data } = result<{ steps: Step[] }>(await call("run_task", { label: "all" }));
    expect(text).toContain("1\n2\n3");
    expect(data.steps[0]).not.toHaveProperty("stdout");
  });

  test("come apart for a program", async () => {
    const { call } = await withTask(stages);
    const { data } = result<{ steps: Step[] }>(await call("run_task", { label: "all" }, { readsData: true }));
    expect(data.steps).toMatchObject([{ exit_code: 0, stdout: "1\n3\n", stderr: "2\n" }]);
  });

  test("are kept apart by pipe", async () => {
    const { call, bytes } = await withTask(stages);
    const { text } = result(
      await call("pipe", { tool_name: "run_task", tool_input: { label: "all" }, path: "all.txt" }),
    );
    expect((await bytes(".toolhost/context/all.txt")).toString()).toBe("echo 1; echo 2 >&2; echo 3\n1\n3\n\n");
    expect(text).toContain("Its standard error:\n2\n");
  });
});

describe.skipIf(process.platform === "win32")("a background step that says when it is ready", () => {
  test("is waited for before what depends on it", async () => {
    const { call } = await withTask([
      [
        {
          label: "watch",
          command: "sleep 1; touch built; echo 'Found 0 errors. Watching'; exec sleep 300",
          background: true,
          ready: "Watching$",
        },
      ],
      [{ command: "cat built && echo it is there" }],
    ]);
    const { text, data } = result<{ steps: Step[] }>(await call("run_task", { label: "all" }));
    expect(text).toContain("it is there");
    expect(data.steps).toMatchObject([{ status: "background" }, { exit_code: 0 }]);
  });

  test("and ends instead fails at once", async () => {
    const { call } = await withTask([
      [{ command: "exit 3", background: true, ready: "Watching" }],
      [{ command: "echo never" }],
    ]);
    const { text } = result(await call("run_task", { label: "all" }));
    expect(text).toContain("Not run because an earlier step failed: echo never.");
  });

  test("whose pattern is no regular expression here says so", async () => {
    const { call } = await withTask([[{ command: "exec sleep 300", background: true, ready: "(?<=" }]]);
    expect(result(await call("run_task", { label: "all" })).text).toContain("nobody knows whether it is ready");
  });
});

describe.skipIf(process.platform === "win32")("a step that goes on", () => {
  const later = { after: 100_000, afterListening: 100_000 };
  const serve = "echo 'Listening on port 3000'; exec sleep 300";

  test("is handed over as a process when it takes long, and its time limit ends", async () => {
    const { call } = await withTask(
      [[{ command: "echo first" }], [{ label: "watch", command: "echo begun; exec sleep 300" }]],
      {
        times: { ...later, after: 0 },
      },
    );
    const { text, data } = result<{ steps: Step[] }>(
      await call("run_task", { label: "all" }, { as: "model", answer: true }),
    );
    expect(data.steps).toMatchObject([
      { label: "echo first", status: "exited" },
      { label: "watch", status: "background", process_id: "p2" },
    ]);
    expect(text).toContain(
      "The command still runs after 0 s, so it goes on in the background as p2, without a time limit. Follow or stop it with process (poll, signal).\n[Running in the background as p2 for ",
    );
    const poll = { action: "poll", process_id: "p2" };
    expect(result(await call("process", { ...poll, wait_for: "begun" })).text).toContain("Running.");
    result(await call("process", { action: "signal", process_id: "p2" }));
    expect(result(await call("process", { ...poll, wait_for: "exit" })).text).toContain("Stopped after");
  });

  test("is handed over once it listens, and what needs it runs", async () => {
    const { call } = await withTask(
      [[{ label: "serve", command: serve }], [{ label: "test", command: "echo tested" }]],
      {
        times: { ...later, afterListening: 0 },
      },
    );
    const { text, data } = result<{ steps: Step[] }>(
      await call("run_task", { label: "all" }, { as: "model", answer: true }),
    );
    expect(data.steps).toMatchObject([
      { label: "serve", status: "background", process_id: "p1" },
      { label: "test", status: "exited", exit_code: 0 },
    ]);
    expect(text).toContain("The command listens, so it goes on in the background as p1");
  });

  test("is waited for where another step needs its end", async () => {
    const { call } = await withTask([[{ command: "sleep 0.2; echo built" }], [{ command: "echo tested" }]], {
      times: { ...later, after: 0 },
    });
    const { data } = result<{ steps: Step[] }>(await call("run_task", { label: "all" }, { as: "model", answer: true }));
    expect(data.steps[0]).toMatchObject({ status: "exited", exit_code: 0 });
  });

  test("is waited for where a person runs the task", async () => {
    const { call } = await withTask([[{ command: "sleep 0.2; echo built" }]], { times: { ...later, after: 0 } });
    const { data } = result<{ steps: Step[] }>(await call("run_task", { label: "all" }));
    expect(data.steps[0]).toMatchObject({ status: "exited", exit_code: 0 });
  });

  test("ends with a call that is cancelled before", async () => {
    const { call } = await withTask([[{ command: "echo begun; exec sleep 300" }]], { times: later });
    const stop = new AbortController();
    const answer = call("run_task", { label: "all" }, { as: "model", answer: true, signal: stop.signal });
    setImmediate(() => stop.abort());
    await answer.catch(() => undefined);
    expect(result(await call("process", { action: "list" })).text).not.toContain("Running");
  });
});
