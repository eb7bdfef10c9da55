// Tasks of a window with two folders.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../src/core/errors";
import { NodeDisk } from "../../../src/hosts/node/disk/disk";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files";
import { VscodeTasks } from "../../../src/hosts/vscode/tasks/tasks";
import { workspaceFolder } from "../../harness/host";

const never = new AbortController().signal;

describe("tasks of several folders", () => {
  const files = new VscodeFiles(new NodeDisk());
  const tasks = new VscodeTasks({ pathOf: (uri) => files.pathOf(uri), environment: () => ({}) });

  before(() => {
    for (const folder of [0, 1]) {
      mkdirSync(join(workspaceFolder(folder), ".vscode"), { recursive: true });
      const list = [
        { label: "build", type: "shell", command: `echo ${folder}`, options: { cwd: "${workspaceFolder}/src" } },
        { label: `own ${folder}`, type: "shell", command: "echo ${workspaceFolder:second}", dependsOn: "build" },
      ];
      writeFileSync(
        join(workspaceFolder(folder), ".vscode", "tasks.json"),
        JSON.stringify({ version: "2.0.0", tasks: list }),
      );
    }
  });
  after(() =>
    [0, 1].forEach((folder) => rmSync(join(workspaceFolder(folder), ".vscode"), { recursive: true, force: true })),
  );

  it("are told apart by their folder", async () => {
    await assert.rejects(
      tasks.resolve("build", never),
      (error) =>
        error instanceof ToolError &&
        error.type === "not_unique" &&
        /build \(first\) of Workspace, build \(second\) of Workspace/.test(error.message),
    );
    assert.deepEqual((await tasks.resolve("build (second)", never)).stages, [
      [{ label: "build", command: "echo 1", workdir: "second/src", env: {}, background: false }],
    ]);
    assert.ok((await tasks.list(never)).some(({ label }) => label === "build (first)"));
  });

  it("depend on those of their own folder", async () => {
    const { stages } = await tasks.resolve("own 1", never);
    assert.deepEqual(
      stages.map((stage) => stage.map(({ command, workdir }) => [command, workdir])),
      [[["echo 1", "second/src"]], [[`echo ${workspaceFolder(1)}`, "second"]]],
    );
  });
});
