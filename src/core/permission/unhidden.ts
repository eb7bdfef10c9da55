/**
 * Which hidden names a search shows all the same: ripgrep shows what a glob, or a line with `!` in an ignore file,
 * brings back.
 */
import { matchesParts } from "./rules/patterns.js";

/**
 * The files that ripgrep takes rules from, in the folders it searches and in those above (ripgrep 15, "Automatic
 * filtering").
 */
export const IGNORE_FILES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore"]);

/** A pattern that may be any name. */
export const ANY_NAME = "*";

/** The patterns that an ignore file brings back. */
export function broughtBack(text: string): string[] {
  return text.split(/\r?\n/u).flatMap((line) => /^!(.+?)\s*$/u.exec(line)?.[1] ?? []);
}

/**
 * Whether some pattern may bring a hidden name back. One may be taken for more than it is, never for less: each of its
 * parts is looked at by itself, without regard to case, and all from a bracket or brace on is any text.
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
