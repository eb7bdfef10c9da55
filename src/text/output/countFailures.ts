import { OUTPUT_FORMS } from "./forms.js";
import type { Choice } from "./lineChooser.js";
import { failureOf, groupBy, type FailureLine } from "./sharedTraces.js";

/** Failures of an output: how many, and how many of which not even the name is shown. */
export interface FailureCount {
  all: number;
  left: number;
  /** Whether a message or place is missing of one that is shown. */
  isAnyPartial: boolean;
}

/**
 * Counts failures by their names; what a runner names twice is one.
 *
 * @param lines the lines of failures, each name as the output has it
 * @param chosen the lines that are shown
 * @param lost number of failures of which no line was held
 * @param partial failures of which not all messages were held (`failureOf`)
 */
export function countFailures(
  lines: readonly FailureLine[],
  { shown, folds }: Choice,
  lost: number,
  partial: ReadonlySet<string>,
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
  const shownOf = distinct.map((same) => same.filter(isShown)).filter((same) => same.length > 0);
  const isMissing = ({ number, role }: FailureLine): boolean => role === "message" && !named.has(number);
  const incomplete = new Set([...partial, ...lines.filter(isMissing).map(failureOf)]);
  const isPartial = ([line]: readonly FailureLine[]): boolean => line !== undefined && incomplete.has(failureOf(line));
  return {
    all: distinct.length + lost,
    left: distinct.length - shownOf.length + lost,
    isAnyPartial: shownOf.some((same) => same.every(isPartial)),
  };
}

/** Whether a name stands for a failure that its program counts, rather than for one of a package or a step of a build. */
export function countsAs({ form, text }: Pick<FailureLine, "form" | "text">): boolean {
  return OUTPUT_FORMS[form]?.counts?.test(text) ?? true;
}
