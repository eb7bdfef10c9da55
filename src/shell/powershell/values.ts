/** Reads the values of a line for PowerShell: words, texts, variables with their properties, lists, tables and blocks. */
import { Cursor, NotRead } from "./cursor.js";
import { mayHoldCode } from "./members.js";
import type { Statement, Value } from "./tree.js";
import { isKnownVariable } from "./variables.js";

/** What may follow a word directly. */
export const AFTER_WORD = /^(?:$|[\s;|)},&])/;

/** The characters of a word without quotes that mean nothing but themselves, wherever they are in it. */
const BARE = /^[\w./\\*?=+%^~!\p{L}-][\w./\\*?:=+%^~!@#\p{L}\p{M}\p{N}-]*/u;

/** Comparisons and arithmetic. None of them runs a value. */
const OPERATOR =
  /^-(?:[ci]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|in|notin|contains|notcontains|replace|split)|and|or|xor|join|f|band|bor)(?=[\s('"$])/i;

/** Methods of texts that only return something, where objects of other kinds do not do more under the same name. */
const METHODS =
  /^(?:ToString|Trim|TrimStart|TrimEnd|ToLower|ToUpper|StartsWith|EndsWith|Contains|Substring|IndexOf|Split)$/i;

/** Reads values; what reads statements extends it, since blocks and parentheses contain them. */
export abstract class Values extends Cursor {
  /** Reads statements up to a closing bracket, which it leaves. */
  abstract statements(closing: ")" | "}" | undefined): readonly Statement[];

  protected bracketed(opening: "(" | "{", closing: ")" | "}"): readonly Statement[] {
    if (!this.take(opening)) {
      this.refuse();
    }
    const found = this.statements(closing);
    if (!this.take(closing)) {
      this.refuse();
    }
    return found;
  }

  /** Reads `value`, or `value, value`. */
  protected listed(one: () => Value): Value {
    const items = [one()];
    for (;;) {
      const before = this.at;
      this.blanks(false);
      if (!this.take(",")) {
        this.at = before;
        return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "list", items };
      }
      this.blanks(true);
      items.push(one());
    }
  }

  /** Reads one argument of a command. */
  protected argument(): Value {
    const next = this.peek();
    if (next === "$" || next === "(" || next === "'" || next === '"') {
      const value = this.#primary();
      this.#wordEnds();
      return value;
    }
    if (next === "{" || this.rest(2) === "@{") {
      return this.#primary();
    }
    const word = BARE.exec(this.rest(10_000))?.[0];
    if (word === undefined || word.startsWith("--%")) {
      this.refuse();
    }
    this.at += word.length;
    // `--format='%h %s'` is one word.
    if (/^--[a-z][a-z-]*=$/.test(word) && /^['"]/.test(this.peek())) {
      const quoted = this.#primary();
      this.#wordEnds();
      const text = quoted.kind === "quoted" && quoted.text !== undefined ? word + quoted.text : undefined;
      return { kind: "quoted", text, runs: quoted.kind === "quoted" ? quoted.runs : [] };
    }
    this.#wordEnds();
    return { kind: "word", text: word };
  }

  #wordEnds(): void {
    if (!AFTER_WORD.test(this.rest(1)) || (this.peek() === "&" && this.rest(2) !== "&&")) {
      this.refuse();
    }
  }

  /** Reads values with operators between them. */
  protected expression(): readonly Value[] {
    const values: Value[] = [];
    for (;;) {
      this.blanks(false);
      while (/^(?:!|-not(?=[\s(]))/i.test(this.rest(5))) {
        this.at += this.peek() === "!" ? 1 : 4;
        this.blanks(false);
      }
      values.push(this.listed(() => this.#primary()));
      this.blanks(false);
      const operator = OPERATOR.exec(this.rest(20))?.[0] ?? /^[+*/%-](?=\s)/.exec(this.rest(2))?.[0];
      if (operator === undefined) {
        return values;
      }
      this.at += operator.length;
      this.blanks(true);
    }
  }

  /** Reads one value: a text, a number, a variable, something in brackets, with properties of it. */
  #primary(): Value {
    const next = this.peek();
    if (next === "'") {
      return this.#singleQuoted();
    }
    if (next === '"') {
      return this.#doubleQuoted();
    }
    if (next === "{") {
      return { kind: "block", runs: this.bracketed("{", "}") };
    }
    if (this.rest(2) === "@{") {
      return this.#table();
    }
    if (next === "(" || this.rest(2) === "$(" || this.rest(2) === "@(") {
      this.at += next === "(" ? 0 : 1;
      const runs = this.bracketed("(", ")");
      return this.#members({ kind: "computed", runs });
    }
    if (next === "$") {
      return this.#members(this.#variable());
    }
    const number = /^-?\d{1,15}(?:\.\d{1,15})?(?:[kmgt]b)?(?=$|[\s;|)},])/i.exec(this.rest(40))?.[0];
    if (number === undefined) {
      this.refuse();
    }
    this.at += number.length;
    return { kind: "word", text: number };
  }

  #variable(): Value {
    const name = /^\$(?:[?_](?!\w)|\w+(?::\w+)?)/.exec(this.rest(200))?.[0].slice(1);
    if (name === undefined || !isKnownVariable(name)) {
      throw new NotRead(`\`${name === undefined ? this.shown() : `$${name}`}\` is not a variable that is followed`);
    }
    this.at += name.length + 1;
    return { kind: "variable", name };
  }

  /** Reads `.Name`, `[0]` and calls of harmless methods after a value. */
  #members(value: Value): Value {
    const runs: Statement[] = value.kind === "computed" ? [...value.runs] : [];
    let isPlain = true;
    for (;;) {
      const index = /^\[-?\d{1,9}\]/.exec(this.rest(12))?.[0];
      const member = /^\.([A-Za-z]\w*)/.exec(this.rest(100));
      if (index !== undefined) {
        this.at += index.length;
      } else if (member === null) {
        return isPlain ? value : { kind: "computed", runs };
      } else {
        if (mayHoldCode(member[1] ?? "")) {
          throw new NotRead(`the property \`${member[1] ?? ""}\` may hold code or secrets`);
        }
        this.at += member[0].length;
        if (this.peek() === "(") {
          if (!METHODS.test(member[1] ?? "")) {
            throw new NotRead(`the method \`${member[1] ?? ""}\` may do anything`);
          }
          runs.push(...this.#methodArguments());
        } else if (this.peek() === "{") {
          this.refuse();
        }
      }
      isPlain = false;
    }
  }

  #methodArguments(): readonly Statement[] {
    this.at += 1;
    this.blanks(true);
    if (this.take(")")) {
      return [];
    }
    const values = this.expression();
    this.blanks(true);
    if (!this.take(")")) {
      this.refuse();
    }
    return [{ kind: "pipe", elements: [{ kind: "expression", values }], isConditional: false }];
  }

  #table(): Value {
    this.at += 2;
    const entries: { key: string; value: Value }[] = [];
    for (;;) {
      this.blanks(true);
      while (this.take(";")) {
        this.blanks(true);
      }
      if (this.take("}")) {
        return { kind: "table", entries };
      }
      const key = /^[A-Za-z]+(?=\s*=)/.exec(this.rest(60))?.[0];
      if (key === undefined) {
        this.refuse();
      }
      this.at += key.length;
      this.blanks(false);
      this.at += 1;
      this.blanks(false);
      entries.push({ key: key.toLowerCase(), value: this.#primary() });
      this.blanks(false);
      if (!/^[;}\r\n]/.test(this.peek())) {
        this.refuse();
      }
    }
  }

  #singleQuoted(): Value {
    if (this.isQuoted) {
      this.refuse();
    }
    const found = /^'([^']*(?:''[^']*)*)'/.exec(this.text.slice(this.at));
    if (found === null) {
      this.refuse();
    }
    this.at += found[0].length;
    return { kind: "quoted", text: (found[1] ?? "").replaceAll("''", "'"), runs: [] };
  }

  #doubleQuoted(): Value {
    if (this.isQuoted) {
      this.refuse();
    }
    this.at += 1;
    const start = this.at;
    const runs: Statement[] = [];
    let isLiteral = true;
    for (;;) {
      this.at += /^[^"$`]*/.exec(this.text.slice(this.at))?.[0].length ?? 0;
      if (this.rest(2).startsWith('"')) {
        if (this.rest(2) === '""') {
          this.refuse();
        }
        const text = this.text.slice(start, this.at);
        this.at += 1;
        return { kind: "quoted", text: isLiteral ? text : undefined, runs };
      }
      if (this.peek() !== "$") {
        this.refuse();
      }
      isLiteral = false;
      if (this.rest(2) === "$(") {
        this.at += 1;
        this.isQuoted = true;
        runs.push(...this.bracketed("(", ")"));
        this.isQuoted = false;
      } else {
        this.#variable();
      }
    }
  }
}
