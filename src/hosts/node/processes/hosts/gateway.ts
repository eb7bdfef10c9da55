import { randomBytes } from "node:crypto";
import { existsSync, openSync, closeSync } from "node:fs";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import type { ReachableHosts, WantedHost } from "../../../../ports/processes.js";
import { PRIVATE } from "../../http/publicLookup.js";
import { hasEnded, temporaryTag } from "../../state/owner.js";
import type { Outside } from "./dial.js";
import { HostsProxy } from "./proxy.js";

/** Where programs in a sandbox find the proxy; above the ports that the system gives away. */
const PORT = 61_280;
const ADDRESS = `http://127.0.0.1:${PORT}`;
/** What a sandbox itself has is not asked for outside. */
const INSIDE = "localhost,127.0.0.1,::1";

/** The name of a socket begins with the tag of its process. */
const NAME = /^(\d+)-(\w+)-([0-9a-f]{8})-/;

/**
 * Starts what passes connections on, waits until it listens, and becomes the command that follows. No argument is code.
 * Descriptor 3 may be the command's.
 */
const START = `ready=$(/usr/bin/env -i ELECTRON_RUN_AS_NODE=1 "$1" "$2" "$3" "$4" </dev/null 2>/dev/null 3<&- &)
[ "$ready" = ready ] || { echo "Toolhost could not give the sandbox its way to the network, so the command was not run." >&2; exit 126; }
shift 4
exec "$@"`;

/** The way of one contained command to the hosts that it may reach. */
export interface Gateway {
  /** The socket outside. */
  socket: string;
  /** What the sandbox must have, at the same paths. */
  needs: readonly string[];
  /** Words that start the command whose words follow. */
  words: readonly string[];
  /** Variables of the command, as words for env(1). */
  variables: readonly string[];
  /** The hosts that it asked for in vain; the first of them. */
  wanted(): readonly WantedHost[];
  close(): void;
}

/**
 * Opens a way to hosts for one sandbox.
 *
 * @param allowed if it has none, the way only tells which hosts are asked for
 * @param place a folder of the state that no sandbox sees
 * @param bridge the absolute path of the program that runs in the sandbox
 */
export async function openGateway(
  allowed: ReachableHosts,
  place: string,
  bridge: string,
  outside: Outside = { network: PRIVATE, env: process.env },
): Promise<Gateway> {
  const program = programPlace();
  const folder = join(place, "hosts");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  const name = `${temporaryTag()}-${randomBytes(8).toString("hex")}`;
  const socket = join(folder, name);
  const proxy = new HostsProxy(allowed, outside);
  // The name of a socket has 107 bytes at most.
  const handle = openSync(folder, "r");
  try {
    await proxy.listen(join("/proc/self/fd", String(handle), name));
    await chmod(socket, 0o600);
  } finally {
    closeSync(handle);
  }
  return {
    socket,
    needs: [program, bridge, socket],
    words: ["/bin/sh", "-c", START, "sh", process.execPath, bridge, socket, String(PORT)],
    variables: [
      ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((variable) => both(variable, ADDRESS)),
      ...both("NO_PROXY", INSIDE),
      // Node itself does not look at the others.
      "NODE_USE_ENV_PROXY=1",
    ],
    wanted: () => proxy.wanted(),
    close: () => {
      proxy.close();
      void rm(socket, { force: true });
    },
  };
}

function both(name: string, value: string): string[] {
  return [`${name}=${value}`, `${name.toLowerCase()}=${value}`];
}

/**
 * Returns what the program of this process needs to run elsewhere: Electron its folder, Node itself.
 *
 * @throws Error if that is more than a program
 */
function programPlace(): string {
  const { execPath, versions } = process;
  const place = versions["electron"] === undefined ? execPath : dirname(execPath);
  if (!existsSync(place) || place === sep || `${homedir()}/`.startsWith(`${place}/`)) {
    throw new Error("the program of this process cannot be shown in a sandbox");
  }
  return place;
}

/** Removes the sockets that killed processes left. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid = "", ticks = "", where = ""] = NAME.exec(name) ?? [];
    if (pid !== "" && hasEnded(Number(pid), ticks, where)) {
      await rm(join(folder, name), { force: true });
    }
  }
}
