/** Length up to which the engine's own search is a good Boyer-Moore. Beyond, it can be quadratic. */
const NATIVE_LENGTH = 200;

/** A search request. */
export interface SearchRequest {
  /** Maximum number of places. */
  max: number;
  /** Whether places may overlap. Not if each is to be replaced; overlaps do count if the place must be unique. */
  overlapping: boolean;
  /** Decides whether a place counts; by default all do. */
  accept?: (offset: number) => boolean;
}

/**
 * Returns the offsets of `needle` in `text`, left to right, in time linear in both, whatever their content (a native
 * search for a megabyte in a text that nearly repeats it takes hours).
 */
export function findAll(
  text: string,
  needle: string,
  { max, overlapping, accept = () => true }: SearchRequest,
): number[] {
  const places: number[] = [];
  if (needle === "") {
    return places;
  }
  const budget = { comparisons: needle.length + text.length / 8 };
  let from = 0;
  while (places.length < max) {
    const found = nextPlace(text, needle, from, budget);
    if (found === "too repetitive") {
      return [...places, ...findRepetitive(text, needle, from, { max: max - places.length, overlapping, accept })];
    }
    if (found < 0) {
      break;
    }
    const accepted = accept(found);
    if (accepted) {
      places.push(found);
    }
    from = found + (accepted && !overlapping ? needle.length : 1);
  }
  return places;
}

/** Finds the next place with the engine's own search; gives up once the comparison budget is spent. */
function nextPlace(
  text: string,
  needle: string,
  start: number,
  budget: { comparisons: number },
): number | "too repetitive" {
  if (needle.length <= NATIVE_LENGTH) {
    return text.indexOf(needle, start);
  }
  const head = needle.slice(0, NATIVE_LENGTH);
  for (let at = text.indexOf(head, start); at >= 0; at = text.indexOf(head, at + 1)) {
    if (at + needle.length > text.length) {
      return -1;
    }
    let length = NATIVE_LENGTH;
    while (length < needle.length && text.charCodeAt(at + length) === needle.charCodeAt(length)) {
      length++;
    }
    budget.comparisons -= length;
    if (length === needle.length) {
      return at;
    }
    if (budget.comparisons < 0) {
      return "too repetitive";
    }
  }
  return -1;
}

/** Does the work of `findAll` if the engine's own search may take too long. */
function findRepetitive(
  text: string,
  needle: string,
  start: number,
  { max, overlapping, accept }: Required<SearchRequest>,
): number[] {
  let from = 0;
  const isPlace = (place: number): boolean => {
    const isTaken = place >= from && accept(start + place);
    from = isTaken && !overlapping ? place + needle.length : from;
    return isTaken;
  };
  return findRuns(unitsOf(text.slice(start)), unitsOf(needle), max, isPlace).map((place) => start + place);
}

function unitsOf(text: string): Int32Array {
  const units = new Int32Array(text.length);
  for (let at = 0; at < text.length; at++) {
    units[at] = text.charCodeAt(at);
  }
  return units;
}

/**
 * Finds the places where a run of items starts in a sequence, including overlapping ones (Knuth–Morris–Pratt: reads
 * every item once).
 *
 * @param max maximum number of places
 * @param accept whether a place counts
 */
export function findRuns(
  sequence: Int32Array,
  run: Int32Array,
  max = Number.POSITIVE_INFINITY,
  accept: (place: number) => boolean = () => true,
): number[] {
  const places: number[] = [];
  const borders = bordersOf(run);
  const last = run.length - 1;
  let matched = 0;
  for (let at = 0; at < sequence.length && places.length < max; at++) {
    const item = sequence[at];
    while (matched > 0 && item !== run[matched]) {
      matched = borders[matched - 1] as number;
    }
    if (item !== run[matched]) {
      continue;
    }
    if (matched < last) {
      matched++;
      continue;
    }
    if (accept(at - last)) {
      places.push(at - last);
    }
    matched = borders[last] as number;
  }
  return places;
}

/** Returns, for each prefix of a run, the length of its longest proper prefix that is also a suffix. */
function bordersOf(run: Int32Array): Int32Array {
  const borders = new Int32Array(run.length);
  let border = 0;
  for (let index = 1; index < run.length; index++) {
    while (border > 0 && run[index] !== run[border]) {
      border = borders[border - 1] as number;
    }
    if (run[index] === run[border]) {
      border++;
    }
    borders[index] = border;
  }
  return borders;
}
