// Tasks of a real window: tasks.json as people write it, and what VS Code's own npm support finds.
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ToolError, type ErrorType } from "../../../src/core/errors";
import { NodeDisk } from "../../../src/hosts/node/disk/disk";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files";
import { VscodeTasks } from "../../../src/hosts/vscode/tasks/tasks";
import type { ResolvedTask, TaskStep } from "../../../src/ports/tasks";
import { poll, workspaceFolder } from "../../harness/host";
import { inWorkspace, withSettings, writeFile } from "../tool";

const never = new AbortController().signal;

describe("tasks", () => {
  const files = new VscodeFiles(new NodeDisk());
  const tasks = new VscodeTasks({ pathOf: (uri) => files.pathOf(uri), environment: () => ({ VISIBLE: "seen" }) });

  afterEach(async () => {
    rmSync(inWorkspace(".vscode"), { recursive: true, force: true });
    rmSync(inWorkspace("package.json"), { force: true });
    rmSync(inWorkspace("app"), { recursive: true, force: true });
  });

  /** Writes the tasks as a file with comments and trailing commas. */
  function write(list: object[], more: object = {}): void {
    const text = JSON.stringify({ version: "2.0.0", ...more, tasks: list }, undefined, 2);
    writeFile(".vscode/tasks.json", `// Tasks\n${text.replace(/\n\}$/, ",\n}")}\n`);
  }

  const resolve = (label: string): Promise<ResolvedTask> => tasks.resolve(label, never);

  async function step(task: object): Promise<TaskStep> {
    write([{ label: "task", ...task }]);
    const { stages } = await resolve("task");
    assert.deepEqual(
      stages.map(({ length }) => length),
      [1],
    );
    return stages[0]?.[0] ?? assert.fail("no step");
  }

  async function plan(label: string): Promise<string[][]> {
    return (await resolve(label)).stages.map((stage) => stage.map((each) => each.label));
  }

  async function refused(what: Promise<unknown>, type: ErrorType, message: RegExp): Promise<ToolError> {
    const error = await what.then(
      () => assert.fail("it was resolved"),
      (failure: unknown) => failure,
    );
    assert.ok(error instanceof ToolError, String(error));
    assert.equal(error.type, type);
    assert.match(`${error.message} ${error.hint ?? ""}`, message);
    return error;
  }

  /** Tasks that VS Code itself finds come a moment after the file. */
  const detected = (label: string): Promise<unknown> =>
    poll(`the task ${label}`, async () => (await tasks.list(never)).some((task) => task.label === label));

  it("runs a line of the shell as it stands", async () => {
    assert.deepEqual(await step({ type: "shell", command: 'echo "$HOME" ${HOME} | cat && ls *.md' }), {
      label: "task",
      command: 'echo "$HOME" ${HOME} | cat && ls *.md',
      workdir: ".",
      env: {},
      background: false,
    });
  });

  const commands: [what: string, task: object, command: string][] = [
    [
      "arguments of a shell",
      { type: "shell", command: "echo", args: ["a b", "$HOME", { value: "$HOME", quoting: "strong" }] },
      "echo 'a b' $HOME '$HOME'",
    ],
    [
      "arguments of a process",
      { type: "process", command: "node", args: ["-e", "console.log('$HOME')"] },
      `node -e 'console.log('\\''$HOME'\\'')'`,
    ],
    ["a task without a type", { command: "node", args: ["a b"] }, "node 'a b'"],
    [
      "a shell of its own",
      { type: "shell", command: "echo $0", options: { shell: { executable: "/bin/sh" } } },
      "/bin/sh -c 'echo $0'",
    ],
    [
      "the values of this system",
      {
        type: "shell",
        command: "none",
        linux: { command: "here" },
        osx: { command: "here" },
        windows: { command: "here" },
      },
      "here",
    ],
    ["a variable taken away", { type: "shell", command: "env", options: { env: { GONE: null } } }, "unset GONE\nenv"],
  ];
  for (const [what, task, command] of commands) {
    it(`takes ${what}`, async () => {
      assert.equal((await step(task)).command, command);
    });
  }

  it("replaces the editor's variables and leaves the shell's", async () => {
    const folder = workspaceFolder();
    const names = [
      "${workspaceFolder}",
      "${workspaceFolder:sample}",
      "${workspaceFolderBasename}",
      "${userHome}",
      "${cwd}",
      "a${/}b",
      "${pathSeparator}",
      "${env:VISIBLE}",
      "${env:NOT_SET_AT_ALL}",
      "${config:editor.tabSize}",
      "${HOME}",
    ];
    const { command } = await step({ type: "shell", command: names.join("|") });
    assert.deepEqual(command.split("|"), [
      folder,
      folder,
      "sample",
      homedir(),
      folder,
      "a/b",
      "/",
      "seen",
      "",
      "4",
      "${HOME}",
    ]);
  });

  it("replaces the variables of the open file, and says when there is none", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await refused(
      step({ type: "shell", command: "cat ${relativeFile}" }),
      "unsupported",
      /\$\{relativeFile\}: no file is open in the editor/,
    );
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("src/greet.ts")));
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const { command } = await step({
      type: "shell",
      command: "${relativeFile} ${fileBasenameNoExtension} ${lineNumber} ${fileDirname}",
    });
    assert.equal(command, `src/greet.ts greet 2 ${inWorkspace("src")}`);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("pulls no token out of the environment", async () => {
    process.env.SOME_API_TOKEN = "secret";
    const error = await refused(
      step({ type: "shell", command: "curl -H ${env:SOME_API_TOKEN}" }),
      "unsupported",
      /\$\{env:SOME_API_TOKEN\}: that variable is withheld from commands/,
    );
    assert.ok(!error.message.includes("secret"));
    delete process.env.SOME_API_TOKEN;
  });

  for (const [variable, why] of [
    ["${input:name}", /a person has to enter it/],
    ["${command:extension.pick}", /it runs an editor command/],
    ["${config:no.such.setting}", /no such setting/],
    ["${workspaceFolder:other}", /no such folder/],
  ] as const) {
    it(`says why ${variable} cannot be replaced`, async () => {
      await refused(step({ type: "shell", command: `echo ${variable}` }), "unsupported", why);
    });
  }

  it("says what tasks.json tells of an input", async () => {
    const asked = {
      id: "stage",
      type: "pickString",
      description: "Where to?",
      options: ["test", { value: "live" }],
      default: "test",
    };
    write([{ label: "task", type: "shell", command: "deploy ${input:stage}" }], { inputs: [asked] });
    await refused(
      resolve("task"),
      "unsupported",
      /only VS Code itself can ask for it \(Where to\?; one of test, live; test by default\)\./,
    );
  });

  it("says how a background task tells that it is ready", async () => {
    const watch = { type: "shell", command: "tsc -w", isBackground: true };
    assert.match((await step({ ...watch, problemMatcher: "$tsc-watch" })).ready ?? "", /Watching for file changes/);
    assert.equal((await step({ ...watch, problemMatcher: [] })).ready, undefined);
    assert.equal((await step({ type: "shell", command: "tsc", problemMatcher: "$tsc-watch" })).ready, undefined);
  });

  it("says where a task runs, and with what environment", async () => {
    writeFile("app/x.txt", "");
    const { workdir, env, background } = await step({
      type: "shell",
      command: "x",
      isBackground: true,
      options: { cwd: "app", env: { A: "${workspaceFolderBasename}" } },
    });
    assert.deepEqual({ workdir, env, background }, { workdir: "app", env: { A: "sample" }, background: true });
    assert.equal(
      (await step({ type: "shell", command: "x", options: { cwd: "${workspaceFolder}/src" } })).workdir,
      "src",
    );
    // Outside: as it is, for the gate to refuse.
    assert.equal((await step({ type: "shell", command: "x", options: { cwd: "/etc" } })).workdir, "/etc");
  });

  it("puts what a task depends on before it: side by side, or in order, each once", async () => {
    const task = (label: string, dependsOn?: unknown, more: object = {}): object => ({
      label,
      type: "shell",
      command: `echo ${label}`,
      ...(dependsOn === undefined ? {} : { dependsOn }),
      ...more,
    });
    write([
      task("a"),
      task("b", "a"),
      task("c"),
      task("both", ["b", "c"]),
      task("ordered", ["c", "b"], { dependsOrder: "sequence" }),
      task("diamond", ["both", "ordered"]),
      { label: "all", dependsOn: ["b", "c"] },
    ]);
    assert.deepEqual(await plan("b"), [["a"], ["b"]]);
    assert.deepEqual(await plan("both"), [["a", "c"], ["b"], ["both"]]);
    assert.deepEqual(await plan("ordered"), [["c"], ["a"], ["b"], ["ordered"]]);
    assert.deepEqual(await plan("diamond"), [["a", "c"], ["b"], ["both"], ["ordered"], ["diamond"]]);
    assert.deepEqual(await plan("all"), [["a", "c"], ["b"]]);
  });

  it("names a cycle, and what is missing", async () => {
    const task = (label: string, dependsOn: string): object => ({ label, type: "shell", command: "x", dependsOn });
    write([task("a", "b"), task("b", "c"), task("c", "b"), task("self", "self"), task("lost", "nowhere")]);
    await refused(resolve("a"), "unsupported", /b depends on itself: b → c → b\./);
    await refused(resolve("self"), "unsupported", /self → self/);
    await refused(resolve("lost"), "not_found", /lost depends on "nowhere", and there is no such task/);
  });

  it("names the nearest labels, and all when none is near", async () => {
    write([
      { label: "build all", type: "shell", command: "x" },
      { label: "deploy", type: "shell", command: "x" },
    ]);
    await refused(resolve("buildall"), "not_found", /Did you mean build all\?/);
    await refused(resolve("zzzzzz"), "not_found", /The tasks are: build all, deploy/);
    assert.deepEqual(await tasks.list(never), [
      { label: "build all", source: "Workspace" },
      { label: "deploy", source: "Workspace" },
    ]);
  });

  it("refuses a label that two tasks have, and a task without a command", async () => {
    write([
      { label: "twice", type: "shell", command: "a" },
      { label: "twice", type: "shell", command: "b" },
      { label: "empty", type: "shell" },
    ]);
    await refused(resolve("twice"), "not_unique", /2 tasks have this label/);
    await refused(resolve("empty"), "unsupported", /empty has no command/);
  });

  it("says of a broken file that it is broken", async () => {
    writeFile(".vscode/tasks.json", '{\n"version": "2.0.0"\n"tasks": []}');
    await refused(resolve("build"), "not_found", /\.vscode\/tasks\.json cannot be read: .*line 3/);
    writeFile(".vscode/tasks.json", '{ "version": "0.1.0", "command": "tsc" }');
    await refused(resolve("build"), "not_found", /is not version 2\.0\.0/);
  });

  it("says of a file that cannot be read that it is there", async () => {
    rmSync(inWorkspace(".vscode/tasks.json"), { force: true });
    mkdirSync(inWorkspace(".vscode/tasks.json"), { recursive: true });
    try {
      await refused(resolve("build"), "not_found", /\.vscode\/tasks\.json cannot be read: /);
    } finally {
      rmSync(inWorkspace(".vscode/tasks.json"), { recursive: true });
    }
  });

  it("finds scripts of npm by VS Code's name for them, and by their own", async () => {
    writeFile("package.json", JSON.stringify({ name: "x", scripts: { build: "echo built", "test:unit": "echo" } }));
    await detected("npm: build");
    for (const label of ["npm: build", "build"]) {
      assert.deepEqual(await resolve(label), {
        label: "npm: build",
        stages: [[{ label: "npm: build", command: "npm run build", workdir: ".", env: {}, background: false }]],
      });
    }
    assert.ok((await tasks.list(never)).some(({ label, source }) => label === "npm: test:unit" && source === "npm"));
    await refused(resolve("npm: biuld"), "not_found", /Did you mean npm: build\?/);
  });

  it("takes scripts of npm in tasks.json, renamed or as something to depend on", async () => {
    writeFile("app/package.json", JSON.stringify({ name: "app", scripts: { gen: "echo" } }));
    write([
      { type: "npm", script: "gen", path: "app", label: "generate" },
      { label: "build", type: "shell", command: "make", dependsOn: ["generate"] },
      { label: "by type", type: "shell", command: "make", dependsOn: { type: "npm", script: "gen", path: "app" } },
      { type: "npm", script: "lint" },
    ]);
    const { stages } = await resolve("build");
    assert.deepEqual(
      stages.map((stage) => stage.map(({ command, workdir }) => [command, workdir])),
      [[["npm run gen", "app"]], [["make", "."]]],
    );
    assert.deepEqual(await plan("by type"), [["generate"], ["by type"]]);
    assert.equal((await resolve("npm: lint")).stages[0]?.[0]?.command, "npm run lint");
  });

  it("takes the tasks of extensions: lines, processes, and not what they run themselves", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail("no folder");
    const task = (
      name: string,
      execution: vscode.ProcessExecution | vscode.ShellExecution | vscode.CustomExecution,
    ): vscode.Task => new vscode.Task({ type: "probe", name }, folder, name, "probe", execution);
    const watch = task(
      "watch",
      new vscode.ShellExecution("tool", ["--watch", { value: "a b", quoting: vscode.ShellQuoting.Strong }], {
        cwd: inWorkspace("src"),
        env: { A: "1" },
      }),
    );
    watch.isBackground = true;
    const provider = vscode.tasks.registerTaskProvider("probe", {
      provideTasks: () => [
        task("line", new vscode.ShellExecution("echo ${workspaceFolderBasename} | cat")),
        task("process", new vscode.ProcessExecution("/bin/echo", ["a b", "$HOME"])),
        watch,
        task("own", new vscode.CustomExecution(() => Promise.reject(new Error("not to be run")))),
      ],
      resolveTask: () => undefined,
    });
    try {
      await detected("probe: line");
      assert.equal((await resolve("probe: line")).stages[0]?.[0]?.command, "echo sample | cat");
      assert.equal((await resolve("process")).stages[0]?.[0]?.command, "/bin/echo 'a b' '$HOME'");
      assert.deepEqual((await resolve("probe: watch")).stages, [
        [{ label: "probe: watch", command: "tool --watch 'a b'", workdir: "src", env: { A: "1" }, background: true }],
      ]);
      await refused(resolve("probe: own"), "unsupported", /the extension behind probe runs it itself/);
    } finally {
      provider.dispose();
    }
  });

  it("does without the tasks of extensions where one never answers", async () => {
    const provider = vscode.tasks.registerTaskProvider("probe", {
      provideTasks: () => new Promise<vscode.Task[]>(() => undefined),
      resolveTask: () => undefined,
    });
    try {
      write([{ label: "build", type: "shell", command: "make" }]);
      assert.equal((await resolve("build")).stages[0]?.[0]?.command, "make");
      const cancel = new AbortController();
      const waiting = tasks.resolve("nowhere", cancel.signal);
      cancel.abort();
      await refused(waiting, "not_found", /Tasks found by extensions are missing/);
    } finally {
      provider.dispose();
    }
  });

  it("lists the user's own tasks", async () => {
    await withSettings({ "tasks.tasks": [{ label: "mine", type: "shell", command: "echo mine" }] }, async () => {
      assert.equal((await resolve("mine")).stages[0]?.[0]?.command, "echo mine");
    });
  });
});
