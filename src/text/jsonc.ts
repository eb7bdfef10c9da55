import { messageOf } from "./words.js";

/**
 * Strings (an unclosed one extends to the end of its line), comments (to the end of the text), commas, everything else.
 * A string is one token, so that nothing in it is read as a comment.
 */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,|[\s\S]/g;

/**
 * Parses JSON with comments and trailing commas, the format of VS Code's own files.
 *
 * @throws SyntaxError that names the line
 */
export function parseJsonc(text: string): unknown {
  const plain = withoutComments(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (plain.trim() === "") {
    return undefined;
  }
  try {
    return JSON.parse(plain) as unknown;
  } catch (error) {
    throw new SyntaxError(withLine(messageOf(error), plain));
  }
}

/** Replaces comments and trailing commas with spaces, so that positions stay the same. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  /** Index of a comma after which only whitespace has followed so far. */
  let comma: number | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith("//") || token.startsWith("/*")) {
      parts.push(token.replaceAll(/[^\r\n]/g, " "));
      continue;
    }
    if ((token === "}" || token === "]") && comma !== undefined) {
      parts[comma] = " ";
    }
    if (!/^\s$/.test(token)) {
      comma = token === "," ? parts.length : undefined;
    }
    parts.push(token);
  }
  return parts.join("");
}

/** Adds the line to a message. Engines report a position, or already the line. */
function withLine(message: string, text: string): string {
  const position = /at position (\d+)(?! \(line)/.exec(message)?.[1];
  if (position === undefined || /\(line \d+/.test(message)) {
    return message;
  }
  return `${message} (line ${text.slice(0, Number(position)).split("\n").length})`;
}
