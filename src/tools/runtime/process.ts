import * as z from "zod";
import { choice, withoutEffect } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Patterns } from "../../ports/patterns.js";
import type { ManagedProcess, Processes } from "../../ports/processes.js";
import type { Results } from "../../ports/results.js";
import { oneLine, shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import { commandData, commandState, type CommandData } from "../../features/processes/commandData.js";
import { toldEffect, describeCommand } from "../../features/processes/commandResult.js";
import { shownStored, shownOutput } from "../../features/processes/shownOutput.js";
import { endInWords } from "../../features/processes/endInWords.js";
import { fromMilliseconds, seconds } from "./timeUnits.js";
import { DEFAULT_WAIT, MAX_BACKGROUND_OUTPUT, MAX_OUTPUT, MAX_WAIT, outputSize } from "./limits.js";
import { matcher, MAX_PATTERN, unmet, waitUntil } from "./waitForOutput.js";
import { count } from "../../text/words.js";

const ACTIONS = ["list", "status", "poll", "input", "signal"] as const;
const SIGNALS = [
  "SIGINT",
  "SIGTERM",
  "SIGKILL",
  "SIGHUP",
  "SIGQUIT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGSTOP",
  "SIGCONT",
] as const;
/** Maximum number of running processes that a hint names. */
const MAX_NAMED = 5;

interface ProcessInput {
  action: (typeof ACTIONS)[number];
  process_id?: string | undefined;
  input?: string | undefined;
  signal?: (typeof SIGNALS)[number] | undefined;
  cursor?: number | undefined;
  wait_for?: string | undefined;
  timeout?: number | undefined;
}

export const process = defineTool({
  name: "process",
  group: "runtime",
  title: "Background processes",
  description:
    `Follow and control commands that exec started in the background. list: show all. status: show one, with the head and tail of its output. ` +
    `poll: show output since cursor. input: write to its standard input. signal: send a signal to it and everything it started (SIGINT stops most servers).`,
  input: () =>
    z.object({
      action: z.enum(ACTIONS).describe("What to do."),
      process_id: z.string().optional().describe("Such as p1. Not needed for list."),
      input: z.string().optional().describe("Text to write, with its newline."),
      signal: z.enum(SIGNALS).optional().describe("Default: SIGTERM."),
      cursor: z
        .int()
        .min(0)
        .optional()
        .describe("next_cursor of the last answer. Default: the start for poll, now for input."),
      wait_for: z
        .string()
        .max(MAX_PATTERN)
        .optional()
        .describe("With poll or input: wait until this regular expression matches new output; exit waits for the end."),
      timeout: z.number().min(0).max(MAX_WAIT).optional().describe(`Seconds to wait. Default: ${DEFAULT_WAIT}.`),
    }),
  aliases: {
    id: "process_id",
    session_id: "process_id",
    sessionId: "process_id",
    shell_id: "process_id",
    shellId: "process_id",
    bash_id: "process_id",
    pid: "process_id",
    filter: withoutEffect("filter"),
    yield_time_ms: withoutEffect("yield_time_ms"),
    max_output_tokens: withoutEffect("max_output_tokens"),
    text: "input",
    chars: "input",
    pattern: "wait_for",
    action: choice({
      kill: { action: "signal" },
      stop: { action: "signal" },
      log: { action: "poll" },
      output: { action: "poll" },
      write: { action: "input" },
    }),
    timeout: seconds(MAX_WAIT),
    timeout_ms: fromMilliseconds,
  },
  output: () =>
    z.object({
      processes: z
        .array(
          commandData().extend({
            process_id: z.string().describe("Such as p1."),
            command: z.string().describe("Its command line."),
            workdir: z.string().describe("Its folder."),
          }),
        )
        .optional()
        .describe("With list: all of the session."),
      process: commandData().optional().describe("With any other action: the process as it is now."),
      output: z.string().optional().describe("With poll and input: the new output."),
      next_cursor: z.int().optional().describe("Where the next poll continues."),
      missed: z.int().optional().describe("Characters omitted between cursor and output; result_id has all of it."),
      matched: z.boolean().nullable().optional().describe("Whether wait_for was met; null without wait_for."),
    }),
  needs: ["processes", "patterns", "results"],
  paged: true,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  positional: ["action", "process_id"],
  // Looking needs no permission, and neither does ending a process that was allowed to run. Input may be typed into a
  // shell, so it counts as a command.
  touches: ({ action, input = "" }) => (action === "input" ? [{ kind: "command", command: input, as: "input" }] : []),
  withSecrets: (input, put) => ({
    ...input,
    ...(input.input !== undefined && {
      input: put("input", input.input, {
        kind: "refused",
        advice: "Start the command with the secret in env of exec, or ask the user to type it.",
      }),
    }),
  }),
  summary: ({ action, process_id: id = "", input = "", signal = "SIGTERM" }) =>
    action === "list"
      ? "List background processes"
      : action === "input"
        ? `Write ${shorten(JSON.stringify(input), 60)} to ${id}`
        : action === "signal"
          ? `Send ${signal} to ${id}`
          : `Check ${id}`,
  // As JSON, so that line endings and Ctrl+C are visible.
  preview: async ({ process_id: id, input }, { processes }) => ({
    language: "json",
    text: JSON.stringify({ input, process_id: id, command: findProcess(processes, id).command }, undefined, 2),
    plan: undefined,
  }),
  timeout: ({ timeout = DEFAULT_WAIT }) => (timeout + 30) * 1_000,
  expose: "default",
  execute: async (input, { processes, patterns, results, signal, answerSize }) => {
    if (input.action === "list") {
      return listAll(processes);
    }
    const found = findProcess(processes, input.process_id);
    switch (input.action) {
      case "status": {
        const max = outputSize(found.end === undefined ? MAX_BACKGROUND_OUTPUT : MAX_OUTPUT, answerSize);
        const { text, data } = await describeCommand(found, max, Date.now(), results);
        return { text: `${nameOf(found)}\n${text}`, data: { process: data } };
      }
      case "signal":
        return sendSignal(found, input);
      case "input":
      case "poll":
        return poll(found, input, { patterns, results, signal, most: outputSize(MAX_OUTPUT, answerSize) });
    }
  },
});

function listAll(processes: Processes): {
  text: string;
  data: { processes: (CommandData & { process_id: string; command: string; workdir: string })[] };
} {
  const all = processes.list().filter(({ background }) => background);
  const rows = all.map((each) => ({
    ...commandState(each, Date.now()),
    process_id: each.id,
    command: each.command,
    workdir: each.workdir,
  }));
  const lines = all.map(
    (each) =>
      `${nameOf(each)}: ${each.end === undefined ? `running for ${Math.round((Date.now() - each.started) / 1_000)} s` : endInWords(each.end)}`,
  );
  return { text: lines.length === 0 ? "No background processes." : lines.join("\n"), data: { processes: rows } };
}

function findProcess(processes: Processes, id: string | undefined): ManagedProcess {
  if (id === undefined) {
    throw new ToolError(
      "invalid_input",
      "process: process_id: required with this action.",
      "List them with action=list.",
    );
  }
  const found = processes.find(id);
  if (found !== undefined) {
    return found;
  }
  if (processes.wasKnown(id)) {
    throw new ToolError(
      "unknown_id",
      `${id} ended too long ago; its result was discarded.`,
      "Run the command again if it is needed.",
    );
  }
  // Those that have ended are kept for a while, and are hardly ever meant.
  const running = processes.list().flatMap((each) => (each.end === undefined ? [each.id] : []));
  const near = nearestNames(id, running);
  throw new ToolError(
    "unknown_id",
    `${shorten(oneLine(id), 40)}: there is no such process.`,
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : running.length > 0
        ? `${running.slice(0, MAX_NAMED).join(", ")} ${running.length === 1 ? "is" : "are"} running; action=list lists all.`
        : "None is running; action=list lists those that have ended.",
  );
}

function sendSignal(
  found: ManagedProcess,
  { signal = "SIGTERM" }: ProcessInput,
): { text: string; data: { process: CommandData } } {
  try {
    found.kill(signal);
  } catch (error) {
    const { end } = found;
    throw end !== undefined && end.leftRunning !== true && error instanceof ToolError && error.type === "unavailable"
      ? new ToolError("unavailable", `${found.id} has already ended: ${endInWords(end)}`)
      : error;
  }
  return {
    text: `Sent ${signal} to ${nameOf(found)} and everything it started. Poll with wait_for=exit to see it end.`,
    data: { process: commandState(found, Date.now()) },
  };
}

async function poll(
  found: ManagedProcess,
  input: ProcessInput,
  {
    patterns,
    results,
    signal,
    most,
  }: { patterns: Patterns; results: Pick<Results, "chunks">; signal: AbortSignal; most: number },
): Promise<{
  text: string;
  data: { process: CommandData; output: string; next_cursor: number; missed: number; matched: boolean | null };
}> {
  const matches =
    input.wait_for === undefined || input.wait_for === "exit" ? undefined : matcher(input.wait_for, patterns, signal);
  // Report an invalid expression before writing or waiting.
  await matches?.("", 0);
  const from = input.cursor ?? (input.action === "poll" ? 0 : found.output(Number.MAX_SAFE_INTEGER).next);
  if (input.action === "input") {
    if (input.input === undefined) {
      throw new ToolError("invalid_input", "process: input: required with action input.");
    }
    await found.write(input.input);
  }
  const matched =
    input.wait_for === undefined ? null : await waitUntil(found, from, matches, input.timeout ?? DEFAULT_WAIT, signal);
  const part = found.output(from);
  // Part of an output says nothing about the failures in all of it.
  const stored = from === 0 && part.missed > 0 ? await shownStored(found, most, results) : undefined;
  const held = shownOutput(part.text, most, found.resultId === undefined ? undefined : found.end);
  const { text: shown, promise } = stored ?? {
    ...held,
    ...(part.missed > 0 && held.promise !== undefined && { promise: "" }),
  };
  const missed = stored?.omitted ?? part.missed + held.omitted;
  const { line, changed } = await toldEffect(found, true);
  const whole = found.resultId === undefined ? "" : ` read_result ${found.resultId} has its output.`;
  const state = found.end === undefined ? "Running." : endInWords(found.end);
  const waited =
    matched !== false || input.wait_for === undefined
      ? ""
      : ` ${unmet(input.wait_for, found.end === undefined ? (input.timeout ?? DEFAULT_WAIT) : undefined)}`;
  return {
    text: [
      `${nameOf(found)}: ${state}${waited} next_cursor=${part.next}`,
      ...(missed > 0
        ? [
            `[${count(missed, "character")} ${promise === undefined ? "before" : "of"} this are not shown.${promise === undefined || promise === "" ? "" : ` ${promise}`}${whole}]`,
          ]
        : []),
      shown === "" ? "(nothing new)" : shown,
      ...line,
    ].join("\n"),
    data: {
      process: { ...commandState(found, Date.now()), ...changed },
      output: shown,
      next_cursor: part.next,
      missed,
      matched,
    },
  };
}

function nameOf({ id, command, workdir }: ManagedProcess): string {
  return `${id} (${shorten(oneLine(command), 80)}, in ${workdir})`;
}
