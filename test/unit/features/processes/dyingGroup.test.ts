import { expect, test } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import type { SpawnedProcess, SpawnEvents } from "../../../../src/features/processes/spawner.js";
import type { CommandEnd } from "../../../../src/ports/processes.js";
import type { GatedPath } from "../../../../src/ports/files.js";

/** Ends a process whose group is seen alive a number of times. */
async function endOf(signal: string | undefined, seenAlive: number): Promise<CommandEnd> {
  let events: SpawnEvents | undefined;
  let looks = 0;
  const spawned: SpawnedProcess = {
    pid: 1,
    pause: () => undefined,
    resume: () => undefined,
    write: () => Promise.resolve(),
    closeInput: () => Promise.resolve(),
    signal: () => false,
    isGroupAlive: () => looks++ < seenAlive,
    hasLeftBehind: () => false,
    unref: () => undefined,
  };
  const table = new ProcessTable({
    spawner: {
      start: (_request, told) => {
        events = told;
        return Promise.resolve(spawned);
      },
    },
  });
  const workdir = { path: ".", realPath: ".", lexical: "/", absolute: "/", root: undefined } as unknown as GatedPath;
  const process = await table.start({ command: "test", workdir, env: {}, interactive: false, title: "test" }, true, {
    session: "s",
    callId: "c",
  });
  events?.exit(signal === undefined ? 0 : undefined, signal);
  events?.close();
  return process.ended;
}

test("what dies of the signal that ended a command is not reported as left running", async () => {
  expect((await endOf("SIGTERM", 3)).leftRunning).toBe(false);
});

test("what ignores the signal that ended a command is reported as left running", async () => {
  expect((await endOf("SIGTERM", Infinity)).leftRunning).toBe(true);
});

test("what runs when a command exits by itself is reported as left running at once", async () => {
  expect((await endOf(undefined, 1)).leftRunning).toBe(true);
});
