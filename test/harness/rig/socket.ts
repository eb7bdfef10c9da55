// Runs functions that a test sends over a unix socket, with `vscode` in scope.
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { ResultFrame, RunFrame } from "./protocol";

/** Builds an async function from the text of `(vscode, arg, rig) => …`. */
function compile(source: string): (...args: unknown[]) => Promise<unknown> {
  // oxlint-disable-next-line typescript/no-implied-eval -- running a test's code is what the rig is for
  return new Function("vscode", "arg", "rig", `return (async () => (${source})(vscode, arg, rig))()`) as (
    ...args: unknown[]
  ) => Promise<unknown>;
}

async function answer(frame: RunFrame, vscode: unknown, rig: unknown): Promise<ResultFrame> {
  try {
    return { id: frame.id, ok: true, value: await compile(frame.source)(vscode, frame.arg, rig) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { id: frame.id, ok: false, message, stack: stack ?? message };
  }
}

/** Answers run frames (one JSON object a line) on `path`. Several run at the same time. */
export function listen(path: string, vscode: unknown, rig: unknown): Server {
  return createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    createInterface({ input: socket }).on("line", (line) => {
      void answer(JSON.parse(line) as RunFrame, vscode, rig).then((result) =>
        socket.write(`${JSON.stringify(result)}\n`),
      );
    });
  }).listen(path);
}
