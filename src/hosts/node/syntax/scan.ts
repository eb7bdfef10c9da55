// Reads symbols and uses of a name from a syntax tree, in one walk.
import type { Node, Tree, TreeCursor } from "web-tree-sitter";
import type { CodeRange } from "../../../ports/code.js";
import type { NameUse, SyntaxScan, SyntaxSymbol } from "../../../ports/syntax.js";
import { TextPlaces } from "../../../text/textPlaces.js";
import { declaredName, namesBeside } from "./declaredName.js";
import { CALLS, FUNCTIONS, HERITAGE, type SyntaxLanguage } from "./languages.js";

/** Maximum nodes of a tree: more than any text has that is parsed. */
const MAX_NODES = 3_000_000;

/** An ancestor of the node where the walk is. */
interface Level {
  type: string;
  field: string | null;
  /** What it declares. */
  symbol?: SyntaxSymbol;
  /** Whether names in it are of what the class around it extends. */
  isHeritage: boolean;
}

/** Returns what a tree has; undefined if it is too large. */
export function scanTree(
  tree: Tree,
  text: string,
  language: SyntaxLanguage,
  name: string | undefined,
): SyntaxScan | undefined {
  const cursor = tree.walk();
  try {
    const walk = new Walk(cursor, text, language, name);
    if (!walk.run()) {
      return undefined;
    }
    const { symbols, uses, misfit } = walk;
    const { hasError: hasErrors } = tree.rootNode;
    return { symbols, uses, hasErrors, isBroken: hasErrors && (symbols.length === 0 || misfit > text.length / 2) };
  } finally {
    cursor.delete();
  }
}

class Walk {
  readonly symbols: SyntaxSymbol[] = [];
  readonly uses: NameUse[] = [];
  /** Length of what does not fit the grammar. */
  misfit = 0;
  readonly #cursor: TreeCursor;
  readonly #text: string;
  readonly #places: TextPlaces;
  readonly #language: SyntaxLanguage;
  readonly #name: string | undefined;
  readonly #levels: Level[] = [];
  /** Offsets of names in declarations. */
  readonly #declared = new Set<number>();

  constructor(cursor: TreeCursor, text: string, language: SyntaxLanguage, name: string | undefined) {
    this.#cursor = cursor;
    this.#text = text;
    this.#places = new TextPlaces(text);
    this.#language = language;
    this.#name = name;
  }

  /** @returns whether it came to the end */
  run(): boolean {
    for (let left = MAX_NODES; left > 0; left--) {
      const level = this.#enter();
      if (this.#cursor.gotoFirstChild()) {
        this.#levels.push(level);
        continue;
      }
      this.#leaf(level);
      while (!this.#cursor.gotoNextSibling()) {
        if (!this.#cursor.gotoParent()) {
          return true;
        }
        this.#levels.pop();
      }
    }
    return false;
  }

