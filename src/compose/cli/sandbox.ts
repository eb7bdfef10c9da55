import { join } from "node:path";
import { ToolError } from "../../core/errors.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { Spawner } from "../../features/processes/spawner.js";
import type { Bridge } from "../../hosts/node/sandbox/bridge.js";
import { BridgeClient } from "../../hosts/node/sandbox/bridgeClient.js";
import { BridgeSpawner } from "../../hosts/node/sandbox/bridgeSpawner.js";
import { containerBridge } from "../../hosts/node/sandbox/container.js";
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

const FORMS = "ssh://[user@]host[:port]/folder, docker://container/folder or podman://container/folder";

/**
 * Opens what `--sandbox` names. Nothing is reached before the first call.
 *
 * @throws ToolError `invalid_input` if it is not an address of a folder in a sandbox
 */
export function openSandbox(address: string): CliSandbox {
  const { bridge, folder } = parse(address);
  const root = { name: baseName(folder) || "root", path: folder, scheme: SANDBOX_SCHEME };
  const hints = {
    outside: `Tools work inside the folder ${folder} of ${bridge.name}. Give a path relative to it.`,
    noRoot: `Name a folder: --sandbox ${FORMS}.`,
  };
  return {
    ...{ address, name: bridge.name, root, hints },
    disk: new ClientDisk(new BridgeClient(bridge), bridge.name),
    spawner: (local) => new BridgeSpawner(bridge, local),
  };
}

function parse(address: string): { bridge: Bridge; folder: string } {
  const [, kind, user, host = "", port, path = ""] =
    /^(ssh|docker|podman):\/\/(?:([^@/]+)@)?([^/:@]+)(?::(\d{1,5}))?(\/.*)$/.exec(address) ?? [];
  const folder = path.replace(/(?<=.)\/+$/, "");
  if (kind === undefined || /\/\.{1,2}(\/|$)|\/\/|\0/.test(folder)) {
    throw new ToolError("invalid_input", `${JSON.stringify(address)} is not the address of a sandbox. Use ${FORMS}.`);
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
