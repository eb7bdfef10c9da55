/** Number of equal calls with equal results in a turn after which the model is warned, and after which the turn ends. */
const POINTED_OUT = 3;
const ENDED = 6;
/** Tools whose calls wait for something, so equal results are normal. */
const WAITS = new Set(["process"]);

/** Detects that a model repeats a call although the result never changes. */
export class Repeats {
  readonly #calls = new Map<string, { text: string; count: number }>();
  /** The tool of a call that was repeated too often. */
  stuckOn: string | undefined;

  /** @returns a warning to add to the result; undefined for none */
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
      ? `[This exact call returned the same result ${count} times in this turn. Do something else, or answer with what you know.]`
      : undefined;
  }
}

/** Serializes a value as JSON with the fields of all objects sorted by name. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
