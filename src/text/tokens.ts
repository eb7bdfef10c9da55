import { stem } from "./stem.js";

/** Characters of a word that are looked at: longer ones are keys, hashes and encoded data, told apart by their beginning. */
const MAX_WORD = 64;
/** Words whose tokens are remembered: most of a text is a few thousand words again and again. */
const MAX_KEPT = 50_000;
/** Letters and digits, joined by what joins the parts of a name: `a_b`, `a-b`, `a.b`, `don't`. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’._-][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
/** Scripts that put no blanks between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+$/u;

/** What a word stands for in an index. */
export interface WordTokens {
  /** A name of several parts as a whole: `readfile` of `readFile`, `read_file` and `read-file`. */
  whole?: string;
  parts: readonly string[];
}

const kept = new Map<string, WordTokens>();

/**
 * The terms of a text in order, for an index: words folded (case, accents) and stemmed. A name is there as a whole and in
 * parts, so that `readFile`, `read_file` and `read-file` are the same name and are found by `file`, too. Text without
 * blanks (Chinese, Japanese, Thai) gives pairs of characters.
 *
 * @returns letters and digits only, and `.` between the digits of a version
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const { whole, parts } = tokensOfWord(word);
    if (whole !== undefined) {
      tokens.push(whole);
    }
    tokens.push(...parts);
  }
  return tokens;
}

/** The same by words, for a query. */
export function* wordTokensOf(text: string): Generator<WordTokens> {
  for (const [word] of text.matchAll(WORD)) {
    yield tokensOfWord(word);
  }
}

function tokensOfWord(word: string): WordTokens {
  let tokens = kept.get(word);
  if (tokens === undefined) {
    tokens = splitWord(word.length > MAX_WORD ? word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, "") : word);
    if (kept.size >= MAX_KEPT) {
      kept.clear();
    }
    kept.set(word, tokens);
  }
  return tokens;
}

function splitWord(word: string): WordTokens {
  if (/^[a-z]+$/.test(word)) {
    return { parts: [stem(word)] };
  }
  const plain = word.normalize("NFKC").replace(/['’]s$/i, "").replaceAll(/['’]/g, "");
  const parts = [...plain.matchAll(PART)].flatMap(([part]) => (UNSPACED.test(part) ? pairs(part) : [stemmed(fold(part))]));
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
  return /^[a-z0-9]*$/.test(lower) ? lower : lower.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "").normalize("NFC");
}

function stemmed(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}

function pairs(text: string): string[] {
  const characters = [...text];
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
