import type { ManagedProcess } from "../../ports/processes.js";
import type { ShownProcess, Terminals } from "../../ports/terminals.js";
import { TerminalMirror } from "./terminalMirror.js";

/**
 * Shows a process to people: everything it writes from now on, including escape sequences.
 *
 * @returns a function that takes its output; undefined if no terminal is available, which must not make a process
 * fail
 */
export function showInTerminal(
  terminals: Terminals,
  process: ManagedProcess,
  interactive: boolean,
): ((bytes: Uint8Array) => void) | undefined {
  const { id, title, command, workdir, background } = process;
  let shown: ShownProcess;
  try {
    shown = terminals.show(
      { id, title, command, workdir, interactive, background },
      {
        // The process may have just ended: then nobody reads the input.
        input: (text) => void process.write(text).catch(() => undefined),
        closeInput: () => void process.closeInput().catch(() => undefined),
        stop: () => void process.stop("cancelled"),
      },
    );
  } catch {
    return undefined;
  }
  const mirror = new TerminalMirror(
    (text) => shown.write(text),
    () => process.resultId,
  );
  void process.ended.then((end) => {
    mirror.flush();
    shown.ended(end);
  });
  return (bytes) => mirror.push(bytes);
}
