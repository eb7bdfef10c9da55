/**
 * Reads a line as PowerShell 5.1 and 7 do (its tokenizer.cs and Parser.cs), where both read it alike. Everything else
 * is refused: a line is understood as a whole or not at all.
 */
import { mayHoldCode } from "./members.js";
import type { Command, Expression, FileRedirection, Statement, Value } from "./tree.js";
import { isKnownVariable, mayBeAssigned } from "./variables.js";

/** What of a line is not understood. */
export class NotRead extends Error {}

/** Deepest nesting of blocks and parentheses. */
const MAX_DEPTH = 30;

/** Words that begin a statement rather than name a command (tokenizer.cs, `s_keywordText`); `if` is read. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "assembly base begin break catch class clean command configuration continue data define do dynamicparam else elseif end enum exit " +
    "filter finally for foreach from function hidden in inlinescript interface module namespace parallel param private process public " +
    "return sequence static switch throw trap try until using var while workflow"
  ).split(" "),
);

/** What may follow a word directly. */
const AFTER_WORD = /^(?:$|[\s;|)},&])/;

/** The characters of a word without quotes that mean nothing but themselves, wherever they are in it. */
const BARE = /^[\w./\\*?=+%^~!\p{L}-][\w./\\*?:=+%^~!@#\p{L}\p{M}\p{N}-]*/u;

/** Comparisons and arithmetic. None of them runs a value. */
const OPERATOR =
  /^-(?:[ci]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|in|notin|contains|notcontains|replace|split)|and|or|xor|join|f|band|bor)(?=[\s('"$])/i;

/** Methods of texts that only return something, where objects of other kinds do not do more under the same name. */
const METHODS =
  /^(?:ToString|Trim|TrimStart|TrimEnd|ToLower|ToUpper|StartsWith|EndsWith|Contains|Substring|IndexOf|Split)$/i;

/** Reads a line. @throws NotRead */
export function readLine(text: string): readonly Statement[] {
  const reader = new Reader(text);
  const statements = reader.statements(undefined);
  reader.atEnd();
  return statements;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** Whether it reads what a quoted text contains: there quotes have rules of their own. */
  #isQuoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): void {
    if (this.#at < this.#text.length) {
      this.#refuse();
    }
  }

  /** Reads statements up to a closing bracket, which it leaves. */
  statements(closing: ")" | "}" | undefined): readonly Statement[] {
    if (++this.#depth > MAX_DEPTH) {
      throw new NotRead("it is nested too deeply");
    }
    const found: Statement[] = [];
    let isConditional = false;
    for (;;) {
      this.#blanks(true);
      while (!isConditional && this.#take(";")) {
        this.#blanks(true);
      }
      if (this.#at >= this.#text.length || this.#peek() === closing) {
        break;
      }
      found.push(this.#statement(isConditional));
      this.#blanks(false);
      isConditional = this.#takeAny(["&&", "||"]) !== undefined;
      if (
        !isConditional &&
        !/^(?:$|[;\r\n])/.test(this.#rest(1)) &&
        this.#peek() !== closing &&
        found.at(-1)?.kind !== "if"
      ) {
        this.#refuse();
      }
    }
    if (isConditional) {
      this.#refuse();
    }
    this.#depth -= 1;
    return found;
  }

  #statement(isConditional: boolean): Statement {
    const assigned = /^\$(\w+)[ \t]*=(?![=])/.exec(this.#rest(80));
    if (assigned !== null) {
      if (!mayBeAssigned(assigned[1] ?? "")) {
        throw new NotRead(`\`$${assigned[1] ?? ""}\` may be a variable that PowerShell reads`);
      }
      this.#at += assigned[0].length;
      this.#blanks(false);
      return { kind: "assignment", value: [this.#statement(false)] };
    }
    const keyword = /^[A-Za-z]+(?=$|[\s({;])/.exec(this.#rest(40))?.[0].toLowerCase();
    if (keyword === "if" && !isConditional) {
      return this.#if();
    }
    if (keyword !== undefined && (keyword === "if" || KEYWORDS.has(keyword))) {
      throw new NotRead(`\`${keyword}\` is not followed`);
    }
    const elements: (Command | Expression)[] = [this.#element(true)];
    for (this.#blanks(false); this.#peek() === "|" && !this.#rest(2).startsWith("||"); this.#blanks(false)) {
      this.#at += 1;
      this.#blanks(true);
      elements.push(this.#element(false));
    }
    return { kind: "pipe", elements, isConditional };
  }

  #if(): Statement {
    const parts: (readonly Statement[])[] = [];
    const condition = (): void => {
      this.#blanks(false);
      parts.push(this.#bracketed("(", ")"));
      this.#blanks(true);
      parts.push(this.#bracketed("{", "}"));
    };
    this.#at += 2;
    condition();
    for (;;) {
      const before = this.#at;
      this.#blanks(true);
      const word = /^(?:elseif|else)(?=[\s({])/i.exec(this.#rest(8))?.[0].toLowerCase();
      if (word === undefined) {
        this.#at = before;
        return { kind: "if", parts };
      }
      this.#at += word.length;
      if (word === "elseif") {
        condition();
      } else {
        this.#blanks(true);
        parts.push(this.#bracketed("{", "}"));
        return { kind: "if", parts };
      }
    }
  }

  #element(isFirst: boolean): Command | Expression {
    const next = this.#peek();
    if (isFirst && (/^['"$(]/.test(next) || /^(?:\d+(?=$|[\s;|)}])|-not\s|!\s*[($]|@\{|@\()/.test(this.#rest(20)))) {
      return { kind: "expression", values: this.#expression() };
    }
    return this.#command();
  }

  #command(): Command {
    const start = this.#at;
    // `%` and `?` are names; a name in quotes, a variable or a block would need `&` or `.`, which are not followed.
    const name = /^(?:[%?](?=[\s{])|[A-Za-z.~\\/][\w.\\/~:-]*)/.exec(this.#rest(1_000))?.[0];
    if (name === undefined || /^\.+$/.test(name) || /^\.[\d]/.test(name)) {
      this.#refuse();
    }
    this.#at += name.length;
    if (
      !/^(?:$|[\s;|)}{(])/.test(this.#rest(1)) ||
      this.#peek() === "(" ||
      (this.#peek() === "{" && !/^[%?]$/.test(name))
    ) {
      this.#refuse();
    }
    const args: Value[] = [];
    const redirections: FileRedirection[] = [];
    for (this.#blanks(false); !/^(?:$|[\r\n;|)}]|&&)/.test(this.#rest(2)); this.#blanks(false)) {
      const redirection = /^(?:[1-6*])?>>?/.exec(this.#rest(3));
      if (redirection === null) {
        args.push(this.#listed(() => this.#argument()));
        continue;
      }
      this.#at += redirection[0].length;
      if (this.#take("&")) {
        if (redirection[0].endsWith(">>") || !this.#take("1") || !AFTER_WORD.test(this.#rest(1))) {
          this.#refuse();
        }
        continue;
      }
      this.#blanks(false);
      if (/^\$null(?=$|[\s;|)}])/i.test(this.#rest(6))) {
        this.#at += "$null".length;
      } else {
        redirections.push({ target: this.#argument() });
      }
    }
    return { kind: "command", name, args, redirections, text: this.#text.slice(start, this.#at).trim() };
  }

  /** Reads `value`, or `value, value`. */
  #listed(one: () => Value): Value {
    const items = [one()];
    for (;;) {
      const before = this.#at;
      this.#blanks(false);
      if (!this.#take(",")) {
        this.#at = before;
        return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "list", items };
      }
      this.#blanks(true);
      items.push(one());
    }
  }

  /** Reads one argument of a command. */
  #argument(): Value {
    const next = this.#peek();
    if (next === "$" || next === "(" || next === "'" || next === '"') {
      const value = this.#primary();
      this.#wordEnds();
      return value;
    }
    if (next === "{" || this.#rest(2) === "@{") {
      return this.#primary();
    }
    const word = BARE.exec(this.#rest(10_000))?.[0];
    if (word === undefined || word.startsWith("--%")) {
      this.#refuse();
    }
    this.#at += word.length;
    // `--format='%h %s'` is one word.
    if (/^--[a-z][a-z-]*=$/.test(word) && /^['"]/.test(this.#peek())) {
      const quoted = this.#primary();
      this.#wordEnds();
      const text = quoted.kind === "quoted" && quoted.text !== undefined ? word + quoted.text : undefined;
      return { kind: "quoted", text, runs: quoted.kind === "quoted" ? quoted.runs : [] };
    }
    this.#wordEnds();
    return { kind: "word", text: word };
  }

  #wordEnds(): void {
    if (!AFTER_WORD.test(this.#rest(1)) || (this.#peek() === "&" && this.#rest(2) !== "&&")) {
      this.#refuse();
    }
  }

  /** Reads values with operators between them. */
  #expression(): readonly Value[] {
    const values: Value[] = [];
    for (;;) {
      this.#blanks(false);
      while (/^(?:!|-not(?=[\s(]))/i.test(this.#rest(5))) {
        this.#at += this.#peek() === "!" ? 1 : 4;
        this.#blanks(false);
      }
      values.push(this.#listed(() => this.#primary()));
      this.#blanks(false);
      const operator = OPERATOR.exec(this.#rest(20))?.[0] ?? /^[+*/%-](?=\s)/.exec(this.#rest(2))?.[0];
      if (operator === undefined) {
        return values;
      }
      this.#at += operator.length;
      this.#blanks(true);
    }
  }

  /** Reads one value: a text, a number, a variable, something in brackets, with properties of it. */
  #primary(): Value {
    const next = this.#peek();
    if (next === "'") {
      return this.#singleQuoted();
    }
    if (next === '"') {
      return this.#doubleQuoted();
    }
    if (next === "{") {
      return { kind: "block", runs: this.#bracketed("{", "}") };
    }
    if (this.#rest(2) === "@{") {
      return this.#table();
    }
    if (next === "(" || this.#rest(2) === "$(" || this.#rest(2) === "@(") {
      this.#at += next === "(" ? 0 : 1;
      const runs = this.#bracketed("(", ")");
      return this.#members({ kind: "computed", runs });
    }
    if (next === "$") {
      return this.#members(this.#variable());
    }
    const number = /^-?\d{1,15}(?:\.\d{1,15})?(?:[kmgt]b)?(?=$|[\s;|)},])/i.exec(this.#rest(40))?.[0];
    if (number === undefined) {
      this.#refuse();
    }
    this.#at += number.length;
    return { kind: "word", text: number };
  }

  #variable(): Value {
    const name = /^\$(?:[?_](?!\w)|\w+(?::\w+)?)/.exec(this.#rest(200))?.[0].slice(1);
    if (name === undefined || !isKnownVariable(name)) {
      throw new NotRead(`\`${name === undefined ? this.#shown() : `$${name}`}\` is not a variable that is followed`);
    }
    this.#at += name.length + 1;
    return { kind: "variable", name };
  }

  /** Reads `.Name`, `[0]` and calls of harmless methods after a value. */
  #members(value: Value): Value {
    const runs: Statement[] = value.kind === "computed" ? [...value.runs] : [];
    let isPlain = true;
    for (;;) {
      const index = /^\[-?\d{1,9}\]/.exec(this.#rest(12))?.[0];
      const member = /^\.([A-Za-z]\w*)/.exec(this.#rest(100));
      if (index !== undefined) {
        this.#at += index.length;
      } else if (member === null) {
        return isPlain ? value : { kind: "computed", runs };
      } else {
        if (mayHoldCode(member[1] ?? "")) {
          throw new NotRead(`the property \`${member[1] ?? ""}\` may hold code or secrets`);
        }
        this.#at += member[0].length;
        if (this.#peek() === "(") {
          if (!METHODS.test(member[1] ?? "")) {
            throw new NotRead(`the method \`${member[1] ?? ""}\` may do anything`);
          }
          runs.push(...this.#methodArguments());
        } else if (this.#peek() === "{") {
          this.#refuse();
        }
      }
      isPlain = false;
    }
  }

  #methodArguments(): readonly Statement[] {
    this.#at += 1;
    this.#blanks(true);
    if (this.#take(")")) {
      return [];
    }
    const values = this.#expression();
    this.#blanks(true);
    if (!this.#take(")")) {
      this.#refuse();
    }
    return [{ kind: "pipe", elements: [{ kind: "expression", values }], isConditional: false }];
  }

  #bracketed(opening: "(" | "{", closing: ")" | "}"): readonly Statement[] {
    if (!this.#take(opening)) {
      this.#refuse();
    }
    const found = this.statements(closing);
    if (!this.#take(closing)) {
      this.#refuse();
    }
    return found;
  }

  #table(): Value {
    this.#at += 2;
    const entries: { key: string; value: Value }[] = [];
    for (;;) {
      this.#blanks(true);
      while (this.#take(";")) {
        this.#blanks(true);
      }
      if (this.#take("}")) {
        return { kind: "table", entries };
      }
      const key = /^[A-Za-z]+(?=\s*=)/.exec(this.#rest(60))?.[0];
      if (key === undefined) {
        this.#refuse();
      }
      this.#at += key.length;
      this.#blanks(false);
      this.#at += 1;
      this.#blanks(false);
      entries.push({ key: key.toLowerCase(), value: this.#primary() });
      this.#blanks(false);
      if (!/^[;}\r\n]/.test(this.#peek())) {
        this.#refuse();
      }
    }
  }

  #singleQuoted(): Value {
    if (this.#isQuoted) {
      this.#refuse();
    }
    const found = /^'([^']*(?:''[^']*)*)'/.exec(this.#text.slice(this.#at));
    if (found === null) {
      this.#refuse();
    }
    this.#at += found[0].length;
    return { kind: "quoted", text: (found[1] ?? "").replaceAll("''", "'"), runs: [] };
  }

  #doubleQuoted(): Value {
    if (this.#isQuoted) {
      this.#refuse();
    }
    this.#at += 1;
    const start = this.#at;
    const runs: Statement[] = [];
    let isLiteral = true;
    for (;;) {
      this.#at += /^[^"$`]*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
      if (this.#rest(2).startsWith('"')) {
        if (this.#rest(2) === '""') {
          this.#refuse();
        }
        const text = this.#text.slice(start, this.#at);
        this.#at += 1;
        return { kind: "quoted", text: isLiteral ? text : undefined, runs };
      }
      if (this.#peek() !== "$") {
        this.#refuse();
      }
      isLiteral = false;
      if (this.#rest(2) === "$(") {
        this.#at += 1;
        this.#isQuoted = true;
        runs.push(...this.#bracketed("(", ")"));
        this.#isQuoted = false;
      } else {
        this.#variable();
      }
    }
  }

  /** Skips blanks and comments. @param lines whether the ends of lines are blanks, too */
  #blanks(lines: boolean): void {
    for (;;) {
      const blank = /^(?:[ \t]+|#[^\r\n]*)/.exec(this.#text.slice(this.#at))?.[0] ?? "";
      // In quoted text, PowerShell looks for the closing bracket before it reads comments.
      if (/^#requires/i.test(blank) || (this.#isQuoted && blank.startsWith("#"))) {
        this.#refuse();
      }
      if (blank !== "") {
        this.#at += blank.length;
      } else if (lines && /^[\r\n]/.test(this.#peek())) {
        this.#at += 1;
      } else {
        return;
      }
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #rest(length: number): string {
    return this.#text.slice(this.#at, this.#at + length);
  }

  #take(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    this.#at += isNext ? text.length : 0;
    return isNext;
  }

  #takeAny(texts: readonly string[]): string | undefined {
    return texts.find((text) => this.#take(text));
  }

  #shown(): string {
    return this.#text.slice(this.#at, this.#at + 40).split(/[\r\n]/)[0] ?? "";
  }

  #refuse(): never {
    throw new NotRead(
      this.#shown() === "" ? "it ends where more is expected" : `\`${this.#shown()}\` is not understood`,
    );
  }
}
