/**
 * Walks a program's statements. Each kind of node is listed here with what it may contain; any other node or token is a
 * doubt, and whatever is found in it is still reported.
 */
import type { SyntaxNode } from "../ports/shellGrammar.js";
import { NOT_VALID } from "./analysis.js";
import { walkCase, walkFunction, walkIf, walkLoop } from "./compounds.js";
import { isPlainArithmetic } from "./words/expansions.js";
import { either, sameFolders, staying, type Flow, type Folders } from "./folders.js";
import { nodeAt, outermost } from "./nodes.js";
import { addInner, type Program } from "./program.js";
import { walkSimple } from "./simpleCommands.js";
import { walkConditional, walkTest } from "./tests.js";
import type { Printed } from "./known.js";
import { isGap, tokensOf } from "./words/tokens.js";
import { VariableValues, type Value } from "./words/variableValues.js";
import { readWord, type Word, type WordSource } from "./words/words.js";

/** Nodes that are one command with its words, assignments and redirections. */
const SIMPLE = new Set([
  "command",
  "variable_assignment",
  "variable_assignments",
  "declaration_command",
  "unset_command",
]);

/** Nodes searched for in a part that is not understood, for the sake of rules that deny. */
const RUNNING = new Set([
  "command",
  "pipeline",
  "list",
  "redirected_statement",
  "command_substitution",
  "process_substitution",
  "subshell",
  "declaration_command",
]);

/** Walks a program, starting in the given folders. */
export function walkProgram(program: Program, folders: Folders): void {
  const { text, root } = program;
  const walk = new StatementWalk(program);
  const first = root.children[0];
  const last = root.children.at(-1);
  if (
    root.type !== "program" ||
    !isGap(text, 0, first?.startIndex ?? text.length) ||
    !isGap(text, last?.endIndex ?? text.length, text.length)
  ) {
    walk.doubt("the line has text that is not part of a command");
  }
  if (root.hasError) {
    walk.doubt(NOT_VALID);
  }
  walk.sequence(walk.tokens(root), folders);
}

/** The walk through one program. */
export class StatementWalk implements WordSource {
  readonly program: Program;
  readonly text: string;
  readonly isBash: boolean;
  /** The folders of the command being read: substitutions in its words begin there. */
  folders: Folders;
  /** The variables that have certainly been set at this point. */
  values = VariableValues.none;
  /** Variables of the enclosing loops. */
  readonly loops: string[] = [];
  /**
   * How many loops enclose this point. A program within the line counts as one, since its command may run it any number
   * of times.
   */
  repeated: number;
  /** The content of standard input, if known. */
  stdin: Printed | undefined;
  /** Variables of loops that read names from the current standard input. */
  fed: readonly string[] = [];

  constructor(program: Program) {
    this.program = program;
    this.text = program.text;
    this.isBash = program.dialect === "bash";
    this.repeated = program.level > 0 ? 1 : 0;
  }

  doubt(sentence: string): void {
    this.program.findings.doubt(sentence);
  }

  tokens(node: SyntaxNode): readonly SyntaxNode[] {
    return tokensOf(this.text, node, (sentence) => this.doubt(sentence));
  }

  /** Walks consecutive statements, including their terminators. */
  sequence(nodes: readonly SyntaxNode[], folders: Folders): Flow {
    let flow = staying(folders);
    let previous: SyntaxNode | undefined;
    let count = 0;
    for (const [at, node] of nodes.entries()) {
      if (!node.isNamed && [";", "&", "\n"].includes(node.type)) {
        previous = undefined;
        continue;
      }
      if (
        previous !== undefined &&
        !this.text.slice(previous.endIndex, node.startIndex).includes("\n") &&
        this.text.charAt(previous.endIndex - 1) !== "\n"
      ) {
        this.doubt("two commands are not separated");
      }
      previous = node;
      count += 1;
      const before = this.values;
      flow = this.statement(node, either(flow.ok, flow.fail));
      if (nodes[at + 1]?.type === "&") {
        // The statement runs in a separate shell, in parallel with the rest.
        this.values = before;
        if (this.repeated > 0) {
          this.doubt("a loop, or a program within the line, starts commands in the background");
        }
      }
    }
    return count === 1 ? flow : { ok: flow.ok, fail: flow.fail };
  }

  /**
   * Walks a part of the program after which the variables it sets are uncertain. It gets its own standard input if one
   * is given.
   */
  apart<T>(part: () => T, input?: { stdin: Printed | undefined }): T {
    const { values, stdin, fed } = this;
    this.stdin = input === undefined ? stdin : input.stdin;
    try {
      return part();
    } finally {
      this.values = values;
      this.stdin = stdin;
      this.fed = fed;
    }
  }

