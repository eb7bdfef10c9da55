import { count } from "../words.js";
import type { FailureCount } from "./countFailures.js";
import { OUTPUT_FORMS } from "./forms.js";
import { isEssential, type HeldLine } from "./heldLine.js";
import type { Choice } from "./lineChooser.js";
import type { Shared } from "./sharedTraces.js";

/** Counts of lines with names, messages and places of failures, or that look like errors. */
export interface MissingLines {
  /** Lines that are shortened, and that are omitted. */
  cut: number;
  left: number;
  /** Names and messages that were not held. */
  lost: number;
  /** Lines that look like errors: all of them, and those that were not held. */
  suspects: number;
  unheldSuspects: number;
}

/** Says how many lines that look like errors are shown of an output in which no known program names a failure. */
export function promiseSuspects(lines: readonly HeldLine[], { cut, left, suspects }: MissingLines): string {
  if (suspects === 0) {
    return "";
  }
  const shown = lines.length - left;
  const all =
    shown === 1
      ? "The only line that looks like an error is shown."
      : `All ${shown} lines that look like errors are shown.`;
  return [
    shown === suspects ? all : `${shown} of ${suspects} lines that look like errors are shown.`,
    ...shortened(cut),
  ].join(" ");
}

/**
 * Says what of the failures that known programs report is shown.
 *
 * @param isInFull whether a failure is reported in full, rather than as one that may be reported again
 */
export function promiseFailures(
  lines: readonly HeldLine[],
  isInFull: boolean,
  { folds }: Choice,
  { cut, left, lost, unheldSuspects }: MissingLines,
  { omitted, alike }: Shared,
  counted: () => FailureCount,
): string {
  const forms = new Set(lines.filter(({ role }) => role === "name").map(({ form }) => form));
  const programs = [...forms].flatMap((form) => OUTPUT_FORMS[form]?.name ?? []).join(", ");
  const missing = left + lost + (isInFull ? 0 : unheldSuspects);
  const failures = missing > 0 || [...folds.values()].some(({ hidden }) => hidden.length > 0) ? counted() : undefined;
  const isAnyLeft = failures !== undefined && failures.left > 0;
  const all = (): string => {
    if (!isInFull) {
      const total = lines.filter(isEssential).length + missing - left;
      return missing === 0
        ? `Every line with the name of a failure (${programs}), or that looks like an error, is shown.`
        : `${missing} of ${total} lines with the name of a failure (${programs}), or that look like errors, are omitted, too.`;
    }
    if (isAnyLeft) {
      const partly = failures.isAnyPartial ? ", some without their messages and places" : "";
      return `${failures.all - failures.left} of ${count(failures.all, "failure")} (${programs}) are shown${partly}.`;
    }
    if (missing > 0) {
      return `Every failure (${programs}) is named; some messages and places are left out.`;
    }
    return omitted.size > 0
      ? `Every failure (${programs}) is shown with its name and place; a message or trace that several share is shown once.`
      : `Every line with the name, message or place of a failure (${programs}) is shown.`;
  };
  return [
    all(),
    ...(alike > 0
      ? [`Messages of ${count(alike, "failure")} differ from one shown in numbers or quoted texts alone.`]
      : []),
    ...(folds.size > 0 ? ["Names that differ in a part are on one line: {one | another}."] : []),
    ...shortened(cut),
    ...(isAnyLeft && !isInFull
      ? [`${count(failures.left, "more failure")} ${failures.left === 1 ? "is" : "are"} left out.`]
      : []),
  ].join(" ");
}

/** Says how many lines are omitted that look like errors of other programs than those whose failures are known. */
export function promiseOthers(missing: number): string[] {
  return missing === 0
    ? []
    : [
        `${count(missing, "other line")} that ${missing === 1 ? "looks like an error is" : "look like errors are"} omitted.`,
      ];
}

function shortened(lines: number): string[] {
  return lines > 0 ? [`${count(lines, "line")} of these ${lines === 1 ? "is" : "are"} shortened (…).`] : [];
}
