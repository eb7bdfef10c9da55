/** A line of a failure. */
export interface FailureLine {
  number: number;
  text: string;
  role: string;
  /** Index of the program's form. */
  form: number;
  /** Which of the form's failures it belongs to. */
  failure: number;
  /** Whether it came before the failure's name, such as the name of the file. */
  isLead: boolean;
}

/** What need not be shown, because the lines of another failure show it. */
export interface Shared {
  omitted: ReadonlySet<FailureLine>;
  /** The name of the failure that shows them, by the number of the name's last line. */
  likes: ReadonlyMap<number, string>;
  /** Number of failures whose messages are omitted because they differ in numbers or quoted texts alone. */
  alike: number;
}

/** From this number on, failures whose messages differ in numbers and quoted texts alone are of one kind. */
const OF_ONE_KIND = 9;
/** Up to so many of a kind, and failures in all, each one's own values are shown: they often say what is wrong. */
const MANY = 20;
const MANY_IN_ALL = 40;
/** Number of more whose own values are shown all the same. */
const EXAMPLES = 3;
/** A line with a place: `a.py:3`, `a.ts(3,5)`, `line 3`. Different places are never taken for one. */
const PLACE = /[^\s:]:\d+|\(\d+,\d+\)|\bline \d+/;

/**
 * Finds failures of one cause: those with the same message. Of each but the first, the lines that the first one shows are
 * omitted; its name stays, and each place that is its own.
 */
export function sharedTraces(lines: readonly FailureLine[]): Shared {
  const own = lines.filter(({ role, isLead }) => role !== "summary" && !isLead);
  const failures = groupBy(own, failureOf);
  // jest lists each failure twice.
  const all = new Set(failures.filter((each) => kindOf(each, true) !== "").map((each) => nameOf(each) + traceOf(each)));
  const isCrowded = all.size > MANY_IN_ALL;
  const omitted = new Set<FailureLine>();
  const likes = new Map<number, string>();
  let alike = 0;
  for (const group of groupBy(failures, (failure) => kindOf(failure, true))) {
    // Tests of several files may have one name.
    const different = isCrowded ? group.length : new Set(group.map(nameOf)).size;
    const isRough = different >= OF_ONE_KIND;
    const examples = isCrowded || different > MANY ? EXAMPLES : group.length;
    for (const [first = [], ...others] of isRough ? [group] : groupBy(group, (failure) => kindOf(failure, false))) {
      if (kindOf(first, true) === "") {
        continue;
      }
      const traces = new Map([[traceOf(first), first]]);
      for (const [at, failure] of others.entries()) {
        const isAlike = isRough && kindOf(failure, false) !== kindOf(first, false);
        const isExample = isAlike && at + 1 < examples;
        const same = traces.get(traceOf(failure));
        traces.set(traceOf(failure), same ?? failure);
        const shown = new Set((same ?? first).map(({ text }) => text));
        for (const line of failure) {
          const { text, role } = line;
          const isShown = shown.has(text) || (isPlace(text) ? same !== undefined : !isExample);
          if (role === "detail" || (role !== "name" && isShown)) {
            omitted.add(line);
          }
        }
        const name = failure.findLast(({ role }) => role === "name");
        if (name !== undefined && !isExample) {
          likes.set(name.number, nameOf(same ?? first));
        }
        alike += isAlike && !isExample ? 1 : 0;
      }
    }
  }
  return { omitted, likes, alike };
}

/** Names the failure that a line belongs to. */
export function failureOf({ form, failure }: Pick<FailureLine, "form" | "failure">): string {
  return `${form} ${failure}`;
}

/** Whether a line of a failure has its place. */
export function isPlace(text: string): boolean {
  return PLACE.test(text);
}

/** Groups items by a key, in the order of their first ones. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(item);
  }
  return [...groups.values()];
}

/** The message, without its places and, if `isRough`, without its numbers and quoted texts. */
function kindOf(failure: readonly FailureLine[], isRough: boolean): string {
  return failure
    .filter(({ role, text }) => role === "message" && !isPlace(text))
    .map(({ text }) => (isRough ? roughly(text) : text))
    .join("\n");
}

/** The places. */
function traceOf(failure: readonly FailureLine[]): string {
  return failure.flatMap(({ role, text }) => (role === "message" && isPlace(text) ? [text] : [])).join("\n");
}

function nameOf(failure: readonly FailureLine[]): string {
  return failure.find(({ role }) => role === "name")?.text ?? "";
}

/** Replaces what differs between messages of one kind: numbers and quoted texts. */
export function roughly(message: string): string {
  return message.replaceAll(/'[^']*'|"[^"]*"|\b0x[\da-f]+|\d+/g, "#").trim();
}
