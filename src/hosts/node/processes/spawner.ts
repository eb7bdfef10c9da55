import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "../../../core/errors.js";
import type {
  ProcessUse,
  SpawnedProcess,
  SpawnEvents,
  Spawner,
  SpawnRequest,
} from "../../../features/processes/spawner.js";
import type { MountedView } from "../../../ports/effects.js";
import { commandEnvironment } from "../environment.js";
import { gitDefence } from "../gitDefence.js";
import { NodePrograms } from "../programs.js";
import { isGroupAlive, killGroupNow, signalGroup, useOf } from "./group.js";
import { ProcessGuard } from "./guard.js";
import { COMMAND_MARK, hasLeftBehind } from "./left.js";
import { NamedPipes, openInput, openOutput, type ChildPipe, type OutputPipe } from "./pipes.js";
import { prepareReport, statusVariables, takePipeStatus, unreadableIn } from "./pipeStatus.js";
import type { Sandbox } from "./sandbox.js";
import { programCall, SCRIPT_FD, shellCall, type ShellCall } from "./shell.js";

/**
 * Our ends of a child's streams, and the child's until it is started. One pipe carries all its output, unless its errors
 * must come apart: with two, nobody would know what was written first.
 */
interface Wires {
  stdin: ChildPipe | undefined;
  output: OutputPipe;
  errors: OutputPipe | undefined;
}

/**
 * Starts commands as child processes, each in its own group. When this process ends, for whatever reason, so do they
 * and everything they started.
 */
export class NodeSpawner implements Spawner {
  readonly #pipes = new NamedPipes();
  readonly #guard = new ProcessGuard();
  readonly #children = new Set<NodeChild>();

  readonly #sandbox: Sandbox | undefined;

  /** @param sandbox contains commands that are to be contained; if absent, none is */
  constructor(sandbox?: Sandbox) {
    this.#sandbox = sandbox;
    process.on("exit", this.#onExit);
  }

  async start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess> {
    refuseNul(request);
    const file = request.program && (await findProgram(request.program.file, request));
    this.#guard.start();
    let wires: Wires | undefined;
    try {
      wires = await this.#openWires(request);
      const plain =
        request.program === undefined || file === undefined
          ? shellCall(request.command, wires !== undefined || request.apart === true, request.limits)
          : programCall({ file, args: request.program.args }, request.limits);
      const mark = `${process.pid}-${randomUUID()}`;
      const env = commandEnvironment(process.env, request.env, request.folder);
      const defence = request.limits === undefined ? {} : gitDefence(env, request.command);
      const folder = wires !== undefined && plain.isBash ? this.#pipes.folder : undefined;
      const status = request.program === undefined ? statusVariables(request.command, env, folder) : {};
      const contained = await this.#contained(plain, request, env, status.BASH_ENV, mark);
      if (request.view !== undefined && contained === undefined) {
        throw new ToolError(
          "stale",
          "The command was not run: it can no longer be contained.",
          "Call it again: the user is asked then.",
        );
      }
      const call = contained ?? plain;
      const child = this.#guarded(mark, () =>
        spawnShell(call, request, { ...env, ...defence, ...status, [COMMAND_MARK]: mark }, wires),
      );
      this.#pipes.refill();
      await started(child);
      const made = new NodeChild(
        {
          child,
          mark,
          wires,
          events,
          folder: status.BASH_ENV && folder,
          isContained: call !== plain,
          view: request.view,
        },
        (gone) => {
          this.#children.delete(gone);
          this.#guard.forget(gone.pid);
        },
      );
      this.#children.add(made);
      if (call.script !== undefined) {
        giveScript(child, call.script);
      }
      return made;
    } catch (error) {
      for (const { socket } of allWires(wires)) {
        socket.destroy();
      }
      throw error instanceof ToolError ? error : notStarted(error as NodeJS.ErrnoException, request);
    }
  }

  /** Returns the call that runs another contained; undefined if it is not to be, or cannot be. */
  async #contained(
    call: ShellCall,
    { contained, folder, view }: SpawnRequest,
    env: Readonly<Record<string, string>>,
    script: string | undefined,
    mark: string,
  ): Promise<ShellCall | undefined> {
    const own = this.#pipes.folder;
    if (contained === undefined || own === undefined) {
      return undefined;
    }
    const report = script === undefined ? undefined : { script, file: prepareReport(own, mark) };
    return this.#sandbox?.contained(call, contained, { folder, unreadable: unreadableIn(own), report, env }, view);
  }

  /** Starts a command so that the guard knows it at every moment. */
  #guarded(mark: string, start: () => ChildProcess): ChildProcess {
    this.#guard.expect(mark);
    let pid: number | undefined;
    try {
      const child = start();
      pid = child.pid;
      return child;
    } finally {
      if (pid === undefined) {
        this.#guard.expectNot(mark);
      } else {
        this.#guard.watch(pid, mark);
      }
    }
  }

  async #openWires(request: SpawnRequest): Promise<Wires | undefined> {
    const count = 1 + Number(request.apart ?? false) + Number(request.interactive);
    const names = await this.#pipes.take(count);
    try {
      return names && openWires(names, request);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw error;
      }
    }
    this.#pipes.lost(names?.[0] ?? "");
    const others = await this.#pipes.take(count);
    return others && openWires(others, request);
  }

  /** Ends everything immediately, when this process ends and there is no time left for SIGTERM. */
  dispose(): void {
    process.off("exit", this.#onExit);
    this.#onExit();
  }

  readonly #onExit = (): void => {
    for (const child of this.#children) {
      if (child.isGroupAlive()) {
        killGroupNow(child.pid);
      }
    }
    this.#pipes.removeAll();
    this.#guard.end();
  };
}

