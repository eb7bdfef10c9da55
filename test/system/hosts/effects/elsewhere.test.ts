// What a killed process left, and another process is recording at this moment.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isTakenElsewhere, RECORDED } from "../../../../src/hosts/node/effects/leftSnapshots.js";
import { ThreadSnapshots } from "../../../../src/hosts/node/effects/threadSnapshots.js";
import { temporaryTag } from "../../../../src/hosts/node/state/owner.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** A process that runs, and its tag. */
function other(): { tag: string; end: () => Promise<unknown> } {
  const child = spawn("sleep", ["600"]);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const tag = `${child.pid}-${ticks}-${temporaryTag().split("-").at(-1)}`;
  return { tag, end: () => (child.kill("SIGKILL"), ended) };
}

// Tags have when a process started, which here only Linux tells.
test.skipIf(process.platform !== "linux")("is waited for until it is recorded, or that process has ended", async () => {
  const folder = await tempFolder();
  expect(isTakenElsewhere(join(folder, "none"))).toBe(false);
  const { tag, end } = other();
  const taken = join(folder, tag, "of-1-2-abc");
  mkdirSync(taken, { recursive: true });
  // Its own are not waited for: its commands run still.
  writeFileSync(join(folder, tag, "1.snapshot"), "");
  expect(isTakenElsewhere(folder)).toBe(false);
  writeFileSync(join(taken, "1.snapshot"), "");
  expect(isTakenElsewhere(folder)).toBe(true);
  // A process that could not record them keeps them: nobody waits for that.
  expect(isTakenElsewhere(folder, Date.now() + RECORDED + 1_000)).toBe(false);
  let isOver = false;
  const waited = new ThreadSnapshots(folder, () => folder).elsewhere().then(() => (isOver = true));
  for (let turn = 0; turn < 100; turn++) {
    await setImmediate();
  }
  expect(isOver).toBe(false);
  rmSync(join(taken, "1.snapshot"));
  await waited;
  writeFileSync(join(taken, "1.snapshot"), "");
  expect(isTakenElsewhere(folder)).toBe(true);
  await end();
  expect(isTakenElsewhere(folder)).toBe(false);
});
