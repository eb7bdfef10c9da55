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
  /** Whether a person has just typed the call in full view: its commands are then theirs, as in a terminal. */
  typed?: boolean;
}

/** The decisions that apply without any rule, as shown with a decision and listed with the rules. */
export const DEFAULTS = {
  reads: "calls that only read inside the workspace are allowed",
  undoable: "changes inside the workspace that can be undone are allowed",
  changes: "a change inside the workspace asks when it cannot be undone, and in mode ask",
  unread: "replacing a file whose current content was not read asks",
  protected: "a change of a protected file asks every time",
  secrets: "a file that may hold secrets asks every time",
  outside: "anything outside the workspace asks every time",
  commands: "a command that is not proven to only read asks, and every one in mode ask",
  unproven: "anything that cannot be proven asks every time",
  network: "reaching another machine asks, by its origin",
  messages: "a message that leaves this machine asks, by its address",
  typed: "a command that a person typed in the palette runs",
  plan: "in mode plan nothing changes",
  untrusted: "in an untrusted workspace only calls that read inside it run",
  bypass: "in mode bypass only rules ask",
} as const;

/** Returns a default's name as used in `Decision.rule`. */
export function defaultRule(name: keyof typeof DEFAULTS): string {
  return `default: ${DEFAULTS[name]}`;
}
