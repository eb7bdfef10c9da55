import type { ChangeOutcome, ChangeReport, FileChange } from "../../ports/changes.js";
import type { Problems, ProblemsByFile } from "../../ports/problems.js";
import { lineMap, type LineMap } from "../../text/diff/lineMap.js";
import { newProblems } from "../../text/problems.js";
import { placeAfter } from "./fileChange.js";

/** How long to wait for language servers after a change, in ms (issue 4). */
const PROBLEMS_LIMIT = 1_000;
/** Maximum number of problems reported after a change: if there are more, they usually have one cause. */
const MAX_PROBLEMS = 20;
/** The server that can be asked, as it names itself in reports. */
const ASKED_SOURCE = "ts";

type NewProblems = Pick<ChangeOutcome, "problems" | "asked">;

/**
 * Looks at the problems before a change.
 *
 * @param problems absent if the user does not want them reported
 * @param mayAsk whether a server may be asked, which takes seconds
 * @returns a function that returns what is new after the change, given its reports
 */
export async function watchProblems(
  problems: Problems | undefined,
  changes: readonly FileChange[],
  mayAsk: boolean,
  signal: AbortSignal,
): Promise<(files: readonly ChangeReport[]) => Promise<NewProblems>> {
  // Whoever moves or removes files changes which others can be found.
  const check =
    mayAsk && changes.every(canBeChecked)
      ? await problems?.check?.(
          changes.map(({ at }) => at),
          signal,
        )
      : undefined;
  const known = await problems?.now();
  if (problems === undefined || known === undefined) {
    return () => Promise.resolve({ problems: [] });
  }
  const before = check === undefined ? known : withAsked(known, check.before);
  return async (files) => {
    const changed = changes.map(placeAfter);
    const [reported, asked] = await Promise.all([
      problems.settled(changed, PROBLEMS_LIMIT, signal),
      check?.after(changed, signal),
    ]);
    const after = asked === undefined ? reported : withAsked(reported, asked.problems);
    return {
      problems: newOnes(changes, files, before, after),
      ...(asked !== undefined && { asked: asked.asked }),
    };
  };
}

/** The line map of a file that was not changed. */
const SAME_LINES: LineMap = { toAfter: (line) => line, changeOfOld: () => undefined, changeOfNew: () => undefined };

/** A server can be asked about a file that stays where it is, or is new. */
function canBeChecked({ kind }: FileChange): boolean {
  return kind === "replace" || kind === "create" || kind === "overwrite";
}

/** Puts what a server answered in place of what it reported of these files; others report beside it. */
function withAsked(reported: ProblemsByFile, asked: ProblemsByFile): ProblemsByFile {
  const all = new Map(reported);
  for (const [path, problems] of asked) {
    const sources = new Set(problems.map(({ source }) => source).concat(ASKED_SOURCE));
    all.set(path, [...problems, ...(reported.get(path) ?? []).filter(({ source }) => !sources.has(source))]);
  }
  return all;
}

/**
 * Returns the problems reported now that were not reported before. In changed files, old problems are compared by the
 * lines they moved to.
 */
function newOnes(
  changes: readonly FileChange[],
  reports: readonly ChangeReport[],
  before: ProblemsByFile,
  after: ProblemsByFile,
): ChangeOutcome["problems"] {
  const moved = new Map<string, { from: string; lines: LineMap }>();
  for (const [index, change] of changes.entries()) {
    const text = reports[index]?.text;
    if ((change.kind === "replace" || change.kind === "move") && text !== undefined && "text" in change.before) {
      moved.set(placeAfter(change).path, { from: change.at.path, lines: lineMap(change.before.text, text) });
    }
  }
  const told = [...after].flatMap(([path, now]) => {
    const { from, lines } = moved.get(path) ?? { from: path, lines: SAME_LINES };
    return newProblems(before.get(from) ?? [], now, lines).map((problem) => ({ path, problem }));
  });
  return told.slice(0, MAX_PROBLEMS);
}
