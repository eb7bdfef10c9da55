/**
 * Walks the statements of a program. Each kind of node is listed here with what may stand in it; a node, or a token, that is not,
 * is a doubt, and what can be found in it is reported all the same.
 */
import type { SyntaxNode } from "../ports/shellGrammar.js";
import { isPlainArithmetic } from "./expansions.js";
import { either, sameFolders, staying, type Flow, type Folders } from "./folders.js";
import { outermost } from "./nodes.js";
import { addInner, type Program } from "./program.js";
import { walkSimple } from "./simpleCommands.js";
import { walkConditional, walkTest } from "./tests.js";
import { isGap, tokensOf } from "./tokens.js";
import { variableDoubt } from "./variables.js";
import { readWord, type Word, type WordSource } from "./words.js";
import { nodeAt } from "./nodes.js";

/** Nodes that are one command with its words, assignments and redirections. */
const SIMPLE = new Set(["command", "variable_assignment", "variable_assignments", "declaration_command", "unset_command"]);

/** What is looked for in a part that is not understood, for the sake of rules that deny. */
const RUNNING = new Set(["command", "pipeline", "list", "redirected_statement", "command_substitution", "process_substitution", "subshell", "declaration_command"]);

/** Walks a program from the folders it starts in. */
export function walkProgram(program: Program, folders: Folders): void {
  const { text, root } = program;
  const walk = new StatementWalk(program);
  const first = root.children[0];
  const last = root.children.at(-1);
  if (root.type !== "program" || !isGap(text, 0, first?.startIndex ?? text.length) || !isGap(text, last?.endIndex ?? text.length, text.length)) {
    walk.doubt("it has text that is no part of a command");
  }
  if (root.hasError) {
    walk.doubt("it is not valid for the shell");
  }
  walk.sequence(walk.tokens(root), folders);
}

/** The walk over one program. */
export class StatementWalk implements WordSource {
  readonly program: Program;
  readonly text: string;
  readonly isBash: boolean;
  /** Where the command that is being read is: substitutions in its words begin there. */
  folders: Folders;

  constructor(program: Program) {
    this.program = program;
    this.text = program.text;
    this.isBash = program.dialect === "bash";
  }

  doubt(sentence: string): void {
    this.program.findings.doubt(sentence);
  }

  tokens(node: SyntaxNode): readonly SyntaxNode[] {
    return tokensOf(this.text, node, (sentence) => this.doubt(sentence));
  }

  /** Statements one after another, with what ends them. */
  sequence(nodes: readonly SyntaxNode[], folders: Folders): Flow {
    let flow = staying(folders);
    let previous: SyntaxNode | undefined;
    for (const node of nodes) {
      if (!node.isNamed && [";", "&", "\n"].includes(node.type)) {
        previous = undefined;
        continue;
      }
      if (previous !== undefined && !this.text.slice(previous.endIndex, node.startIndex).includes("\n") && this.text.charAt(previous.endIndex - 1) !== "\n") {
        this.doubt("two commands stand side by side");
      }
      previous = node;
      flow = this.statement(node, either(flow.ok, flow.fail));
    }
    return flow;
  }

  /**
   * One statement.
   *
   * @param redirections those that stand behind it. tree-sitter puts the ones of the last command of a list or pipe around the whole
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
        const flow = this.#compoundStatement(node, folders);
        // The shell opens the files before the statement runs.
        return redirections.length === 0 ? flow : walkSimple(this, redirections, folders, { before: flow });
      }
    }
  }

  #compoundStatement(node: SyntaxNode, folders: Folders): Flow {
    switch (node.type) {
      case "subshell":
        this.sequence(this.#inside(node, "(", ")"), folders);
        return staying(folders);
      case "compound_statement":
        return this.#compound(node, folders);
      case "if_statement":
        return this.#conditional(this.#inside(node, "if", "fi"), folders);
      case "while_statement":
      case "for_statement":
      case "c_style_for_statement":
        return this.#loop(node, folders);
      case "case_statement":
        return this.#cases(node, folders);
      case "function_definition":
        return this.#function(node, folders);
      case "test_command":
        return this.text.startsWith("[[", node.startIndex) ? walkConditional(this, node, folders) : walkTest(this, node, folders);
      default:
        this.doubt(`\`${this.shown(node)}\` is not understood`);
        this.loosely(node, folders);
        return staying(folders);
    }
  }

  /** Reports what is found in a part that is not understood. */
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

