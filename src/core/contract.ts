import type * as z from "zod";
import type { Aliases } from "./aliases.js";
import type { Capabilities, CapabilityName } from "../ports/capabilities.js";
import type { TitledDetail } from "../ports/confirm.js";
import type { CommandCall } from "../ports/effects.js";
import type { Containment } from "../ports/processes.js";
import type { ToolResult } from "./outcome.js";
import type { JsonSchema } from "./jsonSchema.js";

/** Groups of tools; one setting each (`toolhost.groups.<group>`). */
type ToolGroup =
  | "fs"
  | "code"
  | "runtime"
  | "context"
  | "memory"
  | "sessions"
  | "automation"
  | "task"
  | "documents"
  | "tools"
  | "web";

/** Hints for clients, with MCP's meaning (spec 2025-11-25, "ToolAnnotations"). They never decide permission. */
export interface Annotations {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/**
 * Something that a call would reach, in the caller's own words; the gate makes it canonical and permission decides on
 * it.
 */
export type Touch =
  | {
      kind: "read";
      path: string;
      /** Whether it also reads the contents of files below. */
      deep?: boolean;
      /** Whether the call goes on where the path leads nowhere: it is one of several places to look in. */
      optional?: boolean;
    }
  | {
      kind: "write";
      path: string;
      /** Whether it replaces a whole file if there is one. */
      overwrites?: boolean;
    }
  | {
      /** It runs a command. */
      kind: "command";
      command: string;
      /** `command` is not a command line: a task's label, or text typed into a process. */
      as?: "task" | "input";
      /** The folder it starts in, as the caller wrote it. Defaults to the workspace. */
      workdir?: string;
      /** Variables set for it, or, if null, unset. */
      env?: Readonly<Record<string, string | null>>;
      /** `user's`: the user's own shell, whatever that is. Defaults to bash. */
      shell?: "bash" | "user's";
      /** Whether it may be contained while it changes files: it runs alone, and nobody has to reach it. */
      mayBeContained?: boolean;
      /** Whether it is not to be contained, whatever it does. */
      outside?: boolean;
    }
  | {
      /** It reaches another machine. */
      kind: "network";
      url: string;
      /** Whether an address of this machine or a private network is refused. */
      isPublic?: boolean;
      /**
       * The input fields that decide which server it is: a rule that names the tool and them covers the call. None if
       * the user approved the tool for one server.
       */
      by?: readonly string[];
    }
  | {
      /** It searches the web with the service that the user has chosen. */
      kind: "search";
    }
  | {
      /** It sends a message off this machine, to an address in the user's settings. */
      kind: "message";
      to: string;
      /** The input fields that name the address: a rule must name them. */
      by: readonly string[];
    }
  | {
      /** It runs a program that only reads, as the user says in a file of tools that they approved. */
      kind: "program";
      /** Why this call needs approval all the same, as a sentence. */
      reason?: string;
    }
  | {
      /** It calls something made by others, about which nothing is known. */
      kind: "external";
      /** The input fields that name the tool called. */
      by: readonly string[];
      server: string;
      tool: string;
    };

/** Where a text of a call's input goes, which may have handles in place of secrets. */
export type SecretPlace =
  /** It quotes a file's text. */
  | { kind: "quote"; path: string }
  /** It is written into a file. */
  | { kind: "file"; path: string }
  /** It is a patch of the files that the call writes. */
  | { kind: "patch" }
  /** It is the value of a command's variable. */
  | { kind: "variable"; name: string }
  /** It is shown to the caller. */
  | { kind: "shown" }
  /** It cannot take a secret. `advice`: what to do instead. */
  | { kind: "refused"; advice: string };

/** Returns a text of an input, named by its field, with secrets in place of their handles. */
type PutSecrets = (field: string, text: string, place: SecretPlace) => string;

/** A call's next step, reported while it runs. */
export interface Progress {
  message: string;
  /** From 0 to 1, when known. */
  fraction?: number;
}

/** What every tool call gets. */
export interface CallContext {
  /** Aborted when the caller cancels or the deadline passes. */
  signal: AbortSignal;
  report: (progress: Progress) => void;
  /** The session this call belongs to. */
  session: string;
  callId: string;
  /** The call or turn that made this call. */
  parentId: string | undefined;
  /** Whether another tool makes the call, and needs its whole result. */
  isInner: boolean;
  /** Whether the result goes to a program or another tool, so that a command's streams are worth more than their order. */
  readsData: boolean;
  /** Maximum characters of a page that the caller can take, if it is less than ours. */
  answerSize?: number;
  /** Whether a person makes the call: at the command line, in the palette, or with /run. */
  byPerson: boolean;
  /** The call as the undo journal records what its commands change. */
  origin: CommandCall;
  /**
   * Whether it was allowed because it seems to only read, or to change only what undo takes back: nobody was asked, and no
   * rule or mode allows it. Limits apply to any command it runs.
   */
  unasked: boolean;
  /** Whether it is proven to only read, whatever allowed it: a command that it runs changes nothing. */
  onlyReads: boolean;
  /**
   * How a command line is contained that nobody was asked about. In a preview: how it may be tried before the question.
   */
  contained?: Containment;
  /**
   * Absolute paths of the files that a command may change because undo takes that back: it must not start before they are
   * kept.
   */
  keeps: readonly string[];
  /**
   * Returns what finds the places of a text that are masked in results, so that no cut leaves a part of one that is not
   * found any more. If absent, nothing is masked.
   */
  secretPlaces?: () => Promise<FindPlaces>;
}

/** Finds places of a text, in code units and in order, and what is shown instead of each. */
type FindPlaces = (text: string) => readonly { start: number; end: number; handle: string }[];

/** A tool's context: the call's, and exactly the capabilities that it named in `needs`. */
export type ToolContext<Needs extends CapabilityName> = CallContext & Pick<Capabilities, Needs>;

/** A description of what a call is about to do: shown when a person is asked, and then run. */
export interface Preview<Plan> {
  /** How `text` is highlighted: `diff`, `bash` or `json`. */
  language: string;
  text: string;
  /** Passed to `execute`, which carries out exactly this plan or fails as `stale`. */
  plan: Plan;
  /** Sentences for the question, after its reasons. */
  remarks?: readonly string[];
  /** What it did when it was tried, if it was. Secrets are masked in all of it. */
  outcome?: readonly TitledDetail[];
}

/** A tool as its author writes it. See docs/architecture.md, "A tool". */
export interface ToolDefinition<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Needs extends CapabilityName,
  Plan,
> {
  /** snake_case; the command's name on the command line. */
  name: string;
  group: ToolGroup;
  /** For people. */
  title: string;
  /** For the model; at most 1,024 characters, since some models' descriptions are cut there. */
  description: string;
  /** Made on first use, as `output` is: the schemas of all tools would take a third of a command line's start. */
  input: () => Input;
  /** What other systems' fields are here: `{ theirs: "ours" }`, or a rule. No model is sent them. */
  aliases?: Aliases;
  /** The shape of the result's `data`. */
  output: () => Output;
  needs: readonly Needs[];
  /** Those of `needs` that a host may lack: then only the calls that use one fail. */
  canLack?: readonly Needs[];
  annotations: Annotations;
  /** Fields that are positional on the command line, in order. */
  positional?: readonly (keyof z.output<Input> & string)[];
  /** Fields with whole texts, which the command line also takes from standard input. */
  texts?: readonly (keyof z.output<Input> & string)[];
  /** Returns what a call reaches. Without it, every call of the tool needs approval. */
  touches?: (input: z.output<Input>) => Touch[];
  /**
   * Returns what a call reaches beyond `touches`, which only working it out tells, such as the files of a rename.
   * Permission decides on all of it, and the call can change nothing else.
   */
  reaches?: (input: z.output<Input>, context: ToolContext<Needs>) => Promise<Touch[]>;
  /**
   * Returns the same call with another command line in place of the one in `touches`. Without it, a tool runs the
   * command it was given.
   */
  withCommand?: (input: z.output<Input>, command: string) => z.output<Input>;
  /**
   * Returns the same call with each of its texts that may have handles of secrets passed through `put`. In all other
   * texts a handle is a text like any other.
   */
  withSecrets?: (input: z.output<Input>, put: PutSecrets) => z.output<Input>;
  /** Whether its result is for showing a secret, so that it alone is not masked. */
  showsSecrets?: boolean;
  /** One line for people. */
  summary: (input: z.output<Input>) => string;
  preview?: (input: z.output<Input>, context: ToolContext<Needs>) => Promise<Preview<Plan>>;
  /** Throws `ToolError` on failure. An expected negative (no match, a failing test) is a result. */
  execute: (
    input: z.output<Input>,
    context: ToolContext<Needs>,
    plan: Plan | undefined,
  ) => Promise<ToolResult<z.input<Output>>>;
  /** Whether it ends the agent's loop. */
  terminal?: boolean;
  /**
   * Whether its output is already paged, or consists of excerpts of results it stored: an agent must not truncate it
   * again.
   */
  paged?: boolean;
  /** Timeout in milliseconds; defaults to the `toolhost.toolTimeout` setting. */
  timeout?: number | ((input: z.output<Input>) => number);
  /**
   * How long to wait for a call that was cancelled or timed out, in milliseconds, so that it can still report its
   * outcome. Defaults to 2 seconds for a tool that changes something and 0 for any other.
   */
  grace?: number;
  /**
   * `default`: offered in Copilot's picker; `optional`: only if the user turns the whole group on; `never`: not a
   * language model tool.
   */
  expose?: "default" | "optional" | "never";
  /** What to do instead where something that it needs is missing, as a sentence. */
  instead?: string;
}

/** A problem at one place in an input. */
export interface InputIssue {
  /** `limit`, `edits[0].path`; empty for the input as a whole. */
  path: string;
  /** Continues after the path: `required, got nothing`. */
  message: string;
  /** Whether it names the call to make instead, so that no other problem of this one matters. */
  isAdvice?: true;
}

type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; issues: InputIssue[] };

