/**
 * Reads words as bash does, from the text alone (Bash manual, 3.1.2 "Quoting" and 3.5 "Shell Expansions"). The syntax
 * tree is used only to find where substitutions end, so a word that the tree splits differently is detected by where it
 * ends.
 */
import { decodeAnsi } from "./ansiQuotes.js";
import { expandBraces, hasBraces, type MaskedText } from "./braces.js";
import { matchArithmetic, matchParameter } from "./expansions.js";
import type { ArgWord } from "../judge.js";
import { isDigits, parted, type Known, type KnownWord, type Printed } from "../known.js";
import { oddCharacter } from "./programText.js";
import type { Value } from "./variableValues.js";

/** A word of a command. Offsets are into the program's text, in UTF-16 units. */
export interface Word extends ArgWord {
  start: number;
  end: number;
  /** As written. */
  raw: string;
  /** Whether it may expand to no word, or several: an unquoted expansion, or `"$@"`. */
  splits: boolean;
  /** The literal text before its first expansion. */
  lead?: string;
}

/** Facts about the program around a word, as the reader needs them. */
export interface WordSource {
  readonly text: string;
  /** Whether bash reads it. `sh` may be a shell that reads `$'…'`, braces and `<(…)` differently. */
  readonly isBash: boolean;
  /**
   * Walks the substitution that begins at an offset (`$(`, `<(`, `>(`). Returns the offset after it and, if known, what
   * it prints; undefined if there is none.
   */
  substitution(at: number): { end: number; prints: Printed | undefined } | undefined;
  /** Returns a variable's value, if the line makes it certain. */
  variable(name: string): Value | undefined;
  /** Handles the program between backticks, with its escapes removed. */
  backticks(program: string): void;
  /**
   * Searches an expansion that is not understood for substitutions, and returns the offset after it; undefined if there
   * is none.
   */
  notUnderstood(at: number): number | undefined;
  doubt(sentence: string): void;
}

const BLANK_OR_OPERATOR = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

/**
 * Reads the word at an offset.
 * @returns its words, more than one after a brace expansion, and the offset after it. Anything not understood has been
 * reported as a doubt
 */
export function readWord(source: WordSource, start: number): { words: readonly Word[]; end: number } {
  const reader = new WordReader(source, start);
  reader.read();
  const { end } = reader;
  const raw = source.text.slice(start, end);
  const { splits, lead } = reader;
  const head = lead === undefined ? {} : splits ? { lead } : { lead, head: lead };
  return { words: reader.words().map((word) => ({ ...word, ...head, start, end, raw, splits })), end };
}

/** Reads the unquoted body of a here-document for its substitutions: `"` is not special there. */
export function readHeredocBody(source: WordSource, start: number, end: number): void {
  new WordReader(source, start).readExpanded(end, undefined);
}

class WordReader {
  readonly #source: WordSource;
  readonly #text: string;
  #at: number;
  /** The word with quotes removed, while it is literal, and which of its characters are quoted. */
  #literal = "";
  #mask = "";
  #depends = false;
  /** The literal text before the first part only known at run time. */
  #head: string | undefined;
  /** The known values of the word's non-literal parts, and their offsets in `#literal`. */
  readonly #known: { known: Known; at: number }[] = [];
  /** Whether any part is unknown. */
  #unknown = false;
  splits = false;

  constructor(source: WordSource, start: number) {
    this.#source = source;
    this.#text = source.text;
    this.#at = start;
  }

