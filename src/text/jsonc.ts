import { messageOf } from "./words.js";

/**
 * Strings, comments (an open one reaches to the end), commas, everything else. A string is taken whole: what looks like
 * a comment in it is none.
 */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,|[\s\S]/g;

/**
 * Parses JSON with comments and trailing commas: what VS Code's own files are written in.
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

/** The same text with blanks for comments and trailing commas: every position stays. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  /** Where a comma stands that nothing but blanks follows so far. */
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

/** Engines tell a position, or the line already. */
function withLine(message: string, text: string): string {
  const position = /at position (\d+)(?! \(line)/.exec(message)?.[1];
  if (position === undefined || /\(line \d+/.test(message)) {
    return message;
  }
  return `${message} (line ${text.slice(0, Number(position)).split("\n").length})`;
}
