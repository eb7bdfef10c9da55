import type { Fold } from "./foldNames.js";
import type { LineRole } from "./formReader.js";
import { OUTPUT_FORMS } from "./forms.js";
import { failureOf, groupBy, roughly, type FailureLine, type Shared } from "./sharedTraces.js";

/** Maximum characters kept of a line. */
export const MAX_LINE = 2_000;

/** A line of an output that says what failed. */
export interface HeldLine extends FailureLine {
  role: LineRole;
  /** The lines that it stands for, if it has the names of several failures. */
  fold?: Fold;
}

/** Whether not all of a line was held. */
export function isHeldInPart(text: string): boolean {
  return text.length === MAX_LINE && text.endsWith("…");
}

/** Whether a line has a failure's name, message or place. */
export function isEssential({ role }: HeldLine): boolean {
  return role === "name" || role === "message";
}

/** Returns the characters of lines, with their endings. */
export function sizeOf(lines: readonly HeldLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/**
 * Leaves out lines that other failures show, and the names of failures that have no others if a list at the end names
 * them, too. A list that is shorter than the failures, as with pytest's `-rE`, does not count.
 */
export function unshared(lines: readonly HeldLine[], { likes, omitted }: Shared): readonly HeldLine[] {
  const own = lines.filter((line) => !omitted.has(line));
  const withMore = new Set(own.flatMap((line) => (line.role === "message" ? [failureOf(line)] : [])));
  const names = groupBy(
    own.filter(({ role }) => role === "name"),
    ({ form }) => String(form),
  );
  const left = new Set<HeldLine>();
  for (const all of names) {
    const listed = withoutRepeated(all);
    if (listed.length >= all.length - listed.length) {
      const rest = new Set(listed);
      for (const name of all.filter((each) => !rest.has(each) && likes.has(each.number))) {
        if (!withMore.has(failureOf(name))) {
          left.add(name);
        }
      }
    }
  }
  return own.filter((line) => !left.has(line));
}

/** Leaves out names that a list at the end has, too. */
export function withoutRepeated(names: readonly HeldLine[]): readonly HeldLine[] {
  const isListed = ({ form, text }: HeldLine): boolean => {
    const { listsAll, names: list } = OUTPUT_FORMS[form] ?? {};
    return listsAll === true && list?.test(text) === true;
  };
  const listing = new Set(names.filter(isListed).map(({ form }) => form));
  return listing.size === 0 ? names : names.filter((name) => !listing.has(name.form) || isListed(name));
}

/** Returns the first of each kind of message: those that differ in numbers alone, or in quoted texts, are one kind. */
export function distinct(messages: readonly HeldLine[]): HeldLine[] {
  const seen = new Set<string>();
  return messages.filter(({ text }) => {
    const kind = roughly(text);
    return seen.size < seen.add(kind).size;
  });
}
