// What the process table gives to terminals.
import { describe, expect, it, onTestFinished } from "vitest";
import { ProcessTable } from "../../../src/core/processes/processTable.js";
import { NodeSpawner } from "../../../src/hosts/node/processes.js";
import type { GatedPath } from "../../../src/ports/files.js";
import type { CommandEnd, ManagedProcess } from "../../../src/ports/processes.js";
import type { TerminalControls, Terminals } from "../../../src/ports/terminals.js";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../tools/workspace.js";

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

async function start(terminals: Terminals, command: string, background = false): Promise<ManagedProcess> {
  const folder = await tempFolder();
  const spawner = new NodeSpawner();
  const table = new ProcessTable({ spawner, terminals, times: { kill: 300, closing: 300 } });
  onTestFinished(async () => {
    await table.closeAll();
    spawner.dispose();
  });
  const workdir = { path: "work", realPath: "work", lexical: folder, absolute: folder, root: undefined } as unknown as GatedPath;
  return table.start({ command, workdir, env: {}, interactive: background, title: "a title" }, background, { session: "s", callId: "c" });
}

describe.skipIf(process.platform === "win32")("a process that people see", () => {
  it("is shown with all it writes, escape sequences and characters in pieces too, and with its end", async () => {
    const terminal = new Recorder();
    const running = await start(terminal, "printf '\\033[31mred\\033[0m \\303'; sleep 0.05; printf '\\244\\r\\n'; echo oops >&2; exit 3");
    await running.ended;
    expect(terminal.shown).toEqual({ id: "p1", title: "a title", command: running.command, workdir: "work", interactive: false, background: false });
    expect(terminal.text.replace("oops\n", "")).toBe("\x1b[31mred\x1b[0m ä\r\n");
    expect(terminal.text).toContain("oops\n");
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

  it("runs as well where there is no terminal", async () => {
    const running = await start({ show: () => { throw new Error("no window"); } }, "echo fine");
    expect((await running.ended).exitCode).toBe(0);
    expect(running.summary(100).text).toBe("fine\n");
  });
});
