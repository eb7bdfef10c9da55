/** How the indentation of the found lines differs from that of the wanted lines, the same way on every line. */
export type IndentShift =
  | { kind: "none" }
  | { kind: "added"; prefix: string }
  | { kind: "removed"; prefix: string }
  | { kind: "spaces_to_tabs"; width: number }
  | { kind: "tabs_to_spaces"; width: number };

/** The wanted and the found indentation of one non-blank line. */
export interface IndentPair {
  wanted: string;
  found: string;
}

/**
 * Finds the one shift that turns every wanted indentation into the found one; undefined if there is none. Tabs are
 * equivalent to spaces only if each line's indentation is all of one kind and the tab width is the same on every line.
 */
export function findIndentShift(pairs: readonly IndentPair[]): IndentShift | undefined {
  const first = pairs.find(({ wanted, found }) => wanted !== found);
  if (!first) {
    return { kind: "none" };
  }
  return candidatesFor(first).find((shift) => pairs.every(({ wanted, found }) => shiftIndent(shift, wanted) === found));
}

function candidatesFor({ wanted, found }: IndentPair): IndentShift[] {
  const candidates: IndentShift[] = [];
  if (found.endsWith(wanted)) {
    candidates.push({ kind: "added", prefix: found.slice(0, found.length - wanted.length) });
  }
  if (wanted.endsWith(found)) {
    candidates.push({ kind: "removed", prefix: wanted.slice(0, wanted.length - found.length) });
  }
  if (/^ +$/.test(wanted) && /^\t+$/.test(found)) {
    candidates.push({ kind: "spaces_to_tabs", width: wanted.length / found.length });
  }
  if (/^\t+$/.test(wanted) && /^ +$/.test(found)) {
    candidates.push({ kind: "tabs_to_spaces", width: found.length / wanted.length });
  }
  return candidates;
}

/** Applies a shift to an indentation; undefined if it does not fit. */
export function shiftIndent(shift: IndentShift, indent: string): string | undefined {
  switch (shift.kind) {
    case "none":
      return indent;
    case "added":
      return shift.prefix + indent;
    case "removed":
      return indent.startsWith(shift.prefix) ? indent.slice(shift.prefix.length) : undefined;
    case "spaces_to_tabs": {
      const tabs = indent.length / shift.width;
      return /^ *$/.test(indent) && Number.isInteger(tabs) && Number.isInteger(shift.width)
        ? "\t".repeat(tabs)
        : undefined;
    }
    case "tabs_to_spaces":
      return /^\t*$/.test(indent) && Number.isInteger(shift.width)
        ? " ".repeat(indent.length * shift.width)
        : undefined;
  }
}
