import { describe, expect, it } from "vitest";
import { isCurrentVersion, tasksOfFile, type FileTask } from "../../../../src/hosts/vscode/tasks/file.js";

function one(task: object, more: object = {}): FileTask {
  return tasksOfFile({ version: "2.0.0", tasks: [task], ...more }, "linux")[0] ?? expect.fail("there is no task");
}

describe("tasks.json", () => {
  it("reads a task with everything", () => {
    expect(
      one({
        label: "build",
        type: "shell",
        command: "make",
        args: ["all", { value: "a b", quoting: "strong" }, 3],
        options: {
          cwd: "${workspaceFolder}/app",
          env: { A: "1", N: 2, GONE: null },
          shell: { executable: "/bin/zsh", args: ["-lc"] },
        },
        isBackground: true,
        dependsOn: ["clean", { type: "npm", script: "gen" }],
        dependsOrder: "sequence",
        problemMatcher: "$tsc",
        presentation: { reveal: "never" },
      }),
    ).toMatchObject({
      label: "build",
      type: "shell",
      command: "make",
      args: ["all", { value: "a b", quoting: "strong" }, "3"],
      cwd: "${workspaceFolder}/app",
      env: { A: "1", N: "2", GONE: null },
      shell: { executable: "/bin/zsh", args: ["-lc"] },
      background: true,
      dependsOn: ["clean", { type: "npm", script: "gen" }],
      order: "sequence",
    });
  });

  it("lets the values of the system win, and keeps the variables of all levels", () => {
    const task = {
      label: "a",
      type: "shell",
      command: "x",
      args: ["1"],
      options: { cwd: "own", env: { A: "own", B: "own" } },
      linux: { command: "y", options: { env: { B: "linux" } } },
      windows: { command: "z" },
    };
    expect(one(task, { options: { cwd: "general", env: { A: "general", C: "general" } } })).toMatchObject({
      command: "y",
      args: ["1"],
      cwd: "own",
      env: { A: "own", B: "linux", C: "general" },
    });
    expect(
      one({ label: "a", command: "x" }, { options: { cwd: "general" }, linux: { options: { cwd: "here" } } }).cwd,
    ).toBe("here");
  });

  it.each([
    ["taskName", { taskName: "old" }, "old"],
    ["npm", { type: "npm", script: "build" }, "npm: build"],
    ["gulp", { type: "gulp", task: "css" }, "gulp: css"],
    ["shell", { type: "shell", command: "ls" }, "shell: ls"],
  ])("names a task without a label: %s", (_, task, label) => {
    expect(one(task).label).toBe(label);
  });

  it.each([
    ["a label", { dependsOn: "a" }, ["a"]],
    ["an object", { dependsOn: { type: "npm", script: "x" } }, [{ type: "npm", script: "x" }]],
    ["nothing", {}, []],
    ["odd things", { dependsOn: [1, null, "a", {}] }, ["a"]],
  ])("takes what it depends on as %s", (_, task, dependsOn) => {
    expect(one({ label: "t", ...task }).dependsOn).toEqual(dependsOn);
  });

  it.each([[undefined], [null], ["x"], [[]], [{ tasks: "x" }], [{ tasks: [null, 1, "x", {}] }]])(
    "finds no task in %j",
    (content) => {
      expect(tasksOfFile(content, "linux")).toEqual([]);
    },
  );

  it("takes a value of the wrong shape for absent", () => {
    expect(
      one({
        label: 5,
        type: "shell",
        command: "x",
        args: "y",
        options: { cwd: 3, env: [], shell: "zsh" },
        isBackground: "yes",
      }),
    ).toMatchObject({ args: [], cwd: undefined, env: {}, shell: undefined, background: false });
  });

  it("knows the version in use", () => {
    expect(isCurrentVersion({ version: "2.0.0" })).toBe(true);
    expect(isCurrentVersion({ version: "0.1.0" })).toBe(false);
    expect(isCurrentVersion(undefined)).toBe(false);
  });
});
