import { commandState, type CommandData } from "./commandData.js";
import { effectInWords } from "./effectInWords.js";
import { headline } from "./endInWords.js";
import { showOutput, type Shown } from "./shownOutput.js";
import { shownName } from "../../text/shownName.js";
import type { ManagedProcess, ProcessOutput } from "../../ports/processes.js";
import type { Results } from "../../ports/results.js";

/**
 * Said of output that is not UTF-8. Which encoding it has is not known: on Windows some programs use the code page of the
 * console, others that of the system.
 */
const NOT_UTF8 =
  "[\uFFFD stands for bytes that are not UTF-8, unless the program printed it itself. To read them, have the program print UTF-8 (on Windows: chcp.com 65001 before it, or its own option, such as PYTHONUTF8=1), or convert its output with iconv.]";

/** Maximum number of files named that are gone. */
const MAX_GONE = 3;

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
      ...notUtf8(shown.text),
      ...line,
      ...(await goneFromTmp(process, shown.text)),
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
    ...notUtf8(stdout.text + stderr.text),
    ...line,
    ...(await goneFromTmp(process, `${stdout.text}\n${stderr.text}`)),
  ];
  return {
    text: lines.join("\n"),
    data: { ...state, ...changed, stdout: stdout.text, stderr: stderr.text, omitted: stdout.omitted + stderr.omitted },
  };
}

/**
 * Returns what an ended command changed, or one that runs has changed since it was last asked, if `steps`: a line, if
 * there is anything to report, and data.
 */
export async function toldEffect(
  process: ManagedProcess,
  steps = false,
): Promise<{ line: string[]; changed: Pick<CommandData, "changed"> }> {
  const effect = await (process.end !== undefined ? process.effect : steps ? process.step?.() : undefined);
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
              files: effect.changes.map(({ kind: change, perhapsOthers, ...rest }) => ({
                change,
                ...rest,
                ...(perhapsOthers === true && { perhaps_others: true }),
              })),
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

const notUtf8 = (text: string): string[] => (text.includes("\uFFFD") ? [NOT_UTF8] : []);

function idOf({ resultId }: Shown): { result_id?: string } {
  return resultId === undefined ? {} : { result_id: resultId };
}

/**
 * Names the files in a contained command's own /tmp that are gone, if the command or its output names them: whoever reads of them
 * would look for them. What programs keep there for themselves is of no interest.
 */
async function goneFromTmp(process: ManagedProcess, output: string): Promise<string[]> {
  const effect = process.end === undefined ? undefined : await process.effect;
  const said = `${process.command}\n${output}`;
  const names = effect === undefined || "unknown" in effect ? [] : (effect.inTmp ?? []);
  const named = names.filter((name) => said.includes(`/tmp/${name}`)).map((name) => shownName(`/tmp/${name}`));
  const more = named.length - MAX_GONE;
  return named.length === 0
    ? []
    : [
        `[The sandbox has a /tmp of its own, which is gone: ${named.slice(0, MAX_GONE).join(", ")}${more > 0 ? ` and ${more} more` : ""}. Write files into the workspace instead.]`,
      ];
}
