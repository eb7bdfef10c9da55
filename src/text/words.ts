/** Formats a count: `1 line`, `3 lines`, `1 match`, `3 matches`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/**
 * Joins names: `a`, `a and b`, `a, b and c`. With more than `most` names, the last part counts the rest: `a, b and 4
 * more files`.
 *
 * @param most at least 2
 */
export function listed(names: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names.slice(0, -1);
  const rest = names.length - shown.length;
  const last = names.length > most ? `${rest} more files` : (names.at(-1) ?? "");
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** Formats line numbers: `line 3`, `lines 3, 7`, `lines 3, 7 and 5 more`. */
export function namedLines(lines: readonly (number | string)[], most = Number.POSITIVE_INFINITY): string {
  const rest = Math.max(0, lines.length - most);
  return `line${lines.length === 1 ? "" : "s"} ${lines.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Returns an error's message, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
