import type * as z from "zod";
import { ignored } from "../../core/aliases.js";
import { once } from "../../core/once.js";
import type { Tool, Touch } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { normalise, outputJsonSchema, type JsonSchema } from "../../core/jsonSchema.js";
import { secretReason } from "../../core/paths/protectedFiles.js";
import { fromZodIssues, tellIssues } from "../../core/pipeline/issues.js";
import type { Files } from "../../ports/files.js";
import type { CommandRequest, ManagedProcess } from "../../ports/processes.js";
import type { ToolContext } from "../../core/contract.js";
import type { ToolResult } from "../../core/outcome.js";
import { excerpt, oneLine, shorten } from "../../text/clip.js";
import { commandData } from "../processes/commandData.js";
import { describeCommand } from "../processes/commandResult.js";
import { wholeOutput } from "../processes/wholeOutput.js";
import { FOREGROUND_ANSWER, STOP_GRACE } from "../processes/limits.js";
import { untilEnded } from "../processes/untilEnded.js";
import { DEFAULT_TIMEOUT, type CommandEntry } from "./entry.js";
import { checkerOf, type ValueSchema } from "./parameters.js";
import { titleOf } from "./title.js";
import { fillArguments, FREE_ARGUMENTS, usedParameters } from "./template.js";

/** The group of the user's own tools. */
export const CUSTOM_GROUP = "custom";

/** Maximum characters of a command shown in a one-line title for people. */
const MAX_TITLE = 80;
/** Maximum characters of JSON that a command may print where its tool promises some. */
const MAX_JSON = 10_000_000;
/** Maximum characters of other output that an error quotes. */
const MAX_QUOTED = 500;

/** What a command tool needs in addition to its entry. */
export interface CommandToolParts {
  /** The folder that its paths are relative to: `.`, or a folder's name in a workspace of several. */
  folder: string;
  /** Returns the program to start, a name or an absolute path. */
  program: string;
  /** Where the entry is, for messages: `.toolhost/tools.json`. */
  place: string;
  /** Why the tool asks now although it is declared to only read; undefined if it does not. */
  asks: string | undefined;
  /** Looks for that again: a file may have come since. */
  whyAsks: (files: Files) => Promise<string | undefined>;
  /** Returns a secret's value; undefined if it is not set. */
  secret: (name: string) => Promise<string | undefined>;
  /** Says how to set one. */
  secretAdvice: (name: string) => string;
}

type Context = ToolContext<"files" | "processes" | "results">;
type Input = Readonly<Record<string, unknown>>;

