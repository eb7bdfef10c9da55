/**
 * Reads here-documents from the text (POSIX shell, 2.7.4), and checks that the tree's parts are on the lines where they
 * belong.
 */
import type { SyntaxNode } from "../../ports/shellGrammar.js";
import type { StatementWalk } from "../statements.js";
import { readHeredocBody, readWord } from "./words.js";

/** A command's input from a here-document. `program` is its text if that is literal. */
export interface Heredoc {
  program: string | undefined;
}

/** A here-document, the other nodes on its line, and where the operator's part of the line ends. */
interface Found {
  heredoc: Heredoc;
  others: readonly SyntaxNode[];
  end: number;
}

const PARTS = new Set(["file_descriptor", "<<", "<<-", "heredoc_start", "heredoc_body", "heredoc_end", "\n"]);

/** Reads the node of a `<<` redirection. */
export function readHeredoc(walk: StatementWalk, node: SyntaxNode): Found {
  const tokens = node.children;
  const others = tokens.filter((token) => !PARTS.has(token.type) && token.type !== "comment");
  const operator = tokens.find((token) => token.type === "<<" || token.type === "<<-");
  const start = tokens.find((token) => token.type === "heredoc_start");
  const last = tokens.find((token) => token.type === "heredoc_end");
  const delimiter = operator === undefined || start === undefined ? undefined : readDelimiter(walk, operator, start);
  if (operator === undefined || start === undefined || last === undefined || delimiter === undefined) {
    return notUnderstood(walk, node, others);
  }
  checkLine(walk, node, start, others);
  const lineEnd = walk.text.indexOf("\n", Math.max(start.endIndex, others.at(-1)?.endIndex ?? 0));
  const body = bodyOf(walk.text, lineEnd + 1, delimiter.word, operator.type === "<<-");
  const seen = tokens.find((token) => token.type === "heredoc_body");
  if (
    lineEnd === -1 ||
    body === undefined ||
    last.endIndex !== body.delimiterEnd ||
    (seen !== undefined && (seen.startIndex < lineEnd || seen.endIndex > body.delimiterEnd))
  ) {
    return notUnderstood(walk, node, others);
  }
  // A shell does not read a here-document for a descriptor other than standard input as its program.
  const isInput = tokens[0] === operator;
  if (delimiter.isQuoted) {
    return { heredoc: { program: isInput ? body.text : undefined }, others, end: start.endIndex };
  }
  readHeredocBody(walk, lineEnd + 1, body.end);
  // `\`, `$` and backticks change the text if the delimiter is unquoted.
  return {
    heredoc: { program: !isInput || /[\\$`]/.test(body.text) ? undefined : body.text },
    others,
    end: start.endIndex,
  };
}

function notUnderstood(walk: StatementWalk, node: SyntaxNode, others: readonly SyntaxNode[]): Found {
  walk.doubt("a here-document is not understood");
  walk.loosely(node, walk.folders);
  return {
    heredoc: { program: undefined },
    others: others.filter((other) => !other.isNamed && other.type === ""),
    end: node.endIndex,
  };
}

/** Returns the unquoted delimiter and whether it was quoted; undefined if it is not one plain word. */
function readDelimiter(
  walk: StatementWalk,
  operator: SyntaxNode,
  start: SyntaxNode,
): { word: string; isQuoted: boolean } | undefined {
  const { words, end } = readWord(walk, start.startIndex);
  const word = words[0];
  if (
    words.length !== 1 ||
    word === undefined ||
    end !== start.endIndex ||
    !/^[ \t]*$/.test(walk.text.slice(operator.endIndex, start.startIndex))
  ) {
    return undefined;
  }
  // Only plain names: bash takes `$x`, globs and braces in it literally.
  return word.value !== undefined && /^[A-Za-z0-9_.:+!@%=-]+$/.test(word.value)
    ? { word: word.value, isQuoted: word.raw !== word.value }
    : undefined;
}

/** Checks that nothing between the operator and the body crosses the line's end or opens another body. */
function checkLine(walk: StatementWalk, node: SyntaxNode, start: SyntaxNode, others: readonly SyntaxNode[]): void {
  const end = others.at(-1)?.endIndex ?? start.endIndex;
  const line = walk.text.slice(start.endIndex, end);
  if (line.includes("\n") || line.includes("<<")) {
    walk.doubt("what follows a here-document is not understood");
  }
  let at = start.endIndex;
  for (const other of others) {
    if (!/^[ \t]*$/.test(walk.text.slice(at, other.startIndex))) {
      walk.doubt("the line has text that is not part of a command");
    }
    at = other.endIndex;
  }
  const rest = walk.text.slice(at, walk.text.indexOf("\n", at));
  if (!/^[ \t]*(?:#.*)?$/.test(rest) || /^\S/.test(rest) || node.children.some((child) => child.hasError)) {
    walk.doubt("what follows a here-document is not understood");
  }
}

/** Returns the body's text from its first line to the delimiter's line. */
function bodyOf(
  text: string,
  from: number,
  delimiter: string,
  stripsTabs: boolean,
): { text: string; end: number; delimiterEnd: number } | undefined {
  const lines: string[] = [];
  for (let at = from; at <= text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    const shown = stripsTabs ? line.replace(/^\t+/, "") : line;
    if (shown === delimiter) {
      return { text: lines.join(""), end: at, delimiterEnd: end };
    }
    if (newline === -1) {
      return undefined;
    }
    lines.push(`${shown}\n`);
    at = newline + 1;
  }
  return undefined;
}
