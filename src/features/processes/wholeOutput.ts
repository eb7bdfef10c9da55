import { allOf } from "./allOf.js";
import { headline } from "./endInWords.js";
import { MAX_BESIDE, MAX_SUMMARY } from "./limits.js";
import type { ManagedProcess, ProcessOutput } from "../../ports/processes.js";
import type { Results } from "../../ports/results.js";
import type { WholeText } from "../../ports/tools.js";
import { count } from "../../text/words.js";

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
