import { spawn, type ChildProcess } from "node:child_process";

/** Time limit for a copy, in ms; it takes 1 or 2 ms. */
const COPY_TIMEOUT = 20_000;
/** How long the shell is kept without work, in ms. */
const IDLE = 60_000;

/** A copy that was not made; the message is what cp, or the system, said. */
export class CopyFailed extends Error {}

/** What Node's types do not say of a pipe to a child. */
interface Held {
  ref(): void;
  unref(): void;
}

interface Job {
  resolve: () => void;
  reject: (error: CopyFailed) => void;
}

/**
 * Copies files' attributes with GNU coreutils' cp, in a shell that waits for the next copy: starting a process from a
 * small one takes a fraction of what it takes from ours, which is blocked meanwhile.
 */
class AttributeShell {
  readonly #child: ChildProcess;
  /** Copies not finished yet, in the order in which the shell makes them. */
  readonly #jobs: Job[] = [];
  #timer: NodeJS.Timeout | undefined;
  #output = "";
  /** Whether it takes no more copies. */
  #isOver = false;

  constructor() {
    this.#child = spawn("/bin/sh", [], {
      // It keeps no folder of the user's busy.
      cwd: "/",
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    });
    this.#child.on("error", (error) => this.#end(String(error)));
    this.#child.on("exit", () => this.#end("the shell that copies attributes ended"));
    this.#child.stdin?.on("error", (error) => this.#end(String(error)));
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#hold(false);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws CopyFailed */
  async copy(from: string, to: string): Promise<void> {
    const made = new Promise<void>((resolve, reject) => this.#jobs.push({ resolve, reject }));
    this.#hold(true);
    const cp = `cp --attributes-only --preserve=mode,ownership,xattr -- ${quoted(from)} ${quoted(to)}`;
    this.#child.stdin?.write(
      `if e=$(${cp} 2>&1 </dev/null); then e=; else e="\${e:-cp failed}"; fi; printf '%s\\0' "$e"\n`,
    );
    this.#wait(COPY_TIMEOUT);
    return made;
  }

  /** Takes the shell's answers: what cp said about each copy, nothing if it was made. */
  #take(text: string): void {
    const answers = (this.#output + text).split("\0");
    this.#output = answers.pop() ?? "";
    for (const answer of answers) {
      const job = this.#jobs.shift();
      if (answer === "") {
        job?.resolve();
      } else {
        job?.reject(new CopyFailed(answer));
      }
    }
    this.#hold(this.#jobs.length > 0);
    this.#wait(this.#jobs.length > 0 ? COPY_TIMEOUT : IDLE);
  }

  #wait(limit: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end("copying attributes takes too long"), limit).unref();
  }

  #end(reason: string): void {
    if (!this.#isOver) {
      this.#isOver = true;
      clearTimeout(this.#timer);
      this.#child.kill("SIGKILL");
      this.#jobs.splice(0).forEach(({ reject }) => reject(new CopyFailed(reason)));
    }
  }

  /** Keeps this process alive while there are copies, and only then. */
  #hold(isHeld: boolean): void {
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout] as (Held | null)[]) {
      if (isHeld) {
        handle?.ref();
      } else {
        handle?.unref();
      }
    }
  }
}

let shell: AttributeShell | undefined;

/**
 * Gives a file the mode, owner, group, access control list and extended attributes of another one, on Linux.
 * @throws CopyFailed
 */
export async function copyAttributes(from: string, to: string): Promise<void> {
  if (shell === undefined || shell.isOver) {
    shell = new AttributeShell();
  }
  return shell.copy(from, to);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
