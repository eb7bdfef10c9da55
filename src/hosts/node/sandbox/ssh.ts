import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import { quoted } from "../../sandbox/quoted.js";
import type { Bridge } from "./bridge.js";

/** The exit code of `ssh` for its own failures (ssh(1)); a command there can end with it, too. */
const SSH_FAILED = 255;
/** Seconds that the shared connection waits for the next call. */
const KEPT = 60;
/** Characters that the longest path of a socket has on any system, and those that `%C` and a temporary name take. */
const MAX_SOCKET = 103;
const HASH = 60;

/**
 * Reaches another machine by the system's `ssh`, with the user's own configuration, keys and known hosts. All calls share
 * one connection; none asks for anything: a key that needs a passphrase must be in the user's agent.
 *
 * @param host as the user writes it for `ssh`: `name`, `user@name`
 * @param folder of the connections' sockets: other processes of this user share them
 */
export function sshBridge(host: string, { port, folder }: { port?: number; folder: string }): Bridge {
  if (host === "" || host.startsWith("-") || /[\s\p{Cc}]/u.test(host)) {
    throw new ToolError("invalid_input", `${JSON.stringify(host)} is not the name of a machine for ssh.`);
  }
  const options = [
    ...["-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=15"],
    ...sharing(folder).flatMap((option) => ["-o", option]),
    ...["-o", "ForwardAgent=no", "-o", "ForwardX11=no", "-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no"],
    ...(port === undefined ? [] : ["-p", String(port)]),
  ];
  return {
    name: `ssh:${host}`,
    // The user's login shell there, which may be any, only starts a POSIX shell.
    call: (script) => ({ file: "ssh", args: [...options, "-T", "--", host, `exec sh -c ${quoted(script)}`] }),
    failure: (exitCode, stderr) =>
      exitCode === SSH_FAILED && /^(ssh|mux_client|Connection|Host key|.*Permission denied \()/m.test(stderr)
        ? new ToolError(
            "unavailable",
            `ssh does not reach ${host}: ${lastLine(stderr)}`,
            `Let the user try \`ssh ${host}\` in a terminal: it must work there without a question.`,
          )
        : undefined,
  };
}

/** Returns the options with which calls share one connection; none if nobody else may be kept from its socket. */
function sharing(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = process.getuid?.() === uid && (mode & 0o077) === 0;
    const socket = join(folder, "%C");
    return isOurs && !folder.includes("%") && folder.length + HASH <= MAX_SOCKET
      ? ["ControlMaster=auto", `ControlPath=${socket}`, `ControlPersist=${KEPT}`]
      : ["ControlPath=none"];
  } catch {
    return ["ControlPath=none"];
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
