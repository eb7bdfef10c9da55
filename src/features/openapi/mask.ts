import { isRecord } from "../../core/jsonSchema.js";
import { base64Forms } from "./base64Forms.js";
import { SpelledValues } from "./spelledValues.js";

/** Shorter values are not hidden: it would mangle every text. */
const MIN_HIDDEN = 4;
/** Shorter values are words in lower case. */
const MIN_LOWER = 8;
/** Maximum levels of lists and objects in a value: programs cannot write deeper ones as JSON. */
const MAX_DEPTH = 500;

/** Hides secrets in texts and in JSON, however the server spells them: escaped, percent-encoded or in base64. */
export class Mask {
  readonly #names = new Map<string, string>();
  #values: SpelledValues | undefined;

  /** @param name shown in its place */
  add(name: string, value: string): void {
    if (value.length >= MIN_HIDDEN) {
      // As the host of an address it is in lower case.
      const lower = value.length >= MIN_LOWER ? [value.toLowerCase()] : [];
      [value, ...lower, ...base64Forms(value)].forEach((form) => this.#names.set(form, `[${name}]`));
      this.#values = undefined;
    }
  }

  /** @param isCut whether the text's end is missing, and with it perhaps the end of a secret */
  hide(text: string, isCut = false): string {
    if (this.#names.size === 0) {
      return text;
    }
    this.#values ??= new SpelledValues([...this.#names.keys()], MIN_HIDDEN);
    let shown = "";
    let at = 0;
    for (const { start, end, value } of this.#values.find(text, isCut)) {
      shown += text.slice(at, start) + (this.#names.get(value) ?? "");
      at = end;
    }
    return shown + text.slice(at);
  }

  /** Hides secrets in the texts, names and numbers of a JSON value. @throws RangeError if it is nested too deeply */
  hideIn(value: unknown, depth = 0): unknown {
    if (depth > MAX_DEPTH) {
      throw new RangeError("nested too deeply");
    }
    if (Array.isArray(value)) {
      return value.map((each) => this.hideIn(each, depth + 1));
    }
    if (isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [this.hide(name), this.hideIn(each, depth + 1)]),
      );
    }
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    const shown = this.hide(text);
    return shown === text ? value : shown;
  }
}
