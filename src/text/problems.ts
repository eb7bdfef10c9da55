import type { LineMap } from "./diff/lineMap.js";

/** A language server's problem, reduced to what distinguishes it from others. */
export interface Problem {
  /** 1-based. */
  line: number;
  /** 1-based; never compared, because an edit in the line moves it. */
  column?: number | undefined;
  severity: string;
  message: string;
  source?: string | undefined;
  code?: string | number | undefined;
}

/** Keys to recognize a problem by: an old and a new problem with the same key are the same problem. */
interface Likeness {
  old: (problem: Problem, map: LineMap) => string | undefined;
  now: (problem: Problem, map: LineMap) => string | undefined;
}

/** Tried in turn, most certain first; each old problem accounts for one new problem. */
const LIKENESSES: readonly Likeness[] = [
  // It is at the same place, on a line that may have moved.
  {
    old: (problem, map) => at(identity(problem), map.toAfter(problem.line)),
    now: (problem) => at(identity(problem), problem.line),
  },
  // Its line was changed, and it is within the result of that change.
  {
    old: (problem, map) => at(identity(problem), map.changeOfOld(problem.line)),
    now: (problem, map) => at(identity(problem), map.changeOfNew(problem.line)),
  },
  // It is reported elsewhere: servers report a missing bracket at varying places.
  { old: identity, now: identity },
  // It is at the same place, with different numbers in its message, such as a line that moved or an expected count.
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
 * Returns the problems after an edit that were not there before, in the given order.
 *
 * In doubt a problem counts as old, because a model that is told about errors goes off to fix them. So a problem that
 * disappeared somewhere accounts for one with the same message that appeared elsewhere; a second such problem is new.
 *
 * In doubt a problem counts as old: reporting errors that a model did not make sends it off to fix them. So a problem
 * that disappeared somewhere accounts for one with the same message that appeared elsewhere; a second such problem is
 * new.
 *
 * @param map maps lines of the text before to lines of the text after
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
