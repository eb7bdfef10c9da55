import type { AllowedHosts } from "../../text/hosts/allowedHosts.js";

/**
 * How much is asked. `default`; `ask`: every change and every command; `plan`: nothing may change; `bypass`: only what
 * a rule says.
 */
export const PERMISSION_MODES = ["default", "ask", "plan", "bypass"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The state that permission depends on, at the time of the call. */
export interface Policy {
  mode: PermissionMode;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
  /** Whether the call's changes will be in the undo journal. */
  undoable: boolean;
  /** Whether the system contains commands that change files: they reach nothing outside the workspace. */
  contains?: boolean;
  /** The hosts that contained commands may reach. None if absent. */
  hosts?: AllowedHosts;
  /** Whether a person has just typed the call in full view: its commands are then theirs, as in a terminal. */
  typed?: boolean;
}

/** The decisions that apply without any rule, as shown with a decision and listed with the rules. */
export const DEFAULTS = {
  reads: "calls that only read inside the workspace are allowed",
  undoable: "changes inside the workspace that can be undone are allowed",
  contained: "work on the project's own code is allowed where the system contains it and its changes can be undone",
  changes: "a change inside the workspace needs approval if it cannot be undone, and always in mode ask",
  unread: "replacing a file whose current content was not read needs approval",
  protected: "a change to a protected file needs approval every time",
  secrets: "reading or changing a file that may hold secrets needs approval every time",
  handles: "a secret that goes where it was not before needs approval every time",
  carried: "sending what a session has read off this machine needs approval every time",
  foreign: "what leaves this machine or changes a protected file after text from outside needs approval every time",
  outside: "reaching anything outside the workspace needs approval every time",
  commands: "a command needs approval unless it is proven to only read, and always in mode ask",
  unproven: "a call whose effect cannot be proven needs approval every time",
  network: "reaching another machine needs approval, which a rule can give per origin",
  messages: "a message that leaves this machine needs approval, which a rule can give per address",
  typed: "a command that a person typed in the palette runs without approval",
  plan: "in mode plan nothing changes",
  untrusted: "in an untrusted workspace only calls that read inside it run",
  bypass: "in mode bypass only rules require approval",
} as const;

/** Returns a default's name as used in `Decision.rule`. */
export function defaultRule(name: keyof typeof DEFAULTS): string {
  return `default: ${DEFAULTS[name]}`;
}
