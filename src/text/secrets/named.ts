import { base64Forms } from "./base64Forms.js";
import { SpelledValues, type FoundValue } from "./spelledValues.js";

/** Shorter values are not hidden: it would mangle every text. */
export const MIN_NAMED = 4;
/** Shorter values are words in lower case. */
const MIN_LOWER = 8;

/** A place of a text that has a named value. */
export interface NamedPlace extends FoundValue {
  name: string;
}

/**
 * Values that their user has named as secret. Unlike one that is only taken for a secret, each is looked for from four
 * characters on, whatever it is, and however a text spells it: escaped, percent-encoded or in base64.
 */
export class NamedValues {
  readonly #names = new Map<string, string>();
  #values: SpelledValues | undefined;

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The values, in all forms that are looked for. */
  get values(): string[] {
    return [...this.#names.keys()];
  }

  /** Adds a value; one of several lines also line by line. @returns whether it was not known */
  add(name: string, value: string): boolean {
    const whole = value.trim();
    const lines = whole.split(/\r?\n/).map((line) => line.trim());
    // What frames a key is not part of it.
    const parts =
      lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LOWER && !line.startsWith("-----"));
    const known = this.#names.size;
    for (const form of [whole, ...parts].filter(({ length }) => length >= MIN_NAMED).flatMap(formsOf)) {
      if (!this.#names.has(form)) {
        this.#names.set(form, name);
      }
    }
    if (this.#names.size === known) {
      return false;
    }
    this.#values = undefined;
    return true;
  }

  /** Returns the name of a value, if a text is exactly that. */
  nameOf(text: string): string | undefined {
    return this.#names.get(text);
  }

  /**
   * Returns where the values are, in the order of the text; none overlaps another.
   *
   * @param isCut whether the text's end is missing, and with it perhaps the end of a value
   */
  find(text: string, isCut = false): NamedPlace[] {
    if (this.isEmpty) {
      return [];
    }
    this.#values ??= new SpelledValues([...this.#names.keys()], MIN_NAMED);
    return this.#values
      .find(text, isCut)
      .map((place) => ({ ...place, name: this.#names.get(place.value) ?? "SECRET" }));
  }
}

/** Returns the texts that have a value, apart from the spelling of single characters. */
function formsOf(value: string): string[] {
  return [
    value,
    // As the host of an address it is in lower case.
    ...(value.length >= MIN_LOWER ? [value.toLowerCase()] : []),
    ...base64Forms(value),
    // Spellings are of single bytes.
    ...(/^[\x00-\x7f]*$/.test(value)
      ? []
      : [encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, "")), escaped(value)]),
  ];
}

/** Returns a text as JSON of ASCII characters alone has it. */
function escaped(value: string): string {
  return JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
