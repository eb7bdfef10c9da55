/** Number of equal calls with equal results, and no change between them, after which the model is warned, and after which the turn ends. */
const POINTED_OUT = 3;
const ENDED = 6;
/** Tools whose calls wait for something, so equal results are normal. */
const WAITS = new Set(["process"]);
/** Tools that note what an agent does: between equal notes, any new call is progress, also one that only looks. */
const NOTES = new Set(["todo"]);

/** A call of a turn that has ended. */
export interface EndedCall {
  tool: string;
  input: object;
  /** Its whole result. */
  text: string;
  /** Returns whether it may have changed something. Only called for a call before a repeat. */
  mayChange: () => Promise<boolean>;
}

/**
 * Detects that a model repeats a call although neither the result nor anything else changes. A call that was itself
 * made before, with the same result, does not count as a change: otherwise two calls in turn would never be detected.
 */
export class Repeats {
  readonly #calls = new Map<string, { text: string; count: number; newBefore: number }>();
  /** For each call that was new, or had a new result: whether it may have changed something. */
  readonly #new: (() => Promise<boolean>)[] = [];
  /** The tool of a call that was repeated too often. */
  stuckOn: string | undefined;

  /** @returns a warning to add to the result; undefined for none */
  async note({ tool, input, text, mayChange }: EndedCall): Promise<string | undefined> {
    const key = `${tool} ${stableJson(input)}`;
    const shown = withoutDuration(text);
    const known = this.#calls.get(key);
    const isRepeat = known?.text === shown;
    const isProgress = isRepeat && (await this.#progressedSince(known.newBefore, NOTES.has(tool)));
    const count = isRepeat && !isProgress ? known.count + 1 : 1;
    if (!isRepeat) {
      this.#new.push(once(mayChange));
    }
    this.#calls.set(key, { text: shown, count, newBefore: this.#new.length });
    if (WAITS.has(tool)) {
      return undefined;
    }
    if (count >= ENDED) {
      this.stuckOn = tool;
    }
    return count >= POINTED_OUT
      ? `[This exact call returned the same result ${count} times in this turn, and nothing was changed in between. Do something else, or answer with what you know.]`
      : undefined;
  }

  /** Whether something may have been changed since, or, if any new call counts, there was one. */
  async #progressedSince(index: number, anyCall: boolean): Promise<boolean> {
    if (anyCall) {
      return this.#new.length > index;
    }
    for (const mayChange of this.#new.slice(index)) {
      if (await mayChange()) {
        return true;
      }
    }
    return false;
  }
}

/** Returns a result without the duration in its headline, which differs each time. */
function withoutDuration(text: string): string {
  return text.replace(/^(\[Exit code .*?) after [\d.]+ s/, "$1");
}

function once(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => (answer ??= ask());
}

/** Serializes a value as JSON with the fields of all objects sorted by name. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