  /** The literal text at its beginning; undefined if a pattern or braces may change it, and for a known word. */
  get lead(): string | undefined {
    const hasPattern = [...this.#literal].some(
      (character, at) => "*?[".includes(character) && this.#mask.charAt(at) === "u",
    );
    return hasPattern || hasBraces({ text: this.#literal, mask: this.#mask }) || this.#literal.startsWith("~")
      ? undefined
      : this.#head;
  }

  get end(): number {
    return this.#at;
  }

  /** Returns the value of each word that it expands to. */
  words(): readonly ArgWord[] {
    const masked: MaskedText = { text: this.#literal, mask: this.#mask };
    const expanded = this.#depends ? undefined : expandBraces(masked);
    if (hasBraces(masked) && (expanded === undefined || !this.#source.isBash)) {
      this.#source.doubt("a brace expansion is not understood");
    }
    const known = this.#depends ? this.#knownWord() : undefined;
    return expanded === undefined
      ? [known === undefined ? { value: undefined } : { value: undefined, known }]
      : expanded.map(wordValue);
  }

  /**
   * Returns what the whole word is known to become, if it has one part only known at run time, or consists of several
   * numbers.
   */
  #knownWord(): KnownWord | undefined {
    const [first, ...more] = this.#known;
    // An unquoted pattern, brace or tilde next to it may turn it into other words.
    const isPlain = [...this.#literal].every(
      (character, at) => this.#mask.charAt(at) === "q" || !/[*?[\]{}~]/.test(character),
    );
    if (first === undefined || this.#unknown || !isPlain) {
      return undefined;
    }
    if (more.length === 0) {
      return { known: first.known, before: this.#literal.slice(0, first.at), after: this.#literal.slice(first.at) };
    }
    let text = "";
    let from = 0;
    for (const { known, at } of this.#known) {
      if (known.kind !== "alike") {
        return undefined;
      }
      text += this.#literal.slice(from, at) + known.text;
      from = at;
    }
    return { known: { kind: "alike", text: text + this.#literal.slice(from) }, before: "", after: "" };
  }

  read(): void {
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character === "" || (BLANK_OR_OPERATOR.has(character) && !this.#isProcessSubstitution())) {
        return;
      }
      if (character === "\\" && this.#isLastContinuation()) {
        return;
      }
      this.#readPart(character);
    }
  }

  /** Whether only line continuations remain before the word's end; the end is then before them, as in the tree. */
  #isLastContinuation(): boolean {
    const continuations = /^(?:\\\n)+/.exec(this.#text.slice(this.#at, this.#at + 200))?.[0];
    if (continuations === undefined) {
      return false;
    }
    const next = this.#text.charAt(this.#at + continuations.length);
    return next === "" || BLANK_OR_OPERATOR.has(next);
  }

  #readPart(character: string): void {
    switch (character) {
      case "'":
        return this.#readSingleQuotes();
      case '"':
        this.#at += 1;
        this.readExpanded(this.#text.length, '"');
        return;
      case "\\":
        return this.#readEscape();
      case "$":
        return this.#readDollar(false);
      case "`":
        return this.#readBackticks(false);
      case "<":
      case ">":
        return this.#readSubstitution();
      default: {
        const odd = oddCharacter(character);
        if (odd !== undefined) {
          this.#source.doubt(odd);
        }
        return this.#add(character, "u");
      }
    }
  }

  #isProcessSubstitution(): boolean {
    return /^[<>]\(/.test(this.#text.slice(this.#at, this.#at + 2));
  }

  #add(text: string, quoting: "q" | "u", length = text.length): void {
    this.#literal += text;
    this.#mask += quoting.repeat(text.length);
    this.#at += length;
  }

  /** Continues after a part whose text is unknown. */
  #skip(to: number, splits: boolean, known?: Known): void {
    this.#head ??= this.#literal;
    this.#depends = true;
    if (known === undefined) {
      this.#unknown = true;
    } else {
      this.#known.push({ known, at: this.#literal.length });
    }
    this.splits ||= splits;
    this.#at = to;
  }

  #fail(sentence: string): void {
    this.#source.doubt(sentence);
    this.#skip(this.#text.length, true);
  }

  #readEscape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "") {
      return this.#fail("the command ends in a backslash");
    }
    if (next === "\n") {
      this.#at += 2;
      return;
    }
    this.#add(next, "q", 2);
  }

  #readSingleQuotes(): void {
    const close = this.#text.indexOf("'", this.#at + 1);
    if (close === -1) {
      return this.#fail("a quote is not closed");
    }
    const body = this.#text.slice(this.#at + 1, close);
    this.#markEmpty(body);
    this.#add(body, "q", close + 1 - this.#at);
  }

