// Our process engine beside a bare spawn of the same command, in the window's own Node.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProcessTable } from "../../src/core/processes/processTable";
import { NodeSpawner } from "../../src/hosts/node/processes";
import { ResultFiles } from "../../src/hosts/node/results";
import type { GatedPath } from "../../src/ports/files";
import { hostContext } from "../harness/host";
import { writePart } from "./page";
import { measure, reached, table, type Bar } from "./side-by-side";

const OURS = "Toolhost";
const BARE = "a bare spawn";
const PIPE = "a plain pipe";
const STORED = "Toolhost, all of it stored";
/** Characters of the large output. */
const LARGE = 100_000_000;
const LINES = `yes 'a line of some eighty characters, as a compiler or a test runner may write it out' | head -c ${LARGE}`;

describe("exec beside a bare spawn", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  const sections: string[] = [];
  const spawner = new NodeSpawner();
  const plain = new ProcessTable({ spawner });
  const storing = new ProcessTable({ spawner, results: new ResultFiles(() => Promise.resolve(folder)) });

  const bare = (command: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn("/bin/bash", ["-c", command], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.on("data", () => undefined);
      child.stderr.on("data", () => undefined);
      child.once("error", reject);
      child.once("close", () => resolve());
    });
  const through = async (processes: ProcessTable, command: string): Promise<void> => {
    // The gate is measured with the tools; here it is the engine alone.
    const workdir = { path: ".", realPath: ".", lexical: folder, absolute: folder, root: undefined } as unknown as GatedPath;
    const process = await processes.start({ command, workdir, env: {}, interactive: false, title: "bench" }, false, { session: "bench", callId: "bench" });
    assert.equal((await process.ended).exitCode, 0);
  };
  const compare = async (title: string, bar: Bar, rounds: number, contenders: Parameters<typeof measure>[0]): Promise<void> => {
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
      { name: OURS, run: () => through(plain, "true") },
    ]);
  });

  it("100 MB of output", async () => {
    await compare("exec: 100 MB of output", { name: OURS, share: 2, of: [PIPE] }, 9, [
      { name: PIPE, run: () => bare(LINES) },
      { name: OURS, run: () => through(plain, LINES) },
      { name: STORED, run: () => through(storing, LINES) },
    ]);
  });

  after(async () => {
    await Promise.all([plain.closeAll(), storing.closeAll()]);
    spawner.dispose();
    rmSync(folder, { recursive: true, force: true });
    writePart(hostContext.repository, "exec", ["## Commands", "", `A command, its output read and let go, in Node ${process.version} of the window.`, "", ...sections].join("\n"));
  });
});