/** Makes the tool of an entry that runs a command. */
export function commandTool(entry: CommandEntry, parts: CommandToolParts): Tool {
  const { name, args = [], readOnly = false } = entry;
  const schema = inputSchemaOf(entry);
  const checker = checkerOf({ ...schema, additionalProperties: false } as ValueSchema);
  const fields = Object.keys(schema.properties);
  const printed = entry.output && checkerOf(entry.output);
  const output = once(() =>
    printed === undefined ? commandData() : commandData().extend({ json: printed.optional() }),
  );
  const outputSchema = once(() => outputJsonSchema(output()));
  const chosen = new Set(fields.filter((field) => schema.properties[field]?.enum !== undefined));
  const words = (input: Input): string[] =>
    fillArguments({ args, input, isChosen: (parameter) => chosen.has(parameter) });
  const fixed = new Set(args.flat());
  // Arguments that a call cannot have are refused when it runs.
  const made = (input: Input): string[] => (safely(() => words(input)) ?? []).filter((word) => !fixed.has(word));
  let { asks } = parts;
  const needs = ["files", "processes", "results"] as const;
  return {
    name,
    group: CUSTOM_GROUP,
    title: entry.title ?? titleOf(name),
    description: entry.description,
    inputSchema: schema,
    aliases: Object.fromEntries(
      ["description", "explanation", "goal"].filter((word) => !fields.includes(word)).map((word) => [word, ignored]),
    ),
    needs,
    annotations: {
      readOnly,
      destructive: entry.destructive ?? !readOnly,
      idempotent: entry.idempotent ?? readOnly,
      openWorld: entry.openWorld ?? true,
    },
    positional: usedParameters(args).filter((field) => schema.required?.includes(field) === true),
    terminal: false,
    paged: true,
    expose: "default",
    parse: (raw) => {
      const result = checker.safeParse(raw);
      return result.success
        ? { ok: true, input: result.data as Record<string, unknown> }
        : { ok: false, issues: fromZodIssues(result.error, raw, fields) };
    },
    // Without touches, every call asks.
    touches: readOnly
      ? (input) => readingTouches(input as Input, made(input as Input), asks, joined(parts.folder, entry.cwd ?? "."))
      : undefined,
    summary: (input) =>
      `${name}: ${shorten(oneLine(shownLine(entry, safely(() => words(input as Input)) ?? [])), MAX_TITLE)}`,
    preview: async (input) => ({
      language: "bash",
      text: [
        ...(entry.cwd === undefined ? [] : [`# in ${oneLine(entry.cwd)}`]),
        ...Object.entries(entry.env ?? {}).map(
          ([variable, value]) =>
            `# ${variable}=${typeof value === "string" ? oneLine(value) : `(the secret ${value.secret})`}`,
        ),
        shownLine(entry, words(input as Input)),
        ...(entry.stdin === undefined ? [] : [`# standard input: ${JSON.stringify(input)}`]),
      ].join("\n"),
      plan: undefined,
    }),
    execute: (input, context) => run(input as Input, context),
    // The command's own time limit keeps the output, so the call's limit must come later.
    timeout: () => ((entry.timeout ?? DEFAULT_TIMEOUT) + 30) * 1_000,
    grace: STOP_GRACE,
    get outputSchema() {
      return outputSchema();
    },
    checkData: (data) => {
      const result = output().safeParse(data);
      return result.success ? [] : fromZodIssues(result.error, data, []);
    },
  };

  async function run(input: Input, context: Context): Promise<ToolResult> {
    const { processes, results, session, callId, signal, report, unasked, onlyReads, origin } = context;
    asks = readOnly && unasked ? await parts.whyAsks(context.files) : asks;
    if (unasked && asks !== undefined) {
      throw new ToolError("stale", `${name}: nothing was run. ${asks}`, "Call it again: the user is asked then.");
    }
    const request = {
      ...(await requestOf(words(input), context)),
      ...(!onlyReads && { watched: origin }),
    };
    const process = await processes.start(request, false, { session, callId });
    if (entry.stdin === "json") {
      // The program may end without reading it.
      void giveInput(process, JSON.stringify(input)).catch(() => undefined);
    }
    const limit = (entry.timeout ?? DEFAULT_TIMEOUT) * 1_000;
    await untilEnded(process, { limit, mayTakeLong: true, handOver: undefined }, signal, report);
    const { text, data } = await describeCommand(process, FOREGROUND_ANSWER, Date.now(), results);
    const whole = wholeOutput(process, results);
    // Only a command that succeeded promises JSON.
    if (printed === undefined || process.end?.status !== "exited" || process.end.exitCode !== 0) {
      return { text, data, whole };
    }
    return { text, data: { ...data, json: await readJson(whole.chunks(AbortSignal.timeout(30_000)), printed) }, whole };
  }

  async function requestOf(args: readonly string[], context: Context): Promise<CommandRequest> {
    const { files } = context;
    const at = await files.resolve(joined(parts.folder, entry.cwd ?? "."));
    if ((await files.stat(at)).kind !== "directory") {
      throw new ToolError(
        "invalid_input",
        `${name}: cwd: ${at.path} is not a folder.`,
        `Correct it in ${parts.place}.`,
      );
    }
    if (at.root?.scheme !== "file") {
      throw new ToolError("unavailable", `${name}: ${at.path} is not on a local disk, so no command can run there.`);
    }
    return {
      command: shownLine(entry, args),
      program: { file: parts.program, args },
      workdir: at,
      env: await environment(),
      interactive: entry.stdin !== undefined,
      title: shorten(oneLine(shownLine(entry, args)), MAX_TITLE),
      unasked: context.unasked,
      apart: context.readsData || printed !== undefined,
    };
  }

  async function environment(): Promise<Record<string, string>> {
    const variables: Record<string, string> = {};
    for (const [variable, value] of Object.entries(entry.env ?? {})) {
      const set = typeof value === "string" ? value : await parts.secret(value.secret);
      if (set === undefined && typeof value !== "string") {
        throw new ToolError(
          "unavailable",
          `${name}: the secret ${value.secret} is not set. Nothing was run.`,
          parts.secretAdvice(value.secret),
        );
      }
      variables[variable] = set ?? "";
    }
    return variables;
  }

  /** @throws ToolError `invalid_json` with the start of what it printed, since the command has run */
  async function readJson(chunks: AsyncIterable<string>, promised: z.ZodType): Promise<unknown> {
    let text = "";
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length > MAX_JSON) {
        throw broken(`it is longer than ${MAX_JSON / 1e6} million characters`, text);
      }
    }
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw broken("it is not JSON", text);
    }
    const result = promised.safeParse(json);
    if (!result.success) {
      throw broken(tellIssues(fromZodIssues(result.error, json, [])), text);
    }
    return result.data;
  }

  function broken(why: string, text: string): ToolError {
    return new ToolError(
      "invalid_json",
      `${name}: the command ran and succeeded, but its output is not what the tool promises: ${why}.`,
      `It printed: ${text.trim() === "" ? "nothing" : excerpt(text.trim(), MAX_QUOTED)}. Correct the command, or output in ${parts.place}.`,
    );
  }
}