/**
 * A tool as the registry holds it. The `input` of its methods is what `parse` returned; the pipeline guarantees that.
 */
export interface Tool {
  readonly name: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  /** For models: the input's JSON Schema, an object at its root. */
  readonly inputSchema: JsonSchema;
  readonly aliases: Aliases;
  readonly needs: readonly CapabilityName[];
  /** See `ToolDefinition.canLack`. */
  readonly canLack?: readonly CapabilityName[];
  readonly annotations: Annotations;
  readonly positional: readonly string[];
  /** See `ToolDefinition.texts`. */
  readonly texts?: readonly string[] | undefined;
  readonly terminal: boolean;
  /** See `ToolDefinition.paged`. */
  readonly paged: boolean;
  /** See `ToolDefinition.expose`. `search`: no list names it, since there are too many; agents find it by searching. */
  readonly expose: "default" | "optional" | "search" | "never";
  /** See `ToolDefinition.instead`. */
  readonly instead?: string | undefined;
  /** Set for a tool made by others. Questions mention what its author says about it; nothing is decided by that. */
  readonly external?: { readonly saysReadOnly: boolean };
  parse(raw: Record<string, unknown>): ParsedInput;
  touches: ((input: unknown) => Touch[]) | undefined;
  /** See `ToolDefinition.reaches`. */
  readonly reaches?: ((input: unknown, context: ToolContext<CapabilityName>) => Promise<Touch[]>) | undefined;
  /** See `ToolDefinition.withCommand`. */
  readonly withCommand?: ((input: unknown, command: string) => Record<string, unknown>) | undefined;
  /** See `ToolDefinition.withSecrets`. */
  readonly withSecrets?: ((input: unknown, put: PutSecrets) => Record<string, unknown>) | undefined;
  /** See `ToolDefinition.showsSecrets`. */
  readonly showsSecrets?: boolean | undefined;
  summary(input: unknown): string;
  preview:
    | ((input: unknown, context: ToolContext<CapabilityName>) => Promise<Preview<unknown> | undefined>)
    | undefined;
  execute(input: unknown, context: ToolContext<CapabilityName>, plan: unknown): Promise<ToolResult>;
  /** Timeout in milliseconds; undefined for the default. */
  timeout(input: unknown): number | undefined;
  /** How long to wait for it after it was cancelled or timed out, in milliseconds; undefined for the default. */
  readonly grace: number | undefined;
  /** JSON Schema (2020-12) of a result's `data`; undefined if its author does not say. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Returns what is wrong with a result's `data`; empty if it has the promised shape. */
  checkData(data: unknown): InputIssue[];
  /** The tool that it is, under another name and with fields preset: rules about that one apply, too. */
  readonly usedTool?: Tool;
  /** What it is made of, if it is made of several tools (`core/combineTools.ts`). */
  readonly parts?: readonly ToolPart[];
}

/** A tool as a part of another one, which alone is in the registry. */
export interface ToolPart {
  /** Its name is one by which rules, command lines and calls know it, too. */
  tool: Tool;
  /** The values of the whole's fields that mean this part: `{action: "read", kind: "skill"}`. */
  chosenBy: Readonly<Record<string, string>>;
}
