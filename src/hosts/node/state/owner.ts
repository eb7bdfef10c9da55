import type { Liveness, Owner } from "../../../ports/owner.js";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { stateRoot } from "./stateFolder.js";

/** The start time if the system does not report it; the journal gives up on such processes after some minutes. */
const UNKNOWN = "";

/** Identifies this process in the journal. */
export function thisProcess(): Owner {
  return { pid: process.pid, started: startOf(process.pid) ?? UNKNOWN };
}

/**
 * Whether a process of the journal is still running, as opposed to a later one with its number. `unknown`: a process of
 * another PID namespace (a container on the same host) or of another machine, whose numbers mean nothing here.
 */
export function livenessOf({ pid, started }: Owner): Liveness {
  if (started !== UNKNOWN) {
    const { boot, namespace, host } = placeIn(started);
    const here = thisPlace();
    if (boot !== here.boot) {
      // The machine has rebooted since, or it is a different one.
      return host === here.host ? "gone" : "unknown";
    }
    if (namespace !== here.namespace) {
      return "unknown";
    }
  }
  return isRunning(pid, started) ? "alive" : "gone";
}

/**
 * Returns this process's identifier for the names of its temporary files: its number, its start time, which
 * distinguishes it from a later one, and a hash of where both are valid (the boot, the PID namespace, the machine and
 * the state's folder). Numbers from elsewhere mean nothing here.
 */
export function temporaryTag(): string {
  return `${process.pid}-${ticksOf(thisProcess().started)}-${placeTag()}`;
}

/** Whether a tag belongs to a process that could be seen from here and has ended. */
export function hasEnded(pid: number, ticks: string, place: string): boolean {
  return (
    place === placeTag() &&
    !isRunning(pid, ticks === "0" ? UNKNOWN : [boot(), namespaceHere(), hostname(), ticks].join(" "))
  );
}

function placeTag(): string {
  return createHash("sha256")
    .update([boot(), namespaceHere(), hostname(), stateRoot()].join("\n"))
    .digest("hex")
    .slice(0, 8);
}

function isRunning(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process may be ours through sudo, or another user's process with the same number: the start time decides.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") {
      return false;
    }
  }
  const now = startOf(pid);
  return now === undefined || started === UNKNOWN || now === started;
}

interface Place {
  boot: string;
  namespace: string;
  host: string;
}

/** Returns the parts of `<boot> <namespace> <host> <ticks>`, as `startOf` writes it. */
function placeIn(started: string): Place {
  const [boot = "", namespace = "", host = ""] = started.split(" ");
  return { boot, namespace, host };
}

function thisPlace(): Place {
  return { boot: boot(), namespace: namespaceHere(), host: hostname() };
}

function ticksOf(started: string): string {
  return started.split(" ").at(-1) || "0";
}

/**
 * Returns where and when a process started: the boot, the PID namespace, the machine's name, and the system's ticks
 * (proc(5)); "ended" if only its parent has not reaped it yet; undefined without /proc.
 */
function startOf(pid: number): string | undefined {
  const ticks = pid === process.pid ? (ownTicks ??= readTicks(pid)) : readTicks(pid);
  return ticks === undefined || ticks === ENDED ? ticks : [boot(), namespaceHere(), hostname(), ticks].join(" ");
}

const ENDED = "ended";
/** This process's, which never change: each of its temporary files is named by them. */
let ownTicks: string | undefined;

function readTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything.
    const [, ...fields] = stat.slice(stat.lastIndexOf(")") + 1).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? ENDED : fields[19];
  } catch {
    return undefined;
  }
}

let knownBoot: string | undefined;
function boot(): string {
  return (knownBoot ??= orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()));
}

let knownNamespace: string | undefined;
/**
 * Returns this process's PID namespace. Node itself never changes it: `unshare` starts another process in a new one.
 */
function namespaceHere(): string {
  return (knownNamespace ??= orNothing(() => readlinkSync("/proc/self/ns/pid")));
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