  /**
   * Walks one statement.
   * @param redirections those after it. tree-sitter puts the redirections of the last command in a list or pipe around
   * the whole
   */
  statement(node: SyntaxNode, folders: Folders, redirections: readonly SyntaxNode[] = []): Flow {
    this.program.findings.step();
    if (SIMPLE.has(node.type)) {
      return walkSimple(this, [node, ...redirections], folders);
    }
    switch (node.type) {
      case "redirected_statement":
        return this.#redirected(node, folders, redirections);
      case "pipeline":
        return this.#pipeline(this.tokens(node), folders, redirections);
      case "list":
        return this.#list(this.tokens(node), folders, redirections);
      case "negated_command":
        return this.#negated(node, folders, redirections);
      default: {
        const flow = this.apart(
          () => this.#compoundStatement(node, folders),
          redirections.length === 0 ? undefined : { stdin: this.#redirectedInput(redirections) },
        );
        // The shell opens the redirected files before the statement runs.
        return redirections.length === 0
          ? flow
          : walkSimple(this, redirections, folders, { before: { ok: flow.ok, fail: flow.fail } });
      }
    }
  }

  #compoundStatement(node: SyntaxNode, folders: Folders): Flow {
    switch (node.type) {
      case "subshell":
        this.sequence(this.inside(node, "(", ")"), folders);
        return staying(folders);
      case "compound_statement":
        return this.#compound(node, folders);
      case "if_statement":
        return walkIf(this, this.inside(node, "if", "fi"), folders);
      case "while_statement":
      case "for_statement":
      case "c_style_for_statement":
        return walkLoop(this, node, folders);
      case "case_statement":
        return walkCase(this, node, folders);
      case "function_definition":
        return walkFunction(this, node, folders);
      case "test_command":
        return this.text.startsWith("[[", node.startIndex)
          ? walkConditional(this, node, folders)
          : walkTest(this, node, folders);
      default:
        this.doubt(`\`${this.shown(node)}\` is not understood`);
        this.loosely(node, folders);
        return staying(folders);
    }
  }

  /** Reports the commands found in a part that is not understood. */
  loosely(node: SyntaxNode, folders: Folders): void {
    this.folders = folders;
    for (const child of node.children) {
      for (const found of outermost(child, RUNNING)) {
        if (found.type.endsWith("_substitution")) {
          this.substitution(found.startIndex);
        } else {
          this.statement(found, folders);
        }
      }
    }
  }

  /** Reads the word that is a node's text. If the word ends elsewhere, bash reads the node differently. */
  word(node: SyntaxNode): readonly Word[] {
    this.program.findings.step();
    const { words, end } = readWord(this, node.startIndex);
    if (end !== node.endIndex) {
      this.doubt(`\`${this.shown(node)}\` does not end where it seems to`);
      this.loosely({ ...node, children: [node] }, this.folders);
    }
    return words;
  }

  // WordSource: the programs that a word's substitutions run.

  substitution(at: number): { end: number; prints: Printed | undefined } | undefined {
    const type = this.text.charAt(at) === "$" ? "command_substitution" : "process_substitution";
    const node = nodeAt(this.program.root, at, type);
    if (node === undefined) {
      return undefined;
    }
    const { folders } = this;
    const inside = this.inside(node, this.text.slice(at, at + 2), ")");
    const only = inside.length === 1 ? inside[0] : undefined;
    const flow = this.apart(() =>
      only?.type === "file_redirect" ? walkSimple(this, [only], folders) : this.sequence(inside, folders),
    );
    this.folders = folders;
    return { end: node.endIndex, prints: flow.prints };
  }

  variable(name: string): Value | undefined {
    const value = this.values.get(name);
    if (value === undefined || (value.kind === "names" && !sameFolders(value.folders, this.folders))) {
      return undefined;
    }
    return this.program.findings.trusts(name) ? value : undefined;
  }

  backticks(program: string): void {
    addInner(this.program, program, this.folders, this.program.wrappers, this.program.dialect);
  }

  notUnderstood(at: number): number | undefined {
    const { folders } = this;
    const node =
      nodeAt(this.program.root, at, "expansion") ??
      nodeAt(this.program.root, at, "arithmetic_expansion") ??
      nodeAt(this.program.root, at, "command_substitution");
    if (node !== undefined) {
      this.loosely(node, folders);
      this.folders = folders;
    }
    return node?.endIndex;
  }

