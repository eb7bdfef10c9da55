// How the processes of a command are ended on Windows, where there are no groups: by taskkill, which is a script here.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { killGroupNow, signalGroup } from "../../../src/hosts/node/processes/group.js";

// The script needs a shell, and Windows would run its own taskkill.
describe.skipIf(process.platform === "win32")("on Windows", () => {
  let root: string;
  let calls: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "windows-"));
    calls = join(root, "calls");
    mkdirSync(join(root, "System32"));
    writeFileSync(join(root, "System32", "taskkill.exe"), `#!/bin/sh\necho "$@" >> '${calls}'\nexit 128\n`, {
      mode: 0o755,
    });
    vi.stubEnv("SystemRoot", root);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true, force: true });
  });

  test("the system's own taskkill ends a process with those below it, by force, and a process that is gone is no error", () => {
    killGroupNow(4_321, true);
    expect(readFileSync(calls, "utf8")).toBe("/pid 4321 /T /F\n");
  });

  test.each(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT"])("%s ends them, too", async (name) => {
    expect(signalGroup(4_321, name, true)).toBe(true);
    await vi.waitFor(() => expect(readFileSync(calls, "utf8")).toBe("/pid 4321 /T /F\n"), { timeout: 30_000 });
  });

  test.each(["SIGSTOP", "SIGCONT", "SIGUSR1", "SIGNONE"])("%s is refused, and nothing is ended", (name) => {
    expect(() => signalGroup(4_321, name, true)).toThrow("there is no such signal on this system");
    expect(existsSync(calls)).toBe(false);
  });
});
