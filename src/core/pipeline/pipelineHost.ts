import type { Capabilities } from "../../ports/capabilities.js";
import type { Programs } from "../../ports/programs.js";
import type { RuleBook } from "../../ports/rules.js";
import type { ShellGrammar } from "../../ports/shellGrammar.js";
import type { PowerShellReader } from "../../shell/powershell/analyse.js";
import type { Secrets } from "../secrets/secrets.js";
import type { ActivityLog } from "./activity.js";
import type { CallChanges } from "./changeOrigin.js";
import type { Policy } from "../permission/modes.js";
import type { Registry } from "../registry.js";

/** The settings a call depends on, as they are now. */
export interface PipelineSettings extends Omit<Policy, "undoable" | "contains"> {
  /** Timeout in milliseconds for a tool that sets none. */
  defaultTimeout: number;
  /** What sets it, in words: `the setting toolhost.toolTimeout`. */
  timeoutSetBy: string;
  isGroupEnabled(group: string): boolean;
  /** Returns the setting that turned a group off, if that is not the group's own setting. */
  turnedOffBy?(group: string): string | undefined;
}

export interface PipelineHost {
  registry: Registry;
  /** The capabilities of this host. A tool that needs others is `unavailable`. */
  capabilities: Partial<Omit<Capabilities, OwnCapability>>;
  /** Applies file changes; absent if nothing can be changed. */
  changes?: CallChanges;
  settings(): PipelineSettings;
  /** The user's rules and those of a session. If absent, only the defaults apply. */
  rules?: RuleBook;
  /** Parses commands. If absent, every command needs approval. */
  grammar?: ShellGrammar;
  /** Reads commands where PowerShell runs them in place of bash. */
  powershell?: PowerShellReader | undefined;
  /**
   * Returns the names of the variables that every command has in its environment: a line that sets one sets it for
   * programs. None if absent.
   */
  exported?(): readonly string[];
  /** Whether the system contains commands that change files. If absent, it does not. */
  contains?(): Promise<boolean>;
  /** Whether the user wants commands that ask tried first, and the system can contain them. If absent, not. */
  rehearses?(): Promise<boolean>;
  /** Finds the programs of commands. If absent, a name is assumed to be its usual program. */
  programs?: Programs;
  /** What is masked in everything that calls return. If absent or undefined, nothing is. */
  secrets?(): Secrets | undefined;
  /** Brings the registry up to date before a call is looked at. It must not throw. */
  refreshTools?(): Promise<void>;
  activity: ActivityLog;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Capabilities that the pipeline makes for each call. */
type OwnCapability = "changes" | "person" | "reads" | "tools";
