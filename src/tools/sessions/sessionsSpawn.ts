import * as z from "zod";
import { withoutEffect } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { oneLine, shorten } from "../../text/clip.js";

/** Milliseconds a subagent may take: half an hour is more than any task worth delegating should need. */
const TIMEOUT = 30 * 60_000;
/**
 * How long to wait for a stopped subagent, in ms: its own tools end first, commands within 22 s (`runtime/limits.ts`).
 */
const GRACE = 25_000;
/** Maximum characters of a task; a longer text belongs in a file, which the subagent can read. */
const MAX_PROMPT = 50_000;

export const sessionsSpawn = defineTool({
  name: "sessions_spawn",
  group: "sessions",
  title: "Run a subagent",
  description:
    "Hand a task to a subagent and wait for its answer. Say what to return. By default it can only read and search, " +
    "which suits wide searches whose details you do not need.",
  input: () =>
    z.object({
      prompt: z
        .string()
        .min(1)
        .max(MAX_PROMPT)
        .describe("The task, with everything needed: it does not see this conversation."),
      tools: z.enum(["read_only", "inherit"]).optional().describe("inherit: your tools. Default: read_only."),
      sandbox: z
        .enum(["worktree"])
        .optional()
        .describe("worktree: your tools, in a copy of the folder, merged at the end."),
    }),
  aliases: { task: "prompt", message: "prompt", content: "prompt", subagent_type: withoutEffect("subagent_type") },
  output: () =>
    z.object({
      session: z.string().describe("Its session, for sessions_history."),
      ended: z.enum(["finished", "limit"]).describe("limit: it ran out of requests before it was done."),
      iterations: z.int(),
      tokens: z.object({ input: z.int(), output: z.int(), estimated: z.boolean() }),
      copy: z.string().optional().describe("What became of the changes in its copy."),
    }),
  needs: ["sessions"],
  // Permission for what its tools reach is decided, and asked, in their own calls.
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  positional: ["prompt"],
  touches: () => [],
  summary: ({ prompt }) => `Run a subagent: ${shorten(oneLine(prompt), 100)}`,
  timeout: TIMEOUT,
  grace: GRACE,
  expose: "default",
  execute: async (
    { prompt, sandbox, tools = sandbox === undefined ? "read_only" : "inherit" },
    { sessions, session, callId, signal, report },
  ) => {
    if (prompt.trim() === "") {
      throw new ToolError("invalid_input", "sessions_spawn: prompt: is blank.", "Say what the subagent should do.");
    }
    const call = { session, callId, signal, report: (message: string) => report({ message }) };
    const {
      session: child,
      text,
      ended,
      iterations,
      tokens,
      copy,
    } = await sessions.spawn({ prompt, tools, sandbox }, call).catch((error: unknown): never => {
      throw subagentError(error);
    });
    const answer = text.trim() === "" ? "(It gave no answer.)" : text;
    const note =
      ended === "limit"
        ? `\n[It used up its ${iterations} requests before it was done. sessions_history ${child} shows what it did.]`
        : "";
    const changes = copy === undefined ? "" : `\n[${copy}]`;
    return {
      text: `Subagent completed task. Result:\n${answer}${note}${changes}`,
      data: { session: child, ended, iterations, tokens, ...(copy !== undefined && { copy }) },
    };
  },
});

/** Turns a model's failure into an error of the subagent. */
function subagentError(error: unknown): unknown {
  return error instanceof ToolError && error.type === "inner_tool_error"
    ? new ToolError(error.type, `Subagent error: ${error.message}`, error.hint)
    : error;
}
