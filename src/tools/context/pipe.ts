import { bareName } from "../../names/tools.js";
import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { isRecord } from "../../core/jsonSchema.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { InnerOutcome, InnerTool, Tools } from "../../ports/tools.js";
import { clipStart, shorten } from "../../text/clip.js";
import { formResult, type StoredForm } from "./storedForm.js";
import { checkPlace, storeLarge, type StoredText } from "./storeLarge.js";
import { count } from "../../text/words.js";

/**
 * Milliseconds. The called tool has its own time limit, and a person may be asked first: this only ends calls that
 * hang.
 */
const TIMEOUT = 25 * 3_600_000;
/**
 * How long to wait for a cancelled call, in ms: as long as a command takes to end (`runtime/limits.ts`), and its log to
 * be removed.
 */
const GRACE = 22_000;
/** Maximum characters shown of the other tool's error. */
const MAX_MESSAGE = 2_000;
/** Maximum characters of the description of a stored document's shape. */
const MAX_SHAPE = 300;

export const pipe = defineTool({
  name: "pipe",
  group: "context",
  title: "Store a tool's result",
  description:
    `Run another tool and store its complete result in the context store, so that it does not enter your context. Only the path, size and first characters are returned. ` +
    `Use it for results that may be large, then reduce them with query, or use grep and read on .toolhost/context/<path>. ` +
    `Structured results are stored as JSON (if there is a single payload field, only that field), a command's stdout as text. There is no length limit. ` +
    `The other tool asks for permission as usual. If it fails, nothing is stored. ` +
    `Example: {"tool_name": "grep", "tool_input": {"pattern": "TODO"}, "path": "todos.json"}.`,
  input: () =>
    z.object({
      tool_name: z
        .string()
        .min(1)
        .describe("The tool to run, such as grep or exec; not pipe or a tool that ends the task."),
      tool_input: z.record(z.string(), z.unknown()).describe("Its input, as in a direct call."),
      path: z.string().describe("Path in the context store for the result, such as todos.json."),
      on_conflict: z
        .enum(["error", "overwrite"])
        .optional()
        .describe("What to do if the file exists. Default: error, before the tool runs."),
    }),
  aliases: { logical_path: "path", toolName: "tool_name", toolInput: "tool_input", onConflict: "on_conflict" },
  output: () =>
    z.object({
      path: z.string(),
      bytes_written: z.int().describe("Of UTF-8."),
      preview: z.string().describe("The first 200 characters."),
      stored: z
        .enum(["payload", "envelope", "text"])
        .describe("What was stored: the result's one payload field, all its data, or its text."),
      undoable: z.boolean().describe("false if it is too large for the undo journal."),
    }),
  needs: ["files", "changes", "spool", "tools"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  positional: ["tool_name", "path"],
  // Permission for what the other tool reaches is decided, and asked, in that tool's own call.
  touches: ({ path }) => [{ kind: "write", path: contextFile(contextPath(path)) }],
  summary: ({ tool_name, path }) => `Store the result of ${tool_name} as ${path}`,
  timeout: TIMEOUT,
  grace: GRACE,
  expose: "default",
  execute: async ({ tool_name, tool_input, path, on_conflict: onConflict }, context) => {
    const { tools, signal } = context;
    const logical = contextPath(path);
    const tool = findTool(tools, tool_name, tool_input);
    tools.check(tool.name, tool.input);
    await checkPlace(context, logical, onConflict);
    const outcome = await tools.call(tool.name, tool.input, signal);
    if (!outcome.ok) {
      throw innerError(tool, outcome.error);
    }
    // A stopped command returns its partial output: don't store that.
    signal.throwIfAborted();
    const { stored, chunks, notes } = resultOf(outcome, signal);
    const kept = await storeLarge(context, { logical, chunks, onConflict });
    const { bytes, preview, undoable } = kept;
    return {
      text: describe(tool, logical, stored, kept, notes),
      data: { path: logical, bytes_written: bytes, preview, stored, undoable },
    };
  },
});

/** @throws ToolError `unknown_tool`, `unavailable`, `forbidden_tool` */
function findTool(tools: Tools, given: string, input: unknown): ReturnType<Tools["find"]> {
  const tool = tools.find(bareName(given), input);
  if (tool.name === pipe.name) {
    throw new ToolError("forbidden_tool", "pipe cannot run itself.", "Name the tool whose result to store.");
  }
  if (tool.terminal) {
    throw new ToolError(
      "forbidden_tool",
      `${tool.name} ends the task, so pipe does not run it.`,
      `Call ${tool.name} directly.`,
    );
  }
  return tool;
}

function innerError(
  { name }: InnerTool,
  { type, message, hint }: Extract<InnerOutcome, { ok: false }>["error"],
): ToolError {
  const shown = clipStart(message, MAX_MESSAGE);
  const rest = message.length - shown.length;
  return new ToolError(
    "inner_tool_error",
    `${name} failed (${type}), and nothing was stored: ${shown}${rest > 0 ? `…[truncated, ${rest} more chars]` : ""}`,
    hint,
  );
}

/** Returns what to store of a result, and the remarks on it. */
function resultOf(
  outcome: Extract<InnerOutcome, { ok: true }>,
  signal: AbortSignal,
): { stored: StoredForm; chunks: AsyncIterable<string>; notes: string[] } {
  const { whole } = outcome;
  if (whole !== undefined) {
    const lost =
      whole.dropped > 0 ? [`${whole.dropped} characters are missing: the output was larger than the limit.`] : [];
    const beside = whole.beside === undefined ? [] : [whole.beside];
    return { stored: "text", chunks: whole.chunks(signal), notes: [whole.note, ...lost, ...beside] };
  }
  const { stored, content, shape } = formResult(outcome);
  return {
    stored,
    chunks: inTurn(content),
    notes: [...(shape === undefined ? [] : [`It is ${shorten(shape, MAX_SHAPE)}.`]), ...missing(outcome.data)],
  };
}

/** Returns remarks on a result that is incomplete: the caller does not read it and would assume it is complete. */
function missing(data: unknown): string[] {
  if (!isRecord(data)) {
    return [];
  }
  const { next_offset: next, page, total_pages: pages, partial } = data;
  return [
    ...(typeof next === "number" ? [`This is one page, not all: the next one starts at offset=${next}.`] : []),
    ...(typeof page === "number" && typeof pages === "number" && pages > 1
      ? [`This is page ${page} of ${pages}, not all.`]
      : []),
    ...(partial === true ? ["This is not all: the call stopped early."] : []),
  ];
}

async function* inTurn(parts: Iterable<string>): AsyncGenerator<string> {
  yield* parts;
}

function describe(
  { name }: InnerTool,
  logical: string,
  stored: StoredForm,
  { bytes, preview, undoable }: StoredText,
  notes: readonly string[],
): string {
  return [
    `Stored ${count(bytes, "byte")} from ${name} as ${logical} (${stored}).`,
    ...notes,
    ...(undoable ? [] : ["It is not in the undo journal."]),
    ...(preview === "" ? [] : [`It starts: ${preview}`]),
  ].join("\n");
}
