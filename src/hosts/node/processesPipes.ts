import { execFile } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Made at once: a process for each would cost as much as the command itself. */
const BATCH = 48;
/** With fewer left, the next ones are made meanwhile. */
const LOW = 12;

/** A pipe between us and a child: our end, and the number of the child's until that is started. */
export interface ChildPipe {
  socket: Socket;
  childEnd: number;
}

/**
 * Real pipes for children. What Node gives to a child as a pipe is a Unix socket, and a socket cannot be opened by name: `echo >/dev/stderr`
 * and `tee /dev/stdout`, which many scripts have, fail with ENXIO. Node cannot make a pipe, so these are named ones, made by `mkfifo`
 * in a folder that only this user can enter, and without a name as soon as both ends are open.
 */
export class NamedPipes {
  #folder: string | undefined;
  #names: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;
  #cannot = process.platform === "win32";

  /** Takes some names; undefined where no named pipes can be made. */
  async take(count: number): Promise<string[] | undefined> {
    while (this.#names.length < count && !this.#cannot) {
      await (this.#making ??= this.#make());
    }
    if (this.#cannot) {
      return undefined;
    }
    const taken = this.#names.splice(0, count);
    if (this.#names.length < LOW) {
      this.#making ??= this.#make();
    }
    return taken;
  }

  /** Removes what is left, when this process ends. */
  removeAll(): void {
    if (this.#folder !== undefined) {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #make(): Promise<void> {
    try {
      const folder = (this.#folder ??= mkdtempSync(join(tmpdir(), "toolhost-pipes-")));
      const names = Array.from({ length: BATCH }, () => join(folder, String(this.#made++)));
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
      this.#names.push(...names);
    } catch {
      this.#cannot = true;
    } finally {
      this.#making = undefined;
    }
  }
}

/** A pipe that the child writes to. Opening waits for nobody: our end is there first. */
export function openOutput(name: string): ChildPipe {
  const ours = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const childEnd = openSync(name, constants.O_WRONLY);
  unlinkSync(name);
  return { socket: new Socket({ fd: ours, readable: true, writable: false }), childEnd };
}

/** A pipe that the child reads from. */
export function openInput(name: string): ChildPipe {
  // The child's end must wait for input, so it is opened without O_NONBLOCK, and therefore after ours.
  const first = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const ours = openSync(name, constants.O_WRONLY | constants.O_NONBLOCK);
  const childEnd = openSync(name, constants.O_RDONLY);
  closeSync(first);
  unlinkSync(name);
  return { socket: new Socket({ fd: ours, readable: false, writable: true }), childEnd };
}
