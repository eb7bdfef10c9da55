import * as z from "zod";
import { once } from "../../core/once.js";
import { MAX_BESIDE, MAX_SUMMARY } from "./limits.js";
import type { CommandEnd, ManagedProcess, ProcessOutput } from "../../ports/processes.js";
import { RESULT_PAGE, type Results } from "../../ports/results.js";
import type { WholeText } from "../../ports/tools.js";
import { OutputDigest, type Digest, type Enough } from "../../text/output/digest.js";
import { keepHeadAndTail } from "../../text/clip.js";
import { expandReports, MAX_REPORT } from "../../text/output/reports/expandReports.js";
import { effectInWords } from "./effectInWords.js";
import { countLineFeeds } from "../../text/splitLines.js";
import { count } from "../../text/words.js";

/** Maximum characters of an output that is always shown whole. */
const ALWAYS_WHOLE = 4_000;
/** Characters that are enough of the output of a command that failed, if a known program reports what failed. */
export const ENOUGH_OF_FAILURE = 6_000;
/** The same if the command succeeded and its output says so, line by line: that a test passed, that a step was done. */
const ENOUGH_OF_CALM = 4_500;
/** Single commands that show texts, in which lines about errors are no errors of theirs. */
const SHOWS_TEXTS =
  /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:cat|head|tail|sed|awk|nl|grep|rg|ls|find|tree|diff|jq|strings|git\s+(?:-\S+\s+)*(?:log|diff|show|blame|grep|ls-files))\s[^;&|\n]*$/;
/** The same for a part that a digest may have at most of an output that fits: less gained is not worth a gap. */
const WORTH_OMITTING = 0.8;
/** Maximum characters of the rest of a line that a tail does not begin with. */
const MAX_PART = 2_000;
/** What is omitted if all of it is calm (`text/output/calmLines.ts`). */
const CALM = "All of them say that a test passed or a step was done.";
/** Maximum characters of what the store has by which the rest of a running command's output is found. */
const OVERLAP = 500;
/** How long reading a whole output for its failures may take, in ms; after that, head and tail are shown. */
const MAX_DIGEST_TIME = 10_000;

/** What a command changed, as data. */
const changedData = once(() =>
  z.union([
    z.object({ unknown: z.string().describe("Why it is not known.") }),
    z.object({
      files: z
        .array(
          z.object({
            change: z
              .enum(["created", "changed", "deleted", "moved", "mode"])
              .describe("mode: only its permissions changed."),
            path: z.string().describe("The file or folder."),
            from: z.string().optional().describe("Former path of what moved."),
            files: z.int().optional().describe("Number of files in a folder."),
            mode: z.string().optional().describe("Its permissions before and after: 644→755."),
            lines: z
              .object({ added: z.int().describe("Number of lines."), removed: z.int().describe("Number of lines.") })
              .optional()
              .describe("Changed lines, where they are known."),
            ignored: z.boolean().optional().describe("Git ignores it."),
            meanwhile: z.boolean().optional().describe("An edit or a save wrote it meanwhile."),
          }),
        )
        .describe("What changed."),
      more: z.int().describe("Number of further changes."),
      ignored: z.int().describe("Number of ignored files that changed, if there are too many to list."),
      not_covered: z.array(z.string()).describe("Folders that were not looked at, and why."),
      more_not_covered: z.int().describe("Number of further such folders."),
      git: z.array(z.string()).describe("What Git did to refs and stashes, which undo leaves, and what takes it back."),
      more_git: z.int().describe("Number of further such changes."),
      shared: z.boolean().describe("Another command ran at the same time."),
      may_be_others: z.boolean().describe("It ran so long that changes by others may be among them."),
      not_undone: z.array(z.string()).describe("Changes that undo does not cover, and why."),
      more_not_undone: z.int().describe("Number of further such changes."),
      dropped: z.string().optional().describe("Why nothing that it changed in the sandbox was kept."),
    }),
  ]),
);

