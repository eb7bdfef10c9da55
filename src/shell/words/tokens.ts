/**
 * Checks that the tree's tokens are bash's. tree-sitter accepts any kind of whitespace, begins comments anywhere, and
 * ends keywords in the middle of a word; so the text between tokens and the tokens' edges are checked.
 */
import type { SyntaxNode } from "../../ports/shellGrammar.js";

/** Keywords and braces that are special only as separate words. */
const WORDLIKE = /^(?:[a-z]+|!|\{|\}|\[\[|\]\]|\[|\])$/;

const BLANK_OR_OPERATOR_OR_NOTHING = /^[ \t\n;&|<>()]?$/;

/** Returns a node's children except comments; reports anything that does not fit together as a doubt. */
export function tokensOf(text: string, node: SyntaxNode, doubt: (sentence: string) => void): readonly SyntaxNode[] {
  let end: number | undefined;
  for (const child of node.children) {
    if (end !== undefined && !isGap(text, end, child.startIndex) && !isLostDash(text, end, child)) {
      doubt("the line has text that is not part of a command");
    }
    if (!child.isNamed && WORDLIKE.test(child.type) && !standsAlone(text, child)) {
      doubt(`\`${child.type}\` is not a separate word`);
    }
    if (child.type === "comment" && !isComment(text, child)) {
      doubt("what looks like a comment is not one");
    }
    end = Math.max(end ?? 0, child.endIndex);
  }
  return node.children.filter((child) => child.type !== "comment");
}

/** Whether tree-sitter lost the word `-` before `<<`. Callers that read the command's words take it from the text. */
export function isLostDash(text: string, start: number, next: SyntaxNode): boolean {
  return next.type === "heredoc_redirect" && /^[ \t]+-[ \t]+$/.test(text.slice(start, next.startIndex));
}

/** Whether there are only spaces, tabs, newlines and line continuations between two offsets. */
export function isGap(text: string, start: number, end: number): boolean {
  const gap = text.slice(start, end);
  return /^(?:[ \t\n]|\\\n)*$/.test(gap) && !joins(text, start, gap);
}

/** Like `isGap`, but on one line. */
export function isBlank(text: string, start: number, end: number): boolean {
  const gap = text.slice(start, end);
  return /^(?:[ \t]|\\\n)*$/.test(gap) && !joins(text, start, gap);
}

/** Whether a line continuation joins the text around it into one token: `&\` and `&` on the next line are `&&`. */
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
  // Control characters in a comment are displayed as something else, or end the line at another place.
  return (
    /^#[^\x00-\x08\x0A-\x1F\x7F-\x9F\u2028\u2029]*$/.test(body) &&
    /^\n?$/.test(after) &&
    /^[ \t\n;&|()]?$/.test(text.charAt(comment.startIndex - 1))
  );
}
