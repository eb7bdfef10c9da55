import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll } from "vitest";
import { finish, type Finished } from "../../../../system/cli/built.js";

/** Runs `process.ts` in a process of its own. */
export type RunProcess = (
  command: "open" | "change" | "count",
  folder: string,
  number?: number,
  options?: { uid?: number },
) => Promise<Finished>;

/** `process.ts` as a script, built once for a test file. */
export function builtProcess(): RunProcess {
  let script = "";
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolhost-journal-"));
    script = join(folder, "process.cjs");
    // Another user runs it, too.
    await chmod(folder, 0o755);
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
  return (command, folder, number = 0, options = {}) =>
    finish(
      spawn(process.execPath, [script, folder, String(number)], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, JOURNAL_COMMAND: command },
        ...options,
      }),
    );
}

/** Folders for a test: one for the state, which TOOLHOST_STATE then names, and one for files. */
export async function temporaryFolders(): Promise<{ state: string; files: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "toolhost-state-"));
  const state = join(root, "state");
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = state;
  const remove = (): Promise<void> => {
    // Test files of a worker share its environment.
    process.env["TOOLHOST_STATE"] = before;
    return rm(root, { recursive: true, force: true });
  };
  return { state, files: root, remove };
}
