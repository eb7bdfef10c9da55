import { sharedEnds } from "../sharedEnds.js";
import { failureOf, isPlace, type FailureLine, type Shared } from "./sharedTraces.js";

/** Lines of the output that one line of an answer stands for. */
export interface Fold {
  numbers: readonly number[];
  /** Their characters, with line endings. */
  characters: number;
  /** Lines that it only counts: `… 12 more …`. */
  hidden: readonly number[];
  /** Name of the failure that shows all else about them. */
  like: string | undefined;
}

/** Names are written as one line from this number on. */
const MIN_NAMES = 3;
/** Minimum characters that this saves. */
const WORTH_FOLDING = 40;
/** Maximum characters of the parts in which names differ: in a line, and of all names that have the rest in common. */
const MAX_LINE_PARTS = 1_200;
const MAX_PARTS = 6_000;
/** Stands between these parts. */
const BETWEEN = " | ";
/** Maximum characters of a name that is written with others. */
const MAX_NAME = 400;
/** Share of a name that it must have in common with the one before. */
const SHARED = 0.4;
/** Share of what names have in common that a further one may lack; beyond that it begins a line of its own. */
const MAY_LACK = 0.2;
/** What runners number and frame names with, and how long a test took; they are compared without it. */
const FRAME = /^(?:\d+\) |not ok \d+ - |_{3,} )| _{3,}$| \(\d[\d.]* ?m?s\)$| \[<? ?\d[\d.]* ?m?s\]$/g;

/** A failure's name, with the places that are its own. */
export interface Entry<Line> {
  name: string;
  lines: [Line, ...Line[]];
  /** Name of the failure that shows all else about it. */
  like: string | undefined;
}

/** Names with what they begin and end with, in characters. */
interface Alike<Line> {
  entries: Entry<Line>[];
  head: number;
  tail: number;
}

/**
 * Writes names of failures that another one shows (`likes`), and names that directly follow each other, as one line
 * where they differ in a part only: `FAIL order.test.ts > customer {1 | 2 | 3}`.
 */
export function foldNames<Line extends FailureLine & { fold?: Fold }>(
  lines: readonly Line[],
  likes: Shared["likes"],
): (Line & { fold?: Fold })[] {
  const groups: Entry<Line>[][] = [];
  const byLike = new Map<string, Entry<Line>[]>();
  let before: { entry: Entry<Line>; group: Entry<Line>[] } | undefined;
  for (const entry of entriesOf(lines, likes)) {
    const [first, ...others] = entry.lines;
    const isName = first.role === "name" && first.fold === undefined && entry.name.length <= MAX_NAME;
    const isBehind = before?.entry.like === undefined && before?.entry.lines.at(-1)?.number === first.number - 1;
    if (!isName || !others.every(({ role, text }) => role === "name" || isPlace(text))) {
      groups.push(...entry.lines.map((line) => [{ ...entry, lines: [line] as [Line] }]));
      before = undefined;
      continue;
    }
    if (isBehind && before !== undefined && first.form === before.entry.lines[0].form) {
      // What such a name has is all others', too.
      const [own, rest] = [others.filter(({ role }) => role === "name"), others.filter(({ role }) => role !== "name")];
      before.group.push({ ...entry, lines: [first, ...own], name: nameOf([first, ...own]) });
      groups.push(...rest.map((line) => [{ ...entry, lines: [line] as [Line] }]));
      before = { entry, group: before.group };
      continue;
    }
    const key = entry.like === undefined ? undefined : `${first.form} ${entry.like}`;
    const group = (key === undefined ? undefined : byLike.get(key)) ?? [];
    if (group.length === 0) {
      groups.push(group);
    }
    if (key !== undefined) {
      byLike.set(key, group);
    }
    group.push(entry);
    before = { entry, group };
  }
  return groups.flatMap((group) => alike(group).flatMap(written)).sort((one, other) => one.number - other.number);
}

/** Yields each line, but all lines of a failure that another one shows together. */
function* entriesOf<Line extends FailureLine>(lines: readonly Line[], likes: Shared["likes"]): Generator<Entry<Line>> {
  const shown = new Map(
    lines.flatMap((line) => {
      const like = likes.get(line.number);
      return like === undefined || line.role !== "name" ? [] : [[failureOf(line), like]];
    }),
  );
  for (let at = 0; at < lines.length;) {
    const first = lines[at++] as Line;
    const all: [Line, ...Line[]] = [first];
    const like = shown.get(failureOf(first));
    const isNext = (line: Line | undefined): line is Line =>
      line !== undefined && failureOf(line) === failureOf(first) && line.role !== "summary" && !line.isLead;
    for (let line = lines[at]; first.role === "name" && like !== undefined && isNext(line); line = lines[++at]) {
      all.push(line);
    }
    yield { name: nameOf(all), lines: all, like };
  }
}

