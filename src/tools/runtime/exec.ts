import * as z from "zod";
import type { ToolContext } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { SANDBOX_SCHEME, type Files, type GatedPath } from "../../ports/files.js";
import type { CommandEnd, CommandRequest, ManagedProcess, Processes, RehearsedCommand } from "../../ports/processes.js";
import type { WholeText } from "../../ports/tools.js";
import { oneLine, shorten } from "../../text/clip.js";
import { statExisting } from "../fs/existing.js";
import { commandData, type CommandData } from "../../features/processes/commandData.js";
import { describeCommand } from "../../features/processes/commandResult.js";
import { endInWords } from "../../features/processes/endInWords.js";
import { shownOutput } from "../../features/processes/shownOutput.js";
import { wholeOutput } from "../../features/processes/wholeOutput.js";
import { EXEC_ALIASES } from "./execAliases.js";
import {
  BACKGROUND_LOOK,
  DEFAULT_TIMEOUT,
  DEFAULT_WAIT,
  MAX_BACKGROUND_OUTPUT,
  MAX_OUTPUT,
  outputSize,
  MAX_TIMEOUT,
  MAX_WAIT,
  MIN_TIMEOUT,
} from "./limits.js";
import { leavesRunning, missesGit, missesSomething, wantedNote } from "./missed.js";
import type { Rehearsed } from "./rehearsal.js";
import { shownScript } from "./script.js";
import { isPatchAsCommand, PATCH_AS_COMMAND, toolsInstead } from "./toolsAsCommands.js";
import { STOP_GRACE } from "../../features/processes/limits.js";
import { untilEnded } from "../../features/processes/untilEnded.js";
import { matcher, MAX_PATTERN, unmet, waitUntil } from "./waitForOutput.js";
import { inOne } from "../../text/page.js";

/** Maximum characters of a command shown in a one-line title for people. */
const MAX_TITLE = 80;

const LEFT_BEHIND =
  "This command line now ends what the command left running, except what has a session of its own (setsid).";

/** What a description says of them. */
const STILL_RUN = / Processes it started still run\.(?=\])/;

type ExecContext = ToolContext<"files" | "processes" | "results" | "patterns">;

interface ExecInput {
  command: string;
  workdir?: string | undefined;
  env?: Record<string, string | null> | undefined;
  background?: boolean | undefined;
  wait_for?: string | undefined;
  timeout?: number | undefined;
  terminal?: boolean | undefined;
  outside?: boolean | undefined;
}

/** For a contained command that may have failed for want of what it could not reach. */
const CONTAINED =
  "It ran in a sandbox, without network, the user's home and secrets. If it failed for that reason, call exec with outside: true, which asks the user.";
/** The same for one that reaches the hosts that the user allowed. */
const CONTAINED_ONLINE =
  "It ran in a sandbox, without the user's home and secrets, and with no network but the hosts of toolhost.sandbox.hosts, by a proxy (HTTPS_PROXY). If it failed for that reason, call exec with outside: true, which asks the user.";
/** For a contained command that ran Git in a repository whose settings may hold a token. */
const WITHOUT_GIT =
  "Git does not work in the sandbox beside commands that may change files: this repository's settings (.git/config) may hold a password or token. Run git in a call of its own.";
/** For a command whose result, from when it was tried, was kept. */
const KEPT =
  "It ran in a sandbox, without network, the user's home and secrets, while the user was asked, and its changes were made after the yes. If it missed something there, call exec with outside: true.";
/** For a contained command that goes on in the background. */
const UNREACHABLE =
  "It runs in a sandbox, where no other program can reach its ports; to start a server, use background: true, which asks the user.";

/** For a contained command that leaves programs to run on. */
const ENDED_WITH_IT =
  "It ran in a sandbox, where what it started with & ended when it ended. To start a server, use background: true, which asks the user.";

