/**
 * Reads a line as PowerShell 5.1 and 7 do (its tokenizer.cs and Parser.cs), where both read it alike. Everything else
 * is refused: a line is understood as a whole or not at all.
 */
import { NotRead } from "./cursor.js";
import type { Command, Expression, FileRedirection, Statement, Value } from "./tree.js";
import { AFTER_WORD, Values } from "./values.js";
import { mayBeAssigned } from "./variables.js";

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

/** Reads a line. @throws NotRead */
export function readLine(text: string): readonly Statement[] {
  const reader = new Reader(text);
  const statements = reader.statements(undefined);
  reader.atEnd();
  return statements;
}

class Reader extends Values {
  #depth = 0;

  atEnd(): void {
    if (this.at < this.text.length) {
      this.refuse();
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
      this.blanks(true);
      while (!isConditional && this.take(";")) {
        this.blanks(true);
      }
      if (this.at >= this.text.length || this.peek() === closing) {
        break;
      }
      found.push(this.#statement(isConditional));
      this.blanks(false);
      isConditional = this.takeAny(["&&", "||"]) !== undefined;
      if (
        !isConditional &&
        !/^(?:$|[;\r\n])/.test(this.rest(1)) &&
        this.peek() !== closing &&
        found.at(-1)?.kind !== "if"
      ) {
        this.refuse();
      }
    }
    if (isConditional) {
      this.refuse();
    }
    this.#depth -= 1;
    return found;
  }

  #statement(isConditional: boolean): Statement {
    const assigned = /^\$(\w+)[ \t]*=(?![=])/.exec(this.rest(80));
    if (assigned !== null) {
      if (!mayBeAssigned(assigned[1] ?? "")) {
        throw new NotRead(`\`$${assigned[1] ?? ""}\` may be a variable that PowerShell reads`);
      }
      this.at += assigned[0].length;
      this.blanks(false);
      return { kind: "assignment", value: [this.#statement(false)] };
    }
    const keyword = /^[A-Za-z]+(?=$|[\s({;])/.exec(this.rest(40))?.[0].toLowerCase();
    if (keyword === "if" && !isConditional) {
      return this.#if();
    }
    if (keyword !== undefined && (keyword === "if" || KEYWORDS.has(keyword))) {
      throw new NotRead(`\`${keyword}\` is not followed`);
    }
    const elements: (Command | Expression)[] = [this.#element(true)];
    for (this.blanks(false); this.peek() === "|" && !this.rest(2).startsWith("||"); this.blanks(false)) {
      this.at += 1;
      this.blanks(true);
      elements.push(this.#element(false));
    }
    return { kind: "pipe", elements, isConditional };
  }

  #if(): Statement {
    const parts: (readonly Statement[])[] = [];
    const condition = (): void => {
      this.blanks(false);
      parts.push(this.bracketed("(", ")"));
      this.blanks(true);
      parts.push(this.bracketed("{", "}"));
    };
    this.at += 2;
    condition();
    for (;;) {
      const before = this.at;
      this.blanks(true);
      const word = /^(?:elseif|else)(?=[\s({])/i.exec(this.rest(8))?.[0].toLowerCase();
      if (word === undefined) {
        this.at = before;
        return { kind: "if", parts };
      }
      this.at += word.length;
      if (word === "elseif") {
        condition();
      } else {
        this.blanks(true);
        parts.push(this.bracketed("{", "}"));
        return { kind: "if", parts };
      }
    }
  }

  #element(isFirst: boolean): Command | Expression {
    const next = this.peek();
    if (isFirst && (/^['"$(]/.test(next) || /^(?:\d+(?=$|[\s;|)}])|-not\s|!\s*[($]|@\{|@\()/.test(this.rest(20)))) {
      return { kind: "expression", values: this.expression() };
    }
    return this.#command();
  }

  #command(): Command {
    const start = this.at;
    // `%` and `?` are names; a name in quotes, a variable or a block would need `&` or `.`, which are not followed.
    const name = /^(?:[%?](?=[\s{])|[A-Za-z.~\\/][\w.\\/~:-]*)/.exec(this.rest(1_000))?.[0];
    if (name === undefined || /^\.+$/.test(name) || /^\.[\d]/.test(name)) {
      this.refuse();
    }
    this.at += name.length;
    if (
      !/^(?:$|[\s;|)}{(])/.test(this.rest(1)) ||
      this.peek() === "(" ||
      (this.peek() === "{" && !/^[%?]$/.test(name))
    ) {
      this.refuse();
    }
    const args: Value[] = [];
    const redirections: FileRedirection[] = [];
    for (this.blanks(false); !/^(?:$|[\r\n;|)}]|&&)/.test(this.rest(2)); this.blanks(false)) {
      const redirection = /^(?:[1-6*])?>>?/.exec(this.rest(3));
      if (redirection === null) {
        args.push(this.listed(() => this.argument()));
        continue;
      }
      this.at += redirection[0].length;
      if (this.take("&")) {
        if (redirection[0].endsWith(">>") || !this.take("1") || !AFTER_WORD.test(this.rest(1))) {
          this.refuse();
        }
        continue;
      }
      this.blanks(false);
      if (/^\$null(?=$|[\s;|)}])/i.test(this.rest(6))) {
        this.at += "$null".length;
      } else {
        redirections.push({ target: this.argument() });
      }
    }
    return { kind: "command", name, args, redirections, text: this.text.slice(start, this.at).trim() };
  }
}
