/** The engine's own search is a good Boyer-Moore up to about this length, and can be quadratic behind it. */
const NATIVE_LENGTH = 200;

/** What to look for. */
export interface SearchRequest {
  /** Places given at most. */
  max: number;
  /**
   * Whether places may overlap: they do not where each is replaced, they count where one place must be the only one.
   */
  overlapping: boolean;
  /** Whether a place counts; all do when absent. */
  accept?: (offset: number) => boolean;
}

/**
 * Offsets at which `needle` stands in `text`, left to right, in time linear in both whatever they hold
 * (a native search of a megabyte in a text that nearly repeats it takes hours).
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

/** The next place by the engine's own search, given up once the budget for comparing is spent. */
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

/** Knuth, Morris and Pratt: every character of the text is looked at once. */
function findRepetitive(
  text: string,
  needle: string,
  start: number,
  { max, overlapping, accept }: Required<SearchRequest>,
): number[] {
  const places: number[] = [];
  const units = Uint16Array.from({ length: needle.length }, (_, index) => needle.charCodeAt(index));
  const borders = bordersOf(units.length, (index) => units[index]);
  let matched = 0;
  for (let at = start; at < text.length && places.length < max; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== units[matched]) {
      matched = borders[matched - 1] ?? 0;
    }
    if (unit === units[matched]) {
      matched++;
    }
    if (matched === needle.length) {
      const accepted = accept(at - matched + 1);
      if (accepted) {
        places.push(at - matched + 1);
      }
      matched = accepted && !overlapping ? 0 : (borders[matched - 1] ?? 0);
    }
  }
  return places;
}

/** For each beginning of a sequence the length of its longest proper beginning that is also its end. */
export function bordersOf(length: number, at: (index: number) => number | undefined): Int32Array {
  const borders = new Int32Array(length);
  let border = 0;
  for (let index = 1; index < length; index++) {
    while (border > 0 && at(index) !== at(border)) {
      border = borders[border - 1] ?? 0;
    }
    if (at(index) === at(border)) {
      border++;
    }
    borders[index] = border;
  }
  return borders;
}
