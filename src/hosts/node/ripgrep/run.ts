import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import { LineSplitter, type Ripgrep } from "../../ripgrep/ripgrep.js";
import { checkedExit, type RipgrepEnd } from "../../ripgrep/end.js";
import { ownMemory } from "../processes/group.js";
import { messageOf } from "../../../text/words.js";

/** Maximum characters of error output kept: each unreadable folder writes a line. */
const MAX_ERRORS = 20_000;

/**
 * Threads for listing files: ripgrep uses one per core, but listing waits for the disk more than it computes (two
 * cores: 44 ms with two threads, 33 ms with four).
 */
const LISTING_THREADS = 4;

/**
 * Memory limit for ripgrep, in bytes: it holds all matches of a line at the same time, and took 4.6 GB for the pattern
 * `a` on a 200 MB line of `a`. A match in a line of 500 MB takes 1.8 GB.
 */
const MAX_MEMORY = 2_500_000_000;
/** Interval between two checks of its memory, in ms. */
const MEMORY_PAUSE = 100;

const binary = process.platform === "win32" ? "rg.exe" : "rg";
const platform = `${process.platform}-${process.arch}`;

/**
 * Finds VS Code's own ripgrep in the places where it has been (vscode.md §0.11).
 *
 * @param appRoot `vscode.env.appRoot`
 */
export function ripgrepOfVscode(appRoot: string): string | undefined {
  return firstExisting(
    ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) => [
      join(appRoot, modules, "@vscode", "ripgrep-universal", "bin", platform, binary),
      join(appRoot, modules, "@vscode", "ripgrep", "bin", binary),
    ]),
  );
}

/** Finds ripgrep from the npm package for this platform, in a folder or one of its parents. */
export function ripgrepOfPackage(folder: string): string | undefined {
  const parent = dirname(folder);
  const here = join(folder, "node_modules", "@vscode", `ripgrep-${platform}`, "bin", binary);
  return firstExisting([here]) ?? (parent === folder ? undefined : ripgrepOfPackage(parent));
}

/** Finds ripgrep on the PATH; only in absolute folders, so that a workspace cannot supply its own. */
export function ripgrepOnPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => /^([A-Za-z]:)?[\\/]/.test(folder));
  return firstExisting(folders.map((folder) => join(folder, binary)));
}

/**
 * Runs the ripgrep at `path`, or reports at the first search that there is none.
 *
 * @param maxMemory bytes at which it is killed. Only Linux reports how much a process uses; elsewhere only the time
 *   limit applies
 */
export function createRipgrep(path: string | undefined, maxMemory = MAX_MEMORY): Ripgrep {
  return async ({ args, cwd, input, signal, lineEnd, onLine, onMemory }) => {
    if (path === undefined) {
      throw new ToolError(
        "unavailable",
        "ripgrep was not found, so text cannot be searched.",
        "Install ripgrep and put rg on the PATH.",
      );
    }
    signal.throwIfAborted();
    const threads =
      args.includes("--files") && availableParallelism() < LISTING_THREADS ? [`--threads=${LISTING_THREADS}`] : [];
    let child: ChildProcess;
    try {
      child = spawn(path, [...threads, ...args], {
        cwd,
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      // Some failures are synchronous: too many arguments for the system, for instance.
      throw notStarted(error);
    }
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    const splitter = new LineSplitter(onLine, lineEnd);
    let errors = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => splitter.push(chunk, signal));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(0, MAX_ERRORS);
    });
    // A search that has found enough closes its input early: that is not a failure.
    child.stdin?.on("error", () => undefined).end(input);
    let isTooLarge = false;
    const watching = setInterval(() => {
      if (!isTooLarge && ownMemory(child.pid) > maxMemory) {
        isTooLarge = true;
        kill();
      }
    }, MEMORY_PAUSE);
    let end: Pick<RipgrepEnd, "code" | "killedBy" | "isCut"> | undefined;
    try {
      const { code, killedBy } = await new Promise<{ code: number | null; killedBy: string | null }>(
        (resolve, reject) => {
          child.on("error", reject);
          child.on("close", (ended, endedBy) => resolve({ code: ended, killedBy: endedBy }));
        },
      );
      // It may have ended by itself before it could be killed.
      isTooLarge &&= killedBy !== null;
      end = signal.aborted || isTooLarge ? undefined : { code, killedBy, isCut: splitter.isCut };
    } catch (error) {
      if (!existsSync(cwd)) {
        throw new ToolError("not_found", "The folder to search is gone: it was moved or deleted meanwhile.");
      }
      // Running in the folder requires permission to enter it, not just to see it.
      if (
        await stat(`${cwd}/.`).then(
          () => false,
          () => true,
        )
      ) {
        throw new ToolError(
          "io_error",
          "The folder to search may not be opened: the system does not permit it.",
          "Check the permissions of the folder.",
        );
      }
      throw notStarted(error);
    } finally {
      signal.removeEventListener("abort", kill);
      clearInterval(watching);
    }
    if (isTooLarge && !signal.aborted) {
      if (onMemory === undefined) {
        throw new ToolError(
          "too_large",
          `ripgrep was stopped because it took more than ${maxMemory / 1e9} GB of memory, so what matches is unknown.`,
          "A line is too long, or has too many matches: search in a smaller folder, or with a pattern that matches a line once.",
        );
      }
      onMemory();
    }
    return { exitCode: end && checkedExit({ ...end, errors, path }), errors };
  };
}

function notStarted(error: unknown): ToolError {
  return new ToolError("io_error", `ripgrep could not be started: ${messageOf(error)}`);
}

function firstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
