import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { CommandRequest, ManagedProcess, Processes } from "../../ports/processes.js";
import type { WholeText } from "../../ports/tools.js";
import { oneLine, shorten } from "../../text/clip.js";
import { statExisting } from "../fs/existing.js";
import {
  commandData,
  describeCommand,
  endInWords,
  shownOutput,
  wholeOutput,
  type CommandData,
} from "./commandResult.js";
import { EXEC_ALIASES } from "./execAliases.js";
import {
  BACKGROUND_LOOK,
  DEFAULT_TIMEOUT,
  MAX_BACKGROUND_OUTPUT,
  MAX_OUTPUT,
  MAX_TIMEOUT,
  MIN_TIMEOUT,
  STOP_GRACE,
} from "./limits.js";
import { shownScript } from "./script.js";
import { inOne } from "../../text/page.js";

/** Maximum characters of a command shown in a one-line title for people. */
const MAX_TITLE = 80;

interface ExecInput {
  command: string;
  workdir?: string | undefined;
  env?: Record<string, string | null> | undefined;
  background?: boolean | undefined;
  timeout?: number | undefined;
  terminal?: boolean | undefined;
}

export const exec = defineTool({
  name: "exec",
  group: "runtime",
  title: "Run command",
  description:
    `Run a shell command (bash) and get its output, exit code and duration. Multiple lines and here-documents work. ` +
    `Standard input is closed; prompts and pagers are turned off. A failing command is a result, not an error. ` +
    `Of output over ${MAX_OUTPUT} characters, the failures of tests, compilers and linters are shown, its head and tail; read_result has all of it. timeout is in seconds (default ${DEFAULT_TIMEOUT}, minimum ${MIN_TIMEOUT}). ` +
    `background: true starts a server or watcher and returns its process id immediately; use the process tool to follow it. ` +
    `terminal: true runs the command in the user's own shell, if their environment matters; its end may then go unnoticed. ` +
    `Do not use it to read, search or edit files; use the other tools.`,
  input: z.object({
    command: z.string().min(1).describe("The command, as bash runs it."),
    workdir: z.string().optional().describe("Folder to run in, relative to the workspace. Default: the workspace."),
    env: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe("Environment variables to set; null unsets one."),
    background: z
      .boolean()
      .optional()
      .describe("Run the command in the background and return immediately. Default: false."),
    timeout: z
      .number()
      .min(0)
      .max(MAX_TIMEOUT)
      .optional()
      .describe(`Seconds before the command is killed. Default: ${DEFAULT_TIMEOUT}; no limit in the background.`),
    terminal: z
      .boolean()
      .optional()
      .describe("Run the command in the user's own shell, in a visible terminal. Default: false."),
  }),
  aliases: EXEC_ALIASES,
  output: commandData,
  needs: ["files", "processes", "results"],
  paged: true,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  positional: ["command"],
  touches: ({ command, workdir = ".", env = {}, terminal = false }) => [
    { kind: "read", path: workdir },
    { kind: "command", command, workdir, env, shell: terminal ? "user's" : "bash" },
  ],
  withCommand: (input, command) => ({ ...input, command }),
  summary: ({ command, background }) =>
    `${background === true ? "Start" : "Run"} ${shorten(oneLine(command), MAX_TITLE)}`,
  preview: async ({ command, workdir = ".", env = {}, terminal = false }) => ({
    language: "bash",
    text: shownScript(command, env, [
      ...(workdir === "." ? [] : [`in ${workdir}`]),
      ...(terminal ? ["in the user's own shell"] : []),
    ]),
    plan: undefined,
  }),
  // The command's own time limit keeps the output, so the call's limit must come later.
  timeout: ({ timeout = DEFAULT_TIMEOUT }) => (Math.max(timeout, MIN_TIMEOUT) + 30) * 1_000,
  grace: STOP_GRACE,
  expose: "default",
  execute: async (input, { files, processes, results, signal, report, session, callId, unasked }) => {
    const { timeout = DEFAULT_TIMEOUT, background = false } = input;
    const seconds = Math.max(timeout, MIN_TIMEOUT);
    const raised =
      !background && timeout < MIN_TIMEOUT
        ? `timeout=${timeout} was raised to the minimum of ${MIN_TIMEOUT} seconds.`
        : undefined;
    const request = { ...(await requestOf(input, files)), unasked };
    if (input.terminal === true) {
      await refuseNoFolder(request.workdir, files);
      return inTerminal(request, seconds, processes, signal);
    }
    const process = await started(processes.start(request, background, { session, callId }), request, files);
    if (background) {
      await waitFor(process, BACKGROUND_LOOK, signal);
      return describeCommand(process, MAX_BACKGROUND_OUTPUT, Date.now(), results);
    }
    await untilEnded(process, seconds * 1_000, signal, report);
    const { text, data } = await describeCommand(process, MAX_OUTPUT, Date.now(), results);
    return {
      text: raised === undefined ? text : `${raised}\n${text}`,
      data,
      whole: wholeOutput(process, results),
    };
  },
});

