import type { LineMap } from "./diff/lineMap.js";

/** What a language server found wrong, as far as it tells one problem from another. */
export interface Problem {
  /** 1-based. */
  line: number;
  /** 1-based; never compared, since an edit in a line moves it. */
  column?: number | undefined;
  severity: string;
  message: string;
  source?: string | undefined;
  code?: string | number | undefined;
}

/** Names of a problem by which it is found again: an old and a new problem with one name are one problem. */
interface Likeness {
  old: (problem: Problem, map: LineMap) => string | undefined;
  now: (problem: Problem, map: LineMap) => string | undefined;
}

/** Tried one after another, the surest first; each old problem accounts for one new problem. */
const LIKENESSES: readonly Likeness[] = [
  // It stands where it stood, on a line that may have moved.
  {
    old: (problem, map) => at(identity(problem), map.toAfter(problem.line)),
    now: (problem) => at(identity(problem), problem.line),
  },
  // Its line was changed, and it stands in what came of that change.
  {
    old: (problem, map) => at(identity(problem), map.changeOfOld(problem.line)),
    now: (problem, map) => at(identity(problem), map.changeOfNew(problem.line)),
  },
  // It is told of another place: a server points at a missing bracket now here, now there.
  { old: identity, now: identity },
  // In its place the same is said with other numbers: of a line that moved, or of how many are expected.
  {
    old: (problem, map) => at(rough(problem), map.toAfter(problem.line)),
    now: (problem) => at(rough(problem), problem.line),
  },
  {
    old: (problem, map) => at(rough(problem), map.changeOfOld(problem.line)),
    now: (problem, map) => at(rough(problem), map.changeOfNew(problem.line)),
  },
];

/**
 * The problems after an edit that were not there before it, in the order given.
 *
 * In doubt a problem is old: telling a model of errors that it did not make sends it off to mend them. So one that went
 * away somewhere accounts for one with the same message that came up elsewhere; a second one of these is new.
 *
 * @param map the lines of the text before to those of the text after
 */
export function newProblems<P extends Problem>(before: readonly Problem[], after: readonly P[], map: LineMap): P[] {
  let gone = [...before];
  let fresh = [...after];
  for (const likeness of LIKENESSES) {
    const names = fresh.map((problem) => likeness.now(problem, map));
    const wanted = countsOf(names);
    const claims = new Map<string, number>();
    gone = gone.filter((problem) => {
      const name = likeness.old(problem, map);
      if (name === undefined || (claims.get(name) ?? 0) >= (wanted.get(name) ?? 0)) {
        return true;
      }
      claims.set(name, (claims.get(name) ?? 0) + 1);
      return false;
    });
    fresh = fresh.filter((_, index) => {
      const name = names[index];
      const claimed = name === undefined ? 0 : (claims.get(name) ?? 0);
      if (name !== undefined && claimed > 0) {
        claims.set(name, claimed - 1);
        return false;
      }
      return true;
    });
  }
  return fresh;
}

function countsOf(names: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name !== undefined) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

function identity({ severity, source, code, message }: Problem): string {
  return JSON.stringify([severity, source ?? null, code === undefined ? null : String(code), message]);
}

function rough(problem: Problem): string {
  return identity({ ...problem, message: problem.message.replaceAll(/\d+/g, "#") });
}

function at(name: string, place: number | undefined): string | undefined {
  return place === undefined ? undefined : `${place} ${name}`;
}
