// What a command writes to standard output and to standard error comes in the order in which it was written.
import { delimiter } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { ManagedProcess } from "../../../../src/ports/processes.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** Often enough that an order which is left to chance comes out wrong. */
const TIMES = 8;

type Start = (command: string, background?: boolean, apart?: boolean) => Promise<ManagedProcess>;

async function starter(): Promise<Start> {
  const folder = await tempFolder();
  const spawner = new NodeSpawner();
  const table = new ProcessTable({ spawner, times: { kill: 300, closing: 300 } });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const workdir = {
    path: "work",
    realPath: "work",
    lexical: folder,
    absolute: folder,
    root: undefined,
  } as unknown as GatedPath;
  return (command, background = false, apart = false) =>
    table.start({ command, workdir, env: {}, interactive: background, title: "test", apart }, background, {
      session: "s",
      callId: "c",
    });
}

async function said(running: ManagedProcess): Promise<string> {
  await running.ended;
  return running.summary(100_000).text;
}

const node = JSON.stringify(process.execPath);

/** Commands, and what they write in its order. */
const COMMANDS: readonly (readonly [string, string, string])[] = [
  ["builtins in turn", "echo 1; echo 2 >&2; echo 3; echo 4 >&2", "1\n2\n3\n4\n"],
  [
    "warnings behind their files",
    'for i in 1 2 3; do echo "compile $i"; echo "warning $i" >&2; done',
    "compile 1\nwarning 1\ncompile 2\nwarning 2\ncompile 3\nwarning 3\n",
  ],
  ["a trace", "set -x; echo a; echo b", "+ echo a\na\n+ echo b\nb\n"],
  ["external programs", "/bin/echo 1; /bin/echo 2 >&2; /bin/echo 3; /bin/echo 4 >&2", "1\n2\n3\n4\n"],
  [
    "a program of both",
    `${node} -e 'const { writeSync } = require("fs"); for (let i = 0; i < 6; i++) writeSync(1 + (i % 2), i + "\\n")'`,
    "0\n1\n2\n3\n4\n5\n",
  ],
  ["parts of lines", "printf a; printf b >&2; printf c; printf 'd\\n' >&2", "abcd\n"],
  [
    "/dev/stderr by its name",
    "echo 1; echo 2 >/dev/stderr; echo 3; echo 4 | tee /dev/stderr >/dev/null; echo 5 >/dev/stdout",
    "1\n2\n3\n4\n5\n",
  ],
  ["exec 2>&1", "echo 1 >&2; exec 2>&1; echo 2; echo 3 >&2", "1\n2\n3\n"],
  ["2>&1 and a pipe", "{ echo 1; echo 2 >&2; echo 3; } 2>&1 | cat; echo 4 >&2", "1\n2\n3\n4\n"],
  ["streams that change places", "{ echo 1; echo 2 >&2; } 3>&1 1>&2 2>&3; echo 3", "1\n2\n3\n"],
  [
    "an error before the output",
    "cat no-such-file; echo after",
    "cat: no-such-file: No such file or directory\nafter\n",
  ],
  ["a subshell and a function", "f() { echo f; echo g >&2; }; f; (f); f", "f\ng\nf\ng\nf\ng\n"],
  [
    "lines longer than a write of a pipe",
    `${node} -e 'const { writeSync } = require("fs"); for (let i = 0; i < 4; i++) writeSync(1 + (i % 2), String(i).repeat(9000) + "\\n")'`,
    [0, 1, 2, 3].map((digit) => `${String(digit).repeat(9_000)}\n`).join(""),
  ],
  ["a long script", `: ${"x".repeat(120_000)}\necho 1; echo 2 >&2; echo 3; echo 4 >&2`, "1\n2\n3\n4\n"],
];

describe.skipIf(process.platform === "win32")("the order of both streams", () => {
  it.each(COMMANDS)("is kept: %s", async (_what, command, expected) => {
    const start = await starter();
    for (let time = 0; time < TIMES; time++) {
      expect(await said(await start(command))).toBe(expected);
    }
  });

  it("is kept where no named pipes can be made", async () => {
    const path = process.env.PATH ?? "";
    const empty = await tempFolder();
    process.env.PATH = empty;
    onTestFinished(() => void (process.env.PATH = path));
    const start = await starter();
    for (let time = 0; time < TIMES; time++) {
      const command = `export PATH='${[empty, path].join(delimiter)}'; echo 1; echo 2 >&2; echo "$#"; cat <<<4 >&2; exit 3`;
      const running = await start(command);
      expect(await said(running)).toBe("1\n2\n0\n4\n");
      expect(running.end).toMatchObject({ status: "exited", exitCode: 3 });
    }
  });

  it("is given up for streams that come apart, with and without named pipes", async () => {
    const path = process.env.PATH ?? "";
    const empty = await tempFolder();
    for (const folder of [path, empty]) {
      process.env.PATH = folder;
      onTestFinished(() => void (process.env.PATH = path));
      const start = await starter();
      const command = `export PATH='${path}'; echo 1; echo 2 >&2; echo 3; cat <<<4 >&2; exit 3`;
      const running = await start(command, false, true);
      await running.ended;
      expect(running.streams?.stdout.summary(100).text).toBe("1\n3\n");
      expect(running.streams?.stderr.summary(100).text).toBe("2\n4\n");
      expect(running.end).toMatchObject({ status: "exited", exitCode: 3 });
    }
  });

  it("is kept in the background, and for who polls", async () => {
    const start = await starter();
    const running = await start('while read -r line; do echo "$line"; echo "warning $line" >&2; done', true);
    let seen = "";
    let cursor = 0;
    let expected = "";
    for (const line of ["a", "b", "c", "d"]) {
      await running.write(`${line}\n`);
      expected += `${line}\nwarning ${line}\n`;
      await poll("both lines", () => {
        const part = running.output(cursor);
        cursor = part.next;
        seen += part.text;
        return seen.length >= expected.length;
      });
      expect(seen).toBe(expected);
    }
  });

  it("leaves each stream to redirections, and neither is a terminal", async () => {
    const start = await starter();
    expect(await said(await start("{ echo out; echo err >&2; } 2>errors; cat errors"))).toBe("out\nerr\n");
    expect(await said(await start("{ echo out; echo err >&2; } >output; echo between; cat output"))).toBe(
      "err\nbetween\nout\n",
    );
    expect(await said(await start("{ echo out; echo err >&2; } 2>/dev/null"))).toBe("out\n");
    expect(
      await said(await start("[ -t 1 ] || echo no; [ -t 2 ] || echo no; exec 2>&-; echo 1; echo lost >&2; echo 2")),
    ).toMatch(/^no\nno\n1\n2\n$/);
  });
});
