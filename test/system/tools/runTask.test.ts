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
