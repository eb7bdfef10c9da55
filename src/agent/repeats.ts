/**
 * The same call with the same result, so often in one turn, is pointed out to the model; and so often, the turn ends.
 */
const POINTED_OUT = 3;
const ENDED = 6;
/** Its calls wait for something to happen: the same answer again is what they are for. */
const WAITS = new Set(["process"]);

/** Notices that a model makes the same call over and over, though it gives the same every time. */
export class Repeats {
  readonly #calls = new Map<string, { text: string; count: number }>();
  /** The tool of the call that was made too often. */
  stuckOn: string | undefined;

  /** @returns what the model is told with the result; undefined when there is nothing to say */
  note(tool: string, input: object, text: string): string | undefined {
    if (WAITS.has(tool)) {
      return undefined;
    }
    const key = `${tool} ${stableJson(input)}`;
    const known = this.#calls.get(key);
    const count = known?.text === text ? known.count + 1 : 1;
    this.#calls.set(key, { text, count });
    if (count >= ENDED) {
      this.stuckOn = tool;
    }
    return count >= POINTED_OUT
      ? `[This very call gave the same result ${count} times in this turn. Do something else, or answer with what you know.]`
      : undefined;
  }
}

/** JSON with the fields of every object in order of their names. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
