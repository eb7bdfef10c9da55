import { oneLine, shorten } from "../../text/clip.js";
import type { Tool } from "../contract.js";
import {
  baseName,
  changesNamedFiles,
  changingWrapper,
  isSteady,
  MAX_PART,
  onlyReads,
  rightsTaken,
  shownCommand,
  tellsNamesOnly,
} from "./commands/kinds.js";
import type { DEFAULTS, Policy } from "./modes.js";
import { isContainable } from "./commands/containment.js";
import type { Call, CallPart } from "./commands/parts.js";
import {
  guardOfChange,
  secretOf,
  type CommandTouch,
  type CommandUse,
  type FileTouch,
  type NetworkTouch,
  type ReachedFile,
} from "./touches.js";

/** Something about a part of a call that a person should approve. */
export interface Concern {
  part: CallPart;
  /** Why, as a sentence; undefined for an ordinary change to a file, since those are reported together. */
  reason?: string;
  /** The file that an ordinary change changes. */
  changes?: string;
  /** Whether a yes counts only for this call, and must come from our own question. */
  everyTime: boolean;
  /** Whether a rule that allows it from now on may be offered. */
  derivable: boolean;
  /** Whether it leaves the workspace, which bypass mode does not allow for files. */
  outside?: boolean;
  by: keyof typeof DEFAULTS;
  /** Whether all that is against it is that it may write anywhere in the workspace. */
  isOfWhole?: boolean;
}

/** Returns what a person should approve before a part of a call runs; undefined if it is allowed as is. */
export function concernOf({ tool, input }: Call, part: CallPart, policy: Policy): Concern | undefined {
  switch (part.kind) {
    case "file":
      return fileConcern(tool, part, part.touch, policy);
    case "command":
      return commandConcern(part, policy, isAlone(part.line, input));
    case "redirection":
      return redirectionConcern(part, policy);
    case "opaque":
      return { part, reason: part.reason, everyTime: part.everyTime, derivable: part.derivable, by: "unproven" };
    case "network":
      return networkConcern(part);
    case "program":
      if (part.reason !== undefined) {
        return { part, reason: part.reason, everyTime: true, derivable: false, by: "unproven" };
      }
      return policy.mode === "ask"
        ? {
            part,
            reason: "Runs a program, and the permission mode is ask.",
            everyTime: false,
            derivable: true,
            by: "commands",
          }
        : undefined;
    case "secret":
      return { part, reason: part.reason, everyTime: true, derivable: false, by: part.by ?? "handles" };
  }
}

function networkConcern(part: NetworkTouch): Concern {
  const where = shorten(oneLine(part.url), MAX_PART);
  return part.to === undefined
    ? // Editors offer a yes for the whole tool, which may reach any site unless the user approved it for one.
      { part, reason: `Reaches ${where}.`, everyTime: part.by === undefined, derivable: true, by: "network" }
    : // Editors offer a yes for the whole tool, but each recipient needs its own question.
      {
        part,
        reason: `Sends a message to ${shorten(oneLine(part.to), MAX_PART)}, at ${where}.`,
        everyTime: true,
        derivable: true,
        by: "messages",
      };
}

function fileConcern(
  tool: Tool,
  part: CallPart,
  { kind, at, unread, guarded }: FileTouch,
  { mode, undoable }: Policy,
): Concern | undefined {
  const named = at.realPath === at.path ? at.path : `${at.path} (really ${at.realPath})`;
  const secret = secretOf(at);
  const outside = at.outside === true;
  const why =
    kind === "write" ? (guardOfChange({ ...at, ...(guarded === undefined ? {} : { guarded }) }) ?? secret) : undefined;
  if (why !== undefined) {
    return {
      part,
      reason: `Changes ${named}, which is protected: ${why}.`,
      everyTime: true,
      derivable: false,
      outside,
      by: "protected",
    };
  }
  if (kind === "read" && secret !== undefined) {
    return { part, reason: `Reads ${named}: ${secret}.`, everyTime: true, derivable: false, outside, by: "secrets" };
  }
  if (outside) {
    return {
      part,
      reason: `${kind === "read" ? "Reads" : "Changes"} ${named}, which lies outside the workspace.`,
      everyTime: true,
      derivable: kind === "read",
      outside,
      by: "outside",
    };
  }
  if (kind === "read") {
    return undefined;
  }
  if (unread === true) {
    // Only a tool that leaves a file there can be idempotent.
    const does = tool.annotations.idempotent ? "Overwrites" : "Removes or replaces";
    return {
      part,
      reason: `${does} ${named}, whose current content was not read.`,
      everyTime: false,
      derivable: true,
      by: "unread",
    };
  }
  return mode !== "ask" && undoable
    ? undefined
    : { part, changes: named, everyTime: false, derivable: true, by: "changes" };
}