export const exec = defineTool({
  name: "exec",
  group: "runtime",
  title: "Run command",
  description:
    `Run a command in a new bash shell (on Windows: Git's bash, or PowerShell); get its output, exit code and duration. ` +
    `Standard input is closed; prompts and pagers are off. A failing command is no error. ` +
    `Long output is shown as failures (of tests, compilers, linters), head and tail; read_result has all of it. ` +
    `A command without timeout that still runs after 60 s, or is silent once it says it listens, goes on in the background: follow it with process. ` +
    `Read, search and edit files with the other tools.`,
  input: () =>
    z.object({
      command: z
        .string()
        .min(1)
        .refine((command) => !isPatchAsCommand(command), PATCH_AS_COMMAND)
        .describe("The command."),
      workdir: z.string().optional().describe("Folder to run in. Default: the workspace."),
      env: z
        .record(z.string(), z.string().nullable())
        .optional()
        .describe("Environment variables to set; null unsets one."),
      background: z.boolean().optional().describe("Start a server or watcher, and return its process id."),
      wait_for: z
        .string()
        .min(1)
        .max(MAX_PATTERN)
        .optional()
        .describe(
          `Start it in the background, and return once its output matches this regular expression, or after timeout seconds (default ${DEFAULT_WAIT}, maximum ${MAX_WAIT}).`,
        ),
      timeout: z
        .number()
        .min(0)
        .max(MAX_TIMEOUT)
        .optional()
        .describe(
          `Seconds before the command is killed, at least ${MIN_TIMEOUT}. Default: ${DEFAULT_TIMEOUT}; no limit in the background.`,
        ),
      outside: z
        .boolean()
        .optional()
        .describe("Run it outside of the sandbox, which asks: if it failed there, or its changes were not kept."),
      terminal: z
        .boolean()
        .optional()
        .describe(
          "Run it in the user's own shell and a visible terminal, if their environment matters; its end may go unnoticed.",
        ),
    }),
  aliases: EXEC_ALIASES,
  output: commandData,
  needs: ["files", "processes", "results", "patterns"],
  paged: true,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  positional: ["command"],
  touches: ({ command, workdir = ".", env = {}, terminal = false, ...more }) => [
    { kind: "read", path: workdir },
    {
      ...{ kind: "command", command, workdir, env, shell: terminal ? "user's" : "bash" },
      // Programs outside could not reach a server that is contained.
      mayBeContained: more.background !== true && more.wait_for === undefined && more.outside !== true,
      outside: more.outside === true,
    },
  ],
  withSecrets: (input, put) => ({
    ...input,
    command: put("command", input.command, {
      kind: "refused",
      advice: 'Pass it in env, for example env {"TOKEN": "⟦…⟧"}, and use "$TOKEN" in the command.',
    }),
    ...(input.env && {
      env: Object.fromEntries(
        Object.entries(input.env).map(([name, value]) => [
          name,
          value === null ? null : put(`env.${name}`, value, { kind: "variable", name }),
        ]),
      ),
    }),
  }),
  withCommand: (input, command) => ({ ...input, command }),
  summary: ({ command, background, wait_for: awaited }) =>
    `${background === true || awaited !== undefined ? "Start" : "Run"} ${shorten(oneLine(command), MAX_TITLE)}`,
  preview: async (input, context) => {
    const { command, workdir = ".", env = {}, terminal = false } = input;
    const script = shownScript(command, env, [
      ...(workdir === "." ? [] : [`in ${workdir}`]),
      ...(terminal ? ["in the user's own shell"] : []),
    ]);
    const tried = context.contained?.writes?.isRehearsal === true ? await triedFirst(input, context) : undefined;
    const lost = context.processes.whyNotUndone?.();
    const remarks = [
      ...(tried?.remarks ?? []),
      ...(lost === undefined ? [] : [`Undo will not cover what it changes: ${lost}.`]),
    ];
    return {
      language: "bash",
      text: script,
      plan: tried?.plan,
      ...(remarks.length > 0 && { remarks }),
      ...(tried !== undefined && { outcome: tried.outcome }),
    };
  },
  // The command's own time limit keeps the output, so the call's limit must come later.
  timeout: ({ timeout = DEFAULT_TIMEOUT }) => (Math.max(timeout, MIN_TIMEOUT) + 30) * 1_000,
  grace: STOP_GRACE,
  expose: "default",
  execute: async (input, context, plan) => {
    if (plan === undefined) {
      return run(input, context);
    }
    const again = "again" in plan ? plan.again : await whyNotMade(plan.kept);
    if ("again" in plan || again !== undefined) {
      return noted(
        `It was tried in a sandbox first, and then run outside of it, since ${again}.`,
        await run(input, context),
      );
    }
    const { process } = plan.kept;
    const { results, answerSize } = context;
    return {
      ...noted(KEPT, await describeCommand(process, outputSize(MAX_OUTPUT, answerSize), Date.now(), results)),
      whole: wholeOutput(process, results),
    };
  },
});

/** Tries a command before the question about it, if it can be. */
async function triedFirst(input: ExecInput, context: ExecContext): Promise<Rehearsed | undefined> {
  const { files, processes, signal, report, session, callId, contained, origin, answerSize, readsData } = context;
  report({ message: "Trying it in a sandbox before the question" });
  const { rehearsed } = await import("./rehearsal.js");
  const request = {
    ...(await requestOf(input, false, files)),
    unasked: true,
    contained,
    apart: readsData,
    watched: origin,
  };
  return rehearsed(request, { session, callId }, processes, outputSize(MAX_OUTPUT, answerSize), signal);
}

/** Makes what a command that was tried changed. @returns why that was not done, if it was not: then nothing was */
async function whyNotMade({ rehearsal }: RehearsedCommand): Promise<string | undefined> {
  return (await rehearsal.publish()).dropped?.replace(/\.$/, "");
}