async function requestOf(
  { command, workdir = ".", env = {}, background = false }: ExecInput,
  files: Files,
): Promise<CommandRequest> {
  const at = await files.resolve(workdir);
  if (at.root === undefined) {
    throw new ToolError(
      "invalid_input",
      `${workdir} is the root of a workspace with several folders.`,
      `Name the folder to run in as workdir: ${files
        .roots()
        .map(({ name }) => name)
        .join(", ")}.`,
    );
  }
  if (at.root.scheme !== "file") {
    throw new ToolError("unavailable", `${at.path} is not on a local disk, so no command can run there.`);
  }
  return { command, workdir: at, env, interactive: background, title: shorten(oneLine(command), MAX_TITLE) };
}

/**
 * Starts a command, and checks the folder only if that fails: checking before every command would cost more than
 * everything else.
 */
async function started(
  starting: Promise<ManagedProcess>,
  { workdir }: CommandRequest,
  files: Files,
): Promise<ManagedProcess> {
  try {
    return await starting;
  } catch (error) {
    await refuseNoFolder(workdir, files);
    throw error;
  }
}

/** @throws ToolError when there is no such folder to run in */
async function refuseNoFolder(at: GatedPath, files: Files): Promise<void> {
  if ((await statExisting(files, at)).kind !== "directory") {
    throw new ToolError(
      "invalid_input",
      `${at.path} is a file; a command runs in a folder.`,
      "Give the folder as workdir.",
    );
  }
}

async function inTerminal(
  request: CommandRequest,
  seconds: number,
  processes: Processes,
  signal: AbortSignal,
): Promise<{ text: string; data: CommandData; whole: WholeText }> {
  if (processes.inUsersShell === undefined) {
    throw new ToolError("unavailable", "No user terminal is available here.", "Run it without terminal.");
  }
  const { end, output } = await processes.inUsersShell(request, seconds * 1_000, signal);
  const { text: shown, omitted } = shownOutput(output, MAX_OUTPUT);
  return {
    text: [`[${endInWords(end)}]`, shown === "" ? "(no output observed)" : shown].join("\n"),
    data: {
      status: end.status,
      exit_code: end.exitCode ?? null,
      signal: end.signal ?? null,
      duration_ms: Math.round(end.duration),
      omitted,
      left_running: end.leftRunning ?? null,
    },
    whole: { note: endInWords(end), dropped: 0, chunks: () => inOne(output) },
  };
}

/** Waits until the process ends; stops it on timeout or when the caller cancels. */
async function untilEnded(
  process: ManagedProcess,
  limit: number,
  signal: AbortSignal,
  report: (progress: { message: string }) => void,
): Promise<void> {
  const time = AbortSignal.timeout(limit);
  const either = AbortSignal.any([signal, time]);
  let cursor = process.output(0).next;
  while (process.end === undefined && !either.aborted) {
    await process.changed(cursor, either);
    const part = process.output(cursor);
    cursor = part.next;
    const last = part.text.trimEnd().split("\n").at(-1)?.trim();
    if (last !== undefined && last !== "") {
      report({ message: shorten(last, MAX_TITLE) });
    }
  }
  if (process.end === undefined) {
    await process.stop(signal.aborted ? "cancelled" : "timeout");
  }
}

/** Resolves when the process has ended, when the call is cancelled, or after `milliseconds`. */
async function waitFor(process: ManagedProcess, milliseconds: number, signal: AbortSignal): Promise<void> {
  const time = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  await Promise.race([
    process.ended,
    new Promise<void>((resolve) => time.addEventListener("abort", () => resolve(), { once: true })),
  ]);
}
