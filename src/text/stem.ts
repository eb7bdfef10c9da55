/** Words shorter than this have no ending to take off. */
const MIN_LENGTH = 3;
const VOWEL = /[aeiouy]/;
/** Words that the rules would ruin or tell apart wrongly (Porter2, "Exceptional forms"). */
const EXCEPTIONS = new Map(
  Object.entries({ skis: "ski", sky: "sky", skies: "sky", dying: "die", lying: "lie", tying: "tie", idly: "idl", gently: "gentl", ugly: "ugli", early: "earli", only: "onli", singly: "singl", news: "news", howe: "howe", atlas: "atlas", cosmos: "cosmos", bias: "bias", andes: "andes" }),
);
/** Words that are whole once their plural is gone. */
const WHOLE = new Set(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]);

/** Longer endings first: of those that fit, the longest counts. */
const STEP_2: readonly (readonly [ending: string, replacement: string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
];
const STEP_3: typeof STEP_2 = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_4: readonly string[] = ["ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic"];

/**
 * The stem of an English word: `connections`, `connected` and `connecting` share `connect`.
 *
 * Porter's second algorithm (snowballstem.org/algorithms/english/stemmer.html), written from its description. It is no word
 * to show anybody, and words of other languages come out as something that is at least the same every time.
 *
 * @param word lower case, ASCII letters only
 */
export function stem(word: string): string {
  if (word.length < MIN_LENGTH) {
    return word;
  }
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) {
    return exception;
  }
  // A y that is a consonant is written Y meanwhile.
  const marked = word.replaceAll(/^y|(?<=[aeiouy])y/g, "Y");
  const first = regionOne(marked);
  const second = first + afterSyllable(marked.slice(first));
  const singular = withoutPlural(marked);
  if (WHOLE.has(singular)) {
    return singular;
  }
  const steps = [(w: string) => withoutPast(w, first), finalY, (w: string) => stepTwo(w, first), (w: string) => stepThree(w, first, second), (w: string) => stepFour(w, second), (w: string) => stepFive(w, first, second)];
  return steps.reduce((current, step) => step(current), singular).toLowerCase();
}

/** Where the part after the first syllable begins. */
function regionOne(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  return prefix?.length ?? afterSyllable(word);
}

/** The length of what ends with the first consonant after a vowel. */
function afterSyllable(word: string): number {
  const found = /[aeiouy][^aeiouy]/.exec(word);
  return found === null ? word.length : found.index + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) {
    return word.slice(0, -2);
  }
  if (/ie[ds]$/.test(word)) {
    return word.slice(0, word.length > 4 ? -2 : -1);
  }
  const hasVowelBefore = VOWEL.test(word.slice(0, -2));
  return word.endsWith("s") && !/[us]s$/.test(word) && hasVowelBefore ? word.slice(0, -1) : word;
}

function withoutPast(word: string, first: number): string {
  const agreed = /(?:eedly|eed)$/.exec(word);
  if (agreed !== null) {
    return agreed.index >= first ? `${word.slice(0, agreed.index)}ee` : word;
  }
  const past = /(?:ingly|edly|ing|ed)$/.exec(word);
  const rest = word.slice(0, past?.index);
  if (past === null || !VOWEL.test(rest)) {
    return word;
  }
  if (/(?:at|bl|iz)$/.test(rest)) {
    return `${rest}e`;
  }
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) {
    return rest.slice(0, -1);
  }
  return isShort(rest, first) ? `${rest}e` : rest;
}

function isShort(word: string, first: number): boolean {
  return first >= word.length && /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/.test(word);
}

function finalY(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

function stepTwo(word: string, first: number): string {
  const found = STEP_2.find(([ending]) => word.endsWith(ending));
  if (found !== undefined) {
    return replaced(word, found, first);
  }
  if (word.endsWith("logi")) {
    return replaced(word, ["ogi", "og"], first);
  }
  return /[cdeghkmnrt]li$/.test(word) ? replaced(word, ["li", ""], first) : word;
}

function stepThree(word: string, first: number, second: number): string {
  const found = STEP_3.find(([ending]) => word.endsWith(ending));
  return found === undefined ? replaced(word, ["ative", ""], second) : replaced(word, found, first);
}

function stepFour(word: string, second: number): string {
  const ending = STEP_4.find((candidate) => word.endsWith(candidate)) ?? (/[st]ion$/.test(word) ? "ion" : "");
  return replaced(word, [ending, ""], second);
}

function stepFive(word: string, first: number, second: number): string {
  const end = word.length - 1;
  const drops = word.endsWith("e") ? end >= second || (end >= first && !/[^aeiouy][aeiouy][^aeiouywxY]$/.test(word.slice(0, -1))) : word.endsWith("ll") && end >= second;
  return drops ? word.slice(0, -1) : word;
}

/** Replaces an ending that lies in a region. */
function replaced(word: string, [ending, replacement]: readonly [string, string], region: number): string {
  const at = word.length - ending.length;
  return word.endsWith(ending) && at >= region ? word.slice(0, at) + replacement : word;
}
