import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.js";
import type { ProgramCall } from "../../../ports/processes.js";
import {
  CREDENTIALS,
  EMPTY,
  FILTER,
  isEmptied,
  OF_KERNEL,
  ofHome,
  PROGRAMS,
  SIGNALS,
  SYSTEM_SECRETS,
} from "../processes/bubblewrap.js";
import type { Bridge } from "./bridge.js";

/** The descriptor from which bubblewrap reads its filter of system calls. */
const FILTER_FD = 9;
/** The only variables of this process that commands there have: others may be secrets. */
const VARIABLES = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ)$/;
/** What the kernel puts before a command's arguments if it ends before bubblewrap has started it. */
const OWN_ERROR = /^(bwrap: |.*env: .*bwrap|.*cannot open .*sandbox-filter)/m;

/** The local sandbox: a folder of this machine, as programs see it that can reach nothing else. */
export interface LocalBridge extends Bridge {
  /** Returns the call that runs a program there. @param env what is added to its environment; null removes a variable */
  program(call: ProgramCall, folder: string, env: Readonly<Record<string, string | null>>): ProgramCall;
}

/**
 * Reaches a folder of this machine through bubblewrap: what runs there may change nothing but the folder, in which the
 * repository (`.git`) stays as it is, and has neither the network nor other processes, nor the user's home, nor this
 * process's variables. The system is there to read. Each call has a `/tmp` of its own.
 *
 * @param folder absolute, by its real path
 * @param state the folder of Toolhost's state, which nobody there sees
 * @throws ToolError `unavailable` without bubblewrap, `invalid_input` for a folder that holds the user's home or the state
 */
export function localBridge(folder: string, state: string): LocalBridge {
  const bubblewrap = PROGRAMS.find((path) => existsSync(path));
  if (process.platform !== "linux" || bubblewrap === undefined) {
    throw new ToolError(
      "unavailable",
      process.platform === "linux"
        ? "The local sandbox needs bubblewrap, which is not installed."
        : "The local sandbox is there on Linux only.",
      process.platform === "linux" ? "Let the user install the package bubblewrap." : undefined,
    );
  }
  const holds = [homedir(), state].map(real).find((kept) => `${kept}/`.startsWith(`${folder.replace(/\/$/, "")}/`));
  if (holds !== undefined) {
    throw new ToolError(
      "invalid_input",
      `${folder} cannot be the folder of a local sandbox: ${holds} is in it, which is kept from sandboxes.`,
      "Name a folder of a project.",
    );
  }
  const filter = filterFile(state);
  const words = (at: string, env: Readonly<Record<string, string | null>>): string[] => {
    const home = homedir();
    const emptied = [...new Set([...EMPTY, home])].filter(isEmptied);
    const shown = ofHome(home, process.env["PATH"] ?? "").filter((path) => existsSync(path));
    const hidden = [...CREDENTIALS.map((name) => join(home, name)), ...SYSTEM_SECRETS].filter((path) =>
      existsSync(path),
    );
    const own = Object.entries(process.env).filter(([name]) => VARIABLES.test(name));
    const variables = Object.entries({ ...Object.fromEntries(own), ...env });
    return [
      ...["/usr/bin/env", `--ignore-signal=${SIGNALS}`, bubblewrap],
      ...["--unshare-user", "--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts", "--die-with-parent"],
      ...(filter === undefined ? [] : ["--seccomp", String(FILTER_FD)]),
      ...["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0), "--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
      ...OF_KERNEL.flatMap((path) => ["--ro-bind", path, path]),
      ...emptied.flatMap((path) => ["--tmpfs", path]),
      ...shown.flatMap((path) => ["--ro-bind", path, path]),
      ...(isEmptied(state) ? ["--tmpfs", state] : []),
      ...hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]),
      ...["--bind", folder, folder],
      // Programs outside of the sandbox run what is in it: hooks, and what its configuration names.
      ...[join(folder, ".git")].filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
      ...["--chdir", at, "--", "/usr/bin/env", `--default-signal=${SIGNALS}`, "-i"],
      ...variables.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])),
    ];
  };
  const program: LocalBridge["program"] = ({ file, args }, at, env) => {
    const all = [...words(at, env), file, ...args];
    return filter === undefined
      ? { file: all[0] ?? "", args: all.slice(1) }
      : { file: "/bin/sh", args: ["-c", `exec ${FILTER_FD}<"$0" && exec "$@"`, filter, ...all] };
  };
  return {
    name: "local",
    program,
    call: (script) => program({ file: "sh", args: ["-c", script] }, folder, {}),
    failure: (_, stderr) =>
      OWN_ERROR.test(stderr)
        ? new ToolError(
            "unavailable",
            `The local sandbox does not start: ${stderr.trim().split("\n").at(-1) ?? ""}`,
            "Let the user check that the folder is there, and that bubblewrap works: `bwrap --ro-bind / / true`.",
          )
        : undefined,
  };
}

/** Writes the filter of system calls where bubblewrap can read it. @returns undefined for a processor without one */
function filterFile(state: string): string | undefined {
  if (FILTER === undefined) {
    return undefined;
  }
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const path = join(state, "sandbox-filter");
  // Another process may be reading it.
  const made = `${path}.${randomUUID()}`;
  writeFileSync(made, FILTER, { mode: 0o600 });
  renameSync(made, path);
  return path;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
