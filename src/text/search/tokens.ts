import stem from "wink-porter2-stemmer";

/**
 * Characters of a word that are looked at: longer ones are keys, hashes and encoded data, told apart by their
 * beginning.
 */
const MAX_WORD = 64;
/** Words whose tokens are remembered: most of a text is a few thousand words again and again. */
const MAX_KEPT = 100_000;
/** Letters and digits, joined by what joins the parts of a name: `a_b`, `a-b`, `a.b`, `don't`. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’._-][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
/** Scripts that put no blanks between words. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+$/u;

/** What a word stands for in an index. */
export interface WordTokens {
  /** A name of several parts as a whole: `readfile` of `readFile`, `read_file` and `read-file`. */
  whole?: string;
  parts: readonly string[];
  /** All of them with blanks between. */
  text: string;
}

const kept = new Map<string, WordTokens>();

/**
 * The terms of a text in order: words folded (case, accents) and stemmed. A name is there as a whole and in parts, so
 * that
 * `readFile`, `read_file` and `read-file` are the same name and are found by `file`, too. Text without blanks (Chinese,
 * Japanese, Thai) gives pairs of characters.
 *
 * @returns letters and digits only, and `.` between the digits of a version
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

/** The same with blanks between, as an index takes them: the fastest way to all terms of a text. */
export function termText(text: string): string {
  return wordsOf(text)
    .map((word) => tokensOfWord(word).text)
    .join(" ");
}

/** The same by words, for a query. */
export function wordTokensOf(text: string): WordTokens[] {
  return wordsOf(text).map(tokensOfWord);
}

/** The words of a text. What is ASCII alone, which nearly all is, needs no expression: a third of the time. */
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

/** ASCII letters and digits. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** `-`, `.`, `_` and `'`. */
function isJoinerCode(code: number): boolean {
  return code === 45 || code === 46 || code === 95 || code === 39;
}

function tokensOfWord(word: string): WordTokens {
  if (/^\d+$/.test(word)) {
    // Of numbers there are too many to remember, and nothing to take apart: a log of them takes a tenth of the time so.
    const number = word.slice(0, MAX_WORD);
    return { parts: [number], text: number };
  }
  let tokens = kept.get(word);
  if (tokens === undefined) {
    // A copy: a slice would keep the whole text it is from in memory for as long as the word is remembered.
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
  // The whole name counts beside its parts, however it is written.
  const isNumber = /^[\d.]+$/.test(plain);
  return { whole: isNumber ? plain : stemmed(fold(plain.replaceAll(/[._-]/g, ""))), parts };
}

/** Case and the accents of European scripts make no difference. */
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
