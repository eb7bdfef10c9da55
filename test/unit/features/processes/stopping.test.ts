import { expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import type { SpawnedProcess, SpawnEvents } from "../../../../src/features/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";

/** The signals that a process gets that is stopped, and how it ends, on a system that knows some of them. */
async function stopped(known: readonly string[]): Promise<{ got: string[]; status: string }> {
  let events: SpawnEvents | undefined;
  const got: string[] = [];
  const spawned: SpawnedProcess = {
    pid: 1,
    pause: () => undefined,
    resume: () => undefined,
    write: () => Promise.resolve(),
    closeInput: () => Promise.resolve(),
    signal: (name) => {
      if (!known.includes(name)) {
        throw new ToolError("invalid_input", `${name}: there is no such signal on this system.`);
      }
      got.push(name);
      events?.exit(undefined, "SIGTERM");
      events?.close();
      return true;
    },
    isGroupAlive: () => false,
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
  const { status } = await process.stop("cancelled");
  return { got, status };
}

test.each([
  { system: "Linux", known: ["SIGTERM", "SIGCONT", "SIGKILL"], got: ["SIGTERM", "SIGCONT"] },
  { system: "Windows, which has no SIGCONT", known: ["SIGTERM", "SIGKILL"], got: ["SIGTERM"] },
])("a command is stopped on $system", async ({ known, got }) => {
  expect(await stopped(known)).toEqual({ got, status: "cancelled" });
});
