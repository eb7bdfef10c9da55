import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { ProcessUse, SpawnedProcess, SpawnEvents } from "../../../features/processes/spawner.js";
import type { MountedView } from "../../../ports/effects.js";
import type { Gateway } from "./hosts/gateway.js";
import { isGroupAlive, signalGroup, useOf } from "./group.js";
import { hasLeftBehind } from "./left.js";
import { takePipeStatus } from "./pipeStatus.js";
import type { Wires } from "./wires.js";

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
  /** Its way to hosts, which is closed when it has ended. */
  gateway: Gateway | undefined;
}

/** A running command. */
export class NodeChild implements SpawnedProcess {
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
    { child, mark, wires, events, folder, isContained, view, gateway }: ChildParts,
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
      gateway?.close();
      const sent = isContained ? this.#sentBy(code) : undefined;
      events.exit(
        sent === undefined ? (code ?? undefined) : undefined,
        sent ?? signal ?? undefined,
        pipe,
        gateway?.wanted(),
      );
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
