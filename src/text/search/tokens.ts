import stem from "wink-porter2-stemmer";

/**
 * Maximum characters of a word that are used: longer words are keys, hashes and encoded data, which differ at their
 * beginnings.
 */
const MAX_WORD = 64;
/** Maximum number of words whose tokens are cached: most of a text is a few thousand words, repeated. */
const MAX_KEPT = 100_000;
/** Letters and digits, with the characters that join parts of a name: `a_b`, `a-b`, `a.b`, `don't`. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’._-][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+$/u;

/** The tokens of a word for an index. */
export interface WordTokens {
  /** A name of several parts as one token: `readfile` for `readFile`, `read_file` and `read-file`. */
  whole?: string;
  parts: readonly string[];
  /** All of them, separated by spaces. */
  text: string;
}

const kept = new Map<string, WordTokens>();

/**
 * Returns the terms of a text in order: words folded (case, accents) and stemmed. A name is included as a whole and in
 * parts, so that `readFile`, `read_file` and `read-file` are the same name and are also found by `file`. Text without
 * spaces (Chinese, Japanese, Thai) becomes pairs of characters.
 *
 * @returns only letters and digits, and `.` between the digits of a version
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const word of wordsOf(text)) {
    const { whole, parts } = tokensOfWord(word);
    if (whole !== undefined) {
      tokens.push(whole);
    }
    tokens.push(...parts);
  }
  return tokens;
}

/** Returns the same terms separated by spaces, for an index: the fastest way to get all terms of a text. */
export function termText(text: string): string {
  return wordsOf(text)
    .map((word) => tokensOfWord(word).text)
    .join(" ");
}

/** Returns the same terms by word, for a query. */
export function wordTokensOf(text: string): WordTokens[] {
  return wordsOf(text).map(tokensOfWord);
}

/**
 * Returns the words of a text. Pure ASCII, the usual case, is split without a regular expression, in a third of the
 * time.
 */
function wordsOf(text: string): string[] {
  if (!/^[\0-\x7f]*$/.test(text)) {
    return text.match(WORD) ?? [];
  }
  const words: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isWordCode(text.charCodeAt(at))) {
      continue;
    }
    const from = at;
    do {
      at += 1;
    } while (
      isWordCode(text.charCodeAt(at)) ||
      (isJoinerCode(text.charCodeAt(at)) && isWordCode(text.charCodeAt(at + 1)))
    );
    words.push(text.slice(from, at));
  }
  return words;
}

/** Whether a code unit is an ASCII letter or digit. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Whether a code unit is `-`, `.`, `_` or `'`. */
function isJoinerCode(code: number): boolean {
  return code === 45 || code === 46 || code === 95 || code === 39;
}

function tokensOfWord(word: string): WordTokens {
  if (/^\d+$/.test(word)) {
    // There are too many numbers to cache, and nothing in them to split. Bypassing the cache, a log full of numbers
    // takes a tenth of the time.
    const number = word.slice(0, MAX_WORD);
    return { parts: [number], text: number };
  }
  let tokens = kept.get(word);
  if (tokens === undefined) {
    // A copy: a slice would keep its whole source text in memory while the word is cached.
    const own = ` ${word}`.slice(1);
    const split = splitWord(own.length > MAX_WORD ? own.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, "") : own);
    tokens = { ...split, text: [...(split.whole === undefined ? [] : [split.whole]), ...split.parts].join(" ") };
    if (kept.size >= MAX_KEPT) {
      kept.clear();
    }
    kept.set(own, tokens);
  }
  return tokens;
}

function splitWord(word: string): Omit<WordTokens, "text"> {
  if (/^[a-z]+$/.test(word)) {
    return { parts: [stem(word)] };
  }
  const plain = word
    .normalize("NFKC")
    .replace(/['’]s$/i, "")
    .replaceAll(/['’]/g, "");
  const parts = [...plain.matchAll(PART)].flatMap(([part]) =>
    UNSPACED.test(part) ? pairs(part) : [stemmed(fold(part))],
  );
  if (parts.length < 2 || UNSPACED.test(plain)) {
    return { parts };
  }
  // The whole name counts as well as its parts, however it is written.
  const isNumber = /^[\d.]+$/.test(plain);
  return { whole: isNumber ? plain : stemmed(fold(plain.replaceAll(/[._-]/g, ""))), parts };
}

/** Removes case and the accents of European scripts. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z0-9]*$/.test(lower)
    ? lower
    : lower
        .normalize("NFD")
        .replaceAll(/[\u0300-\u036f]/g, "")
        .normalize("NFC");
}

function stemmed(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}

function pairs(text: string): string[] {
  const characters = [...text];
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
