// Commands in a real window: what no person allowed does not run, and what one allowed runs in the extension host as it
// should.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import * as vscode from "vscode";
import { RecentActivity } from "../../../src/core/pipeline/activity";
import type { Outcome } from "../../../src/core/outcome";
import { Pipeline } from "../../../src/core/pipeline/pipeline";
import { ProcessTable } from "../../../src/features/processes/processTable";
import { Registry } from "../../../src/core/registry";
import { NodeDisk } from "../../../src/hosts/node/disk/disk";
import { NodeSpawner } from "../../../src/hosts/node/processes/spawner";
import { ResultFiles } from "../../../src/hosts/node/state/results";
import { createRipgrep, ripgrepOfVscode } from "../../../src/hosts/node/ripgrep/run";
import { ripgrepPatterns } from "../../../src/hosts/ripgrep/patterns";
import { VscodeFiles } from "../../../src/hosts/vscode/files/files";
import { VscodeTasks } from "../../../src/hosts/vscode/tasks/tasks";
import { tools } from "../../../src/tools/index";
import { activateProduct, temporaryFolder } from "../../harness/host";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

interface Step {
  label: string;
  status: string;
  exit_code: number | null;
  process_id?: string;
}

const timeless = (text: string): string => text.replaceAll(/(after|for) \d+(\.\d)? s/g, "$1 T");

describe("commands that nobody can allow", () => {
  // In this host VS Code answers its own confirmations with yes and refuses modal dialogs: ours are modal,
  // and come for what destroys, what is not understood and tasks.
  const calls: [tool: string, input: object][] = [
    ["exec", { command: "rm -f old; touch ran.txt" }],
    ["exec", { command: "rm -f old; touch ran.txt", background: true }],
    ["exec", { command: "rm -f old; touch ran.txt", terminal: true }],
    ["exec", { command: "rm -f old; touch ../ran.txt", workdir: "src" }],
    ["run_task", { label: "touch" }],
  ];
  before(async () => {
    await activateProduct();
    writeFile(
      ".vscode/tasks.json",
      JSON.stringify({ version: "2.0.0", tasks: [{ label: "touch", type: "shell", command: "touch ran.txt" }] }),
    );
  });
  after(() => rmSync(inWorkspace(".vscode"), { recursive: true, force: true }));

  for (const [tool, input] of calls) {
    it(`do not run: ${tool} ${JSON.stringify(input)}`, async () => {
      await withSettings({ "toolhost.groups.runtime": "all" }, async () => {
        const text = await toolText(tool, input);
        assert.equal(existsSync(inWorkspace("ran.txt")), false);
        assert.equal(await toolText("process", { action: "list" }), "No background processes.");
        assert.match(
          text,
          /^Error \(denied\): \w+ needs the user's permission, and asking failed\. Nothing was done\.\nHint: .*refused to show dialog in tests/,
        );
      });
    });
  }

  it("do not run in plan mode, which says so", async () => {
    await withSettings({ "toolhost.permissionMode": "plan" }, async () => {
      assert.match(
        await toolText("exec", { command: "install -d ran.txt" }),
        /^Error \(denied\): exec: refused: the permission mode is plan/,
      );
      assert.equal(existsSync(inWorkspace("ran.txt")), false);
    });
  });

  it("do not keep from looking: at processes and results", async () => {
    assert.equal(await toolText("process", { action: "list" }), "No background processes.");
    assert.match(
      await toolText("process", { action: "status", process_id: "p9999" }),
      /^Error \(unknown_id\): p9999: there is no such process\./,
    );
    assert.match(
      await toolText("read_result", { id: "r000000000000" }),
      /^Error \(unknown_id\): r000000000000: there is no such result/,
    );
  });
});

