// A view on a disk that becomes full: the command says so, nothing of what it changed is kept, and the workspace is whole.
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { treeOf } from "../faults/tree.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { builtCli } from "./built.js";
import { INITIALIZE, toolCall } from "./mcpRig.js";

const cli = builtCli();
/** Mounts a small disk in a namespace of its own, where that needs no rights. The working directory may be on it. */
const ON_SMALL_DISK = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && cd "$PWD" && shift 2 && exec "$@"';

/**
 * Runs commands as a model does, with a state on a disk of this size.
 *
 * @param isBare whether the folder is on such a disk instead, and commands run without a question or a sandbox
 * @returns the answers' texts
 */
async function onSmallDisk(
  size: string,
  folder: string,
  commands: readonly string[],
  isBare = false,
  more: Record<string, string> = {},
): Promise<string[]> {
  const base = await tempFolder();
  const state = join(base, "state");
  await mkdir(state);
  const child = spawn(
    "unshare",
    [
      ...["-Urm", "sh", "-c", ON_SMALL_DISK, "sh", size, isBare ? folder : state, process.execPath, cli.script, "mcp"],
      ...(isBare ? ["--allow-all"] : []),
    ],
    {
      cwd: folder,
      env: { ...process.env, TOOLHOST_STATE: state, ...(isBare && { TOOLHOST_SANDBOX: "off" }), ...more },
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send(INITIALIZE);
  const texts: string[] = [];
  for (const [index, command] of commands.entries()) {
    send(toolCall(index + 1, "exec", { command }));
    const line = await poll(`the answer to ${command}`, () =>
      out.split("\n").find((each) => each.includes(`"id":${index + 1},`) || each.includes(`"id":${index + 1}}`)),
    );
    texts.push((JSON.parse(line) as { result: { content: { text: string }[] } }).result.content[0]?.text ?? "");
  }
  child.stdin.end();
  await new Promise((resolve) => child.on("close", resolve));
  return texts;
}

describe.skipIf(missingSandbox() !== undefined)("a view on a small disk", () => {
  test("keeps nothing of a command that fills it, and the next one works", { timeout: 120_000 }, async () => {
    const folder = await tempFolder({ "a.txt": "one\n", "d/b.txt": "b\n" });
    const before = await treeOf(folder);
    const fill = `python3 -c 'import os
os.remove("d/b.txt")
with open("a.txt", "w") as f:
    try:
        while True: f.write("x" * 1000000); f.flush()
    except OSError as e: print("error", e.errno)'`;
    const [filled, next] = await onSmallDisk("64m", folder, [fill, 'python3 -c \'open("n", "w").write("x")\'']);
    expect(filled).toContain("error 28");
    expect(filled).toContain("[Nothing that it changed was kept: the disk with Toolhost's state is full.");
    expect(next).toContain("[Changed: A n");
    expect(await treeOf(folder)).toEqual({ ...before, n: "x" });
  });

  test("is not opened on a disk that is full, and says so", { timeout: 120_000 }, async () => {
    const folder = await tempFolder({ "a.txt": "one\n" });
    const [text] = await onSmallDisk("12m", folder, ['python3 -c \'open("n", "w").write("x")\'']);
    expect(text).toMatch(/Error \((unavailable|denied)\)/);
    expect(await treeOf(folder)).toEqual({ "a.txt": "one\n" });
  });
});

test.skipIf(process.platform !== "linux")(
  "what runs unasked since undo takes it back does not run where the state's disk is full",
  { timeout: 120_000 },
  async () => {
    const folder = await tempFolder({ "a.txt": "one\n", "b.txt": "b\n" });
    const texts = await onSmallDisk("12m", folder, ["sed -i s/one/two/ a.txt", "mv b.txt c.txt"], false, {
      TOOLHOST_SANDBOX: "off",
    });
    for (const text of texts) {
      expect(text).toContain(
        "Error (unavailable): The command was not run: undo could not take its changes back now (the disk with Toolhost's state is full).",
      );
    }
    expect(await treeOf(folder)).toEqual({ "a.txt": "one\n", "b.txt": "b\n" });
  },
);

describe.skipIf(missingSandbox() !== undefined)("a workspace on a small disk", () => {
  test(
    "that a command without a sandbox fills with what would be 20 GB: it is told, and the next one works",
    {
      timeout: 120_000,
    },
    async () => {
      const folder = await tempFolder();
      const [, filled, freed] = await onSmallDisk(
        "64m",
        folder,
        [
          "echo one > a.txt; mkdir d",
          "head -c 20G /dev/zero > d/big; rm a.txt; echo x > d/more",
          "rm d/big; cat d/more; ls",
        ],
        true,
      );
      expect(filled).toContain("No space left on device");
      expect(filled).toContain("[Changed: A d/big, A d/more +1, D a.txt −1; undo does not cover: d/big (too large)]");
      expect(freed).toContain("[Changed: D d/big; undo does not cover: d/big (too large)]");
    },
  );
});
