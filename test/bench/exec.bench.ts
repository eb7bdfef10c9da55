// exec against a bare spawn of the same command, in the window's own Node.
//
// Measured at `Pipeline.invoke`, with the window's files, terminals and result store as the extension wires them.
// Through `lm.invokeTool` it cannot be: every command asks in a modal dialog, which this host refuses. So the caller is
// a person at their own command line, whom nothing asks; all else is the same: validation, the gate, the decision, the
// deadline, the check of the answer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecentActivity } from "../../src/core/pipeline/activity";
import { Pipeline } from "../../src/core/pipeline/pipeline";
import { ProcessTable } from "../../src/features/processes/processTable";
import { Registry } from "../../src/core/registry";
import { NodeDisk } from "../../src/hosts/node/disk/disk";
import { NodeSpawner } from "../../src/hosts/node/processes/spawner";
import { ResultFiles } from "../../src/hosts/node/state/results";
import { VscodeFiles } from "../../src/hosts/vscode/files/files";
import { VscodeTerminals } from "../../src/hosts/vscode/terminal/terminals";
import { exec } from "../../src/tools/runtime/exec";
import { hostContext, workspaceFolder } from "../harness/host";
import { writePart } from "./page";
import { measure, reached, table, type Bar } from "./side-by-side";

const OURS = "Toolhost";
const BARE = "a bare spawn";
const PIPE = "a plain pipe";
const UNSEEN = "Toolhost, no terminal";
const UNSTORED = "Toolhost, nothing stored";
const BARELY = "Toolhost, neither";
/** Characters of the large output. */
const LARGE = 100_000_000;
const LINES = `yes 'a line of some eighty characters, as a compiler or a test runner may write it out' | head -c ${LARGE}`;

describe("exec beside a bare spawn", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  const sections: string[] = [];
  const spawner = new NodeSpawner();
  const terminals = new VscodeTerminals();
  const results = new ResultFiles(() => Promise.resolve(folder));
  const whole = new ProcessTable({ spawner, terminals, results });
  const unseen = new ProcessTable({ spawner, results });
  const unstored = new ProcessTable({ spawner, terminals });
  const barely = new ProcessTable({ spawner });
  const files = new VscodeFiles(new NodeDisk());

  const bare = (command: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn("/bin/bash", ["-c", command], { cwd: workspaceFolder(), stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.on("data", () => undefined);
      child.stderr.on("data", () => undefined);
      child.once("error", reject);
      child.once("close", () => resolve());
    });
  /** Runs a command by the tool on a process table. */
  const on = (processes: ProcessTable): ((command: string) => Promise<void>) => {
    const registry = new Registry();
    registry.register(exec);
    const pipeline = new Pipeline({
      registry,
      capabilities: { files, processes, results },
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
    return async (command) => {
      const outcome = await pipeline.invoke(
        "exec",
        { command },
        { door: "api", session: "bench", authority: "owner", signal: new AbortController().signal },
      );
      assert.ok(
        outcome.ok && outcome.text.startsWith("[Exit code 0 "),
        outcome.ok ? outcome.text.slice(0, 200) : outcome.error.message,
      );
    };
  };
  const ours = on(whole);
  const onBarely = on(barely);
  const parts = [
    { name: UNSEEN, run: on(unseen) },
    { name: UNSTORED, run: on(unstored) },
    { name: BARELY, run: onBarely },
  ];
  const compare = async (
    title: string,
    bar: Bar,
    rounds: number,
    contenders: Parameters<typeof measure>[0],
  ): Promise<void> => {
    const measured = await measure(contenders, rounds);
    const section = table(title, measured, bar.of[0] ?? "", [bar]);
    console.log(section);
    sections.push(section);
    const share = reached(measured, bar);
    assert.ok(share <= bar.share, `${share.toFixed(2)}× ${bar.of.join(" + ")}, not at most ${bar.share}×`);
  };

  it("a short command", async () => {
    await compare("exec: a command that does nothing", { name: OURS, share: 1.3, of: [BARE] }, 61, [
      { name: BARE, run: () => bare("true") },
      { name: OURS, run: () => ours("true") },
      { name: BARELY, run: () => onBarely("true") },
    ]);
  });

  it("100 MB of output", async () => {
    await compare("exec: 100 MB of output", { name: OURS, share: 2, of: [PIPE] }, 9, [
      { name: PIPE, run: () => bare(LINES) },
      { name: OURS, run: () => ours(LINES) },
      ...parts.map(({ name, run }) => ({ name, run: () => run(LINES) })),
    ]);
  });

  after(async () => {
    await Promise.all([whole, unseen, unstored, barely].map((table) => table.closeAll()));
    terminals.dispose();
    spawner.dispose();
    rmSync(folder, { recursive: true, force: true });
    writePart(
      hostContext.repository,
      "exec",
      [
        "## Commands",
        "",
        `The tool at \`invoke\`, as the extension wires it: shown in a terminal, what is long stored. In Node ${process.version} of the window.`,
        "",
        ...sections,
      ].join("\n"),
    );
  });
});
