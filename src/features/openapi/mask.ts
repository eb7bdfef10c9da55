import { isRecord } from "../../core/jsonSchema.js";
import { NamedValues } from "../../text/secrets/named.js";

/** Maximum levels of lists and objects in a value: programs cannot write deeper ones as JSON. */
const MAX_DEPTH = 500;

/** Hides secrets in texts and in JSON, however the server spells them: escaped, percent-encoded or in base64. */
export class Mask {
  readonly #values = new NamedValues();

  /** @param name shown in its place */
  add(name: string, value: string): void {
    this.#values.add(name, value);
  }

  /** @param isCut whether the text's end is missing, and with it perhaps the end of a secret */
  hide(text: string, isCut = false): string {
    let shown = "";
    let at = 0;
    for (const { start, end, name } of this.#values.find(text, isCut)) {
      shown += `${text.slice(at, start)}[${name}]`;
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