describe("commands that a person allowed, in the window", () => {
  const spawner = new NodeSpawner();
  const files = new VscodeFiles(new NodeDisk());
  const results = new ResultFiles(() => Promise.resolve(temporaryFolder("results")));
  const processes = new ProcessTable({ spawner, results });
  const registry = new Registry();
  for (const tool of tools) {
    registry.register(tool);
  }
  const pipeline = new Pipeline({
    registry,
    capabilities: {
      files,
      processes,
      results,
      patterns: ripgrepPatterns(createRipgrep(ripgrepOfVscode(vscode.env.appRoot)), temporaryFolder("patterns")),
      tasks: new VscodeTasks({ pathOf: (uri) => files.pathOf(uri), environment: () => ({}) }),
    },
    settings: () => ({
      mode: "default",
      trusted: true,
      defaultTimeout: 30_000,
      timeoutSetBy: "a test",
      isGroupEnabled: () => true,
    }),
    activity: new RecentActivity(),
    now: Date.now,
  });

  after(async () => {
    await processes.closeAll();
    spawner.dispose();
  });
  afterEach(() => rmSync(inWorkspace(".vscode"), { recursive: true, force: true }));

  const invoke = (tool: string, input: object, signal = new AbortController().signal): Promise<Outcome> =>
    pipeline.invoke(tool, input, { door: "api", session: "s", authority: "owner", signal });
  const told = async (tool: string, input: object): Promise<{ text: string; data: unknown }> => {
    const outcome = await invoke(tool, input);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.error.message);
    return { text: timeless(outcome.text), data: outcome.data };
  };
  const writeTasks = (list: object[]): void =>
    void writeFile(".vscode/tasks.json", JSON.stringify({ version: "2.0.0", tasks: list }));
  const steps = (data: unknown): Step[] => (data as { steps: Step[] }).steps;

  const commands: [what: string, input: object, text: string][] = [
    [
      "an exit code and both streams in one",
      { command: "echo out; exec 2>&1; echo err >&2; exit 3" },
      "[Exit code 3 after T.]\nout\nerr",
    ],
    ["a here-document", { command: "cat <<'END'\n$HOME\nEND" }, "[Exit code 0 after T.]\n$HOME"],
    ["a folder", { command: "ls greet.ts", workdir: "src" }, "[Exit code 0 after T.]\ngreet.ts"],
    [
      "nothing of the editor in its environment",
      { command: "env | grep -ciE '^(vscode|electron)_' " },
      "[Exit code 1 after T.]\n0",
    ],
    ["its standard input at its end", { command: "cat" }, "[Exit code 0 after T.]\n(no output)"],
  ];
  for (const [what, input, text] of commands) {
    it(`gives ${what}`, async () => {
      assert.equal((await told("exec", input)).text, text);
    });
  }

  it("follows a server in the background to its end", async () => {
    const started = await told("exec", {
      command: "sleep 0.2; echo listening; read name; echo hello $name; exec sleep 1000",
      background: true,
    });
    const { process_id } = started.data as { process_id: string };
    const ready = await told("process", { action: "poll", process_id, wait_for: "^listening$" });
    assert.match(ready.text, /Running\. next_cursor=10\nlistening\n$/);
    const typed = await told("process", { action: "input", process_id, input: "Ada\n", wait_for: "hello" });
    assert.match(typed.text, /\nhello Ada\n$/);
    await told("process", { action: "signal", process_id });
    assert.match(
      (await told("process", { action: "poll", process_id, wait_for: "exit" })).text,
      /Stopped after T with SIGTERM\./,
    );
  });

  it("runs a task after what it depends on", async () => {
    writeTasks([
      { label: "one", type: "shell", command: "echo 1 > order.txt" },
      { label: "two", type: "shell", command: "echo 2 >> order.txt", dependsOn: "one" },
      {
        label: "all",
        type: "shell",
        command: "cat order.txt; echo $NAME",
        options: { env: { NAME: "it's" } },
        dependsOn: ["two"],
      },
    ]);
    const { text, data } = await told("run_task", { label: "all" });
    assert.deepEqual(
      steps(data).map(({ label, status, exit_code }) => [label, status, exit_code]),
      [
        ["one", "exited", 0],
        ["two", "exited", 0],
        ["all", "exited", 0],
      ],
    );
    assert.match(text, /all: cat order\.txt; echo \$NAME\n\[Exit code 0 after T\.\]\n1\n2\nit's$/);
    rmSync(inWorkspace("order.txt"));
  });

  it("does not run what depends on a step that failed, also in the background", async () => {
    writeTasks([
      { label: "bad", type: "shell", command: "echo broken; exit 2" },
      { label: "watch", type: "shell", command: "echo no port; exit 3", isBackground: true },
      { label: "after bad", type: "shell", command: "echo never", dependsOn: "bad" },
      { label: "after watch", type: "shell", command: "echo never", dependsOn: "watch" },
    ]);
    for (const [label, first] of [
      ["after bad", "bad"],
      ["after watch", "watch"],
    ] as const) {
      const { text, data } = await told("run_task", { label });
      assert.deepEqual(
        steps(data).map((step) => step.label),
        [first],
      );
      assert.match(text, new RegExp(`Not run because an earlier step failed: ${label}\\.$`));
    }
  });

  it("leaves a background task running, for process", async () => {
    writeTasks([{ label: "serve", type: "shell", command: "echo up; exec sleep 1000", isBackground: true }]);
    const { data } = await told("run_task", { label: "serve" });
    const [step] = steps(data);
    assert.equal(step?.status, "background");
    assert.match(
      (await told("process", { action: "poll", process_id: step?.process_id, wait_for: "up" })).text,
      /\nup\n$/,
    );
  });

  it("starts none of a stage when one of it cannot be started", async () => {
    writeTasks([
      { label: "good", type: "shell", command: "exec sleep 1000" },
      { label: "lost", type: "shell", command: "true", options: { cwd: "${workspaceFolder}/no/such/folder" } },
      { label: "both", dependsOn: ["good", "lost"] },
    ]);
    const outcome = await invoke("run_task", { label: "both" });
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.type, "not_found");
    assert.deepEqual(
      processes.list().filter(({ command, end }) => command === "exec sleep 1000" && end === undefined),
      [],
    );
  });

  it("names the nearest labels of a task there is not", async () => {
    writeTasks([{ label: "build all", type: "shell", command: "true" }]);
    const outcome = await invoke("run_task", { label: "biuld all" });
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.type, "not_found");
    assert.match(outcome.error.hint ?? "", /build all/);
  });

  it("stops a task with the call, and keeps what it wrote", async () => {
    writeTasks([{ label: "long", type: "shell", command: "echo begun; touch begun.txt; exec sleep 1000" }]);
    const abort = new AbortController();
    const call = invoke("run_task", { label: "long" }, abort.signal);
    const watcher = vscode.workspace.createFileSystemWatcher("**/begun.txt");
    await new Promise<void>((resolve) => watcher.onDidCreate(() => resolve()));
    watcher.dispose();
    abort.abort();
    const outcome = await call;
    assert.ok(outcome.ok);
    assert.match(timeless(outcome.text), /\[Stopped after T with SIGTERM\. Its output until then is below\.\]\nbegun$/);
    rmSync(inWorkspace("begun.txt"));
  });
});
