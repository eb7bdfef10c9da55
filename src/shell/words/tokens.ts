/**
 * Checks that the tree's tokens are bash's. tree-sitter takes every kind of blank for a blank, begins comments
 * anywhere, and ends keywords where a word goes on; what stands between two tokens is therefore looked at, and the
 * edges of the tokens.
 */
import type { SyntaxNode } from "../../ports/shellGrammar.js";

/** Keywords and braces that mean something only as a word of their own. */
const WORDLIKE = /^(?:[a-z]+|!|\{|\}|\[\[|\]\]|\[|\])$/;

const BLANK_OR_OPERATOR_OR_NOTHING = /^[ \t\n;&|<>()]?$/;

/** The children of a node that are no comments, with what does not fit together told as doubts. */
export function tokensOf(text: string, node: SyntaxNode, doubt: (sentence: string) => void): readonly SyntaxNode[] {
  let end: number | undefined;
  for (const child of node.children) {
    if (end !== undefined && !isGap(text, end, child.startIndex) && !isLostDash(text, end, child)) {
      doubt("it has text that is no part of a command");
    }
    if (!child.isNamed && WORDLIKE.test(child.type) && !standsAlone(text, child)) {
      doubt(`\`${child.type}\` does not stand alone`);
    }
    if (child.type === "comment" && !isComment(text, child)) {
      doubt("what looks like a comment is none");
    }
    end = Math.max(end ?? 0, child.endIndex);
  }
  return node.children.filter((child) => child.type !== "comment");
}

/** tree-sitter loses the word `-` before `<<`. Whoever reads the command's words takes it from the text. */
export function isLostDash(text: string, start: number, next: SyntaxNode): boolean {
  return next.type === "heredoc_redirect" && /^[ \t]+-[ \t]+$/.test(text.slice(start, next.startIndex));
}

/** Whether there is nothing but blanks, ends of lines and continued lines between two offsets. */
export function isGap(text: string, start: number, end: number): boolean {
  const gap = text.slice(start, end);
  return /^(?:[ \t\n]|\\\n)*$/.test(gap) && !joins(text, start, gap);
}

/** The same on one line. */
export function isBlank(text: string, start: number, end: number): boolean {
  const gap = text.slice(start, end);
  return /^(?:[ \t]|\\\n)*$/.test(gap) && !joins(text, start, gap);
}

/** Whether a continued line joins what is around it: `&\` and `&` on the next line are `&&`. */
function joins(text: string, start: number, gap: string): boolean {
  const continuations = /^(?:\\\n)+/.exec(gap)?.[0] ?? "";
  return (
    continuations !== "" &&
    start > 0 &&
    continuations.length === gap.length &&
    !/[ \t\n]/.test(text.charAt(start + gap.length))
  );
}

function standsAlone(text: string, token: SyntaxNode): boolean {
  return (
    BLANK_OR_OPERATOR_OR_NOTHING.test(text.charAt(token.startIndex - 1)) &&
    BLANK_OR_OPERATOR_OR_NOTHING.test(text.charAt(token.endIndex))
  );
}

function isComment(text: string, comment: SyntaxNode): boolean {
  const body = text.slice(comment.startIndex, comment.endIndex);
  const after = text.charAt(comment.endIndex);
  // Controls in a comment are shown as something else, or end the line elsewhere.
  return (
    /^#[^\x00-\x08\x0A-\x1F\x7F-\x9F\u2028\u2029]*$/.test(body) &&
    /^\n?$/.test(after) &&
    /^[ \t\n;&|()]?$/.test(text.charAt(comment.startIndex - 1))
  );
}