  /** Returns a node's text, short enough for a sentence. */
  shown(node: SyntaxNode): string {
    return this.text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 40)).replace(/\s+/g, " ");
  }

  /** Returns the children between a node's first and last token; reports a doubt if either is missing. */
  inside(node: SyntaxNode, open: string, close: string): readonly SyntaxNode[] {
    const tokens = this.tokens(node);
    if (tokens[0]?.type !== open || tokens.at(-1)?.type !== close) {
      this.doubt(`\`${this.shown(node)}\` is not understood`);
      return tokens.filter((token) => token.isNamed);
    }
    return tokens.slice(1, -1);
  }

  #redirected(node: SyntaxNode, folders: Folders, outer: readonly SyntaxNode[]): Flow {
    const [body, ...rest] = this.tokens(node);
    const isBody = body !== undefined && !body.type.endsWith("_redirect");
    return isBody
      ? this.statement(body, folders, [...rest, ...outer])
      : walkSimple(this, [...(body === undefined ? [] : [body]), ...rest, ...outer], folders);
  }

  #pipeline(tokens: readonly SyntaxNode[], folders: Folders, redirections: readonly SyntaxNode[]): Flow {
    let { stdin } = this;
    for (const [index, token] of tokens.entries()) {
      if (index % 2 === 0) {
        const previous = stdin;
        stdin = this.apart(
          () => {
            this.fed = index === 0 ? this.fed : [];
            return this.statement(token, folders, index === tokens.length - 1 ? redirections : []);
          },
          { stdin: previous },
        ).prints;
      } else {
        this.expect(token, this.program.dialect === "bash" ? ["|", "|&"] : ["|"]);
        // `|&` also passes on error messages.
        stdin = token.type === "|" ? stdin : undefined;
      }
    }
    return stdin === undefined ? staying(folders) : { ...staying(folders), prints: stdin };
  }

  #list(tokens: readonly SyntaxNode[], folders: Folders, redirections: readonly SyntaxNode[]): Flow {
    const [left, operator, right] = tokens;
    if (left === undefined || operator === undefined || right === undefined || tokens.length > 3) {
      this.doubt("a list of commands is not understood");
      return staying(undefined);
    }
    this.expect(operator, ["&&", "||"]);
    const first = this.statement(left, folders);
    // It is unknown whether the right side runs.
    return this.apart(() => this.continued(operator.type, first, right, redirections));
  }

  /** Walks the part that follows a command after `&&` or `||`. */
  continued(operator: string, first: Flow, right: SyntaxNode, redirections: readonly SyntaxNode[] = []): Flow {
    if (operator === "&&") {
      const second = this.statement(right, first.ok, redirections);
      return { ok: second.ok, fail: either(first.fail, second.fail) };
    }
    const second = this.statement(right, first.fail, redirections);
    return { ok: either(first.ok, second.ok), fail: second.fail };
  }

  /** Returns the input of a statement with redirections, if they do not change it. */
  #redirectedInput(redirections: readonly SyntaxNode[]): Printed | undefined {
    return redirections.every((node) => this.leavesStreams(node)) ? this.stdin : undefined;
  }

  /** Whether a redirection only discards error messages. */
  leavesStreams(node: SyntaxNode): boolean {
    return /^2> ?\/dev\/null$/.test(this.text.slice(node.startIndex, node.endIndex));
  }

  /** Reports a token that is not allowed here as a doubt. */
  expect(token: SyntaxNode, types: readonly string[]): void {
    if (token.isNamed || !types.includes(token.type)) {
      this.doubt(`\`${this.shown(token)}\` is not understood`);
    }
  }

  #negated(node: SyntaxNode, folders: Folders, redirections: readonly SyntaxNode[]): Flow {
    const [operator, statement] = this.tokens(node);
    if (operator?.type !== "!" || statement === undefined) {
      this.doubt("a negation is not understood");
      return staying(undefined);
    }
    const flow = this.apart(() => this.statement(statement, folders, redirections));
    return { ok: flow.fail, fail: flow.ok };
  }

  #compound(node: SyntaxNode, folders: Folders): Flow {
    if (!this.text.startsWith("((", node.startIndex)) {
      return this.sequence(this.inside(node, "{", "}"), folders);
    }
    this.#arithmetic(node, this.text.slice(node.startIndex + 2, node.endIndex - 2), folders);
    return staying(folders);
  }

  /**
   * Walks an arithmetic expression. If it contains a variable, bash evaluates that variable's text, and a subscript in
   * it may run a command.
   */
  #arithmetic(node: SyntaxNode, expression: string, folders: Folders): void {
    if (this.program.dialect !== "bash" || !isPlainArithmetic(expression)) {
      this.doubt(`the arithmetic \`${this.shown(node)}\` is not understood`);
      this.loosely(node, folders);
    }
  }
}
