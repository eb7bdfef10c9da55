/** Works out what a git word may name: a revision, a path, or a path in a revision. */
import type { JudgedPath } from "../judge.js";
import { beyond, type Finding } from "./spec.js";

/** `:!x` and `:(exclude)x`, which only exclude (gitglossary, "pathspec"). */
const LEAVES_OUT = /^:(?:[!^]|\(exclude\))[\w./*-]+$/u;

/**
 * Returns the paths in a revision or pathspec. A word that may be both is also reported as a path: if it is a revision,
 * it names no file and the path is harmless.
 * @param isBeforeDashes whether it precedes a `--`, where `rev:path` is recognized
 */
export function revisionPaths(
  word: string,
  isBeforeDashes: boolean,
): { paths: readonly JudgedPath[]; findings: readonly Finding[] } {
  if (LEAVES_OUT.test(word)) {
    return { paths: [], findings: [] };
  }
  if (word.startsWith(":")) {
    // `:(exclude)x`, `:!x`, `:/x` and `:2:x`: pathspec magic (gitglossary, "pathspec") changes what the rest is
    // relative to.
    const path = word.replace(/^:(?:\([^)]*\)|\d:|[!^/]*)/u, "");
    return {
      paths: read(path),
      findings: [beyond("unknown", `what \`${word}\` selects is unknown (pathspec magic)`)],
    };
  }
  // A revision may contain colons itself (`HEAD^{/add: env}:.env`): a path may follow each.
  const colons = isBeforeDashes ? [...word.matchAll(/:/g)].map(({ index }) => index) : [];
  return { paths: [word, ...colons.map((colon) => word.slice(colon + 1))].flatMap((path) => read(path)), findings: [] };
}

function read(path: string): readonly JudgedPath[] {
  return path === "" ? [] : [{ kind: "read", path }];
}
