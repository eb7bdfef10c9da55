import { findSecrets, secretName, withoutOverlaps } from "./find.js";
import { findHandlePlaces, handleOf } from "./handles.js";
import type { KnownSecret } from "./known.js";
import { MIN_NAMED, NamedValues } from "./named.js";
import { plainKey } from "./privateKeys.js";
import { ValueFinder } from "./values.js";
import { isInPath, isListed, MIN_WEAK } from "./weak.js";

/** A place of a text that is shown as a handle. */
export interface MaskedPlace {
  start: number;
  end: number;
  handle: string;
  /** The id of the value. */
  id: string;
  /** The value: the text there without escapes. */
  value: string;
}

/** Depth of data that is looked at; the results of tools are flat. */
const MAX_DEPTH = 40;

/** Replaces secrets in texts by handles: known values, and what looks like a key. */
export class SecretMask {
  readonly #idOf: (value: string) => string;
  /** By the forms in which texts have them. */
  readonly #known = new Map<string, KnownSecret>();
  readonly #finder: ValueFinder;
  readonly #named: NamedValues;

  /**
   * @param known values of variables and files
   * @param idOf returns the id of a value: the same for equal values
   * @param named values that the user named as secrets
   */
  constructor(known: readonly KnownSecret[], idOf: (value: string) => string, named = new NamedValues()) {
    this.#idOf = idOf;
    this.#named = named;
    for (const each of known) {
      for (const form of formsOf(each.value)) {
        if (!this.#known.has(form)) {
          this.#known.set(form, each);
        }
      }
    }
    this.#finder = new ValueFinder([...this.#known.keys()]);
  }

  /** Finds the secrets of a text, in its order. */
  places(text: string): MaskedPlace[] {
    const found: { start: number; end: number; name: string; known?: KnownSecret }[] = findSecrets(text);
    for (const { start, value } of this.#finder.find(text)) {
      const known = this.#known.get(value);
      if (known !== undefined && !isName(known, text, start, start + value.length)) {
        found.push({ start, end: start + value.length, name: known.name, known });
      }
    }
    const named = this.#named.find(text);
    if (named.length > 0) {
      // A text may be masked twice, and what a handle is made of must stay.
      const handles = findHandlePlaces(text);
      const free = named.filter(({ start, end }) => !handles.some((each) => each.start <= start && end <= each.end));
      found.push(...free.map(({ value, ...place }) => ({ ...place, known: { name: place.name, value } })));
    }
    // Known ones first, so that equal places have their names.
    found.sort(
      (a, b) => a.start - b.start || b.end - a.end || Number(b.known !== undefined) - Number(a.known !== undefined),
    );
    const ends = new Map(named.map(({ start, end }) => [start, end]));
    return withoutOverlaps(found).map(({ start, end, name, known }) => {
      const written = text.slice(start, end);
      const isKnown = known !== undefined && (ends.get(start) === end || formsOf(known.value).includes(written));
      const value = isKnown ? known.value : written;
      const id = this.#idOf(value.startsWith("-----BEGIN") ? plainKey(value) : value);
      return { start, end, id, value, handle: handleOf(name, id) };
    });
  }

  /** Returns a text with handles in place of its secrets. */
  mask(text: string): string {
    const least = this.#named.isEmpty ? MIN_WEAK : MIN_NAMED;
    return text.length < least ? text : replacePlaces(text, this.places(text));
  }

  /** Returns data with every text in it masked, also in the names of fields; the same object if it has no secret. */
  maskData<Data>(data: Data): Data {
    return this.#deep(data, "", 0) as Data;
  }

  #deep(value: unknown, name: string, depth: number): unknown {
    if (typeof value === "string") {
      return this.#maskField(value, name);
    }
    if (typeof value === "number") {
      const secret = this.#named.nameOf(String(value));
      return secret === undefined ? value : handleOf(secret, this.#idOf(String(value)));
    }
    // Bytes, dates and the like have no texts.
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH || !isPlain(value)) {
      return value;
    }
    if (Array.isArray(value)) {
      const masked = value.map((each) => this.#deep(each, name, depth + 1));
      return masked.some((each, index) => each !== value[index]) ? masked : value;
    }
    const entries = Object.entries(value);
    const masked = entries.map(([key, each]) => [this.mask(key), this.#deep(each, key, depth + 1)] as const);
    return masked.some(([key, each], index) => key !== entries[index]?.[0] || each !== entries[index]?.[1])
      ? Object.fromEntries(masked)
      : value;
  }

  /** Masks the text of a field, whose name may say that it is secret. */
  #maskField(text: string, name: string): string {
    const masked = this.mask(text);
    if (masked !== text || name === "" || text.length < MIN_WEAK || text.length > 2_000 || /\s/.test(text)) {
      return masked;
    }
    const before = `${secretName(name)}=`;
    return this.mask(before + text).slice(before.length);
  }
}

/** Returns a text with its places replaced by their handles. */
export function replacePlaces(text: string, places: readonly MaskedPlace[]): string {
  let masked = "";
  let at = 0;
  for (const { start, end, handle } of places) {
    masked += text.slice(at, start) + handle;
    at = end;
  }
  return at === 0 ? text : masked + text.slice(at);
}

/** Whether a value stands for a file there, or for a part of a longer name. */
function isName({ isWeak, isFileName }: KnownSecret, text: string, start: number, end: number): boolean {
  return isWeak === true && (isInPath(text, start, end) || (isFileName === true && isListed(text, start, end)));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Returns how texts may have a value: as it is, in JSON, and in a URL. */
function formsOf(value: string): string[] {
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, "")),
    ]),
  ];
}
