import { allOf } from "./allOf.js";
import type { CommandEnd, ManagedProcess, ProcessOutput } from "../../ports/processes.js";
import { RESULT_PAGE, type Results } from "../../ports/results.js";
import { OutputDigest, type Digest, type Enough } from "../../text/output/digest.js";
import { keepHeadAndTail } from "../../text/clip.js";
import { expandReports, MAX_REPORT } from "../../text/output/reports/expandReports.js";
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
/** Share of an output that fits which a digest may have at most: to gain less is not worth a gap. */
const WORTH_OMITTING = 0.8;
/** Maximum characters of the rest of a line that a tail does not begin with. */
const MAX_PART = 2_000;
/** What is omitted if all of it is calm (`text/output/calmLines.ts`). */
const CALM = "All of them say that a test passed or a step was done.";
/** How long reading a whole output for its failures may take, in ms; after that, head and tail are shown. */
const MAX_DIGEST_TIME = 10_000;

/** What an answer shows of an output. */
export interface Shown {
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
export async function showOutput(
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