/** Runs the command as the call says. */
async function run(
  input: ExecInput,
  context: ExecContext,
): Promise<{ text: string; data: CommandData; whole?: WholeText }> {
  const {
    files,
    processes,
    results,
    patterns,
    signal,
    report,
    session,
    callId,
    unasked,
    onlyReads,
    contained,
    keeps,
    byPerson,
    origin,
    answerSize,
  } = context;
  const { timeout = DEFAULT_TIMEOUT, wait_for: awaited, background = awaited !== undefined } = input;
  const seconds = Math.max(timeout, MIN_TIMEOUT);
  const raised =
    !background && timeout < MIN_TIMEOUT
      ? `[timeout=${timeout} was raised to the minimum of ${MIN_TIMEOUT} s.]`
      : undefined;
  const apart = context.readsData && !background;
  const request = {
    ...(await requestOf(input, background, files)),
    unasked,
    contained,
    apart,
    ...((!onlyReads || contained?.writes !== undefined) && { watched: origin, keeps }),
  };
  // Elsewhere the start fails, in a sandbox only the shell.
  if (input.terminal === true || (input.workdir !== undefined && request.workdir.root?.scheme === SANDBOX_SCHEME)) {
    await refuseNoFolder(request.workdir, files);
  }
  if (input.terminal === true) {
    return inTerminal(request, seconds, processes, signal);
  }
  const matches = awaited === undefined ? undefined : matcher(awaited, patterns, signal);
  // Report an invalid expression before anything runs.
  await matches?.("", 0);
  const process = await started(processes.start(request, background, { session, callId }), request, files);
  if (background) {
    const limit = Math.min(input.timeout ?? DEFAULT_WAIT, MAX_WAIT);
    const isMet = matches === undefined || (await waitUntil(process, 0, matches, limit, signal));
    await (matches === undefined ? waitFor(process, BACKGROUND_LOOK, signal) : undefined);
    return noted(
      isMet || awaited === undefined ? undefined : unmet(awaited, process.end === undefined ? limit : undefined),
      await describeCommand(process, outputSize(MAX_BACKGROUND_OUTPUT, answerSize), Date.now(), results),
    );
  }
  const handOver = byPerson || context.readsData ? undefined : processes.handOver;
  const limits = { limit: seconds * 1_000, mayTakeLong: input.timeout !== undefined, handOver };
  const goesOn = await untilEnded(process, limits, signal, report);
  if (goesOn !== undefined) {
    return noted(
      contained?.writes === undefined ? goesOn : `${goesOn} ${UNREACHABLE}`,
      await describeCommand(process, outputSize(MAX_BACKGROUND_OUTPUT, answerSize), Date.now(), results),
    );
  }
  const isLeft = processes.handOver === undefined && process.end?.leftRunning === true;
  const described = await describeCommand(process, outputSize(MAX_OUTPUT, answerSize), Date.now(), results);
  const instead = byPerson ? undefined : toolsInstead(input.command, described.text);
  const notes = [
    ...(raised === undefined ? [] : [raised]),
    ...(contained?.writes === undefined
      ? []
      : missedIn(process.end, described.text, contained.writes.hosts !== undefined)),
    ...(isLeft ? [LEFT_BEHIND] : []),
    ...(contained !== undefined && leavesRunning(input.command) ? [ENDED_WITH_IT] : []),
    ...(instead === undefined ? [] : [instead]),
  ];
  return {
    // The command line ends them, so that they do not run still.
    ...noted(
      notes.join("\n") || undefined,
      isLeft ? { ...described, text: described.text.replace(STILL_RUN, "") } : described,
    ),
    whole: wholeOutput(process, results),
  };
}

/** Says what a contained command missed, or may have failed for. */
function missedIn(end: CommandEnd | undefined, output: string, isOnline: boolean): string[] {
  const wanted = wantedNote(end?.wanted);
  if (missesGit(output)) {
    return [WITHOUT_GIT];
  }
  const mayHaveFailed = wanted === undefined && end?.exitCode !== 0 && missesSomething(output);
  return wanted !== undefined ? [wanted] : mayHaveFailed ? [isOnline ? CONTAINED_ONLINE : CONTAINED] : [];
}

/** Returns a result with a note before it. */
function noted<T extends { text: string }>(note: string | undefined, result: T): T {
  return note === undefined ? result : { ...result, text: `${note}\n${result.text}` };
}

async function requestOf(
  { command, workdir = ".", env = {} }: ExecInput,
  background: boolean,
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
  if (at.root.scheme !== "file" && at.root.scheme !== SANDBOX_SCHEME) {
    throw new ToolError("unavailable", `${at.path} is not on a local disk, so no command can run there.`);
  }
  const title = shorten(oneLine(command), MAX_TITLE);
  return { command, workdir: at, env, interactive: background, title, isForAnyShell: true };
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

/** Resolves when the process has ended, when the call is cancelled, or after `milliseconds`. */
async function waitFor(process: ManagedProcess, milliseconds: number, signal: AbortSignal): Promise<void> {
  const time = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  await Promise.race([
    process.ended,
    new Promise<void>((resolve) => time.addEventListener("abort", () => resolve(), { once: true })),
  ]);
}
