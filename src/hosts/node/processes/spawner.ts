import { refuseNul } from "./refuseNul.js";
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { ToolError } from "../../../core/errors.js";
import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import { commandEnvironment } from "../environment.js";
import { gitDefence } from "../gitDefence.js";
import { NodePrograms } from "../programs.js";
import { killGroupNow } from "./group.js";
import { ProcessGuard } from "./guard.js";
import type { Gateway } from "./hosts/gateway.js";
import { COMMAND_MARK } from "./left.js";
import { NodeChild } from "./nodeChild.js";
import { NamedPipes } from "./pipes.js";
import { prepareReport, statusVariables, unreadableIn } from "./pipeStatus.js";
import type { Sandbox } from "./sandbox.js";
import { allWires, openWires, type Wires } from "./wires.js";
import { filterFd, programCall, SCRIPT_FD, shellCall, type ShellCall } from "./shell.js";

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
    let gateway: Gateway | undefined;
    try {
      wires = await this.#openWires(request);
      const plain =
        request.program === undefined || file === undefined
          ? shellCall(
              request.command,
              wires !== undefined || request.apart === true,
              request.limits,
              request.isForAnyShell,
            )
          : programCall({ file, args: request.program.args }, request.limits);
      const mark = `${process.pid}-${randomUUID()}`;
      const env = commandEnvironment(process.env, request.env, request.folder);
      const defence = request.limits === undefined ? {} : gitDefence(env, request.command);
      const folder = wires !== undefined && plain.isBash ? this.#pipes.folder : undefined;
      const status = request.program === undefined ? statusVariables(request.command, env, folder) : {};
      const added = { ...defence, ...status, [COMMAND_MARK]: mark };
      const envs = {
        env: { ...env, ...added },
        own: { ...commandEnvironment(process.env, {}, request.folder), ...added },
      };
      gateway = await this.#gateway(request);
      const contained = await this.#contained(plain, request, { ...envs, gateway }, status.BASH_ENV, mark);
      if (request.view !== undefined && contained === undefined) {
        throw new ToolError(
          "stale",
          "The command was not run: it can no longer be contained.",
          "Call it again: the user is asked then.",
        );
      }
      const call = contained ?? plain;
      const child = this.#guarded(mark, () => spawnShell(call, request, call.env ?? envs.env, wires));
      this.#pipes.refill();
      await started(child);
      const made = new NodeChild(
        {
          child,
          mark,
          wires,
          events,
          folder: status.BASH_ENV && folder,
          isContained: call.isInNamespace === true,
          view: request.view,
          gateway,
        },
        (gone) => {
          this.#children.delete(gone);
          this.#guard.forget(gone.pid);
        },
      );
      this.#children.add(made);
      give(child, SCRIPT_FD, call.script);
      give(child, filterFd(call.script), call.filter);
      return made;
    } catch (error) {
      gateway?.close();
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
    given: Record<"env" | "own", Readonly<Record<string, string>>> & { gateway: Gateway | undefined },
    script: string | undefined,
    mark: string,
  ): Promise<ShellCall | undefined> {
    const own = this.#pipes.folder;
    if (contained === undefined || own === undefined) {
      return undefined;
    }
    const report = script === undefined ? undefined : { script, file: prepareReport(own, mark) };
    return this.#sandbox?.contained(call, contained, { folder, unreadable: unreadableIn(own), report, ...given }, view);
  }

  /** Opens the way of a contained command to hosts; undefined if it has none. */
  async #gateway({ contained, view }: SpawnRequest): Promise<Gateway | undefined> {
    return view === undefined || contained?.writes === undefined
      ? undefined
      : this.#sandbox?.gateway(contained.writes).catch(() => undefined);
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

function spawnShell(
  { file, args, script, filter, hasOwnErrors = false }: ShellCall,
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
        wires?.errors?.childEnd ??
          wires?.output.childEnd ??
          (apart || hasOwnErrors || program !== undefined ? "pipe" : "ignore"),
        ...[script, filter].flatMap((given) => (given === undefined ? [] : ["pipe" as const])),
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

/** Characters of a folder's path in which Windows starts programs; its files may have longer ones. */
const MAX_WINDOWS_FOLDER = 258;

/** Says why a command could not be started. */
export function notStarted(
  error: NodeJS.ErrnoException,
  { folder, shownFolder, program }: Pick<SpawnRequest, "folder" | "shownFolder" | "program">,
  windows = process.platform === "win32",
): ToolError {
  if (!isFolder(folder)) {
    return new ToolError(
      "not_found",
      `${shownFolder}: there is no such folder any more.`,
      "Use another folder as workdir.",
    );
  }
  if (windows && folder.length > MAX_WINDOWS_FOLDER) {
    return new ToolError(
      "unsupported",
      `${shownFolder}: Windows starts no program in a folder whose path has more than ${MAX_WINDOWS_FOLDER} characters; this one has ${folder.length}.`,
      "Use a folder above it as workdir, and name the files from there.",
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

/** Writes what a process is to read from a descriptor. */
function give(child: ChildProcess, fd: number, given: string | Buffer | undefined): void {
  if (given === undefined) {
    return;
  }
  const pipe = child.stdio[fd] as Writable | null | undefined;
  // What is ended while it reads does not need the rest.
  pipe?.on("error", () => undefined);
  pipe?.end(given);
}
