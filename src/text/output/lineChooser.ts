import { shorten } from "../clip.js";
import type { Fold } from "./foldNames.js";
import { distinct, isEssential, isHeldInPart, MAX_LINE, withoutRepeated, type HeldLine } from "./heldLine.js";
import { failureOf, groupBy } from "./sharedTraces.js";

/** Minimum characters of a line that has to be cut so that others fit. */
export const MIN_LINE = 80;
/** Share of the room that is not for failures: the summary, the head and the tail. */
export const REST = 1 / 4;
/** Share of the room for failures that their names may take if names and messages do not all fit. */
const NAMES = 3 / 4;
/** Characters for the summary, head and tail even if the failures take all that is enough. */
const MIN_REST = 1_500;
/** Maximum characters of the summary. */
const MAX_SUMMARY = 3_000;
/** Maximum characters of lines that look like errors of other programs than those whose failures are known, and of one. */
const MAX_OTHERS = 3_000;
const MAX_OTHER = 300;
/** A line of the source around a failure's place, or the mark below it: failures at one place all have the same. */
const CODE_FRAME = /^ *(?:>? *\d+ ?\||\| *\^)/;

/** A line with its number. */
type NumberedLine = readonly [number, string];

/** What may be shown of an output. */
export interface Choosable {
  /** Lines of failures, and the summary. */
  lines: readonly HeldLine[];
  /** Lines that look like errors of other programs than those whose failures are known. */
  others: readonly HeldLine[];
  /** Numbers of lines of failures whose content other lines show. */
  elsewhere: ReadonlySet<number>;
  /** The first and the last lines that are not calm. */
  head: readonly NumberedLine[];
  tail: readonly NumberedLine[];
  /** Number of all lines. */
  count: number;
  /** Characters that are enough, unless what fails takes more. */
  enough: number;
}

/** Lines that are shown. */
export interface Choice {
  /** By their numbers. */
  shown: Map<number, string>;
  /** Those that stand for several lines of the output. */
  folds: Map<number, Fold>;
  /** Characters of the output that are shown. */
  kept: number;
}

/** Lines that are shown all or none: those of a failure's name, or a single one. */
interface Whole {
  lines: readonly HeldLine[];
  /** Characters that they take at least. */
  least: number;
}

/** Lines of one kind. */
interface Part {
  lines: readonly HeldLine[];
  wholes: readonly Whole[];
  /** Characters that any of them takes at least. */
  least: number;
}

/** Chooses which lines of an output fit. What does not depend on the room is worked out once. */
export class LineChooser {
  readonly #from: Choosable;
  readonly #essential: Part;
  readonly #names: Part;
  readonly #messages: Part;
  readonly #summary: readonly HeldLine[];
  readonly #details: readonly HeldLine[];

  constructor(from: Choosable) {
    const { lines, elsewhere } = from;
    const isOwn = ([number]: NumberedLine): boolean => !elsewhere.has(number);
    this.#from = { ...from, head: from.head.filter(isOwn), tail: from.tail.filter(isOwn).reverse() };
    this.#essential = partOf(lines.filter(isEssential));
    this.#names = partOf(withoutRepeated(lines.filter(({ role }) => role === "name")));
    this.#messages = partOf(distinct(lines.filter(({ role }) => role === "message")));
    this.#summary = lines.filter(({ role }) => role === "summary").reverse();
    this.#details = lines.filter(({ role }) => role === "detail");
  }