  /** Marks an empty pair of quotes as a word; nothing else distinguishes it from whitespace. */
  #markEmpty(body: string): void {
    if (body === "" && this.#literal === "") {
      this.#mask = "";
    }
  }

  /**
   * Reads text in which only `\`, `$` and backticks are special: up to and past a closing quote, or up to an offset.
   */
  readExpanded(end: number, close: string | undefined): void {
    while (this.#at < end) {
      const character = this.#text.charAt(this.#at);
      if (character === close) {
        this.#at += 1;
        return;
      }
      if (character === "\\") {
        this.#readEscapeInQuotes(close);
      } else if (character === "$") {
        this.#readDollar(true);
      } else if (character === "`") {
        this.#readBackticks(close !== undefined);
      } else {
        this.#add(character, "q");
      }
    }
    if (close !== undefined) {
      this.#fail("a quote is not closed");
    }
  }

  #readEscapeInQuotes(close: string | undefined): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "\n") {
      this.#at += 2;
    } else if (next !== "" && (next === "$" || next === "`" || next === "\\" || next === close)) {
      this.#add(next, "q", 2);
    } else {
      this.#add("\\", "q");
    }
  }

  #readDollar(quoted: boolean): void {
    const rest = this.#text.slice(this.#at, this.#at + 300);
    const parameter = matchParameter(rest);
    if (parameter !== undefined) {
      this.#readParameter(parameter, quoted);
    } else if (/^\$(?:\(\(|\[)/.test(rest)) {
      this.#readArithmetic(rest, quoted);
    } else if (rest.startsWith("$(")) {
      this.#readSubstitution(quoted, quoted ? literalHeredoc(this.#text, this.#at) : undefined);
    } else if (rest.startsWith("${")) {
      this.#readNotUnderstood(quoted);
    } else if (!quoted && !this.#source.isBash && /^\$['"]/.test(rest)) {
      this.#fail("`$` before a quote is not understood by every shell");
    } else if (!quoted && rest.startsWith("$'")) {
      this.#readAnsiQuotes();
    } else if (!quoted && rest.startsWith('$"')) {
      this.#source.doubt('text in $"…" is translated before use');
      this.#at += 1;
    } else if (rest.startsWith("$\\\n")) {
      this.#fail("a `$` precedes a line continuation");
    } else {
      this.#add("$", quoted ? "q" : "u");
    }
  }

  #readParameter(parameter: string, quoted: boolean): void {
    const name = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(parameter)?.[1];
    const value = name === undefined ? undefined : this.#source.variable(name);
    if (value?.kind === "literal") {
      return this.#add(value.text, "q", parameter.length);
    }
    const known = value?.kind === "names" && !quoted ? { ...value, uses: parted(value.uses, "patterns") } : value;
    this.#skip(this.#at + parameter.length, !quoted || /^\$\{?@/.test(parameter), known);
  }

  #readArithmetic(rest: string, quoted: boolean): void {
    const isArithmetic = this.#source.isBash || rest.startsWith("$((");
    const arithmetic = isArithmetic ? matchArithmetic(rest, (name) => this.#isNumber(name)) : undefined;
    if (arithmetic === undefined) {
      return this.#readNotUnderstood(quoted);
    }
    // Without these operators the result cannot be negative.
    const known: Known | undefined = /[-~]/.test(arithmetic) ? undefined : { kind: "alike", text: "1" };
    this.#skip(this.#at + arithmetic.length, !quoted, known);
  }

  #isNumber(name: string): boolean {
    const value = this.#source.variable(name);
    return (value?.kind === "literal" || value?.kind === "alike") && isDigits(value.text);
  }

  #readNotUnderstood(quoted: boolean): void {
    const shown = this.#text.slice(this.#at, this.#at + 40).split("\n", 1)[0] ?? "";
    this.#source.doubt(`the expansion \`${shown}\` is not understood`);
    const end = this.#source.notUnderstood(this.#at);
    if (end === undefined || end <= this.#at) {
      return this.#fail("an expansion is not closed");
    }
    this.#skip(end, !quoted);
  }

  /** @param literal the text it prints, if that is certain */
  #readSubstitution(quoted = false, literal?: { value: string; end: number }): void {
    if (!this.#source.isBash && this.#text.charAt(this.#at) !== "$") {
      this.#source.doubt("`<(…)` is not understood by every shell");
    }
    const found = this.#source.substitution(this.#at);
    if (found === undefined || found.end <= this.#at) {
      return this.#fail("a substitution is not understood");
    }
    const { end, prints } = found;
    if (literal?.end === end) {
      return this.#add(literal.value, "q", end - this.#at);
    }
    const opening = this.#text.charAt(this.#at);
    this.#skip(
      end,
      !quoted && opening === "$",
      opening === "<" ? { kind: "pipe" } : opening === "$" ? substituted(prints, quoted) : undefined,
    );
  }

  #readAnsiQuotes(): void {
    const found = /^\$'((?:[^'\\]|\\[^])*)'/.exec(this.#text.slice(this.#at));
    const text = found?.[1] === undefined ? undefined : decodeAnsi(found[1]);
    if (found === null || text === undefined) {
      return this.#fail("text in $'…' is not understood");
    }
    this.#add(text, "q", found[0].length);
  }

  /**
   * Removes a backslash before `$`, a backtick or another backslash first, as backticks do; within double quotes also
   * before `"`.
   */
  #readBackticks(inQuotes: boolean): void {
    const found = /^`((?:[^`\\]|\\[^])*)`/.exec(this.#text.slice(this.#at));
    if (found?.[1] === undefined) {
      return this.#fail("a backtick is not closed");
    }
    this.#source.backticks(found[1].replace(inQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1"));
    this.#skip(this.#at + found[0].length, !inQuotes);
  }
}

/** Returns what a substitution becomes. In quotes, several names become one word, about which nothing is known. */
function substituted(prints: Printed | undefined, quoted: boolean): Known | undefined {
  if (prints?.kind !== "names") {
    return prints;
  }
  return quoted || prints.ends === "nul"
    ? undefined
    : { kind: "names", uses: parted(prints.uses, "patterns"), folders: prints.folders };
}

/**
 * Returns the text that `$(cat <<'END' … END)` prints, the form in which agents write a multi-line message: the text in
 * between, without trailing newlines. Undefined for any other substitution, and for text in which macOS's bash (3.2)
 * would find the end elsewhere.
 * @param at the substitution's offset
 * @returns the text, and the offset after the substitution
 */
function literalHeredoc(text: string, at: number): { value: string; end: number } | undefined {
  const [opening, , delimiter] = /^\$\(cat <<(['"])([A-Z]\w*)\1\n/.exec(text.slice(at, at + 100)) ?? [];
  if (opening === undefined || delimiter === undefined) {
    return undefined;
  }
  const lines = text.slice(at + opening.length - 1);
  const bodyEnd = lines.indexOf(`\n${delimiter}\n`);
  const body = bodyEnd < 0 ? undefined : lines.slice(1, Math.max(1, bodyEnd));
  const closing = /^[ \t\n]*\)/.exec(lines.slice(bodyEnd + delimiter.length + 2))?.[0];
  if (body === undefined || closing === undefined || /['"`\\()$]/.test(body)) {
    return undefined;
  }
  return {
    value: body.replace(/\n+$/, ""),
    end: at + opening.length - 1 + bodyEnd + delimiter.length + 2 + closing.length,
  };
}

