/**
 * Finds which hidden names a search shows anyway: ripgrep shows what a glob, or a line with `!` in an ignore file,
 * brings back.
 */
import { matchesParts } from "./rules/patterns.js";

/**
 * The files that ripgrep reads rules from, in the folders it searches and their parents (ripgrep 15, "Automatic
 * filtering").
 */
export const IGNORE_FILES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore"]);

/** A pattern that matches any name. */
export const ANY_NAME = "*";

/** Returns the patterns that an ignore file brings back. */
export function broughtBack(text: string): string[] {
  return text.split(/\r?\n/u).flatMap((line) => /^!(.+?)\s*$/u.exec(line)?.[1] ?? []);
}

/**
 * Whether some pattern may bring a hidden name back. A pattern may be treated as matching more than it does, never
 * less: each of its parts is checked separately, ignoring case, and everything from a bracket or brace on matches any
 * text.
 */
export function mayShow(patterns: readonly string[], name: string): boolean {
  const folded = name.toLowerCase();
  return patterns.some((pattern) =>
    pattern
      .toLowerCase()
      .split("/")
      .some(
        (part) =>
          part !== "" &&
          matchesParts(
            part
              .replace(/[[{\\].*$/su, "*")
              .replaceAll("?", "*")
              .split("*"),
            folded,
          ),
      ),
  );
}