/**
 * Whether a line is a single command that the call's input has as it is: it is in full view where its reasons are read,
 * and an input with another command is another call.
 */
function isAlone({ commands, command }: CommandTouch, input: Call["input"]): boolean {
  return commands.length === 1 && Object.values(input).includes(command);
}

/** @param alone whether reasons need not say which command they are about */
function commandConcern(
  part: Extract<CallPart, { kind: "command" }>,
  policy: Policy,
  alone: boolean,
): Concern | undefined {
  const { simple, uses } = part.of;
  const { mode } = policy;
  const said = (why: string): string => (alone ? sentenceOf(why) : aboutCommand(shownCommand(simple), why));
  const guard = guardOf(part);
  if (guard !== undefined) {
    const { why, ...rest } = guard;
    return { part, reason: said(why), everyTime: true, derivable: false, ...rest };
  }
  if (onlyReads(part.of)) {
    const why =
      mode === "ask"
        ? "the permission mode is ask"
        : part.line.outside === true && policy.contains === true
          ? "it would run outside of the sandbox"
          : undefined;
    return why === undefined
      ? undefined
      : { part, reason: said(`it only reads, and ${why}`), everyTime: false, derivable: true, by: "commands" };
  }
  if (changesNamedFiles(part.of) && isUnasked(part.line, policy)) {
    return undefined;
  }
  const wrapper = changingWrapper(simple);
  const why =
    uses.find(({ beyondUndo }) => beyondUndo !== undefined)?.beyondUndo ??
    (simple.why !== ""
      ? simple.why
      : wrapper === undefined
        ? "it changes something"
        : `\`${wrapper}\` runs it with other words or elsewhere`);
  const ordinary =
    changesNamedFiles(part.of) || (simple.effect === "changes" && !simple.beyondPrefix && wrapper === undefined);
  return {
    part,
    reason: said(why),
    everyTime: !ordinary,
    derivable: true,
    by: "commands",
  };
}

/** Makes a sentence of why a person is asked: `it deletes files` becomes `Deletes files.` */
function sentenceOf(why: string): string {
  const said = why.replace(/^it /, "");
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
}

/** Makes a sentence about one of several commands: ```rm a` deletes files.`` */
function aboutCommand(command: string, why: string): string {
  return why.startsWith("it ") ? `${command} ${why.slice("it ".length)}.` : `${command}: ${why}.`;
}

/** Whether nobody needs to approve a concern, since the system contains the line, and undo takes back what it changes. */
export function isContained(
  { part, by, isOfWhole = false }: Concern,
  { mode, undoable, contains = false, hosts }: Policy,
): boolean {
  // Of each file that a contained command changes, it is decided whether it may, before it is made.
  if (!contains || mode !== "default" || !undoable || (by !== "commands" && !isOfWhole)) {
    return false;
  }
  const changes =
    part.kind === "command"
      ? !onlyReads(part.of)
      : part.kind === "redirection" && part.use.kind === "write" && part.use.beyondUndo === undefined;
  return changes && "line" in part && part.line.mayBeContained === true && isContainable(part.line, hosts);
}

function onlyStages({ commands, redirections }: CommandTouch): boolean {
  return (
    redirections.every(({ kind }) => kind === "read") &&
    commands.every((each) => onlyReads(each) || baseName(each.simple.words[0]) === "git")
  );
}

/** Whether what a line changes like `write` is allowed like `write`. */
function isUnasked(line: CommandTouch, { mode, undoable, contains = false, hosts }: Policy): boolean {
  return (
    mode === "default" &&
    undoable &&
    isSteady(line) &&
    // Where others run contained, one that runs outside must not depend on what these make of the files meanwhile.
    (!contains || (isContainable(line, hosts) && line.outside !== true) || onlyStages(line))
  );
}

