/**
 * Simple commands: assignments, words and redirections in source order, as bash reads them (Bash manual, 3.2.2). The
 * tree nests them in several ways (`> f rm x`, words after a here-document), which makes no difference.
 */
import type { SyntaxNode } from "../ports/shellGrammar.js";
import { staying, type Flow, type Folders } from "./folders.js";
import { readHeredoc, type Heredoc } from "./words/heredocs.js";
import { readRedirection } from "./redirections.js";
import { runCommand } from "./runCommand.js";
import type { StatementWalk } from "./statements.js";
import { mayReadInput, printedBy } from "./printedBy.js";
import { isBlank, isLostDash } from "./words/tokens.js";
import { assignedValue, setterOf } from "./words/variableValues.js";
import type { Word } from "./words/words.js";

/** Nodes that contain parts of a simple command. */
const HOLDERS = new Set([
  "command",
  "command_name",
  "redirected_statement",
  "declaration_command",
  "unset_command",
  "variable_assignments",
]);

/** Nodes that are a word, or begin one. */
const WORDS = new Set([
  "word",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "number",
  "expansion",
  "simple_expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "brace_expression",
  "variable_name",
  "special_variable_name",
  "regex",
  "extglob_pattern",
]);

/** Tokens that are words of a command. */
const WORD_TOKENS = new Set([
  "$",
  "=~",
  "==",
  "declare",
  "typeset",
  "export",
  "readonly",
  "local",
  "unset",
  "unsetenv",
]);

/** The parts of a simple command read so far. */
interface Parts {
  words: Word[];
  /** Input from the shell: a here-document or a here-string. */
  input: Heredoc | undefined;
  /** Whether it reads a file, which may replace `input`. */
  readsFile: boolean;
  /** The nodes that follow a here-document on its line: `| cmd`, `&& cmd`. */
  following: SyntaxNode[];
  /** Whether a redirection changes its input, or its output. */
  isRedirected: boolean;
  printsElsewhere: boolean;
  /** End of the last part, for checking the text between it and the next. */
  end: number | undefined;
}

/**
 * Walks the parts of one simple command.
 * @param compound.before the folders after a group or loop, whose redirections take no words
 */
export function walkSimple(
  walk: StatementWalk,
  nodes: readonly SyntaxNode[],
  folders: Folders,
  compound?: { before: Flow },
): Flow {
  walk.folders = folders;
  const parts: Parts = {
    words: [],
    input: undefined,
    readsFile: false,
    following: [],
    isRedirected: false,
    printsElsewhere: false,
    end: undefined,
  };
  const start = nodes[0]?.startIndex ?? 0;
  for (const node of nodes) {
    readPart(walk, parts, node);
  }
  if (compound !== undefined && parts.words.length > 0) {
    walk.doubt("words follow a redirection");
  }
  const words = withoutAssignments(walk, parts);
  if (!parts.readsFile && parts.input === undefined && words.length > 0 && walk.fed.length > 0 && mayReadInput(words)) {
    walk.fed.forEach((name) => walk.program.findings.sets(name));
  }
  const stdin = parts.isRedirected ? undefined : walk.stdin;
  const call = {
    words,
    text: walk.text.slice(start, parts.end ?? start),
    wrappers: walk.program.wrappers,
    folders,
    input: parts.readsFile ? undefined : parts.input,
    stdin,
  };
  const flow = words.length === 0 ? (compound?.before ?? staying(folders)) : runCommand(walk.program, call);
  const prints = parts.printsElsewhere || words.length === 0 ? undefined : printedBy(call);
  return following(walk, parts.following, prints === undefined ? flow : { ...flow, prints });
}

