import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ToolError } from "../../core/errors.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { Spawner } from "../../features/processes/spawner.js";
import type { Bridge } from "../../hosts/node/sandbox/bridge.js";
import { BridgeClient } from "../../hosts/node/sandbox/bridgeClient.js";
import { BridgeSpawner } from "../../hosts/node/sandbox/bridgeSpawner.js";
import { containerBridge } from "../../hosts/node/sandbox/container.js";
import { localBridge } from "../../hosts/node/sandbox/local.js";
import { LocalSandboxSpawner } from "../../hosts/node/sandbox/localSpawner.js";
import { sshBridge } from "../../hosts/node/sandbox/ssh.js";
import { stateRoot } from "../../hosts/node/state/stateFolder.js";
import { ClientDisk } from "../../hosts/sandbox/clientDisk.js";
import type { Disk } from "../../hosts/shared/disk.js";
import type { GateHints } from "../../hosts/shared/diskFiles.js";
import { SANDBOX_SCHEME, type Root } from "../../ports/files.js";

/** The place where a command line's tools work, if it is not this machine. */
export interface CliSandbox {
  /** As the user wrote it; part of the key of the state. */
  readonly address: string;
  /** The bridge's name. */
  readonly name: string;
  readonly disk: Disk;
  readonly root: Root;
  readonly hints: GateHints;
  /** @param local starts programs of this machine */
  spawner(local: Spawner): Spawner;
}

const FORMS =
  "ssh://[user@]host[:port]/folder, docker://container/folder, podman://container/folder or local:///folder";

/** The address of a folder of this machine in bubblewrap. */
const LOCAL = "local://";

/**
 * Opens what `--sandbox` names. Nothing is reached before the first call.
 *
 * @throws ToolError `invalid_input` if it is not an address of a folder in a sandbox
 */
export function openSandbox(address: string): CliSandbox {
  if (address.startsWith(LOCAL)) {
    return openLocal(address);
  }
  const { bridge, folder } = parse(address);
  return placeOf(address, bridge, folder, (local) => new BridgeSpawner(bridge, local));
}

/** Returns the address of the local sandbox of a folder of this machine. */
export function localAddress(folder: string): string {
  return `${LOCAL}${folder}`;
}

function openLocal(address: string): CliSandbox {
  const given = address.slice(LOCAL.length);
  if (!isAbsolute(given) || given.includes("\0")) {
    throw noAddress(address);
  }
  let folder: string;
  try {
    // What is behind a link has another path in the sandbox.
    folder = realpathSync(given);
  } catch {
    throw new ToolError(
      "not_found",
      `${given}: there is no such folder for a local sandbox.`,
      "Name one that is there.",
    );
  }
  const bridge = localBridge(folder, stateRoot());
  return placeOf(localAddress(folder), bridge, folder, (local) => new LocalSandboxSpawner(bridge, local));
}

function placeOf(address: string, bridge: Bridge, folder: string, spawner: CliSandbox["spawner"]): CliSandbox {
  const root = { name: baseName(folder) || "root", path: folder, scheme: SANDBOX_SCHEME };
  const hints = {
    outside: `Tools work inside the folder ${folder} of ${bridge.name}. Give a path relative to it.`,
    noRoot: `Name a folder: --sandbox ${FORMS}.`,
  };
  return {
    ...{ address, name: bridge.name, root, hints, spawner },
    disk: new ClientDisk(new BridgeClient(bridge), bridge.name),
  };
}

function noAddress(address: string): ToolError {
  return new ToolError("invalid_input", `${JSON.stringify(address)} is not the address of a sandbox. Use ${FORMS}.`);
}

function parse(address: string): { bridge: Bridge; folder: string } {
  const [, kind, user, host = "", port, path = ""] =
    /^(ssh|docker|podman):\/\/(?:([^@/]+)@)?([^/:@]+)(?::(\d{1,5}))?(\/.*)$/.exec(address) ?? [];
  const folder = path.replace(/(?<=.)\/+$/, "");
  if (kind === undefined || /\/\.{1,2}(\/|$)|\/\/|\0/.test(folder)) {
    throw noAddress(address);
  }
  if (kind === "ssh") {
    const bridge = sshBridge(user === undefined ? host : `${user}@${host}`, {
      ...(port !== undefined && { port: Number(port) }),
      folder: join(stateRoot(), "ssh"),
    });
    return { bridge, folder };
  }
  if (user !== undefined || port !== undefined) {
    throw new ToolError("invalid_input", `${JSON.stringify(address)}: a container has neither a user nor a port.`);
  }
  return { bridge: containerBridge(kind === "docker" ? "docker" : "podman", host), folder };
}