function inputSchemaOf({ args = [], parameters }: CommandEntry): JsonSchema {
  const { properties = {}, required = [] } = parameters ?? {};
  const isFree = usedParameters(args).includes(FREE_ARGUMENTS) && !Object.hasOwn(properties, FREE_ARGUMENTS);
  return normalise({
    properties: {
      ...properties,
      ...(isFree
        ? {
            [FREE_ARGUMENTS]: {
              type: "string",
              description: "The arguments, separated by spaces. Quotes keep words together.",
            },
          }
        : {}),
    },
    ...(required.length > 0 ? { required } : {}),
  });
}

/**
 * What a value has that may lead out of the workspace: the start of an absolute path or of the home folder, a parent
 * folder, an address.
 */
const LEADS_OUT = /(^|[^\w./-])[/~]|\.\.|\\|:\//;

/** What the path gate accepts in no path. */
const CONTROL = /\p{Cc}/u;
/** Longer texts are not a path on any system (Linux: PATH_MAX). */
const LONGEST_PATH = 4_096;

/**
 * Returns the touches of a call that only reads. One whose values, or the arguments they become, may lead to secrets or
 * out of the workspace asks; the files that they may name are decided on where they really are.
 *
 * @param made arguments with values in them
 */
function readingTouches(input: Input, made: readonly string[], asks: string | undefined, folder: string): Touch[] {
  const values = [...new Set([...textsIn(Object.values(input)), ...made])].filter((value) => value !== "");
  const paths = values.filter((value) => value.length <= LONGEST_PATH);
  const strays =
    values.find((value) => LEADS_OUT.test(value) || secretReason(value) !== undefined) ??
    paths.find((value) => CONTROL.test(value));
  const reason =
    asks ??
    (strays === undefined ? undefined : `${excerpt(strays)} may name a secret or something outside the workspace.`);
  const named = reason === undefined ? paths : [];
  return [
    { kind: "program", ...(reason === undefined ? {} : { reason }) },
    ...named.map((value): Touch => ({ kind: "read", path: joined(folder, value), optional: true })),
  ];
}

/** Returns all texts in a value, names of fields too, which is not nested deep (`core/pipeline/input.ts`). */
function textsIn(value: unknown): string[] {
  return typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)]
      : [];
}

/** Returns a command line as people read it. It is not what runs. */
function shownLine({ command }: CommandEntry, args: readonly string[]): string {
  return [command, ...args].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function giveInput(process: ManagedProcess, text: string): Promise<void> {
  await process.write(text);
  await process.closeInput();
}

/** Joins a folder of the entry's own to the one that its paths are relative to. */
export function joined(folder: string, path: string): string {
  return folder === "." ? path : path === "." ? folder : `${folder}/${path}`;
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
