// Sessions over processes: killed in the middle of a turn, and several at once.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { WorkspaceStates } from "../../../../src/hosts/node/state/workspaceState.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { start, told, user } from "../../../unit/features/sessions/rig.js";
import { expectValid } from "../../../unit/features/sessions/validConversation.js";
import type { StoredSessions } from "../../../../src/features/sessions/storedSessions.js";

let script = "";

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-sessions-"));
  script = join(folder, "process.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("process.ts", import.meta.url))],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
  });
  return () => rm(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  /** The next line it says; undefined when it has ended. */
  line: () => Promise<string | undefined>;
}

function run(command: "append" | "begin", folder: string, session: string): Started {
  const child = spawn(process.execPath, [script, command, folder, session], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin?.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  return { child, line: async () => (await lines.next()).value as string | undefined };
}

async function logOf(folder: string): Promise<StoredSessions> {
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  return (await states.current()).sessions as StoredSessions;
}

it.each([1, 2, 7, 40])("loses nothing that was added before the kill after message %i, and goes on", async (count) => {
  const folder = await tempFolder();
  const { child, line } = run("append", folder, "session");
  expect(await line()).toBe("won");
  let last = -1;
  while (last < count) {
    last = Number(await line());
  }
  const log = await logOf(folder);
  expect((await log.status("session")).state).toBe("active");
  await expect(log.beginTurn(start("session", "mine"))).rejects.toMatchObject({
    type: "conflict",
    message: expect.stringContaining(`in a test's process (process ${child.pid})`) as string,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  for (let next = await line(); next !== undefined; next = await line()) {
    last = Number(next);
  }
  expect((await log.status("session")).state).toBe("interrupted");
  const { total } = await log.history("session", 1);
  // What was written may not have been said yet, and what was said may have stuck in the pipe.
  expect(total).toBeGreaterThanOrEqual(last + 1);
  await log.beginTurn(start("session", "mine"));
  await log.append("session", "mine", user("go on"));
  expectValid(await told(log, "session"));
  await log.endTurn("session", "mine");
  expect((await log.status("session")).state).toBe("idle");
});

it("lets just one of two processes begin a turn, and the other when the first has died", async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = await tempFolder();
    const both = [run("begin", folder, "shared"), run("begin", folder, "shared")];
    expect(await Promise.all(both.map(({ line }) => line()))).toEqual(["ready", "ready"]);
    both.forEach(({ child }) => child.stdin?.write("go\n"));
    const said = await Promise.all(both.map(({ line }) => line()));
    const winner = both[said.indexOf("won")];
    expect(said.toSorted()).toEqual([
      `Session shared (A test): one of its turns is in progress in a test's process (process ${winner?.child.pid}).`,
      "won",
    ]);
    const log = await logOf(folder);
    expect((await log.status("shared")).state).toBe("active");
    const ended = both.map(({ child }) => new Promise((resolve) => child.once("exit", resolve)));
    both.forEach(({ child }) => child.kill("SIGKILL"));
    await Promise.all(ended);
    expect(await log.beginTurn(start("shared", "third"))).toEqual({ depth: 0 });
    await log.endTurn("shared", "third");
  }
});
