import type { Capabilities } from "../../ports/capabilities.js";
import type { Programs } from "../../ports/programs.js";
import type { RuleBook } from "../../ports/rules.js";
import type { ShellGrammar } from "../../ports/shellGrammar.js";
import type { ActivityLog } from "./activity.js";
import type { CallChanges } from "./changeOrigin.js";
import type { Policy } from "../permission/modes.js";
import type { Registry } from "../registry.js";

/** The settings a call depends on, as they are now. */
export interface PipelineSettings extends Omit<Policy, "undoable"> {
  /** Milliseconds a tool may take that names no time of its own. */
  defaultTimeout: number;
  isGroupEnabled(group: string): boolean;
  /** The setting that turned a group off, where it is not the group's own. */
  turnedOffBy?(group: string): string | undefined;
}

export interface PipelineHost {
  registry: Registry;
  /** What this host has. A tool that needs more is `unavailable`. */
  capabilities: Partial<Omit<Capabilities, OwnCapability>>;
  /** Makes the changes of files; none where nothing can be changed. */
  changes?: CallChanges;
  settings(): PipelineSettings;
  /** The user's rules and those of a session. Only the defaults hold where there is none. */
  rules?: RuleBook;
  /** Reads commands. Where there is none, every command asks. */
  grammar?: ShellGrammar;
  /**
   * Names of the variables that every command has in its environment: a line that sets one sets it for programs. None
   * without it.
   */
  exported?(): readonly string[];
  /** Finds the programs of commands. Where there is none, a name counts for the program. */
  programs?: Programs;
  activity: ActivityLog;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Capabilities that the pipeline makes for each call. */
type OwnCapability = "changes" | "reads" | "tools";