function nameOf(lines: readonly FailureLine[]): string {
  return lines.map(({ text }) => text.trim().replaceAll(FRAME, "")).join(" ");
}

/** Divides names that stand next to each other into those that differ in a part only. */
function alike<Line>(run: readonly Entry<Line>[]): Alike<Line>[] {
  const groups: Alike<Line>[] = [];
  for (const entry of run) {
    const group = groups.at(-1);
    const shared = group === undefined ? undefined : commonEnds(group, entry.name);
    if (group === undefined || shared === undefined) {
      groups.push({ entries: [entry], head: entry.name.length, tail: entry.name.length });
    } else {
      group.entries.push(entry);
      Object.assign(group, shared);
    }
  }
  return groups;
}

/** Returns what a further name has in common with those of a group, in whole words; undefined if that is little. */
function commonEnds<Line>(
  { entries, head, tail }: Alike<Line>,
  other: string,
): { head: number; tail: number } | undefined {
  const one = entries[0]?.name ?? "";
  const shared = sharedEnds(one, other);
  const ends = { head: Math.min(head, shared.head), tail: Math.min(tail, shared.tail) };
  while (ends.head > 0 && /[\p{L}\d+-]/u.test(one.charAt(ends.head - 1))) {
    ends.head--;
  }
  while (ends.tail > 0 && !/[\s\])]/.test(one.charAt(one.length - ends.tail))) {
    ends.tail--;
  }
  const least = entries.length === 1 ? Math.max(one.length, other.length) * SHARED : (head + tail) * (1 - MAY_LACK);
  return ends.head + ends.tail >= least ? ends : undefined;
}

/** Writes names that differ in a part as few lines, if that is worth it. */
function written<Line extends FailureLine>({ entries, head, tail }: Alike<Line>): (Line & { fold?: Fold })[] {
  const lines = entries.flatMap((entry) => entry.lines);
  const [first] = entries;
  const part = ({ name }: Entry<Line>): string => name.slice(head, name.length - tail);
  if (entries.length < MIN_NAMES || first === undefined || (entries.length - 1) * (head + tail) < WORTH_FOLDING) {
    return lines;
  }
  const [begin, end] = [first.name.slice(0, head), first.name.slice(first.name.length - tail)];
  const indent = /^\s*/.exec(first.lines[0].text)?.[0] ?? "";
  return foldParts(entries, part, (parts) => `${indent}${begin}{${parts}}${end}`);
}

/**
 * Writes names as lines of their parts, until these take too much room; the others are counted.
 *
 * @param partOf given the name before on the same line, too
 * @param textOf makes the line of its parts
 */
export function foldParts<Line extends FailureLine>(
  entries: readonly Entry<Line>[],
  partOf: (entry: Entry<Line>, before?: Entry<Line>) => string,
  textOf: (parts: string) => string,
): (Line & { fold: Fold })[] {
  const folded: (Line & { fold: Fold })[] = [];
  let all = 0;
  for (let at = 0; at < entries.length;) {
    const [from, parts]: [number, string[]] = [at, []];
    for (let size = 0; at < entries.length && size <= MAX_LINE_PARTS && all <= MAX_PARTS; at++) {
      const text = partOf(entries[at] as Entry<Line>, at === from ? undefined : entries[at - 1]);
      parts.push(text);
      size += text.length + BETWEEN.length;
      all += text.length + BETWEEN.length;
    }
    const named = at;
    if (all > MAX_PARTS && at < entries.length) {
      // The last one is named, too.
      const counted = entries.length - 1 - at;
      parts.push(...(counted > 0 ? [`… ${counted} more …`] : []), partOf(entries.at(-1) as Entry<Line>));
      at = entries.length;
    }
    folded.push(fold(entries.slice(from, at), named - from, textOf(parts.join(BETWEEN))));
  }
  return folded;
}

/** @param named number of names that the text has before those that are only counted, if any are */
function fold<Line extends FailureLine>(
  entries: readonly Entry<Line>[],
  named: number,
  text: string,
): Line & { fold: Fold } {
  const linesOf = (some: readonly Entry<Line>[]): Line[] => some.flatMap((entry) => entry.lines);
  const shown = [...entries.slice(0, named), ...entries.slice(Math.max(named, entries.length - 1))];
  const characters = linesOf(shown).reduce((sum, line) => sum + line.text.length + 1, 0);
  const [numbers, hidden] = [shown, entries.slice(named, -1)].map((some) => linesOf(some).map(({ number }) => number));
  const [first] = linesOf(entries) as [Line, ...Line[]];
  return {
    ...first,
    text,
    fold: { numbers: numbers ?? [], characters, hidden: hidden ?? [], like: entries.at(-1)?.like },
  };
}
