import type { SyntaxNode } from "../ports/shellGrammar.js";
import type { PathUse } from "./analysis.js";
import type { Heredoc } from "./words/heredocs.js";
import type { StatementWalk } from "./statements.js";
import { isBlank } from "./words/tokens.js";
import type { Word } from "./words/words.js";

/** The access to its file that each operator has. `>&` and `<&` may have the number of an open file instead. */
const OPERATORS: Readonly<Record<string, PathUse["kind"] | undefined>> = {
  "<": "read",
  ">": "write",
  ">>": "write",
  ">|": "write",
  "&>": "write",
  "&>>": "write",
  ">&": "write",
  "<&": "read",
};

/** Operators with another meaning in other shells: `cmd &> f` is `cmd &` and `> f`. */
const OF_BASH = new Set(["&>", "&>>", "<<<"]);

/** Special files: the terminal, and those that are already open. */
const NO_FILES = /^\/dev\/(?:null|tty|stdin|stdout|stderr|fd\/[0-9]+)$/;

/**
 * Reads `> file` or `<<< text`.
 * @returns words after the file that belong to the command, and the text passed as input
 */
export function readRedirection(walk: StatementWalk, node: SyntaxNode): { words: readonly Word[]; input?: Heredoc } {
  const tokens = walk.tokens(node);
  const hasDescriptor = tokens[0]?.type === "file_descriptor";
  const operator = tokens[hasDescriptor ? 1 : 0];
  const [target, ...others] = tokens.slice(hasDescriptor ? 2 : 1);
  checkDescriptor(walk, node, operator);
  if (operator?.type === ">&-" || operator?.type === "<&-") {
    return { words: (target === undefined ? [] : [target, ...others]).flatMap((token) => walk.word(token)) };
  }
  if (operator === undefined || target === undefined) {
    walk.doubt(`\`${walk.shown(node)}\` is not understood`);
    return { words: [] };
  }
  const words = walk.word(target);
  if (!isBlank(walk.text, operator.endIndex, target.startIndex)) {
    walk.doubt(`\`${walk.shown(node)}\` is not understood`);
  }
  const rest = others.flatMap((token) => walk.word(token));
  if (operator.type === "<<<" && walk.isBash) {
    return { words: rest, input: { program: hasDescriptor ? undefined : words[0]?.value } };
  }
  noteTarget(walk, operator.type, words);
  return { words: rest };
}

/** Checks that a number before an operator is a separate word directly before it; `{name}` there is a variable. */
function checkDescriptor(walk: StatementWalk, node: SyntaxNode, operator: SyntaxNode | undefined): void {
  const number = operator === undefined ? "" : walk.text.slice(node.startIndex, operator.startIndex);
  if (!/^[0-9]*$/.test(number) || !/^[ \t\n;&|<>()]?$/.test(walk.text.charAt(node.startIndex - 1))) {
    if (/[0-9}]/.test(walk.text.charAt(node.startIndex - 1)) || number !== "") {
      walk.doubt(`\`${walk.shown(node)}\` directly follows a word`);
    }
  }
}

function noteTarget(walk: StatementWalk, operator: string, words: readonly Word[]): void {
  const word = words[0];
  const kind = OPERATORS[operator];
  if (word === undefined || words.length > 1 || kind === undefined || (OF_BASH.has(operator) && !walk.isBash)) {
    walk.doubt(`the redirection \`${operator} ${word?.raw ?? ""}\` is not understood`);
    return;
  }
  if (operator.endsWith("&") && /^(?:[0-9]+-?|-)$/.test(word.raw)) {
    return;
  }
  if (/^[<>]\(/.test(word.raw) && word.value === undefined && kind === (word.raw.startsWith("<") ? "read" : "write")) {
    return;
  }
  // bash 5.2 expands the file of `>&` twice: `>& '$(cmd)'` runs cmd. Found by the fuzz test.
  if (word.value === undefined || operator === "<&" || (operator === ">&" && !/^[A-Za-z0-9_./-]+$/.test(word.raw))) {
    walk.doubt(`the file of the redirection \`${operator} ${word.raw.slice(0, 40)}\` is only known at run time`);
    return;
  }
  if (/^\/dev\/(?:tcp|udp)\//.test(word.value)) {
    walk.doubt(`\`${word.value.slice(0, 60)}\` opens a connection`);
    return;
  }
  if (!NO_FILES.test(word.value)) {
    noteFile(walk, kind, word.value);
  }
}

function noteFile(walk: StatementWalk, kind: PathUse["kind"], path: string): void {
  if (walk.folders === undefined) {
    walk.doubt("the folder of a redirection's file is not known");
  }
  walk.program.findings.redirection({ kind, path, bases: walk.folders ?? ["."] });
}