  #enter(): Level {
    const { nodeType: type, nodeIsNamed: isNamed } = this.#cursor;
    const parent = this.#levels.at(-1);
    const field = this.#cursor.currentFieldName;
    if (type === "ERROR" && !this.#levels.some((level) => level.type === "ERROR")) {
      this.misfit += this.#cursor.endIndex - this.#cursor.startIndex;
    }
    const isHeritage =
      (parent?.isHeritage === true && type !== "type_arguments" && parent.symbol === undefined) ||
      HERITAGE.has(type) ||
      field === "superclasses" ||
      (field === "trait" && parent?.type === "impl_item");
    const symbol = isNamed ? this.#declaration(type, parent) : undefined;
    return { type, field, isHeritage, ...(symbol && { symbol }) };
  }

  #declaration(type: string, parent: Level | undefined): SyntaxSymbol | undefined {
    const kind =
      this.#language.declares[type] ??
      (type === "property_identifier" && parent?.type === "enum_body" ? "enum member" : undefined);
    if (kind === undefined || (VARIABLES.has(kind) && this.#isLocal())) {
      return undefined;
    }
    const node = this.#cursor.currentNode;
    const found = declaredName(node, parent?.type);
    if (found === undefined) {
      return undefined;
    }
    const { name, container } = found;
    const outer = this.#levels.findLast((level) => level.symbol !== undefined)?.symbol;
    const symbol: SyntaxSymbol = {
      name: this.#textOf(name),
      kind: this.#kindOf(kind, node, outer),
      container: [
        ...(outer === undefined ? [] : [...outer.container, outer.name]),
        ...(container === undefined ? [] : [this.#textOf(container)]),
      ],
      nameAt: this.#places.at(name.startIndex),
      range: this.#range(node.startIndex, node.endIndex),
      bases: [],
    };
    for (const each of [name, ...namesBeside(node, name)]) {
      this.#declared.add(each.startIndex);
      this.symbols.push(
        each === name ? symbol : { ...symbol, name: this.#textOf(each), nameAt: this.#places.at(each.startIndex) },
      );
    }
    return symbol;
  }

  #kindOf(kind: string, node: Node, outer: SyntaxSymbol | undefined): string {
    if (kind === "variable" && /function/.test(node.childForFieldName("value")?.type ?? "")) {
      return "function";
    }
    const isMember = outer !== undefined && ["class", "struct", "interface", "implementation"].includes(outer.kind);
    return kind === "function" && isMember ? "method" : kind;
  }

  /** Whether the walk is inside of a function, whose variables are nobody else's. */
  #isLocal(): boolean {
    return this.#levels.some(
      ({ type, symbol }) =>
        (symbol !== undefined && FUNCTIONS.has(symbol.kind) && symbol.kind !== "constructor") ||
        UNNAMED_FUNCTIONS.test(type),
    );
  }

  #leaf(level: Level): void {
    const { startIndex, endIndex } = this.#cursor;
    if (!isName(level.type)) {
      return;
    }
    if (level.isHeritage) {
      const heir = this.#levels.findLast(({ symbol }) => symbol !== undefined)?.symbol;
      (heir?.bases as string[] | undefined)?.push(this.#text.slice(startIndex, endIndex));
    }
    if (this.#name !== undefined && this.#text.slice(startIndex, endIndex) === this.#name) {
      this.uses.push({
        range: this.#range(startIndex, endIndex),
        isCall: this.#isCalled(level),
        isDeclaration: this.#declared.has(startIndex),
      });
    }
  }

  #isCalled(leaf: Level): boolean {
    let node = leaf;
    let isMember = false;
    for (const above of this.#levels.toReversed()) {
      const { field } = node;
      if (CALLS.has(above.type)) {
        return field === null ? isMember || above.type === "decorator" : !BESIDE_CALLED.test(field);
      }
      if (AROUND_CALLED.has(above.type)) {
        if (field === "condition") {
          return false;
        }
      } else if (!isMember && field !== null && MEMBERS.test(field)) {
        isMember = true;
      } else {
        return false;
      }
      node = above;
    }
    return false;
  }

  #textOf({ startIndex, endIndex }: Node): string {
    return this.#text.slice(startIndex, endIndex);
  }

  #range(start: number, end: number): CodeRange {
    return { start: this.#places.at(start), end: this.#places.at(end) };
  }
}

/** Kinds that are symbols only outside of functions. */
const VARIABLES: ReadonlySet<string> = new Set(["variable", "constant", "field"]);

/** Nodes of functions that have no name. */
const UNNAMED_FUNCTIONS =
  /^(?:arrow_function|function_expression|generator_function|lambda|lambda_expression|func_literal|closure_expression|do_block|anonymous_function)$/;

/** Fields of a call with what is not called. */
const BESIDE_CALLED = /^(?:arguments|object|receiver|scope)$/;

/** Nodes that stand between a function and its call: `f!(x)`, `f<T>(x)`, `(f)(x)`, `a?.f(x)`. */
const AROUND_CALLED: ReadonlySet<string> = new Set([
  ...["non_null_expression", "parenthesized_expression", "generic_function", "generic_name", "template_function"],
  ...["template_method", "postfix_unary_expression", "conditional_access_expression"],
]);

/** Fields of a node with what follows a dot. */
const MEMBERS = /^(?:property|field|attribute|name|method)$/;

function isName(type: string): boolean {
  return type.endsWith("identifier") || type === "constant" || type === "name" || type.endsWith("_identifier_pattern");
}
