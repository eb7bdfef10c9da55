import { readFileSync, statSync } from "node:fs";
import { mountPoints } from "../mountPoints.js";

/** File systems of other machines, which may not answer. */
const OF_OTHERS = /^(?:nfs|cifs|smb|9p|afs|ceph|autofs|fuse\.sshfs)/;

/** How variables name a socket: `/ssh-agent`, `unix:///var/run/docker.sock`, `unix:path=/run/user/1/bus,guid=…`. */
const NAMED = /^(?:unix:(?:\/\/|path=)?)?(\/[^,;]+)/;

/**
 * Returns the sockets with a name, at which services listen: a mount that is read-only does not keep anyone from
 * connecting. The kernel lists those of this network namespace. In a container, others are mounted (`docker run -v
 * /var/run/docker.sock:/docker.sock`), or variables name them (`SSH_AUTH_SOCK=/ssh-agent`).
 */
export function namedSockets(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = Object.values(env).flatMap((value) => NAMED.exec(value ?? "")?.[1] ?? []);
  return [...new Set([...listed(), ...[...mounted(), ...named].filter(isSocket)])];
}

function listed(): string[] {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    return lines.flatMap((line) => /(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

function mounted(): string[] {
  try {
    return mountPoints().flatMap(({ path, isPart, type }) => (isPart && !OF_OTHERS.test(type) ? [path] : []));
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
}
