import type { Fold } from "./foldNames.js";
import { OUTPUT_FORMS } from "./forms.js";
import { failureOf, groupBy, type FailureLine } from "./sharedTraces.js";

/** Failures of an output: how many, and how many of which not even the name is shown. */
export interface FailureCount {
  all: number;
  left: number;
}

/**
 * Counts failures by their names; what a runner names twice is one.
 *
 * @param lines the lines of failures, each name as the output has it
 * @param shown numbers of the lines that are shown
 * @param lost number of failures of which no line was held
 */
export function countFailures(
  lines: readonly FailureLine[],
  shown: ReadonlyMap<number, string>,
  folds: ReadonlyMap<number, Fold>,
  lost: number,
): FailureCount {
  const hidden = new Set([...folds.values()].flatMap((fold) => fold.hidden));
  const named = new Set([...shown.keys(), ...[...folds.values()].flatMap(({ numbers }) => numbers)]);
  const isShown = (failure: readonly FailureLine[]): boolean =>
    failure.every(({ number, role }) => role !== "name" || (named.has(number) && !hidden.has(number)));
  const isName = ({ role }: FailureLine): boolean => role === "name";
  const all = groupBy(lines.filter(isName), ({ form }) => String(form)).flatMap((names) => {
    const counted = names.filter(countsAs);
    const ids = new Set((counted.length === 0 ? names : counted).map(failureOf));
    return groupBy(
      lines.filter((line) => ids.has(failureOf(line)) && line.role !== "detail" && !line.isLead),
      failureOf,
    );
  });
  const distinct = groupBy(all, (failure) => failure.map(({ form, text }) => `${form} ${text}`).join("\n"));
  return {
    all: distinct.length + lost,
    left: distinct.filter((same) => !same.some(isShown)).length + lost,
  };
}

/** Whether a name stands for a failure that its program counts, rather than for one of a package or a step of a build. */
export function countsAs({ form, text }: Pick<FailureLine, "form" | "text">): boolean {
  return OUTPUT_FORMS[form]?.counts?.test(text) ?? true;
}