  /** Reads the word that is a node's text; a node that ends elsewhere is read in another way by bash. */
  word(node: SyntaxNode): readonly Word[] {
    this.program.findings.step();
    const { words, end } = readWord(this, node.startIndex);
    if (end !== node.endIndex) {
      this.doubt(`\`${this.shown(node)}\` does not end where it seems to`);
      this.loosely({ ...node, children: [node] }, this.folders);
    }
    return words;
  }

  // WordSource: what a word's substitutions run.

  substitution(at: number): number | undefined {
    const type = this.text.charAt(at) === "$" ? "command_substitution" : "process_substitution";
    const node = nodeAt(this.program.root, at, type);
    if (node === undefined) {
      return undefined;
    }
    const { folders } = this;
    const inside = this.#inside(node, this.text.slice(at, at + 2), ")");
    const only = inside.length === 1 ? inside[0] : undefined;
    if (only?.type === "file_redirect") {
      walkSimple(this, [only], folders);
    } else {
      this.sequence(inside, folders);
    }
    this.folders = folders;
    return node.endIndex;
  }

  backticks(program: string): void {
    addInner(this.program, program, this.folders, this.program.wrappers, this.program.dialect);
  }

  notUnderstood(at: number): number | undefined {
    const { folders } = this;
    const node = nodeAt(this.program.root, at, "expansion") ?? nodeAt(this.program.root, at, "arithmetic_expansion") ?? nodeAt(this.program.root, at, "command_substitution");
    if (node !== undefined) {
      this.loosely(node, folders);
      this.folders = folders;
    }
    return node?.endIndex;
  }

