import type { ChildProcess } from "node:child_process";
import { ToolError } from "../../../core/errors.js";
import type { ProgramCall } from "../../../ports/processes.js";
import { messageOf } from "../../../text/words.js";

/** A program of this machine that runs a script somewhere else, and passes its streams and its exit code on. */
export interface Bridge {
  /** The sandbox as people know it: `ssh:host`. */
  readonly name: string;
  /** Returns the call that runs a POSIX shell's script there. */
  call(script: string): ProgramCall;
  /** Returns why the program itself failed, if that is what an exit code and its standard error say. */
  failure(exitCode: number, stderr: string): ToolError | undefined;
}

/** What a script wrote and how it ended. */
export interface BridgeOutput {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
}

/** Builds the error of a bridge whose program could not be run to its end. */
export function notRun(bridge: Bridge, error: Error): Error {
  const { file } = bridge.call("");
  return "code" in error && error.code === "ENOENT"
    ? new ToolError("unavailable", `There is no program ${file} on this machine.`, `Let the user install ${file}.`)
    : error.name === "AbortError"
      ? new ToolError("timeout", `${bridge.name} did not end in time.`)
      : new ToolError("io_error", `${bridge.name}: ${messageOf(error)}`);
}

/**
 * Ends a bridge's program and closes its streams: what it leaves running here would go on writing, and be read, without
 * end.
 */
export function endBridge(child: ChildProcess): void {
  child.kill("SIGKILL");
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream?.destroy();
  }
}