function redirectionConcern(part: Extract<CallPart, { kind: "redirection" }>, policy: Policy): Concern | undefined {
  const { use } = part;
  const { mode } = policy;
  const does = use.kind === "write" ? `Writes to \`${use.written}\`` : `Reads from \`${use.written}\``;
  const guard = useGuard(use, false);
  if (guard !== undefined) {
    return { part, reason: aboutRedirection(does, guard.why), everyTime: true, derivable: false, by: guard.by };
  }
  if (use.kind === "read" && mode !== "ask") {
    return undefined;
  }
  if (use.kind === "write" && use.beyondUndo === undefined && isUnasked(part.line, policy)) {
    return undefined;
  }
  return {
    part,
    reason:
      use.kind === "write"
        ? `${does}${use.beyondUndo === undefined ? "" : `: ${use.beyondUndo}`}.`
        : `${does}, and the permission mode is ask.`,
    everyTime: false,
    derivable: true,
    by: "commands",
  };
}

/** Names what is written only where its path does not. */
function aboutRedirection(does: string, why: string): string {
  return /^it (?:changes|reads) /.test(why) ? sentenceOf(why) : `${does}: ${why}.`;
}

interface Guard {
  /** Completes «it is asked, since …»; about a file, «it changes …». */
  why: string;
  by: Concern["by"];
  isOfWhole?: boolean;
}

/** Returns what no rule allows for a simple command: running as another user, and where its words reach. */
export function guardOf({ of: { simple, uses } }: Extract<CallPart, { kind: "command" }>): Guard | undefined {
  const rights = rightsTaken(simple);
  if (rights !== undefined) {
    return { why: `\`${rights}\` runs it as another user`, by: "unproven" };
  }
  const namesOnly = tellsNamesOnly(simple);
  return firstOf(uses.flatMap((use) => useGuard(use, namesOnly) ?? []));
}

/** Returns the first objection; it is only of the whole workspace if all are. */
function firstOf(guards: readonly Guard[]): Guard | undefined {
  const [first] = guards;
  const isOfWhole = guards.every((guard) => guard.isOfWhole === true);
  return first && { why: first.why, by: first.by, ...(isOfWhole && { isOfWhole }) };
}

/**
 * Returns the first objection to a place, which applies whatever a rule says.
 * @param namesOnly whether nothing of the files' contents is printed
 */
export function useGuard(use: CommandUse, namesOnly: boolean): Guard | undefined {
  if (use.strays !== undefined) {
    return { why: use.strays, by: "unproven" };
  }
  const isUnproven = !namesOnly || use.mayBeFlag === true;
  return firstOf([
    ...use.files.flatMap((file) => fileGuard(use, file, namesOnly) ?? []),
    ...(isUnproven && use.problem !== undefined ? [{ why: use.problem, by: "unproven" as const }] : []),
  ]);
}

function fileGuard(use: CommandUse, file: CommandUse["files"][number], namesOnly: boolean): Guard | undefined {
  const does = `it ${use.kind === "write" ? "changes" : namesOnly ? "looks at" : "reads"} ${named(file)}`;
  if (file.outside && !isPublic(use, file, namesOnly)) {
    return { why: `${does}, which lies outside the workspace`, by: "outside" };
  }
  const secret = namesOnly ? undefined : secretOf(file);
  if (secret !== undefined) {
    return { why: `${does}: ${secret}`, by: "secrets" };
  }
  if (use.kind !== "write") {
    return undefined;
  }
  const guarded = guardOfChange(file);
  if (guarded !== undefined) {
    return { why: `${does}, which is protected: ${guarded}`, by: "protected" };
  }
  return file.realPath === "."
    ? { why: "it may change anything in this workspace", by: "protected", isOfWhole: true }
    : undefined;
}

/** Files that every program may read on every machine, and that contain nothing of the user's. */
const PUBLIC_FILES = new Set([
  "/etc/os-release",
  "/usr/lib/os-release",
  "/etc/lsb-release",
  "/etc/debian_version",
  "/etc/alpine-release",
  "/proc/cpuinfo",
  "/proc/meminfo",
  "/proc/version",
  "/proc/loadavg",
  "/proc/uptime",
]);

/** System folders whose file names are not secret. */
const PUBLIC_NAMES = /^\/(?:tmp|private\/tmp|usr\/(?:local\/)?(?:include|lib|bin|share)(?:\/.*)?)$/;

/** Whether a place outside reveals nothing about the user. A link's target counts. */
function isPublic({ kind, deep }: CommandUse, { realPath }: ReachedFile, namesOnly: boolean): boolean {
  return kind === "read" && !deep && (PUBLIC_FILES.has(realPath) || (namesOnly && PUBLIC_NAMES.test(realPath)));
}

function named({ path, realPath }: ReachedFile): string {
  return realPath === path ? path : `${path} (really ${realPath})`;
}