/** A command's result, as data. */
export const commandData = once(() =>
  z.object({
    status: z
      .enum(["exited", "signaled", "timeout", "cancelled", "limited", "background", "unobserved"])
      .describe("How it ended; never a guess."),
    exit_code: z.int().nullable().describe("null when a signal ended it, it still runs, or its end was not observed."),
    pipe_exit_codes: z.array(z.int()).optional().describe("Exit codes of a last pipe's commands, if not all are 0."),
    signal: z.string().nullable().describe("The signal that ended it, such as SIGTERM."),
    duration_ms: z.int().describe("Time from its start to its end, or until now."),
    process_id: z.string().optional().describe("Id of a background process, for the process tool."),
    stdout: z.string().optional().describe("Only where a program reads this, and loses the order of both streams."),
    stderr: z.string().optional().describe("As stdout."),
    omitted: z.int().describe("Characters of output omitted from the answer."),
    result_id: z.string().optional().describe("Id of the whole output, or of stdout, for read_result."),
    stderr_result_id: z.string().optional().describe("Id of all of stderr, for read_result."),
    changed: changedData()
      .optional()
      .describe("Files of the workspace that changed while it ran; absent if not watched."),
    left_running: z.boolean().nullable().describe("It ended, but processes it started still run; null when unknown."),
  }),
);

export type CommandData = z.output<ReturnType<typeof commandData>>;

/** Returns a command's state, without its output. */
export function commandState(process: ManagedProcess, now: number): CommandData {
  const { end, streams } = process;
  const { resultId } = streams?.stdout ?? process;
  const errorsId = streams?.stderr.resultId;
  return {
    status: end?.status ?? "background",
    exit_code: end?.exitCode ?? null,
    ...(end?.pipeExitCodes === undefined ? {} : { pipe_exit_codes: [...end.pipeExitCodes] }),
    signal: end?.signal ?? null,
    duration_ms: Math.round(end?.duration ?? now - process.started),
    ...(process.background ? { process_id: process.id } : {}),
    omitted: 0,
    ...(resultId === undefined ? {} : { result_id: resultId }),
    ...(errorsId === undefined ? {} : { stderr_result_id: errorsId }),
    left_running: end === undefined ? false : (end.leftRunning ?? null),
  };
}

/**
 * Describes a command for an answer: how it ended, then its output. If that is too long, every failure that a test
 * runner, compiler or linter reports in it is shown.
 */
export async function describeCommand(
  process: ManagedProcess,
  maxOutput: number,
  now: number,
  results: Pick<Results, "chunks" | "open">,
): Promise<{ text: string; data: CommandData }> {
  const { streams, end } = process;
  const state = commandState(process, now);
  if (streams === undefined) {
    const shown = await showOutput(process, end, maxOutput, results, process);
    const { line, changed } = await toldEffect(process);
    const lines = [
      headline(process, now),
      shown.text === "" ? "(no output)" : shown.text.replace(/\n$/, ""),
      ...shown.note,
      ...line,
    ];
    return { text: lines.join("\n"), data: { ...state, ...changed, omitted: shown.omitted, ...idOf(shown) } };
  }
  // One stream may take the room that the other leaves, and at least half.
  const room = (other: ProcessOutput): number =>
    maxOutput - Math.min(other.summary(maxOutput).text.length, Math.floor(maxOutput / 2));
  const [stdout, stderr] = await Promise.all([
    showOutput(streams.stdout, end, room(streams.stderr), results),
    showOutput(streams.stderr, end, room(streams.stdout), results),
  ]);
  const { line, changed } = await toldEffect(process);
  const lines = [
    headline(process, now),
    ...(stdout.text === "" ? [] : [stdout.text.replace(/\n$/, ""), ...stdout.note]),
    ...(stderr.text === "" ? [] : ["stderr:", stderr.text.replace(/\n$/, ""), ...stderr.note]),
    ...(stdout.text + stderr.text === "" ? ["(no output)"] : []),
    ...line,
  ];
  return {
    text: lines.join("\n"),
    data: { ...state, ...changed, stdout: stdout.text, stderr: stderr.text, omitted: stdout.omitted + stderr.omitted },
  };
}

