// What the process table gives to terminals.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProcessTable } from "../../../../src/features/processes/processTable.js";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";
import { ResultFiles } from "../../../../src/hosts/node/state/results.js";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../../src/ports/processes.js";
import type { Results } from "../../../../src/ports/results.js";
import type { TerminalControls, Terminals } from "../../../../src/ports/terminals.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** A terminal that keeps what it is given. */
class Recorder implements Terminals {
  text = "";
  shown: Parameters<Terminals["show"]>[0] | undefined;
  controls: TerminalControls | undefined;
  end: CommandEnd | undefined;

  show(process: Parameters<Terminals["show"]>[0], controls: TerminalControls): ReturnType<Terminals["show"]> {
    this.shown = process;
    this.controls = controls;
    return { write: (text) => (this.text += text), ended: (end) => (this.end = end) };
  }
}

async function start(
  terminals: Terminals,
  command: string,
  background = false,
  results?: Results,
): Promise<ManagedProcess> {
  const folder = await tempFolder();
  const spawner = new NodeSpawner();
  const table = new ProcessTable({
    spawner,
    terminals,
    ...(results === undefined ? {} : { results }),
    times: { kill: 300, closing: 300 },
  });
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
  return table.start({ command, workdir, env: {}, interactive: background, title: "a title" }, background, {
    session: "s",
    callId: "c",
  });
}

describe.skipIf(process.platform === "win32")("a process that people see", () => {
  it("is shown with all it writes, escape sequences and characters in pieces too, and with its end", async () => {
    const terminal = new Recorder();
    const running = await start(
      terminal,
      "printf '\\033[31mred\\033[0m \\303'; sleep 0.05; printf '\\244\\r\\n'; echo oops >&2; exit 3",
    );
    await running.ended;
    expect(terminal.shown).toEqual({
      id: "p1",
      title: "a title",
      command: running.command,
      workdir: "work",
      interactive: false,
      background: false,
    });
    expect(terminal.text).toBe("\x1b[31mred\x1b[0m ä\r\noops\n");
    expect(terminal.end).toMatchObject({ status: "exited", exitCode: 3 });
  });

  it("reads what is typed, and its end", async () => {
    const terminal = new Recorder();
    const running = await start(terminal, 'read name; echo "hello $name"; cat; echo over', true);
    terminal.controls?.input("Ada\n");
    await poll("the answer", () => terminal.text.includes("hello Ada"));
    terminal.controls?.closeInput();
    await running.ended;
    expect(terminal.text).toBe("hello Ada\nover\n");
    // Too late: nobody reads it, and nothing fails.
    terminal.controls?.input("late\n");
    terminal.controls?.closeInput();
  });

  it("is stopped from its terminal", async () => {
    const terminal = new Recorder();
    const running = await start(terminal, "sleep 1000");
    terminal.controls?.stop();
    expect((await running.ended).status).toBe("cancelled");
    expect(terminal.end?.status).toBe("cancelled");
    terminal.controls?.stop();
  });

  it("is shown whole when it writes little, in many pieces too", async () => {
    const terminal = new Recorder();
    const running = await start(terminal, "for i in {1..2000}; do echo line $i; done");
    await running.ended;
    expect(terminal.text).toBe(Array.from({ length: 2_000 }, (_, at) => `line ${at + 1}\n`).join(""));
  });

  it("that writes more than anybody can read is shown in part, which says so", async () => {
    const terminal = new Recorder();
    const folder = join(await tempFolder(), "results");
    const running = await start(
      terminal,
      `yes "$(printf 'a line \\033[32mé %0900d' 0)" | head -c 30000000; echo; echo last`,
      false,
      new ResultFiles(() => Promise.resolve(folder)),
    );
    await running.ended;
    expect(terminal.text.length).toBeLessThan(3_000_000);
    expect(terminal.text.endsWith("\nlast\n")).toBe(true);
    const notes = [
      ...terminal.text.matchAll(
        /\n\x1b\[2m\[… (\d+|\d+\.\d) ([kM])B not shown here(?:; the full log is read_result (r\w+))?\]\x1b\[0m\n/g,
      ),
    ];
    expect(notes.length).toBeGreaterThan(0);
    // What is left out while the first bytes are on their way to the store has no id yet.
    expect(new Set(notes.flatMap(([, , , id]) => id ?? []))).toEqual(new Set([running.resultId]));
    const left = notes.reduce((sum, [, amount, unit]) => sum + Number(amount) / (unit === "M" ? 1 : 1_000), 0);
    expect(left + Buffer.byteLength(terminal.text) / 1_000_000).toBeCloseTo(30, 0);
    expect(terminal.text).not.toContain("\uFFFD");
  });

  it("runs as well where there is no terminal", async () => {
    const running = await start(
      {
        show: () => {
          throw new Error("no window");
        },
      },
      "echo fine",
    );
    expect((await running.ended).exitCode).toBe(0);
    expect(running.summary(100).text).toBe("fine\n");
  });
});
