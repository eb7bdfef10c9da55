/** The shell's patterns for file names, read so that one matches at least what it matches in the shell. */
import { matchesParts } from "../rules/patterns.js";

/** Whether a text has characters that make it a pattern, or precede such a character when it is quoted. */
export function isPattern(text: string): boolean {
  return /[*?[\\]/.test(text);
}

/**
 * Whether a pattern may match a name. `?` counts as any characters, and so does everything from a bracket or an escaped
 * character on: bash's rules are long.
 * @param anyCase whether it matches names in any case, and those with a leading dot
 */
export function nameMatcher(pattern: string, anyCase = false): (name: string) => boolean {
  if (anyCase) {
    const folded = looseParts(pattern.toLowerCase());
    return (name) => matchesParts(folded, name.toLowerCase());
  }
  const parts = looseParts(pattern);
  const dots = pattern.startsWith(".") || pattern.startsWith("[");
  return (name) => (dots || !name.startsWith(".")) && matchesParts(parts, name);
}

/** Returns the texts of a pattern between which it may match anything. */
export function looseParts(pattern: string): readonly string[] {
  const [plain = "", ...rest] = pattern.split(/[[\\]/);
  return `${plain}${rest.length > 0 ? "*" : ""}`.replaceAll("?", "*").split("*");
}