/** Returns what an ended command changed: a line, if there is anything to report, and data. */
export async function toldEffect(
  process: ManagedProcess,
): Promise<{ line: string[]; changed: Pick<CommandData, "changed"> }> {
  const effect = process.end === undefined ? undefined : await process.effect;
  if (effect === undefined) {
    return { line: [], changed: {} };
  }
  const line = effectInWords(effect);
  return {
    line: line === undefined ? [] : [`[${line}]`],
    changed: {
      changed:
        "unknown" in effect
          ? effect
          : {
              files: effect.changes.map(({ kind: change, ...rest }) => ({ change, ...rest })),
              more: effect.more,
              ignored: effect.ignored,
              not_covered: [...effect.notCovered],
              more_not_covered: effect.moreNotCovered,
              not_undone: [...effect.notUndone],
              more_not_undone: effect.moreNotUndone,
              git: [...effect.git],
              more_git: effect.moreGit,
              shared: effect.isShared,
              may_be_others: effect.mayBeOthers,
              ...(effect.dropped !== undefined && { dropped: effect.dropped }),
            },
    },
  };
}

function idOf({ resultId }: Shown): { result_id?: string } {
  return resultId === undefined ? {} : { result_id: resultId };
}

/** What an answer shows of an output. */
interface Shown {
  text: string;
  /** A line about what is omitted. */
  note: string[];
  omitted: number;
  /** Id of the whole. */
  resultId: string | undefined;
}

/**
 * Returns what an answer shows of an output.
 *
 * @param end undefined while the process runs
 * @param source the command if a model reads the answer: then less than fits may be shown
 */
async function showOutput(
  output: ProcessOutput,
  end: CommandEnd | undefined,
  max: number,
  results: Pick<Results, "chunks" | "open">,
  source?: Pick<ManagedProcess, "command" | "title">,
): Promise<Shown> {
  const whole = output.summary(max);
  const all: Shown = { text: whole.text, note: [], omitted: 0, resultId: output.resultId };
  const fits = whole.omitted === undefined;
  if (fits && (end === undefined || source === undefined || whole.text.length <= ALWAYS_WHOLE)) {
    return all;
  }
  const isRead = source !== undefined && end !== undefined;
  const known = source === undefined ? max : end === undefined || isFailure(end) ? ENOUGH_OF_FAILURE : max;
  const calm = isRead && !fits && !isFailure(end) ? Math.min(max, ENOUGH_OF_CALM) : max;
  const isText = isRead && !isFailure(end) && SHOWS_TEXTS.test(source.command);
  const digest = isText
    ? undefined
    : await digestOf(output, max, results, { known, other: max, calm }, isRead && !fits);
  if (fits) {
    if (digest === undefined || digest.text.length > whole.text.length * WORTH_OMITTING || source === undefined) {
      return all;
    }
    const resultId = output.resultId ?? (await keep(whole.text, `exec ${source.title}`, results));
    return resultId === undefined ? all : { ...shownPart(digest, [wholeIn(resultId)]), resultId };
  }
  const { resultId, stored } = output;
  const dropped = stored?.dropped ?? 0;
  if (digest !== undefined) {
    const where = resultId === undefined ? [] : [wholeIn(resultId, dropped)];
    return { ...shownPart(digest, where, end === undefined), resultId };
  }
  const where = resultId === undefined ? [] : [wholeIn(resultId, dropped, continuedAt(whole))];
  return { ...shownPart(whole, where), resultId };
}

function isFailure({ status, exitCode, pipeExitCodes }: CommandEnd): boolean {
  return status !== "exited" || exitCode !== 0 || pipeExitCodes !== undefined;
}

