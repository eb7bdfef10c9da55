import type { MatchCollector } from "./events.js";
import { nameBelow, plainName, type Target } from "./target.js";

/** Maximum problems reported: the rest are more of the same. */
const MAX_PROBLEMS = 5;

/** Describes ripgrep's errors for the caller, one per line. */
export function describeProblems(errors: string, prefix: string): string[] {
  const lines = errors
    .split("\n")
    .map((line) =>
      line
        .replace(/^rg: /, "")
        .replace(/^\.\//, prefix === "." ? "" : `${prefix}/`)
        .trim(),
    )
    .filter((line) => line !== "");
  const rest = lines.length - MAX_PROBLEMS;
  return [
    ...lines.slice(0, MAX_PROBLEMS).map((line) => `Not searched: ${line}`),
    ...(rest > 0 ? [`and ${rest} more not searched`] : []),
  ];
}

/** Lists which of the matching files were not searched, or not to their end, because they are not text. */
export function describeBinary(matches: MatchCollector, target: Target): string[] {
  const name = (path: string): string => nameBelow(target, plainName(path, target));
  return target.isFile
    ? matches.binary.map((path) => `Not searched: ${name(path)} is a binary file, not text.`)
    : matches.cutShort
        .slice(0, MAX_PROBLEMS)
        .map((path) => `Searched in part: ${name(path)} contains NUL characters. Search it by its own path.`);
}