function readPart(walk: StatementWalk, parts: Parts, node: SyntaxNode): void {
  if (node.type === "heredoc_redirect") {
    parts.isRedirected = true;
    parts.printsElsewhere = true;
    readHeredocPart(walk, parts, node);
    return;
  }
  if (HOLDERS.has(node.type)) {
    walk.tokens(node).forEach((child) => readPart(walk, parts, child));
    return;
  }
  if (node.type === "file_redirect" || node.type === "herestring_redirect") {
    noteGap(walk, parts, node);
    parts.isRedirected ||= !walk.leavesStreams(node);
    parts.printsElsewhere ||=
      !walk.leavesStreams(node) && !/^< ?[\w./"'$-]+$/.test(walk.text.slice(node.startIndex, node.endIndex));
    const { words, input } = readRedirection(walk, node);
    parts.words.push(...words);
    parts.input = parts.input === undefined ? input : { program: undefined };
    parts.readsFile ||= walk.text.slice(node.startIndex, node.endIndex).includes("<") && input === undefined;
    parts.end = node.endIndex;
    return;
  }
  if (node.type === "variable_assignment") {
    noteGap(walk, parts, node);
    readAssignment(walk, parts, node);
    parts.end = node.endIndex;
    return;
  }
  noteGap(walk, parts, node);
  parts.end = node.endIndex;
  if (node.isNamed ? WORDS.has(node.type) : WORD_TOKENS.has(node.type)) {
    parts.words.push(...walk.word(node));
  } else {
    walk.doubt(`\`${walk.shown(node)}\` is not understood`);
    walk.loosely({ ...node, children: [node] }, walk.folders);
  }
}

/** Checks that the parts of one command are on one line, separated by whitespace. */
function noteGap(walk: StatementWalk, parts: Parts, next: SyntaxNode): void {
  if (parts.end !== undefined && !isBlank(walk.text, parts.end, next.startIndex)) {
    walk.doubt("the line has text that is not part of a command");
  }
}

function readHeredocPart(walk: StatementWalk, parts: Parts, node: SyntaxNode): void {
  if (parts.end !== undefined && isLostDash(walk.text, parts.end, node)) {
    const start = walk.text.indexOf("-", parts.end);
    parts.words.push({ value: "-", raw: "-", start, end: start + 1, splits: false });
    parts.end = start + 1;
  }
  noteGap(walk, parts, node);
  const { heredoc, others, end } = readHeredoc(walk, node);
  parts.input = parts.input === undefined ? heredoc : { program: undefined };
  parts.end = end;
  for (const other of others) {
    if (
      parts.following.length > 0 ||
      !other.isNamed ||
      other.type === "pipeline" ||
      !(WORDS.has(other.type) || other.type.endsWith("_redirect"))
    ) {
      parts.following.push(other);
    } else {
      readPart(walk, parts, other);
    }
  }
}

/** Walks the parts that follow on a here-document's line: the rest of a pipe, or `&&` and a command. */
function following(walk: StatementWalk, nodes: readonly SyntaxNode[], flow: Flow): Flow {
  const [first, second] = nodes;
  if (first === undefined) {
    return flow;
  }
  if (first.type === "pipeline" && nodes.length === 1) {
    const [bar, ...rest] = walk.tokens(first);
    if (bar?.isNamed !== false || !bar.type.startsWith("|")) {
      walk.doubt("a pipe is not understood");
    }
    rest.forEach((node) => walk.apart(() => walk.statement(node, flow.ok), { stdin: undefined }));
    return { ok: flow.ok, fail: flow.ok };
  }
  const operator = first.type;
  if ((operator === "&&" || operator === "||") && second !== undefined && nodes.length === 2) {
    return walk.apart(() => walk.continued(operator, flow, second));
  }
  walk.doubt("what follows a here-document is not understood");
  nodes.filter((node) => node.isNamed).forEach((node) => walk.loosely({ ...node, children: [node] }, walk.folders));
  return staying(undefined);
}

/** Reads `NAME=value`, or `NAME=(…)`, whose elements are words. */
function readAssignment(walk: StatementWalk, parts: Parts, node: SyntaxNode): void {
  const array = node.children.find((child) => child.type === "array");
  if (array === undefined) {
    const words = walk.word(node);
    // After `declare` and similar builtins, an assignment is one word (Bash manual, 3.4), which other shells do not
    // guarantee.
    parts.words.push(...(parts.words.length > 0 && walk.isBash ? words.map(unsplit) : words));
    return;
  }
  walk.program.findings.makesArray();
  const head = walk.text.slice(node.startIndex, array.startIndex);
  const tokens = walk.tokens(array);
  if (
    !/^[A-Za-z_][A-Za-z0-9_]*\+?=$/.test(head) ||
    !walk.isBash ||
    !/^[ \t\n;&|)]?$/.test(walk.text.charAt(array.endIndex)) ||
    array.endIndex !== node.endIndex
  ) {
    walk.doubt(`\`${walk.shown(node)}\` is not understood`);
  }
  for (const token of tokens.slice(1, -1)) {
    // `[…]=` is a subscript, which is evaluated.
    if (!WORDS.has(token.type) || walk.text.charAt(token.startIndex) === "[") {
      walk.doubt(`\`${walk.shown(token)}\` is not understood in a list of values`);
    }
    walk.word(token);
  }
  parts.words.push({
    value: undefined,
    head,
    isList: true,
    raw: head,
    start: node.startIndex,
    end: node.endIndex,
    splits: false,
  });
}

function unsplit(word: Word): Word {
  return word.lead === undefined ? word : { ...word, head: word.lead, splits: false };
}

/**
 * Returns the words from the command's name on, and checks the assignments before it. Without a command the assignments
 * persist.
 */
function withoutAssignments(walk: StatementWalk, { words, isRedirected }: Parts): readonly Word[] {
  const first = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*(?:\[[^]*\])?\+?=/.test(word.raw));
  // For `read` alone, since how it splits a line does not affect later commands.
  const isRead = words[first]?.raw === "read";
  for (const word of first === -1 ? words : words.slice(0, first)) {
    const name = /^[^+=]*/.exec(word.raw)?.[0] ?? "";
    if (!walk.isBash && word.raw.startsWith(`${name}+`)) {
      walk.doubt("`+=` is not understood by every shell");
    }
    const value =
      first === -1 && !isRedirected && word.raw.startsWith(`${name}=`) ? assignedValue(name, word) : undefined;
    const isPlainPager = /^(?:GIT_)?PAGER=(?:cat)?$/.test(word.value ?? "") && first !== -1;
    if ((!isRead || name !== "IFS") && !isPlainPager) {
      walk.program.findings.sets(name, first !== -1, setterOf(value));
    }
    walk.values = value === undefined ? walk.values.without(name) : walk.values.with(name, value);
  }
  return first === -1 ? [] : words.slice(first);
}