function shownPart(
  { text, omitted, ...digest }: (Digest & { isReport?: true }) | ReturnType<ProcessOutput["summary"]>,
  where: string[],
  isRunning = false,
): Omit<Shown, "resultId"> {
  const { characters, lines } = omitted ?? { characters: 0, lines: 0 };
  const what = "promise" in digest ? [digest.isCalm ? CALM : digest.promise].filter((part) => part !== "") : [];
  const how =
    "isReport" in digest
      ? "Its JSON is shown as text."
      : `${count(characters, "character")}${lines === 0 ? "" : ` in ${count(lines, "line")}`} omitted above.`;
  return {
    text,
    note: [`[${isRunning ? "Until now: " : ""}${[how, ...what, ...where].join(" ")}]`],
    omitted: characters,
  };
}

/** Says where all of an output is, and where it continues. */
function wholeIn(resultId: string, dropped = 0, continued = ""): string {
  return (
    `${dropped === 0 ? "All" : "Most"} of it: read_result ${resultId}` +
    `${continued === "" ? "" : ` (${continued} continues there)`}, with pattern to search it.`
  );
}

/** Returns the input of read_result that gives what follows the head of an output; empty if there is no head. */
function continuedAt({ text, omitted }: ReturnType<ProcessOutput["summary"]>): string {
  const head = text.slice(0, omitted?.from ?? 0);
  const page = Math.floor(head.length / RESULT_PAGE) + 1;
  // The head may end within a line that is longer than a page.
  return head.endsWith("\n") ? `offset=${countLineFeeds(head) + 1}` : page > 1 ? `page=${page}` : "";
}

