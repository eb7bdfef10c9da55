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
  // Names in camel case change from kind to kind as often, but have few digits, and are made of words.
  return parts.some(
    (part) =>
      changes(part) >= part.length / 4 &&
      (/\d[^\d]*\d/.test(part) || (changes(part) >= part.length / 3 && isWordless(part))) &&
      entropy(part) >= 3.2,
  );
}

/** The pairs of letters that make up 89 % of English text and of the names in code. */
const PAIRS = new Set(
  (
    "ab ac ad ag ai al am an ap ar as at ba be bl bo bu ca ce ch ck cl co cr ct da de di do ds ea ec ed ee ef el em " +
    "en ep er es et ev ew ex fa fi fo fr fu ge gi ha he hi ho ht hu ic id ie if ig il im in io ip ir is it js ke la " +
    "ld le li ll lo ls lt lu ly ma mb me mi mo mp na nc nd ne ng no ns nt nu ob oc od of ol om on oo op or os ot ou " +
    "ov ow pa pe pl po pr ps pt qu ra rc re ri rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta tc te th ti to " +
    "tp tr ts tt tu ty ub ue ul um un ur us ut va ve wa wh wi wo xt yp"
  ).split(" "),
);

/** Whether a text's letters are no words: of chance, a quarter of its pairs of letters are those of words. */
function isWordless(part: string): boolean {
  const letters = part.slice(0, LOOKED_AT).toLowerCase();
  let pairs = 0;
  let known = 0;
  for (let at = 0; at + 1 < letters.length; at++) {
    const pair = letters.slice(at, at + 2);
    if (/^[a-z]{2}$/.test(pair)) {
      pairs++;
      known += PAIRS.has(pair) ? 1 : 0;
    }
  }
  return pairs >= 8 && known < pairs * 0.45;
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
