/** How a file's angle brackets read: `none`, never as JSX; `tsx`, as JSX or type parameters; `jsx`, as JSX. */
export type JsxRule = "none" | "tsx" | "jsx";

/** Where a module specifier stands between its quotes. */
export interface SpecifierPlace {
  start: number;
  end: number;
  /** Of `/// <reference path>`, where a bare name is relative, too. */
  isReference: boolean;
}

export interface ScannedImports {
  /** In the order of the text. */
  places: SpecifierPlace[];
  /** Whether the text was understood to its end; otherwise only places before the first doubt are given. */
  complete: boolean;
}

/** Words after which an expression begins: a `/` is a regular expression, a `<` an element. */
const BEFORE_EXPRESSION = new Set(
  ["return", "typeof", "case", "do", "else", "in", "of", "instanceof", "new", "void", "delete", "throw", "await", "yield", "default", "extends", "export"],
);
/** Functions of test runners that name a module by its path. */
const MOCKS = new Set(["mock", "doMock", "unmock", "doUnmock", "dontMock", "setMock", "requireActual", "requireMock", "importActual", "importMock"]);
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\d[\w.]*/y;
const REFERENCE = /^\/\/\/[ \t]*<reference[ \t]+path[ \t]*=[ \t]*(["'])([^"'\r\n]*)\1/;
/** Type parameters of a function where an element could stand: no element begins so. */
const TYPE_PARAMETERS = /<\s*(?:const\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*(?:,|extends\s|=[^>])/uy;
/** `<T>(`, which is an element when it is closed somewhere. */
const BARE_TAG = /<([\p{ID_Start}$_][\p{ID_Continue}$]*)>\s*\(/uy;
/** Characters of type arguments between a function's name and its parenthesis. */
const MAX_TYPE_ARGUMENTS = 500;
/** Names of elements that are looked for; each takes one pass over the text. */
const MAX_TAG_NAMES = 200;

/** What is open: a bracket, a template, an expression in one (`$`), a tag, or what stands between two tags. */
type Frame = "{" | "(" | "[" | "`" | "$" | "tag" | "children";

/**
 * Finds module specifiers in JavaScript or TypeScript: of `import`, `export … from`, `import()`, `require()`, test runners'
 * mocks and triple-slash references. Never in comments, other strings, templates, regular expressions or the text of elements.
 *
 * One pass, no recursion, total. It knows no grammar: where a `/` or `<` may mean two things it takes the likelier, and a text
 * whose brackets and strings do not come out even afterwards counts only as far as there was no such choice.
 */
export function scanImports(text: string, jsx: JsxRule, from = 0, to = text.length): ScannedImports {
  return new Scanner(text, jsx, from, to).scan();
}

class Scanner {
  readonly #text: string;
  readonly #jsx: JsxRule;
  readonly #end: number;
  #at: number;
  readonly #open: Frame[] = [];
  readonly #places = new Map<number, SpecifierPlace>();
  /** Whether what was read last is a value: then `/` divides and `<` compares. */
  #isAfterValue = false;
  #isAfterDot = false;
  #isAtTop = true;
  /** Where it began to choose. */
  #doubt: number | undefined;
  #isBroken = false;
  readonly #closingTags = new Map<string, number>();

  constructor(text: string, jsx: JsxRule, from: number, to: number) {
    this.#text = text;
    this.#jsx = jsx;
    this.#at = from;
    this.#end = to;
  }

  scan(): ScannedImports {
    if (this.#text.startsWith("#!", this.#at)) {
      this.#at = this.#lineEnd(this.#at);
    }
    while (this.#at < this.#end) {
      switch (this.#open.at(-1)) {
        case "`":
          this.#template();
          break;
        case "tag":
          this.#tag();
          break;
        case "children":
          this.#children();
          break;
        default:
          this.#code();
      }
    }
    const complete = !this.#isBroken && this.#open.length === 0;
    const places = [...this.#places.values()].sort((a, b) => a.start - b.start);
    return { places: complete ? places : places.filter(({ start }) => start < (this.#doubt ?? this.#end)), complete };
  }

  #code(): void {
    const at = this.#at;
    const character = this.#text[at] ?? "";
    const afterTrivia = this.#skipTrivia(at, true);
    if (afterTrivia !== at) {
      this.#at = afterTrivia;
      return;
    }
    this.#isAtTop = false;
    const word = this.#match(WORD, at);
    if (word !== undefined) {
      this.#word(word);
      return;
    }
    const isAfterDot = this.#isAfterDot;
    this.#isAfterDot = false;
    const number = this.#match(NUMBER, at);
    if (number !== undefined) {
      this.#step(number.length, true);
      return;
    }
    switch (character) {
      case '"':
      case "'":
        this.#string();
        return;
      case "`":
        this.#doubtAt(at);
        this.#push("`");
        return;
      case "{":
      case "(":
      case "[":
        this.#push(character);
        return;
      case "}":
      case ")":
      case "]":
        this.#close(character);
        return;
      case ".":
        if (this.#text.startsWith("...", at)) {
          this.#step(3, false);
        } else {
          this.#isAfterDot = !isAfterDot;
          this.#step(1, false);
        }
        return;
      case "/":
        this.#slash();
        return;
      case "<":
        if (this.#beginsElement()) {
          this.#doubtAt(at);
          this.#push(this.#text[at + 1] === ">" ? "children" : "tag");
          this.#at += this.#text[at + 1] === ">" ? 1 : 0;
        } else {
          this.#step(1, false);
        }
        return;
      case "+":
      case "-":
        // `x++` is a value as `x` is.
        this.#step(this.#text[at + 1] === character ? 2 : 1, this.#text[at + 1] === character && this.#isAfterValue);
        return;
      case "!":
        // TypeScript's `x!`.
        this.#step(1, this.#isAfterValue && this.#text[at + 1] !== "=");
        return;
      default:
        this.#step(1, false);
    }
  }

  #word(word: string): void {
    const isProperty = this.#isAfterDot;
    const next = this.#at + word.length;
    this.#isAfterDot = false;
    this.#step(word.length, isProperty || !BEFORE_EXPRESSION.has(word));
    if (isProperty) {
      return;
    }
    switch (word) {
      case "import":
        if (!this.#call(next) && this.#open.length === 0) {
          this.#clause(next);
        }
        return;
      case "export":
        if (this.#open.length === 0 && /[{*t]/.test(this.#text[this.#skipTrivia(next)] ?? "")) {
          this.#clause(next);
        }
        return;
      case "require":
        if (!this.#call(next)) {
          const method = this.#method(next);
          if (method?.name === "resolve") {
            this.#call(method.end);
          }
        }
        return;
      case "jest":
      case "vi": {
        const method = this.#method(next);
        if (method !== undefined && MOCKS.has(method.name)) {
          this.#call(this.#skipTypeArguments(method.end));
        }
      }
    }
  }

  /** `("x")` or `("x", …`: the module that a call names. Anything but one plain string is left alone. */
  #call(at: number): boolean {
    const open = this.#skipTrivia(at);
    if (this.#text[open] !== "(") {
      return false;
    }
    const string = this.#plainString(this.#skipTrivia(open + 1));
    if (string !== undefined && /[),]/.test(this.#text[this.#skipTrivia(string.end + 1)] ?? "")) {
      this.#add(string);
    }
    return true;
  }

  #method(at: number): { name: string; end: number } | undefined {
    const dot = this.#skipTrivia(at);
    if (this.#text[dot] !== ".") {
      return undefined;
    }
    const start = this.#skipTrivia(dot + 1);
    const name = this.#match(WORD, start);
    return name === undefined ? undefined : { name, end: start + name.length };
  }

  /** Behind `<typeof import("./a")>`. */
  #skipTypeArguments(at: number): number {
    const start = this.#skipTrivia(at);
    let depth = 0;
    for (let place = start; place < Math.min(this.#end, start + MAX_TYPE_ARGUMENTS); place++) {
      const character = this.#text[place];
      depth += character === "<" ? 1 : character === ">" && this.#text[place - 1] !== "=" ? -1 : 0;
      if (depth === 0) {
        return character === ">" ? place + 1 : start;
      }
    }
    return start;
  }

  /** What stands between `import` or `export` and its module: names, in braces or not. */
  #clause(from: number): void {
    let isInBraces = false;
    let isFirst = true;
    for (let at = this.#skipTrivia(from); at < this.#end; at = this.#skipTrivia(at), isFirst = false) {
      const character = this.#text[at] ?? "";
      const word = this.#match(WORD, at);
      if (word !== undefined) {
        if (!isInBraces && (word === "import" || word === "export")) {
          return;
        }
        at += word.length;
        const string = word === "from" && !isInBraces ? this.#plainString(this.#skipTrivia(at)) : undefined;
        if (string !== undefined) {
          this.#add(string);
          return;
        }
      } else if (character === '"' || character === "'") {
        const string = this.#plainString(at);
        if (isFirst && string !== undefined) {
          this.#add(string);
        }
        // A name of an export may be a string, too.
        if (!isInBraces || string === undefined) {
          return;
        }
        at = string.end + 1;
      } else if ((character === "{" && !isInBraces) || (character === "}" && isInBraces)) {
        isInBraces = character === "{";
        at++;
      } else if (character === "," || character === "*") {
        at++;
      } else {
        return;
      }
    }
  }

  /** A string without escapes that ends on its line. */
  #plainString(at: number): { start: number; end: number } | undefined {
    const quote = this.#text[at];
    if (at >= this.#end || (quote !== '"' && quote !== "'")) {
      return undefined;
    }
    const end = this.#stringEnd(at);
    return end === undefined || this.#text.slice(at, end).includes("\\") ? undefined : { start: at + 1, end };
  }

  #add({ start, end }: { start: number; end: number }, isReference = false): void {
    this.#places.set(start, { start, end, isReference });
  }

  #string(): void {
    const end = this.#stringEnd(this.#at);
    if (end === undefined) {
      // Text that is no string: an apostrophe where words stand.
      this.#breakAt(this.#at);
    }
    this.#at = end === undefined ? this.#lineEnd(this.#at) : end + 1;
    this.#isAfterValue = true;
  }

  /** The place of the closing quote; undefined when the line ends before it. */
  #stringEnd(from: number): number | undefined {
    const quote = this.#text[from];
    for (let at = from + 1; at < this.#end; at++) {
      const character = this.#text[at];
      if (character === quote) {
        return at;
      }
      if (character === "\\") {
        at += this.#text.startsWith("\r\n", at + 1) ? 2 : 1;
      } else if (character === "\n" || character === "\r") {
        return undefined;
      }
    }
    return undefined;
  }

  #template(): void {
    const text = this.#text;
    while (this.#at < this.#end) {
      const character = text[this.#at];
      if (character === "`") {
        this.#open.pop();
        this.#step(1, true);
        return;
      }
      if (character === "$" && text[this.#at + 1] === "{") {
        this.#push("$");
        this.#at++;
        return;
      }
      this.#at += character === "\\" ? 2 : 1;
    }
  }

  #tag(): void {
    const text = this.#text;
    let depth = 0;
    while (this.#at < this.#end) {
      const character = text[this.#at] ?? "";
      const afterComment = this.#skipTrivia(this.#at);
      if (afterComment !== this.#at) {
        this.#at = afterComment;
      } else if (character === "/" && text[this.#at + 1] === ">") {
        this.#open.pop();
        this.#step(2, true);
        return;
      } else if (character === ">" && depth === 0) {
        this.#open.pop();
        this.#push("children");
        return;
      } else if (character === "{") {
        this.#push("{");
        return;
      } else if (character === '"' || character === "'") {
        // Strings of elements span lines and know no escapes.
        const end = text.indexOf(character, this.#at + 1);
        this.#at = end < 0 || end >= this.#end ? this.#end : end + 1;
      } else {
        // Type arguments: `<List<string> items={…}>`.
        depth += character === "<" ? 1 : character === ">" ? -1 : 0;
        this.#at++;
      }
    }
  }

  #children(): void {
    const text = this.#text;
    while (this.#at < this.#end) {
      const character = text[this.#at];
      if (character === "{") {
        this.#push("{");
        return;
      }
      if (character === "<" && text[this.#at + 1] === "/") {
        const end = text.indexOf(">", this.#at);
        this.#open.pop();
        this.#at = end < 0 ? this.#end : end;
        this.#step(1, true);
        return;
      }
      if (character === "<") {
        const isFragment = text[this.#at + 1] === ">";
        this.#push(isFragment ? "children" : "tag");
        this.#at += isFragment ? 1 : 0;
        return;
      }
      this.#at++;
    }
  }

  #slash(): void {
    if (this.#isAfterValue) {
      this.#step(1, false);
      return;
    }
    this.#doubtAt(this.#at);
    let isInClass = false;
    for (let at = this.#at + 1; at < this.#end; at++) {
      const character = this.#text[at];
      if (character === "\n" || character === "\r") {
        break;
      }
      if (character === "/" && !isInClass) {
        this.#at = at;
        this.#step(1, true);
        return;
      }
      isInClass = character === "[" || (isInClass && character !== "]");
      at += character === "\\" ? 1 : 0;
    }
    this.#breakAt(this.#at);
    this.#step(1, false);
  }

  #beginsElement(): boolean {
    const next = this.#text[this.#at + 1] ?? "";
    if (this.#jsx === "none" || this.#isAfterValue || !/[\p{ID_Start}$_>]/u.test(next)) {
      return false;
    }
    if (this.#jsx === "jsx") {
      return true;
    }
    if (this.#match(TYPE_PARAMETERS, this.#at) !== undefined) {
      return false;
    }
    BARE_TAG.lastIndex = this.#at;
    const name = BARE_TAG.exec(this.#text)?.[1];
    return name === undefined || this.#closingTag(name) > this.#at;
  }

  #closingTag(name: string): number {
    const known = this.#closingTags.get(name);
    if (known !== undefined || this.#closingTags.size >= MAX_TAG_NAMES) {
      return known ?? -1;
    }
    const last = this.#text.lastIndexOf(`</${name}`);
    this.#closingTags.set(name, last);
    return last;
  }

  #push(frame: Frame): void {
    this.#open.push(frame);
    this.#step(1, false);
  }

  #close(character: "}" | ")" | "]"): void {
    const open = this.#open.at(-1);
    const opener = { "}": "{", ")": "(", "]": "[" }[character];
    if (open === opener || (open === "$" && character === "}")) {
      this.#open.pop();
    } else {
      this.#breakAt(this.#at);
    }
    this.#step(1, true);
  }

  #step(characters: number, isAfterValue: boolean): void {
    this.#at += characters;
    this.#isAfterValue = isAfterValue;
  }

  #doubtAt(at: number): void {
    this.#doubt ??= at;
  }

  #breakAt(at: number): void {
    this.#isBroken = true;
    this.#doubtAt(at);
  }

  #match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text)?.[0];
    return found === undefined || at + found.length > this.#end ? undefined : found;
  }

  /** Behind blanks and comments. @param takes whether what the comments say counts: references, a comment that never ends */
  #skipTrivia(from: number, takes = false): number {
    let at = from;
    while (at < this.#end) {
      if (/\s/.test(this.#text[at] ?? "")) {
        at++;
      } else if (this.#text.startsWith("//", at)) {
        const end = this.#lineEnd(at);
        if (takes && this.#isAtTop) {
          this.#reference(at, end);
        }
        at = end;
      } else if (this.#text.startsWith("/*", at)) {
        const end = this.#text.indexOf("*/", at + 2);
        if (end < 0 || end + 2 > this.#end) {
          if (takes) {
            this.#breakAt(at);
          }
          return this.#end;
        }
        at = end + 2;
      } else {
        return at;
      }
    }
    return at;
  }

  #reference(at: number, end: number): void {
    const found = REFERENCE.exec(this.#text.slice(at, end));
    if (found !== null) {
      const [whole, , path = ""] = found;
      this.#add({ start: at + whole.length - 1 - path.length, end: at + whole.length - 1 }, true);
    }
  }

  #lineEnd(at: number): number {
    for (let end = at; end < this.#end; end++) {
      const character = this.#text[end];
      if (character === "\n" || character === "\r") {
        return end;
      }
    }
    return this.#end;
  }
}