interface ChildParts {
  child: ChildProcess;
  mark: string;
  wires: Wires | undefined;
  events: SpawnEvents;
  /** Where its shell reports on a pipe; undefined if it does not. */
  folder: string | undefined;
  /** Whether it is contained: then its exit code tells which signal ended it. */
  isContained: boolean;
  /** The view in which it changes files. */
  view: MountedView | undefined;
}

class NodeChild implements SpawnedProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #mark: string;
  readonly #started = performance.now();
  readonly #stdin: Writable | undefined;
  /** Its output, or its standard output and its standard error. */
  readonly #outputs: readonly Readable[];
  readonly #onGone: (child: NodeChild) => void;
  readonly #isContained: boolean;
  readonly #view: MountedView | undefined;
  /** The numbers of the signals that were sent to it. */
  readonly #sent = new Set<number>();
  #hasExited = false;
  /** Whether its group is empty. */
  #isGone = false;

  constructor(
    { child, mark, wires, events, folder, isContained, view }: ChildParts,
    onGone: (child: NodeChild) => void,
  ) {
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#mark = mark;
    this.#onGone = onGone;
    this.#isContained = isContained;
    this.#view = view;
    this.#stdin = wires === undefined ? (child.stdin ?? undefined) : wires.stdin?.socket;
    // A failed write reports itself to its caller.
    this.#stdin?.on("error", () => undefined);
    const pipes = wires === undefined ? [child.stdout, child.stderr] : [wires.output.socket, wires.errors?.socket];
    this.#outputs = pipes.filter((each) => each !== null && each !== undefined);
    let open = this.#outputs.length;
    for (const output of this.#outputs) {
      // Whatever goes wrong with a pipe, it closes afterwards.
      output.on("error", () => undefined);
      output.once("close", () => {
        open--;
        if (open === 0) {
          events.close();
          this.isGroupAlive();
        }
      });
    }
    const take = (bytes: Uint8Array): void => events.output(bytes, false);
    const takeErrors = (bytes: Uint8Array): void => events.output(bytes, true);
    if (wires === undefined) {
      child.stdout?.on("data", take);
      child.stderr?.on("data", takeErrors);
    } else {
      wires.output.begin(take);
      wires.errors?.begin(takeErrors);
    }
    child.once("exit", (code, signal) => {
      this.#hasExited = true;
      this.#stdin?.destroy();
      const pipe = takePipeStatus(folder, mark);
      const sent = isContained ? this.#sentBy(code) : undefined;
      events.exit(sent === undefined ? (code ?? undefined) : undefined, sent ?? signal ?? undefined, pipe);
      this.isGroupAlive();
    });
  }

  pause(): void {
    for (const output of this.#outputs) {
      output.pause();
    }
  }

  resume(): void {
    for (const output of this.#outputs) {
      output.resume();
    }
  }

  write(text: string): Promise<void> {
    const stdin = this.#stdin;
    return new Promise((resolve, reject) => {
      if (stdin === undefined || !stdin.writable) {
        reject(new Error("closed"));
        return;
      }
      // A pipe that the other side closes may take the last write with it.
      const closed = (): void => reject(new Error("closed"));
      stdin.once("close", closed);
      stdin.write(text, (error) => {
        stdin.off("close", closed);
        if (error) {
          reject(error);
        } else {
          resolve();
        }
      });
    });
  }

  closeInput(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdin === undefined || this.#stdin.destroyed || this.#stdin.writableEnded) {
        resolve();
        return;
      }
      this.#stdin.once("close", () => resolve());
      this.#stdin.end(() => resolve());
    });
  }

  signal(name: string): boolean {
    this.#sent.add(constants.signals[name as NodeJS.Signals]);
    return signalGroup(this.pid, name);
  }

  /** Returns the signal that ended a contained command: bubblewrap exits with 128 and its number. */
  #sentBy(code: number | null): string | undefined {
    const number = (code ?? 0) - 128;
    return this.#sent.has(number)
      ? Object.entries(constants.signals).find(([, each]) => each === number)?.[0]
      : undefined;
  }

  isGroupAlive(): boolean {
    // What a contained one leaves is ended by the system, with its namespace.
    if (!this.#isGone && this.#hasExited && (this.#isContained || !isGroupAlive(this.pid))) {
      // Report it as soon as it is seen: its number may be reused from now on.
      this.#isGone = true;
      this.#onGone(this);
    }
    return !this.#isGone;
  }

  use(): ProcessUse | undefined {
    const use = useOf(this.pid, performance.now() - this.#started);
    const disk = this.#view?.taken();
    return use && { ...use, ...(disk !== undefined && { disk }) };
  }

  hasLeftBehind(): boolean | undefined {
    return this.#isContained ? false : hasLeftBehind(this.pid, this.#mark, performance.now() - this.#started);
  }

  unref(): void {
    this.#child.unref();
    for (const output of this.#outputs as readonly (Readable & { unref?: () => void })[]) {
      output.unref?.();
    }
  }
}

