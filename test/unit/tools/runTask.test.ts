import { expect, it } from "vitest";
import { failed, openWorkspace } from "./workspace.js";

// What it does with tasks is tested in test/system/tools and, where VS Code has some, in test/integration/folder.
it("run_task says that there are no tasks outside VS Code", async () => {
  const workspace = await openWorkspace();
  expect(failed(await workspace.call("run_task", { label: "build" }))).toMatchObject({
    type: "unavailable",
    message: "run_task needs tasks, which is not available here.",
  });
});
