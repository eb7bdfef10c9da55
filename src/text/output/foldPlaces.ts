import { foldParts, type Entry, type Fold } from "./foldNames.js";
import { failureOf, groupBy, type FailureLine } from "./sharedTraces.js";

/**
 * An error in one line: the file, its line and column, and the rest. A linter may name the file above. A file whose path
 * has spaces is known by its extension.
 */
const ERROR =
  /^(\s*(?:\S*?|(?:[A-Za-z]:)?(?:[^\s:]+ ){1,12}?[^\s:]*\.\w{1,9}))((?::|(?<=^\s*))\d+(?::\d+)?|\(\d+(?:,\d+)?\))(:? .*[a-z].*)$/;
/** From this number on, errors that differ in their places are written as one line. */
const MIN_ERRORS = 3;

interface Place {
  file: string;
  position: string;
  rest: string;
}

/**
 * Writes errors of one line that differ in their places alone as one line where the first one stood:
 * `{a.ts(1,2) | (7,2) | b.ts(3,2)}: error TS2322: …`.
 */
export function foldPlaces<Line extends FailureLine>(lines: readonly Line[]): (Line & { fold?: Fold })[] {
  const files = filesAbove(lines);
  const withMore = new Set(lines.flatMap((line) => (line.role === "message" && !line.isLead ? [failureOf(line)] : [])));
  const entries = lines.flatMap((line): Entry<Line>[] =>
    line.role === "name" && !withMore.has(failureOf(line)) && placeOf(line.text) !== undefined
      ? [{ name: line.text, lines: [line], like: undefined }]
      : [],
  );
  const groups = groupBy(entries, ({ name, lines: [line] }) =>
    [line.form, files.get(line.number) ?? "", placeOf(name)?.rest].join("\n"),
  ).filter((group) => group.length >= MIN_ERRORS);
  const taken = new Map(groups.flatMap((group) => group.map(({ lines: [line] }, at) => [failureOf(line), at > 0])));
  const rest = lines.filter(
    (line) =>
      !taken.has(failureOf(line)) || line.isLead || (line.role === "detail" && !(taken.get(failureOf(line)) ?? false)),
  );
  return [...rest, ...groups.flatMap(written)].sort((one, other) => one.number - other.number);
}

function placeOf(error: string): Place | undefined {
  const [, file = "", position = "", rest] = ERROR.exec(error) ?? [];
  return rest === undefined ? undefined : { file, position, rest };
}

/** Returns the number of the line above each error that names its file, if there is one. */
function filesAbove(lines: readonly FailureLine[]): ReadonlyMap<number, number> {
  const files = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { number, form, isLead } of lines) {
    if (isLead) {
      last.set(form, number);
    }
    files.set(number, last.get(form) ?? -1);
  }
  return files;
}

function written<Line extends FailureLine>(group: readonly Entry<Line>[]): (Line & { fold: Fold })[] {
  const [{ file: first, rest }] = group.map(({ name }) => placeOf(name) as Place) as [Place];
  const indent = /^\s*/.exec(first)?.[0] ?? "";
  const part = ({ name }: Entry<Line>, before?: Entry<Line>): string => {
    const { file, position } = placeOf(name) as Place;
    return (before !== undefined && placeOf(before.name)?.file === file ? "" : file.trim()) + position;
  };
  return foldParts(group, part, (parts) => `${indent}{${parts}}${rest}`);
}