  /** A node's text, short enough for a sentence. */
  shown(node: SyntaxNode): string {
    return this.text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 40)).replace(/\s+/g, " ");
  }

  /** The children between a node's first and last token, which are told to be missing otherwise. */
  #inside(node: SyntaxNode, open: string, close: string): readonly SyntaxNode[] {
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
    return isBody ? this.statement(body, folders, [...rest, ...outer]) : walkSimple(this, [...(body === undefined ? [] : [body]), ...rest, ...outer], folders);
  }

  #pipeline(tokens: readonly SyntaxNode[], folders: Folders, redirections: readonly SyntaxNode[]): Flow {
    for (const [index, token] of tokens.entries()) {
      if (index % 2 === 0) {
        this.statement(token, folders, index === tokens.length - 1 ? redirections : []);
      } else {
        this.#expect(token, this.program.dialect === "bash" ? ["|", "|&"] : ["|"]);
      }
    }
    return staying(folders);
  }

  #list(tokens: readonly SyntaxNode[], folders: Folders, redirections: readonly SyntaxNode[]): Flow {
    const [left, operator, right] = tokens;
    if (left === undefined || operator === undefined || right === undefined || tokens.length > 3) {
      this.doubt("a list of commands is not understood");
      return staying(undefined);
    }
    this.#expect(operator, ["&&", "||"]);
    const first = this.statement(left, folders);
    return this.continued(operator.type, first, right, redirections);
  }

  /** What follows a command after `&&` or `||`. */
  continued(operator: string, first: Flow, right: SyntaxNode, redirections: readonly SyntaxNode[] = []): Flow {
    if (operator === "&&") {
      const second = this.statement(right, first.ok, redirections);
      return { ok: second.ok, fail: either(first.fail, second.fail) };
    }
    const second = this.statement(right, first.fail, redirections);
    return { ok: either(first.ok, second.ok), fail: second.fail };
  }

  #expect(token: SyntaxNode, types: readonly string[]): void {
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
    const flow = this.statement(statement, folders, redirections);
    return { ok: flow.fail, fail: flow.ok };
  }

  #compound(node: SyntaxNode, folders: Folders): Flow {
    if (!this.text.startsWith("((", node.startIndex)) {
      return this.sequence(this.#inside(node, "{", "}"), folders);
    }
    this.#arithmetic(node, this.text.slice(node.startIndex + 2, node.endIndex - 2), folders);
    return staying(folders);
  }

  /** An arithmetic expression. With a variable in it, bash evaluates that variable's text, and a subscript in it may run a command. */
  #arithmetic(node: SyntaxNode, expression: string, folders: Folders): void {
    if (this.program.dialect !== "bash" || !isPlainArithmetic(expression)) {
      this.doubt(`the arithmetic \`${this.shown(node)}\` is not understood`);
      this.loosely(node, folders);
    }
  }

  /** What stands between `if` (or `elif`) and its end. */
  #conditional(tokens: readonly SyntaxNode[], folders: Folders): Flow {
    const then = tokens.findIndex((token) => token.type === "then");
    const rest = tokens.findIndex((token) => token.type === "elif_clause" || token.type === "else_clause");
    if (then === -1) {
      this.doubt("a condition is not understood");
      return staying(undefined);
    }
    const condition = this.sequence(tokens.slice(0, then), folders);
    const body = this.sequence(tokens.slice(then + 1, rest === -1 ? undefined : rest), condition.ok);
    let [ends, failing]: [Folders, Folders] = [either(body.ok, body.fail), condition.fail];
    for (const clause of rest === -1 ? [] : tokens.slice(rest)) {
      const inside = this.tokens(clause).slice(1);
      const flow = clause.type === "elif_clause" ? this.#conditional(inside, failing) : this.sequence(inside, failing);
      ends = either(ends, flow.ok, flow.fail);
      failing = clause.type === "elif_clause" ? either(failing, flow.fail) : failing;
    }
    return staying(either(ends, failing));
  }

  #loop(node: SyntaxNode, folders: Folders): Flow {
    const tokens = this.tokens(node);
    const body = tokens.at(-1);
    const head = tokens.slice(0, -1);
    this.folders = folders;
    const start = node.type === "while_statement" ? this.#whileHead(head, folders) : this.#forHead(node, head, folders);
    if (body === undefined || (body.type !== "do_group" && body.type !== "compound_statement")) {
      this.doubt("a loop is not understood");
      return staying(undefined);
    }
    const flow = body.type === "do_group" ? this.sequence(this.#inside(body, "do", "done"), start) : this.statement(body, start);
    const end = either(folders, start, flow.ok, flow.fail);
    if (!sameFolders(end, folders)) {
      this.doubt("a loop changes the folder it is in");
    }
    return staying(end);
  }

  #whileHead(head: readonly SyntaxNode[], folders: Folders): Folders {
    const [keyword, ...condition] = head;
    if (keyword !== undefined) {
      this.#expect(keyword, ["while", "until"]);
    }
    const flow = this.sequence(condition, folders);
    return either(flow.ok, flow.fail);
  }

  #forHead(node: SyntaxNode, head: readonly SyntaxNode[], folders: Folders): Folders {
    if (node.type === "c_style_for_statement") {
      this.doubt("a loop that counts is not understood");
      this.loosely({ ...node, children: head }, folders);
      return folders;
    }
    const [keyword, variable, ...rest] = head;
    this.#expect(keyword ?? node, this.program.dialect === "bash" ? ["for", "select"] : ["for"]);
    const name = variable === undefined ? "" : this.text.slice(variable.startIndex, variable.endIndex);
    this.program.findings.sets(name);
    const doubt = variableDoubt(name);
    if (doubt !== undefined) {
      this.doubt(doubt);
    }
    for (const token of rest) {
      if (token.isNamed) {
        this.word(token);
      } else {
        this.#expect(token, ["in", ";", "\n"]);
      }
    }
    return folders;
  }

  #cases(node: SyntaxNode, folders: Folders): Flow {
    const [value, ...rest] = this.#inside(node, "case", "esac");
    this.folders = folders;
    if (value !== undefined) {
      this.word(value);
    }
    let ends = folders;
    for (const item of rest) {
      if (item.type !== "case_item") {
        this.#expect(item, ["in", ";", "\n"]);
        continue;
      }
      const flow = this.#caseItem(item, either(folders, ends));
      ends = either(ends, flow.ok, flow.fail);
    }
    return staying(ends);
  }

  #caseItem(item: SyntaxNode, folders: Folders): Flow {
    const tokens = this.tokens(item);
    const close = tokens.findIndex((token) => token.type === ")");
    this.folders = folders;
    for (const pattern of tokens.slice(0, close)) {
      if (pattern.isNamed) {
        this.word(pattern);
      } else {
        this.#expect(pattern, ["(", "|"]);
      }
    }
    const body = tokens.slice(close + 1);
    const isEnded = [";;", ";&", ";;&"].includes(body.at(-1)?.type ?? "");
    return this.sequence(isEnded ? body.slice(0, -1) : body, folders);
  }

  #function(node: SyntaxNode, folders: Folders): Flow {
    const tokens = this.tokens(node);
    const name = tokens.find((token) => token.type === "word");
    if (name === undefined || (this.program.dialect !== "bash" && tokens[0]?.type === "function")) {
      this.doubt("a function is not understood");
    } else {
      this.program.findings.defines(this.text.slice(name.startIndex, name.endIndex));
    }
    for (const token of tokens.filter((child) => child !== name)) {
      if (token.type.endsWith("_redirect")) {
        walkSimple(this, [token], folders, { before: staying(folders) });
      } else if (token.isNamed) {
        this.statement(token, folders);
      } else {
        this.#expect(token, ["function", "(", ")"]);
      }
    }
    return staying(folders);
  }
}
