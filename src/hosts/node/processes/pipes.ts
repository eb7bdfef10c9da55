import { execFile } from "node:child_process";
import { closeSync, constants, existsSync, openSync, rmSync, unlinkSync } from "node:fs";
import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isProcess, startOf } from "./group.js";
import { makeStatusFolder } from "./pipeStatus.js";

/** Pipes created at a time: a process for each would cost as much as the command itself. */
const BATCH = 48;
/** If fewer are left, more are created in the background. */
const LOW = 12;

/**
 * A folder of pipes is named after its process, number and start, so that a later one can see if it is still running.
 */
const FOLDER = /^toolhost-pipes-(\d+)-(\d*)-\w+$/;

/** Maximum bytes per read: the capacity of a Linux pipe. */
const READ_SIZE = 65_536;

/**
 * Shared buffer for the output of all children, one read at a time: the bytes are consumed before the next. Node's own
 * way, a new buffer for each read, makes 100 MB of output take about 60 MB of memory, since the engine frees them late.
 */
const readBuffer = Buffer.allocUnsafeSlow(READ_SIZE);

/** A pipe between us and a child: our end, and the descriptor of the child's end until the child is started. */
export interface ChildPipe {
  socket: Socket;
  childEnd: number;
}

/** A pipe that is read from. */
export interface OutputPipe extends ChildPipe {
  /**
   * Starts reading; nothing is read before.
   *
   * @param take receives bytes that are only valid during the call
   */
  begin(take: (bytes: Uint8Array) => void): void;
}

/**
 * Real pipes for children. Node passes a Unix socket to a child as its pipe, and a socket cannot be opened by name:
 * `echo >/dev/stderr` and `tee /dev/stdout`, which many scripts use, fail with ENXIO. Node cannot create a pipe, so
 * these are named ones, created by `mkfifo` in a folder that only this user can enter, and unlinked as soon as both
 * ends are open.
 */
export class NamedPipes {
  #folder: string | undefined;
  #names: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;
  #cannot = process.platform === "win32";

  /** The folder of the pipes, which only this user can enter; undefined before the first. */
  get folder(): string | undefined {
    return this.#folder;
  }

  /** Takes some names; undefined if named pipes cannot be created. */
  async take(count: number): Promise<string[] | undefined> {
    while (this.#names.length < count && !this.#cannot) {
      await (this.#making ??= this.#make());
    }
    if (this.#cannot) {
      return undefined;
    }
    return this.#names.splice(0, count);
  }

  /**
   * Creates more if few are left. Called once a command has started, so that the command does not have to wait for
   * mkfifo.
   */
  refill(): void {
    if (this.#names.length < LOW && !this.#cannot) {
      this.#making ??= this.#make();
    }
  }

  /**
   * Drops the names in a pipe's folder. If a name that was taken no longer exists, the others do not either: systems
   * clean up temporary files after some days.
   */
  lost(name: string): void {
    if (dirname(name) === this.#folder) {
      this.#names = [];
      this.#folder = undefined;
    }
  }

  /** Removes all pipes when this process ends. */
  removeAll(): void {
    if (this.#folder !== undefined) {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #make(): Promise<void> {
    let names: string[] = [];
    try {
      const folder = (this.#folder ??= this.#makeFolder());
      names = Array.from({ length: BATCH }, () => join(folder, String(this.#made++)));
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
      if (this.#folder === folder) {
        this.#names.push(...names);
      }
    } catch {
      const [first] = names;
      if (first === undefined || existsSync(dirname(first))) {
        this.#cannot = true;
      } else {
        this.lost(first);
      }
    } finally {
      this.#making = undefined;
    }
  }

  #makeFolder(): string {
    const parent = tmpdir();
    void removeStale(parent);
    return makeStatusFolder(join(parent, `toolhost-pipes-${process.pid}-${startOf(process.pid) ?? ""}-`));
  }
}

/** Removes the folders of this user's killed processes. One that cannot be removed stays. */
async function removeStale(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const [, pid, start] = FOLDER.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid), start)) {
      await removeFolder(join(parent, name)).catch(() => undefined);
    }
  }
}

function isRunning(pid: number, start: string | undefined): boolean {
  const now = startOf(pid);
  return isProcess(pid) && (now === undefined || start === "" || now === start);
}

/**
 * Removes a folder only if it is as we create it: flat, ours, and closed to others, who might put links in its place.
 */
async function removeFolder(folder: string): Promise<void> {
  const { mode, uid } = await lstat(folder);
  if ((mode & constants.S_IFMT) !== constants.S_IFDIR || (mode & 0o077) !== 0 || uid !== process.getuid?.()) {
    return;
  }
  for (const name of await readdir(folder)) {
    await unlink(join(folder, name));
  }
  await rmdir(folder);
}

/** Opens a pipe that the child writes to. Opening does not block: our end is opened first. */
export function openOutput(name: string): OutputPipe {
  const ours = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const childEnd = openSync(name, constants.O_WRONLY);
  unlinkSync(name);
  let taker: (bytes: Uint8Array) => void = () => undefined;
  const callback = (length: number): boolean => {
    taker(readBuffer.subarray(0, length));
    return true;
  };
  const socket = new Socket({ fd: ours, readable: true, writable: false, onread: { buffer: readBuffer, callback } });
  socket.pause();
  const begin = (take: typeof taker): void => {
    taker = take;
    socket.resume();
  };
  return { socket, childEnd, begin };
}

/** Opens a pipe that the child reads from. */
export function openInput(name: string): ChildPipe {
  // The child's end must block for input, so it is opened without O_NONBLOCK, and therefore after ours.
  const first = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  const ours = openSync(name, constants.O_WRONLY | constants.O_NONBLOCK);
  const childEnd = openSync(name, constants.O_RDONLY);
  closeSync(first);
  const place = process.platform === "linux" ? openSync(name, O_PATH) : undefined;
  unlinkSync(name);
  const socket = new Socket({ fd: ours, readable: false, writable: true });
  if (place !== undefined) {
    socket.once("close", () => releaseLateReaders(place));
  }
  return { socket, childEnd };
}

/** Linux: refers to a file without opening it (open(2)). Node has no name for it. */
const O_PATH = 0o10_000_000;

/** After how long a pipe without a writer is looked at for readers that wait for one, in ms: at first, and at most. */
const [RELEASE_FIRST, RELEASE_LAST] = [50, 1_000];

/**
 * Lets programs open a pipe by name (`cat /dev/stdin`) whose input has ended. Linux makes whoever opens a named pipe for
 * reading wait until somebody opens it for writing (fifo(7)), also if the pipe still holds what they would read.
 *
 * @param place the pipe, opened with O_PATH; closed once nobody has the pipe open
 */
function releaseLateReaders(place: number, after = RELEASE_FIRST): void {
  setTimeout(() => {
    try {
      closeSync(openSync(`/proc/self/fd/${place}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      closeSync(place);
      return;
    }
    releaseLateReaders(place, Math.min(2 * after, RELEASE_LAST));
  }, after).unref();
}