function refuseNul({ command, env, program }: SpawnRequest): void {
  if (program?.args.some((arg) => arg.includes("\0")) === true) {
    throw new ToolError("invalid_input", "An argument contains a NUL character, which no argument may.");
  }
  if (program === undefined && command.includes("\0")) {
    throw new ToolError(
      "invalid_input",
      "command: contains a NUL character, which no command may.",
      "Write it as an escape: printf '\\0'.",
    );
  }
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || /[=\0]/.test(name) || value?.includes("\0") === true) {
      throw new ToolError(
        "invalid_input",
        `env: ${JSON.stringify(name)} is not a variable: names cannot contain =, and neither names nor values a NUL.`,
      );
    }
  }
}

function openWires(names: readonly string[], { apart, interactive }: SpawnRequest): Wires | undefined {
  const [output, ...others] = names;
  const errors = apart === true ? others.shift() : undefined;
  const stdin = interactive ? others.shift() : undefined;
  return output === undefined
    ? undefined
    : {
        output: openOutput(output),
        errors: errors === undefined ? undefined : openOutput(errors),
        stdin: stdin === undefined ? undefined : openInput(stdin),
      };
}

function allWires(wires: Wires | undefined): ChildPipe[] {
  return [wires?.stdin, wires?.output, wires?.errors].filter((each) => each !== undefined);
}

function spawnShell(
  { file, args, script }: ShellCall,
  { folder, interactive, apart = false, program }: SpawnRequest,
  env: Record<string, string>,
  wires: Wires | undefined,
): ChildProcess {
  try {
    return spawn(file, args, {
      cwd: folder,
      env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [
        interactive ? (wires?.stdin?.childEnd ?? "pipe") : "ignore",
        wires?.output.childEnd ?? "pipe",
        // Without our own pipe the shell first redirects standard error to standard output.
        wires?.errors?.childEnd ?? wires?.output.childEnd ?? (apart || program !== undefined ? "pipe" : "ignore"),
        ...(script === undefined ? [] : ["pipe" as const]),
      ],
    });
  } finally {
    // The child has its own copies now; ours would keep the pipes open forever.
    for (const { childEnd } of allWires(wires)) {
      closeSync(childEnd);
    }
  }
}

/** Resolves when it is running. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", reject);
  });
}

/**
 * Returns the absolute path of a program, so that a missing one is reported before anything starts.
 *
 * @throws ToolError `not_found`, `unsupported` for a file that is not executable
 */
async function findProgram(name: string, { folder, env }: SpawnRequest): Promise<string> {
  const path = commandEnvironment(process.env, env, folder)["PATH"] ?? "";
  const [file] = await new NodePrograms(() => path).find(name, folder);
  if (file !== undefined) {
    // Not the name that a link leads to: a program may go by the name it was called with.
    return name.includes("/") ? resolve(folder, name) : file;
  }
  if (name.includes("/") && existsSync(resolve(folder, name))) {
    throw new ToolError("unsupported", `${name} is not an executable file.`, "Make it executable: chmod +x.");
  }
  throw new ToolError(
    "not_found",
    `${name}: there is no such program.`,
    name.includes("/") ? "Correct its path." : "Install it, or give its path.",
  );
}

function notStarted(error: NodeJS.ErrnoException, { folder, shownFolder, program }: SpawnRequest): ToolError {
  if (!isFolder(folder)) {
    return new ToolError(
      "not_found",
      `${shownFolder}: there is no such folder any more.`,
      "Use another folder as workdir.",
    );
  }
  if (error.code === "E2BIG") {
    return new ToolError(
      "invalid_input",
      `${program === undefined ? "env: the environment is" : "The arguments and the environment are"} larger than the system allows.`,
      "Put large values into a file.",
    );
  }
  return new ToolError("io_error", `The command could not be started: ${error.message}.`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function giveScript(child: ChildProcess, script: string): void {
  const pipe = child.stdio[SCRIPT_FD] as Writable | null | undefined;
  // A shell that is ended while it reads its script does not need the rest of it.
  pipe?.on("error", () => undefined);
  pipe?.end(script);
}