/** Stores an output that would fit into an answer; undefined if it cannot be stored. */
async function keep(text: string, source: string, results: Pick<Results, "open">): Promise<string | undefined> {
  try {
    const writer = await results.open(source);
    await writer.write(text);
    return (await writer.close()).id;
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if the output cannot be read in time, or if there is nothing to choose: nothing in it looks like an
 * error.
 *
 * @param readsReports whether JSON reports are shown as text
 */
async function digestOf(
  output: ProcessOutput,
  max: number,
  results: Pick<Results, "chunks">,
  enough: Enough,
  readsReports: boolean,
): Promise<(Digest & { isReport?: true }) | undefined> {
  const digest = new OutputDigest(max);
  let held: string[] | undefined = readsReports ? [] : undefined;
  let size = 0;
  try {
    // Not the call's own signal: a cancelled command's answer has its output, too.
    for await (const chunk of allOf(output, results, AbortSignal.timeout(MAX_DIGEST_TIME))) {
      digest.push(chunk);
      size += chunk.length;
      held = size > MAX_REPORT ? undefined : held;
      held?.push(chunk);
    }
    const text = held === undefined ? undefined : expandReports(held.join(""));
    return text === undefined ? digest.end(enough) : reportDigest(text, size, max, enough);
  } catch {
    return undefined;
  }
}

/** Chooses what to show of an output whose JSON reports were rewritten. */
function reportDigest(text: string, size: number, max: number, enough: Enough): Digest & { isReport: true } {
  const digest = new OutputDigest(max);
  digest.push(text);
  const chosen = text.length <= ALWAYS_WHOLE ? undefined : digest.end(enough);
  const shown = chosen?.text ?? keepHeadAndTail(text, Math.min(max, enough.other));
  const characters = Math.max(0, size - shown.length);
  return {
    isKnown: false,
    isCalm: false,
    promise: "",
    ...chosen,
    text: shown,
    omitted: { characters, lines: 0 },
    isReport: true,
  };
}

/** Yields all of an output, or all until now: one too large for an answer comes from the result store. */
async function* allOf(
  output: ProcessOutput,
  results: Pick<Results, "chunks">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  await (output.stored === undefined ? output.caughtUp() : undefined);
  const { resultId } = output;
  if (resultId === undefined) {
    yield output.summary(MAX_SUMMARY).text;
    return;
  }
  let end = "";
  for await (const chunk of results.chunks(resultId, signal)) {
    end = (end + chunk).slice(-OVERLAP);
    yield chunk;
  }
  if (output.stored === undefined) {
    // The store lacks the open line, and the last words until it is known that they are not part of a secret.
    const { text } = output.summary(MAX_SUMMARY);
    const at = end === "" ? 0 : text.lastIndexOf(end);
    yield at < 0 ? "" : text.slice(at + end.length);
  }
}

/**
 * Shortens a text as an answer shows output, without saying what is omitted.
 *
 * @param end given if the command has ended and all of its output can be read elsewhere: then less than fits is shown
 */
export function shownOutput(
  text: string,
  max: number,
  end?: CommandEnd,
): { text: string; omitted: number; promise?: string } {
  const fits = text.length <= max;
  if (fits && (end === undefined || text.length <= ALWAYS_WHOLE)) {
    return { text, omitted: 0 };
  }
  const digest = new OutputDigest(max);
  digest.push(text);
  const shown = digest.end({ known: end !== undefined && isFailure(end) ? ENOUGH_OF_FAILURE : max, other: max });
  if (fits && (shown === undefined || shown.text.length > text.length * WORTH_OMITTING)) {
    return { text, omitted: 0 };
  }
  if (shown !== undefined) {
    return { text: shown.text, omitted: shown.omitted.characters, promise: shown.isCalm ? CALM : shown.promise };
  }
  // Half a line would be mistaken for a whole one.
  const [start, line] = [text.length - max, text.indexOf("\n", text.length - max - 1) + 1];
  const tail = text.slice(line > 0 && line - start <= MAX_PART ? line : start);
  return { text: tail, omitted: text.length - tail.length };
}

/**
 * Returns what an answer shows of all the output of an ended command, if it is stored and can be read in time: of one
 * whose start is no longer held, too.
 */
export async function shownStored(
  process: ManagedProcess,
  max: number,
  results: Pick<Results, "chunks">,
): Promise<{ text: string; omitted: number; promise: string } | undefined> {
  const { end, resultId, stored } = process;
  if (end === undefined || resultId === undefined || stored?.dropped !== 0) {
    return undefined;
  }
  const known = isFailure(end) ? ENOUGH_OF_FAILURE : max;
  const digest = await digestOf(process, max, results, { known, other: max }, false);
  return digest === undefined
    ? undefined
    : { text: digest.text, omitted: digest.omitted.characters, promise: digest.isCalm ? CALM : digest.promise };
}

/** Returns the whole output of an ended command, or its standard output if that is apart, for a call that stores it. */
export function wholeOutput(process: ManagedProcess, results: Results): WholeText {
  const note = headline(process, Date.now()).slice(1, -1);
  const { streams } = process;
  if (streams === undefined) {
    return { note, ...wholeOf(process, results) };
  }
  const { text, omitted } = streams.stderr.summary(MAX_BESIDE);
  if (text === "") {
    return { note, ...wholeOf(streams.stdout, results) };
  }
  if (streams.stdout.summary(MAX_BESIDE).text === "") {
    return { note: `${note} It wrote to standard error only: that is stored.`, ...wholeOf(streams.stderr, results) };
  }
  const { resultId } = streams.stderr;
  const rest =
    omitted === undefined
      ? ""
      : ` (${count(omitted.characters, "character")} omitted${resultId === undefined ? "" : `; all of it: read_result ${resultId}`})`;
  return {
    note,
    ...wholeOf(streams.stdout, results),
    beside: `This is its standard output. To store both, add 2>&1. Its standard error${rest}:\n${text.replace(/\n$/, "")}`,
  };
}

function wholeOf(output: ProcessOutput, results: Results): Pick<WholeText, "dropped" | "chunks"> {
  const { resultId, stored } = output;
  return {
    dropped: resultId === undefined ? (output.summary(MAX_SUMMARY).omitted?.characters ?? 0) : (stored?.dropped ?? 0),
    chunks: (signal) => allOf(output, results, signal),
  };
}

/** Joins the whole output of several commands, each under its name. */
export function joinWhole(parts: readonly { name: string; whole: WholeText }[]): WholeText {
  const beside = parts.flatMap(({ name, whole }) => (whole.beside === undefined ? [] : [`${name}: ${whole.beside}`]));
  return {
    ...(beside.length === 0 ? {} : { beside: beside.join("\n") }),
    note: parts.map(({ name, whole }) => `${name}: ${whole.note}`).join(" "),
    dropped: parts.reduce((sum, { whole }) => sum + whole.dropped, 0),
    chunks: async function* (signal) {
      for (const { name, whole } of parts) {
        yield `${name}\n`;
        yield* whole.chunks(signal);
        yield "\n";
      }
    },
  };
}

function headline(process: ManagedProcess, now: number): string {
  const { end, background, id } = process;
  if (end === undefined) {
    return `[Running in the background as ${id} for ${seconds(now - process.started)}.]`;
  }
  const left = end.leftRunning === true ? " Processes it started still run." : "";
  return `[${endInWords(end)}${left}${background ? ` (${id})` : ""}]`;
}

/** Describes a command's end: `Exit code 0 after 1.2 s.` */
export function endInWords({
  status,
  exitCode,
  signal,
  duration,
  limit,
  pipeExitCodes,
}: Omit<CommandEnd, "leftRunning">): string {
  const after = `after ${seconds(duration)}`;
  switch (status) {
    case "exited":
      return `Exit code ${exitCode ?? "unknown"}${shellsWords(exitCode)} ${after}.${pipeInWords(pipeExitCodes)}`;
    case "signaled":
      return `Ended by ${signal ?? "a signal"} ${after}; not sent by this tool.`;
    case "timeout":
      return `Timed out ${after}: ended${signal === undefined ? "" : ` with ${signal}`}. Its output until then is below.`;
    case "cancelled":
      return `Stopped ${after}${signal === undefined ? "" : ` with ${signal}`}. Its output until then is below.`;
    case "limited":
      return `Ended ${after}: ${limit ?? "it exceeded a limit"}. Its output until then is below.`;
    case "unobserved":
      return exitCode !== undefined
        ? `Exit code ${exitCode} ${after}. Some or all of its output was not observed.`
        : `Not observed: its end was not seen (${after}). Do not assume it finished, and do not run it again without asking.`;
  }
}

/** What a shell reports for a program that wrote to a pipe which nobody read any more, as in `yes | head`. */
const ENDED_BY_PIPE = 141;
/** Maximum commands of a pipe whose exit codes are named. */
const MAX_NAMED = 3;

/** Says which commands before the last of a pipe failed: a shell reports only the last one's exit code. */
function pipeInWords(codes: readonly number[] = []): string {
  const failed = codes.slice(0, -1).flatMap((code, at) => (code === 0 || code === ENDED_BY_PIPE ? [] : [{ code, at }]));
  if (failed.length === 0) {
    return "";
  }
  const named = failed
    .slice(0, MAX_NAMED)
    .map(({ code, at }) => `${at === 0 ? "the first command" : `command ${at + 1}`} ended with exit code ${code}`);
  const more = failed.length - named.length;
  return ` In its pipe, ${named.join(", ")}${more === 0 ? "" : `, and ${more} more failed`}.`;
}

/**
 * Signals that have the same number on Linux and macOS (signal(7)); shells report them as that number plus 128. Not
 * SIGHUP: 129 is what Git exits with when it is called wrongly.
 */
const SIGNALS: Readonly<Record<number, string>> = {
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/**
 * Explains an exit code above 128 by its meaning in shells. A program may also return such a code for its own reasons.
 */
function shellsWords(exitCode: number | undefined): string {
  const signal = exitCode === undefined ? undefined : SIGNALS[exitCode - 128];
  return signal === undefined ? "" : ` (as a shell reports it: the program was ended by ${signal})`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 10_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${Math.round(milliseconds / 1_000)} s`;
}
