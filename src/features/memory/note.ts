/** A note of the memory: its value and its dates. */
export interface MemoryNote {
  value: string;
  /** Milliseconds since 1970; undefined if the file does not say, for instance if a person made it. */
  created: number | undefined;
  updated: number | undefined;
  /** When it expires; undefined if it has no expiry date. */
  expires: number | undefined;
  /** Lines of its front matter that are not ours. They are preserved. */
  others: readonly string[];
  /** Number of lines of its front matter in the file. */
  frontLines: number;
}

/**
 * A block between lines of three dashes, starting at the first line. Searched for only at the start of a text: values
 * may be long.
 */
const FRONT_MATTER = /^---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
const OURS = /^(created|updated|expires)[ \t]*:[ \t]*(.*?)[ \t\r]*$/;
/** Maximum characters of front matter. */
const MAX_FRONT_MATTER = 10_000;

/**
 * Reads a note's file. Front matter without `created`, `updated` or `expires` is somebody's own text and part of the
 * value; so is everything in a file without front matter.
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

/** Returns the text of a note's file with empty lines in place of its front matter, so that line numbers stay. */
export function withoutFrontMatter(text: string): string {
  const { value, frontLines } = parseNote(text);
  return "\n".repeat(frontLines) + value;
}

/** Formats a note's file: its front matter, then the value unchanged, so that it reads back the same. */
export function formatNote({ value, created, updated, expires, others }: Omit<MemoryNote, "frontLines">): string {
  const times = Object.entries({ created, updated, expires }).flatMap(([name, time]) =>
    time === undefined ? [] : [`${name}: ${isoTime(time)}`],
  );
  return `${["---", ...times, ...others, "---"].join("\n")}\n${value}`;
}

/**
 * Returns the time at which a note expires; undefined if it never does.
 *
 * @param days how long notes without an expiry date last after their last change; 0 means forever
 */
export function endOfNote(
  { expires, updated }: Pick<MemoryNote, "expires" | "updated">,
  days: number,
): number | undefined {
  return expires ?? (days > 0 && updated !== undefined ? updated + days * DAY : undefined);
}

/** Milliseconds per day. */
export const DAY = 86_400_000;

/** The latest time a date can represent. */
const LAST_TIME = 8.64e15;

/** Formats a time for files and results. */
export function isoTime(time: number): string {
  return new Date(Math.min(time, LAST_TIME)).toISOString();
}

function timeOf(line: string): [string, number][] {
  const [, name = "", value = ""] = OURS.exec(line) ?? [];
  const told = value.replace(/^(["'])(.*)\1$/, "$2");
  // Dates only: Date.parse accepts other texts ("5" is May 2001) that nobody meant as a date.
  const time = /^\d{4}-\d\d-\d\d/.test(told) ? Date.parse(told) : Number.NaN;
  return Number.isNaN(time) ? [] : [[name, time]];
}
