import type { GatedPath } from "../ports/files.js";
import type { Tool, Touch } from "./contract.js";
import type { ErrorType } from "./errors.js";
import { protectedReason, secretReason } from "./protectedFiles.js";

/**
 * How much is asked: `default`; `ask`, every change; `plan`, nothing may change.
 */
export const PERMISSION_MODES = ["default", "ask", "plan"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Files of an ordinary change that a reason names. */
const MAX_NAMED = 5;

/** The state of the world that permission depends on, as it is at the time of the call. */
export interface Policy {
  mode: PermissionMode;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
  /** Whether what the call changes will be in the undo journal. */
  undoable: boolean;
}

/** A touch whose path went through the gate. */
export type GatedTouch =
  | {
      kind: "read" | "write";
      at: GatedPath;
      /** It replaces or removes a whole file that the session has not seen as it is now. */
      unread?: boolean;
    }
  | Extract<Touch, { kind: "command" }>;

export type Decision =
  | { decision: "allow"; reasons: string[] }
  | {
      decision: "ask";
      reasons: string[];
      /**
       * Whether a yes counts for this call alone. An editor's “allow in this session” is for a tool, whatever it
       * reaches: it must not open secrets and protected files (vscode.md §4.3; CVE-2025-53773).
       */
      everyTime: boolean;
    }
  | { decision: "deny"; error: ErrorType; reasons: string[]; hint: string };

/**
 * Decides on what a call really reaches: canonical paths, never display text. Deny wins over ask, ask over allow.
 *
 * @param touches undefined when the tool cannot say what it reaches
 */
export function decide(tool: Tool, touches: readonly GatedTouch[] | undefined, policy: Policy): Decision {
  const changes = touches === undefined || touches.some(({ kind }) => kind !== "read");
  if (!policy.trusted && changes) {
    return {
      decision: "deny",
      error: "untrusted",
      reasons: [`the workspace is not trusted, so only tools that do nothing but read inside it run`],
      hint: "The user can trust the workspace (command “Workspaces: Manage Workspace Trust”).",
    };
  }
  if (policy.mode === "plan" && changes) {
    return {
      decision: "deny",
      error: "denied",
      reasons: [`the permission mode is plan, which is read-only`],
      hint: "Say what you would change instead. The user can leave plan mode (setting toolhost.permissionMode).",
    };
  }
  if (touches === undefined) {
    return { decision: "ask", reasons: [`Nothing is known of what ${tool.name} reaches.`], everyTime: false };
  }
  const concerns = touches.flatMap((touch) => concernsOf(tool, touch, policy));
  const plain = new Set(concerns.flatMap((concern) => ("changes" in concern ? [concern.changes] : [])));
  const reasons = [
    ...concerns.flatMap((concern) => ("reason" in concern ? [concern.reason] : [])),
    ...(plain.size > 0 ? [`It changes ${listed([...plain])}.`] : []),
  ];
  return concerns.length === 0 ? { decision: "allow", reasons } : { decision: "ask", reasons, everyTime: concerns.some((concern) => "reason" in concern && concern.everyTime) };
}

/** Something about a touch that a person should say yes to: a reason of its own, or an ordinary change. */
type Concern = { reason: string; everyTime: boolean } | { changes: string };

const COMMAND_REASONS = {
  command: "It runs a command on this machine.",
  task: "It runs a task's commands on this machine.",
  input: "It types into a running process.",
} as const;

function concernsOf(tool: Tool, touch: GatedTouch, { mode, undoable }: Policy): Concern[] {
  if (touch.kind === "command") {
    // An editor's “allow in this session” is for the tool: it would open every command.
    return [{ reason: COMMAND_REASONS[touch.as ?? "command"], everyTime: true }];
  }
  const { kind, at, unread } = touch;
  const named = at.realPath === at.path ? at.path : `${at.path} (really ${at.realPath})`;
  const secret = secretOf(at);
  if (kind === "read") {
    return secret === undefined ? [] : [{ reason: `It reads ${named}: ${secret}.`, everyTime: true }];
  }
  const why = protectedReason(at.path) ?? protectedReason(at.realPath) ?? secret;
  if (why !== undefined) {
    return [{ reason: `It changes ${named}, which is protected: ${why}.`, everyTime: true }];
  }
  if (unread) {
    // Only what leaves a file there can be done twice.
    const does = tool.annotations.idempotent ? "overwrites" : "removes or replaces";
    return [{ reason: `It ${does} ${named}, which was not read as it is now.`, everyTime: false }];
  }
  return mode === "default" && undoable ? [] : [{ changes: named }];
}

/** Whether a file may hold secrets, under any of its names. */
export function isSecret(at: GatedPath): boolean {
  return secretOf(at) !== undefined;
}

function secretOf(at: GatedPath): string | undefined {
  // The workspace itself may lie in a folder of secrets, which only the absolute path tells.
  return secretReason(at.path) ?? secretReason(at.realPath) ?? secretReason(at.absolute);
}

/** Some names as words. Of many, the question's own list has the rest. */
function listed(names: readonly string[]): string {
  const shown = names.length > MAX_NAMED ? names.slice(0, MAX_NAMED - 1) : names;
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more files` : shown.at(-1);
  const before = rest > 0 ? shown : shown.slice(0, -1);
  return before.length > 0 ? `${before.join(", ")} and ${last}` : `${last}`;
}
