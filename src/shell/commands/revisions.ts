/** What a word of git may name: a revision, a path, or a path in a revision. */
import type { JudgedPath } from "../judge.js";
import { beyond, type Finding } from "./spec.js";

/** `:!x` and `:(exclude)x`, which only leave something out (gitglossary, "pathspec"). */
const LEAVES_OUT = /^:(?:[!^]|\(exclude\))[\w./*-]+$/u;

/**
 * The paths in a revision or pathspec. A word that is both is reported as a path: as a revision it is no file's name,
 * and harmless.
 *
 * @param isBeforeDashes whether it stands before a `--`, where `rev:path` is one
 */
export function revisionPaths(
  word: string,
  isBeforeDashes: boolean,
): { paths: readonly JudgedPath[]; findings: readonly Finding[] } {
  if (LEAVES_OUT.test(word)) {
    return { paths: [], findings: [] };
  }
  if (word.startsWith(":")) {
    // `:(exclude)x`, `:!x`, `:/x` and `:2:x`: pathspec magic (gitglossary, "pathspec") changes what the rest is relative to.
    const path = word.replace(/^:(?:\([^)]*\)|\d:|[!^/]*)/u, "");
    return {
      paths: read(path),
      findings: [beyond("unknown", `what \`${word}\` selects is not worked out (pathspec magic)`)],
    };
  }
  // A revision may have colons of its own (`HEAD^{/add: env}:.env`): a path may stand behind each.
  const colons = isBeforeDashes ? [...word.matchAll(/:/g)].map(({ index }) => index) : [];
  return { paths: [word, ...colons.map((colon) => word.slice(colon + 1))].flatMap((path) => read(path)), findings: [] };
}

function read(path: string): readonly JudgedPath[] {
  return path === "" ? [] : [{ kind: "read", path }];
}
