/** Words of values that stand for a secret in examples. */
const PLACEHOLDER =
  /example|placeholder|change.?me|your|dummy|fake|sample|mock|redacted|foobar|secret|passw|token|test|xxx|\*\*\*|\.\.\.|0{5}|12345|abcdef|abc123|qwert|deadbeef|fedcba/i;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Number of characters that decide whether a value is an example. */
const LOOKED_AT = 2_000;

/** Whether a value with a known form is more than an example of it. */
export function isRandom(value: string): boolean {
  return !PLACEHOLDER.test(value.slice(4, LOOKED_AT)) && new Set(value.slice(0, LOOKED_AT)).size >= 8;
}

/** Whether a value was made by a generator: it has a long part of digits and letters mixed, with no words in it. */
export function isMade(value: string): boolean {
  return !PLACEHOLDER.test(value.slice(0, LOOKED_AT)) && !UUID.test(value) && hasMadePart(value);
}

/** Whether a text has a part that a generator made, judging by letters and digits. */
export function hasMadePart(text: string): boolean {
  const parts = text.split(/[^A-Za-z0-9+/]+/).filter((part) => part.length >= 16);
  // Names in camel case change from kind to kind as often, but have few digits.
  return parts.some((part) => /\d[^\d]*\d/.test(part) && changes(part) >= part.length / 4 && entropy(part) >= 3.2);
}

/** Counts the places where a digit, a capital or a small letter is followed by another kind. */
function changes(part: string): number {
  return part.match(/[0-9](?=[A-Za-z])|[A-Z](?=[0-9a-z])|[a-z](?=[0-9A-Z])/g)?.length ?? 0;
}

/** Shannon's entropy, in bits a character. */
function entropy(part: string): number {
  const counts = new Map<string, number>();
  for (const character of part) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => sum - (count / part.length) * Math.log2(count / part.length), 0);
}
