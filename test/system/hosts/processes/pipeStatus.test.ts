// How the commands of a pipe ended is known, and nothing that a command does or says is changed for it.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, CommandRequest } from "../../../../src/ports/processes.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

const BASH = ["/bin/bash", "/usr/bin/bash"].find((file) => existsSync(file)) ?? "";

interface Ran {
  text: string;
  end: CommandEnd;
}

async function runner(more: Partial<CommandRequest> = {}): Promise<(command: string) => Promise<Ran>> {
  const folder = await tempFolder();
  const spawner = new NodeSpawner();
  const table = new ProcessTable({ spawner });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const workdir = { path: ".", absolute: folder, root: undefined } as unknown as GatedPath;
  return async (command) => {
    const request = { command, workdir, env: {}, interactive: false, title: "test", ...more };
    const running = await table.start(request, false, { session: "s", callId: "c" });
    return { end: await running.ended, text: running.summary(100_000).text };
  };
}

/** Runs it in bash alone, with both streams in one, as we do. */
function plain(command: string): Promise<{ text: string; code: number | undefined }> {
  return new Promise((resolve) => {
    const child = execFile(BASH, ["-c", `exec "$0" -c -- "$1" 2>&1`, BASH, command], (_error, text) =>
      resolve({ text, code: child.exitCode ?? undefined }),
    );
    child.stdin?.end();
  });
}

/** Commands, and the exit codes that are reported. */
const CASES: readonly (readonly [command: string, codes: readonly number[] | undefined])[] = [
  ["false | cat", [1, 0]],
  ["true | true", undefined],
  ["yes | head -1", [141, 0]],
  ["(exit 3) | false | (exit 5) | true", [3, 1, 5, 0]],
  ["true | false", [0, 1]],
  ["echo a; false | cat 2>&1", [1, 0]],
  ["false 2>&1 | cat;\n", [1, 0]],
  ["false |& cat", [1, 0]],
  ["true && false | cat", [1, 0]],
  ["nosuchcommand | cat", [127, 0]],
  [`{ echo "a;b"; exit 2; } | grep ';' | sed 's/;/|/'`, [2, 0, 0]],
  ["set -o pipefail; false | cat", [1, 0]],
  ["set -eu; false | cat", [1, 0]],
  ["set -x; false | cat", [1, 0]],
  ["IFS=1; false | cat", [1, 0]],
  ["shopt -s lastpipe; false | read x", [1, 1]],
  ["false | cat & wait", undefined],
  ["! false | cat", [1, 0]],
  ["echo() { builtin echo e; }; printf() { :; }; false | echo", [1, 0]],
  ["cd /; set -C; umask 077; false | cat", [1, 0]],
  ["echo $LINENO\nnosuchcommand\necho $LINENO | cat", undefined],
  ['echo "$_" "$0" "$#" "${BASH_ENV-unset}" "$-" | cat', undefined],
  ["env | grep -c BASH_ENV", undefined],
  ["bash -c 'false | cat; true' | cat", undefined],
  ["bash -c 'env | grep BASH_ENV; trap' | cat", undefined],
  ["bash -c 'false | false' | cat", [1, 0]],
  ["false | cat; )", undefined],
  ["false | cat; true", undefined],
  ["false | cat && echo x", undefined],
  ["false | cat || echo x", undefined],
  ["false | cat; exit 4", undefined],
  ["(false | cat)", undefined],
  ["x=$(false | cat)", undefined],
  ["echo 'a | b'", undefined],
  ["trap 'echo bye' EXIT; false | cat", undefined],
  ["trap", undefined],
  ["set -v\nfalse | cat", undefined],
  ["false | cat; exec true | cat", undefined],
  ["true | cat; kill -TERM $$ | sleep 5", undefined],
  ["echo | cat; sh -c 'kill -9 $$'", undefined],
];

// Every POSIX system that is supported has bash: without it these tests fail.
describe.skipIf(process.platform === "win32")("the exit codes of a pipe", () => {
  test.each(CASES)("%s", async (command, codes) => {
    const run = await runner();
    const { text, end } = await run(command);
    const alone = await plain(command);
    // The commands of a pipe run side by side, so bash traces them in either order.
    const traced = (shown: string): string =>
      command.startsWith("set -x") ? shown.split("\n").sort().join("\n") : shown;
    expect(traced(text)).toBe(traced(alone.text));
    expect(end.exitCode ?? undefined).toBe(end.signal === undefined ? alone.code : undefined);
    expect(end.pipeExitCodes).toEqual(codes);
  });

  test.each(["env | grep BASH_ENV", "bash -c 'env | grep BASH_ENV; trap' | cat"])(
    "leave nothing in the environment: %s",
    async (command) => {
      expect((await (await runner())(command)).text).toBe("");
    },
  );

  test("are known of a command that runs with limits", async () => {
    expect((await (await runner({ unasked: true }))("false | cat")).end.pipeExitCodes).toEqual([1, 0]);
  });

  test("are known of a command whose streams are apart", async () => {
    expect((await (await runner({ apart: true }))("false | cat")).end.pipeExitCodes).toEqual([1, 0]);
  });

  test("are not known where bash reads a file of the user first, which it does", async () => {
    const folder = await tempFolder({ "env.sh": "echo mine" });
    const run = await runner({ env: { BASH_ENV: join(folder, "env.sh") } });
    const { text, end } = await run("false | cat");
    expect(text).toBe("mine\n");
    expect(end.pipeExitCodes).toBeUndefined();
  });

  test("leave no file behind", async () => {
    const run = await runner();
    await run("false | cat");
    await run("sleep 0 | true; exec true | true");
    const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`toolhost-pipes-${process.pid}-`));
    const left = folders.flatMap((name) => readdirSync(join(tmpdir(), name)).filter((file) => file.includes("-")));
    expect(left.filter((file) => file !== "pipe-status")).toEqual([]);
  });
});
