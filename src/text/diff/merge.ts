import { keepHeadAndTail } from "../clip.js";
import { type LineHunk, lineHunks } from "./lineHunks.js";
import { splitLines } from "../splitLines.js";

/** Maximum length quoted of each side of a conflict, in code units. */
const MAX_SNIPPET = 600;

/** Maximum number of conflicts described; `total` counts all of them. */
const MAX_CONFLICTS = 20;

/** A place where both sides changed the same lines, or lines next to each other, in different ways. */
export interface MergeConflict {
  /** First line in `ours`, 1-based. */
  start: number;
  /** Last line in `ours`, inclusive; `start - 1` if ours has no line there. */
  end: number;
  /** The content there in each text; if long, its head and tail. */
  base: string;
  ours: string;
  theirs: string;
}

export type Merge = { ok: true; text: string } | { ok: false; conflicts: MergeConflict[]; total: number };

/**
 * Merges two changes of one text line by line. For an undo, `base` is the text after the tool's change, `ours` the
 * current file, `theirs` the text before the tool's change.
 *
 * Changes that overlap, or have no unchanged line between them, conflict unless both sides made the same change. Lines
 * are compared with their endings, so that line endings and a missing final newline merge like any other change. Texts
 * that differ too much for a bounded comparison get longer changes, hence more conflicts, but never a wrong merge.
 */
export function merge3(base: string, ours: string, theirs: string): Merge {
  if (base === theirs || ours === theirs) {
    return { ok: true, text: ours };
  }
  if (base === ours) {
    return { ok: true, text: theirs };
  }
  const lines = splitLines(base);
  const our = new Side(lines, splitLines(ours));
  const their = new Side(lines, splitLines(theirs));
  const merged: string[] = [];
  const conflicts: MergeConflict[] = [];
  let total = 0;
  let done = 0;
  for (let region = nextRegion(our, their); region; region = nextRegion(our, their)) {
    const { start, end } = region;
    const [oursHere, theirsHere] = [our.take(start, end), their.take(start, end)];
    const [ourText, theirText] = [oursHere?.text, theirsHere?.text];
    merged.push(lines.slice(done, start).join(""));
    done = end;
    if (ourText === undefined || theirText === undefined || ourText === theirText) {
      merged.push(ourText ?? theirText ?? "");
      continue;
    }
    total += 1;
    if (conflicts.length < MAX_CONFLICTS) {
      conflicts.push({
        start: (oursHere?.start ?? 0) + 1,
        end: oursHere?.end ?? 0,
        base: keepHeadAndTail(lines.slice(start, end).join(""), MAX_SNIPPET),
        ours: keepHeadAndTail(ourText, MAX_SNIPPET),
        theirs: keepHeadAndTail(theirText, MAX_SNIPPET),
      });
    }
  }
  merged.push(lines.slice(done).join(""));
  return total > 0 ? { ok: false, conflicts, total } : { ok: true, text: merged.join("") };
}

/** One side's changes to the base, consumed hunk by hunk. */
class Side {
  readonly #lines: string[];
  readonly #hunks: LineHunk[];
  /** The current region contains the hunks from `#first` up to, but not including, this one. */
  #next = 0;
  #first = 0;

  constructor(base: string[], lines: string[]) {
    this.#lines = lines;
    this.#hunks = lineHunks(base, lines);
  }

  /** The first hunk not yet in a region. */
  get next(): LineHunk | undefined {
    return this.#hunks[this.#next];
  }

  /** Adds the next hunk to the current region. */
  advance(): void {
    this.#next += 1;
  }

  /**
   * Ends the region `[start, end)` of the base. Returns this side's content there, or undefined if it changed nothing
   * in it.
   */
  take(start: number, end: number): { text: string; start: number; end: number } | undefined {
    const first = this.#hunks[this.#first];
    const last = this.#hunks[this.#next - 1];
    const isChanged = this.#first < this.#next;
    this.#first = this.#next;
    if (!isChanged || !first || !last) {
      return undefined;
    }
    const own = { start: first.newStart - (first.start - start), end: last.newEnd + (end - last.end) };
    return { ...own, text: this.#lines.slice(own.start, own.end).join("") };
  }
}

/** Returns the lines of the base covered by both sides' next hunks, as far as these overlap or touch. */
function nextRegion(ours: Side, theirs: Side): { start: number; end: number } | undefined {
  const start = Math.min(ours.next?.start ?? Infinity, theirs.next?.start ?? Infinity);
  if (start === Infinity) {
    return undefined;
  }
  let end = start;
  for (;;) {
    const side = [ours, theirs].find(({ next }) => next !== undefined && next.start <= end);
    if (!side) {
      return { start, end };
    }
    end = Math.max(end, side.next?.end ?? end);
    side.advance();
  }
}