/**
 * Whether bash expands a home folder anywhere in a word that looks like an assignment: `cat a=~/x`, `a=b:~/x` (5.2,
 * "Tilde Expansion").
 */
function hasTilde({ text, mask }: MaskedText): boolean {
  return (
    /^[A-Za-z_]\w*(?:\[[^]*\])?\+?=/.test(text) &&
    [...text.matchAll(/[=:]~/g)].some(({ index }) => mask.charAt(index + 1) === "u")
  );
}

/** Returns a literal word's value, or its pattern if it is a glob. */
function wordValue({ text, mask }: MaskedText): ArgWord {
  if (/^~[+\-0-9]/.test(text) && mask.startsWith("uu")) {
    // This is the shell's current or previous folder.
    return { value: undefined };
  }
  if (hasTilde({ text, mask })) {
    return { value: undefined };
  }
  let pattern = "";
  let isGlob = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const isMeta = /[*?[\]\\]/.test(character);
    const isQuoted = mask.charAt(at) === "q";
    isGlob ||=
      !isQuoted && (character === "*" || character === "?" || (character === "[" && text.includes("]", at + 1)));
    pattern += isMeta && isQuoted ? `\\${character}` : character;
  }
  return isGlob ? { value: undefined, glob: pattern } : { value: text };
}
