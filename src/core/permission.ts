import type { GatedPath } from "../ports/files.js";
import type { Tool } from "./contract.js";
import type { ErrorType } from "./errors.js";
import { protectedReason, secretReason } from "./protectedFiles.js";

/**
 * How much is asked: `default`; `ask`, every change; `plan`, nothing may change.
 */
export const PERMISSION_MODES = ["default", "ask", "plan"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The state of the world that permission depends on, as it is at the time of the call. */
export interface Policy {
  mode: PermissionMode;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
}

/** A touch whose path went through the gate. */
export interface GatedTouch {
  kind: "read" | "write";
  at: GatedPath;
}

export type Decision =
  | { decision: "allow"; reasons: string[] }
  | { decision: "ask"; reasons: string[] }
  | { decision: "deny"; error: ErrorType; reasons: string[]; hint: string };

/**
 * Decides on what a call really reaches: canonical paths, never display text. Deny wins over ask, ask over allow.
 *
 * @param touches undefined when the tool cannot say what it reaches
 */
export function decide(tool: Tool, touches: readonly GatedTouch[] | undefined, policy: Policy): Decision {
  const changes = touches === undefined || touches.some(({ kind }) => kind === "write");
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
  const reasons = touches === undefined ? [`Nothing is known of what ${tool.name} reaches.`] : touches.flatMap(reasonsToAsk);
  return { decision: reasons.length > 0 ? "ask" : "allow", reasons };
}

function reasonsToAsk({ kind, at }: GatedTouch): string[] {
  const named = at.realPath === at.path ? at.path : `${at.path} (really ${at.realPath})`;
  const find = (rule: (path: string) => string | undefined): string | undefined => rule(at.path) ?? rule(at.realPath);
  const secret = find(secretReason);
  if (kind === "read") {
    return secret === undefined ? [] : [`It reads ${named}: ${secret}.`];
  }
  const why = find(protectedReason) ?? secret;
  return why === undefined ? [`It changes ${named}.`] : [`It changes ${named}, which is protected: ${why}.`];
}
