// What a shell that is told to source a script leaves behind, whoever watches it or does not.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ShellScript } from "../../../src/hosts/vscode/terminal/shellScript.js";
import type { GatedPath } from "../../../src/ports/files.js";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../tools/workspace.js";

const SHELLS = ["bash", "zsh"].filter((shell) => spawnSync(shell, ["-c", "true"]).status === 0);

async function scriptOf(
  command: string,
  env: Record<string, string | null> = {},
): Promise<{ script: ShellScript; folder: string }> {
  const folder = await tempFolder();
  const workdir = {
    path: ".",
    realPath: ".",
    lexical: folder,
    absolute: folder,
    root: undefined,
  } as unknown as GatedPath;
  const script = new ShellScript({ command, workdir, env, interactive: false, title: "test" });
  onTestFinished(() => script.remove());
  return { script, folder };
}

describe.skipIf(process.platform === "win32").each(SHELLS)("a script that %s sources", (shell) => {
  const source = (script: ShellScript, before = ""): { stdout: string; status: number | null } =>
    spawnSync(shell, ["-c", `${before}\n . '${script.path}'`], {
      encoding: "utf8",
      env: { ...process.env, KEPT: "yes", GONE: "no" },
    });

  it.each([
    ["true", "", 0],
    ["false", "", 1],
    ["exit 3", "", 3],
    ["echo open '", "", undefined],
    ["no-such-command-here", "", 127],
    ["kill -9 $BASHPID; kill -9 $(sh -c 'echo $PPID')", "", 137],
    ["exit 5", "set -C", 5],
    ["exit 6", "set -u", 6],
  ] as const)("tells its end: %s", async (command, before, code) => {
    const { script } = await scriptOf(command);
    expect([script.hasBegun, script.exitCode]).toEqual([false, undefined]);
    source(script, before);
    expect(script.hasBegun).toBe(true);
    if (code === undefined) {
      expect(script.exitCode).not.toBe(0);
    } else {
      expect(script.exitCode).toBe(code);
    }
  });

  it("has the variables it was given, and none that were taken away", async () => {
    const { script } = await scriptOf('echo "[$KEPT][${GONE-none}][$A]"', { A: "it's", GONE: null });
    expect(source(script).stdout).toContain("[yes][none][it's]");
  });

  it("does nothing once that is prevented", async () => {
    const { script, folder } = await scriptOf("touch ran");
    expect(script.prevent()).toBe(true);
    source(script);
    expect([existsSync(join(folder, "ran")), script.exitCode]).toEqual([false, undefined]);
  });

  it("runs once, and can be prevented no more when it has begun", async () => {
    const { script, folder } = await scriptOf("echo x >>ran; exit 2");
    source(script);
    source(script);
    expect(spawnSync("cat", [join(folder, "ran")], { encoding: "utf8" }).stdout).toBe("x\n");
    expect(script.prevent()).toBe(false);
  });

  it("tells its end after Ctrl+C", async () => {
    const { script, folder } = await scriptOf("sh -c 'touch ran; exec sleep 1000'");
    // A session of its own, as in a terminal: Ctrl+C reaches all of its group.
    const running = spawn(shell, ["-c", `trap : INT; . '${script.path}'`], { detached: true, stdio: "ignore" });
    // It is the program that Ctrl+C ends which says that it runs.
    await poll("the command to run", () => existsSync(join(folder, "ran")));
    process.kill(-(running.pid ?? 0), "SIGINT");
    expect(await script.until(() => script.exitCode !== undefined, AbortSignal.timeout(50_000))).toBe(true);
    expect(script.exitCode).toBe(130);
  });
});