  /** Chooses lines that take about `room` characters, without the notes between them. */
  choose(room: number): Choice {
    const chosen = new Chosen(room);
    this.#addFailures(chosen, room);
    chosen.free = Math.min(chosen.free, Math.max(this.#from.enough - (room - chosen.free), MIN_REST));
    this.#addSummary(chosen);
    this.#addOthers(chosen);
    this.#addDetails(chosen);
    this.#addEnds(chosen);
    return chosen;
  }

  /** Counts the lines with names, messages and places of failures that are shortened, and that are omitted. */
  missing({ shown }: Choice): { cut: number; left: number } {
    const numbers = (lines: readonly HeldLine[]): number => new Set(lines.map(({ number }) => number)).size;
    const isCut = ({ number, text }: HeldLine): boolean => {
      const fitted = shown.get(number);
      return fitted !== undefined && (fitted.length < text.length || isHeldInPart(text));
    };
    const { lines } = this.#essential;
    return {
      cut: numbers(lines.filter(isCut)),
      left: numbers(lines.filter(({ number }) => !shown.has(number))),
    };
  }

  /** Names and places come first; messages are cut, then left out, if there are too many. */
  #addFailures(chosen: Chosen, room: number): void {
    const forFailures = Math.floor(room * (1 - REST));
    const all = longest(this.#essential, forFailures);
    const forNames = this.#messages.lines.length === 0 ? forFailures : Math.floor(forFailures * NAMES);
    const limit = all ?? longest(this.#names, forNames) ?? MIN_LINE;
    const parts: [Part, number][] =
      all === undefined
        ? [
            [this.#names, forNames],
            [this.#messages, forFailures],
            [this.#essential, forFailures],
          ]
        : [[this.#essential, forFailures]];
    for (const [part, until] of parts) {
      for (const whole of part.wholes) {
        const left = until - (room - chosen.free);
        if (left < part.least) {
          break;
        }
        if (left < whole.least) {
          continue;
        }
        const fitted = whole.lines.map(({ text }) => shorten(text, limit));
        if (fitted.reduce((sum, text) => sum + text.length + 1, 0) <= left) {
          whole.lines.forEach(({ number, text, fold }, at) => {
            chosen.take(number, text, fitted[at], fold);
          });
        }
      }
    }
  }

  #addSummary(chosen: Chosen): void {
    let room = Math.min(MAX_SUMMARY, chosen.free / 2);
    for (const { number, text } of this.#summary) {
      room -= text.length + 1;
      if (room > 0) {
        chosen.take(number, text);
      }
    }
  }

  #addOthers(chosen: Chosen): void {
    let room = Math.min(MAX_OTHERS, Math.floor(chosen.free / 2));
    for (const { number, text } of this.#from.others) {
      const fitted = shorten(text, MAX_OTHER);
      room -= fitted.length + 1;
      if (room > 0) {
        chosen.take(number, text, fitted);
      }
    }
  }

  #addDetails(chosen: Chosen): void {
    // A third of what is free shows where the output begins and ends.
    let room = Math.floor((chosen.free * 2) / 3);
    const frames = new Set<string>();
    for (const { number, text } of this.#details) {
      if (CODE_FRAME.test(text) && frames.size === frames.add(text).size) {
        continue;
      }
      room -= text.length + 1;
      if (room > 0) {
        chosen.take(number, text);
      }
    }
  }

  #addEnds(chosen: Chosen): void {
    const { head, tail, elsewhere, count } = this.#from;
    let room = Math.floor(chosen.free / 3);
    for (const [number, text] of head) {
      room -= text.length + 1;
      if (room < 0) {
        break;
      }
      chosen.take(number, text);
    }
    for (const [number, text] of tail) {
      if (chosen.free < text.length + 1) {
        break;
      }
      // Nothing is lost with the empty lines around what another failure shows.
      if (text !== "" || elsewhere.size === 0 || chosen.shown.has(number + 1) || number === count - 1) {
        chosen.take(number, text);
      }
    }
  }
}

class Chosen implements Choice {
  readonly shown = new Map<number, string>();
  readonly folds = new Map<number, Fold>();
  kept = 0;

  /** @param free characters that more lines may take */
  constructor(public free: number) {}

  take(number: number, text: string, fitted = text, fold?: Fold): void {
    if (!this.shown.has(number)) {
      this.shown.set(number, fitted);
      this.free -= fitted.length + 1;
      const isCut = fitted !== text || isHeldInPart(text);
      this.kept += isCut ? fitted.length - 1 : (fold?.characters ?? fitted.length + 1);
      if (fold !== undefined) {
        this.folds.set(number, fold);
      }
    }
  }
}

function partOf(lines: readonly HeldLine[]): Part {
  const groups = groupBy(lines, (line) => (line.role === "name" ? failureOf(line) : String(line.number)));
  const wholes = groups.map((group) => ({ lines: group, least: sizeAt(group, MIN_LINE) }));
  return { lines, wholes, least: wholes.reduce((least, whole) => Math.min(least, whole.least), Infinity) };
}

/** Returns about how many characters lines take that are cut to a length; a cut within a surrogate pair makes it less. */
function sizeAt(lines: readonly HeldLine[], limit: number): number {
  return lines.reduce((sum, { text }) => sum + Math.min(text.length, limit) + 1, 0);
}

/**
 * Returns the greatest length to which lines can be cut so that all of them fit; undefined if they would have to be
 * shorter than is useful.
 */
function longest({ lines }: Part, room: number): number | undefined {
  if (sizeAt(lines, MIN_LINE) > room) {
    return undefined;
  }
  let [low, high] = [MIN_LINE, MAX_LINE];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    [low, high] = sizeAt(lines, middle) <= room ? [middle, high] : [low, middle - 1];
  }
  return low;
}
