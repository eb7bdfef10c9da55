/** A note of the memory: what was noted, and when. */
export interface MemoryNote {
  value: string;
  /** Milliseconds since 1970; undefined where the file does not tell, as when a person made it. */
  created: number | undefined;
  updated: number | undefined;
  /** When its time is over; undefined when it has no time of its own. */
  expires: number | undefined;
  /** Lines of its front matter that are not ours. They stay as they are. */
  others: readonly string[];
  /** Lines that its front matter takes in the file. */
  frontLines: number;
}

/**
 * A block between lines of three dashes, from the first line on. Looked for in the first part of a text only: values
 * may be long.
 */
const FRONT_MATTER = /^---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
const OURS = /^(created|updated|expires)[ \t]*:[ \t]*(.*?)[ \t\r]*$/;
/** Characters in which front matter has to end. */
const MAX_FRONT_MATTER = 10_000;

/**
 * Reads a note's file. Front matter that says none of `created`, `updated` and `expires` is somebody's own text, a part
 * of the value; so is everything in a file without any.
 */
export function parseNote(text: string): MemoryNote {
  const [block = "", inside = ""] = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER)) ?? [];
  const lines = inside.split("\n").slice(0, -1);
  const times = new Map(lines.flatMap((line) => timeOf(line)));
  if (times.size === 0) {
    return { value: text, created: undefined, updated: undefined, expires: undefined, others: [], frontLines: 0 };
  }
  return {
    value: text.slice(block.length),
    created: times.get("created"),
    updated: times.get("updated"),
    expires: times.get("expires"),
    others: lines.filter((line) => !OURS.test(line)).map((line) => line.replace(/\r$/, "")),
    frontLines: lines.length + 2,
  };
}

/** The text of a note's file with empty lines in place of its front matter: a line keeps its number. */
export function withoutFrontMatter(text: string): string {
  const { value, frontLines } = parseNote(text);
  return "\n".repeat(frontLines) + value;
}

/** A note's file: its front matter, then the value as it is, so that it reads back the same. */
export function formatNote({ value, created, updated, expires, others }: Omit<MemoryNote, "frontLines">): string {
  const times = Object.entries({ created, updated, expires }).flatMap(([name, time]) =>
    time === undefined ? [] : [`${name}: ${isoTime(time)}`],
  );
  return `${["---", ...times, ...others, "---"].join("\n")}\n${value}`;
}

/**
 * When a note's time is over, or undefined if never.
 *
 * @param days how long notes last that have no time of their own, from their last change; 0 for ever
 */
export function endOfNote(
  { expires, updated }: Pick<MemoryNote, "expires" | "updated">,
  days: number,
): number | undefined {
  return expires ?? (days > 0 && updated !== undefined ? updated + days * DAY : undefined);
}

/** Milliseconds of a day. */
export const DAY = 86_400_000;

/** The last time that a date can tell. */
const LAST_TIME = 8.64e15;

/** A time as files and results tell it. */
export function isoTime(time: number): string {
  return new Date(Math.min(time, LAST_TIME)).toISOString();
}

function timeOf(line: string): [string, number][] {
  const [, name = "", value = ""] = OURS.exec(line) ?? [];
  const told = value.replace(/^(["'])(.*)\1$/, "$2");
  // Dates alone: what else Date.parse makes something of ("5" is May 2001) nobody meant.
  const time = /^\d{4}-\d\d-\d\d/.test(told) ? Date.parse(told) : Number.NaN;
  return Number.isNaN(time) ? [] : [[name, time]];
}
