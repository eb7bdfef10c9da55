/** Decodes `$'…'` the way bash does (Bash manual, 3.1.2.4 "ANSI-C Quoting"). */

const SINGLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/**
 * Decodes the text between the quotes of `$'…'`.
 * @returns undefined if it depends on the encoding (bytes past ASCII), ends the text (NUL) or is rare (`\cx`)
 */
export function decodeAnsi(body: string): string | undefined {
  let text = "";
  for (let at = 0; at < body.length;) {
    const character = body.charAt(at);
    if (character !== "\\") {
      text += character;
      at += 1;
      continue;
    }
    const escape = decodeEscape(body.slice(at + 1, at + 10));
    if (escape === undefined) {
      return undefined;
    }
    text += escape.text;
    at += 1 + escape.length;
  }
  return text;
}

/** Decodes what follows a backslash; `length` counts units of `rest`. */
function decodeEscape(rest: string): { text: string; length: number } | undefined {
  const single = SINGLE[rest.charAt(0)];
  if (single !== undefined) {
    return { text: single, length: 1 };
  }
  const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
  if (octal !== undefined) {
    return asciiOnly(Number.parseInt(octal, 8), octal.length);
  }
  const hex = /^x([0-9A-Fa-f]{1,2})/.exec(rest);
  if (hex?.[1] !== undefined) {
    return asciiOnly(Number.parseInt(hex[1], 16), hex[0].length);
  }
  const unicode = /^(?:u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/.exec(rest);
  if (unicode !== null) {
    return asciiOnly(Number.parseInt(unicode[1] ?? unicode[2] ?? "", 16), unicode[0].length);
  }
  return undefined;
}

function asciiOnly(code: number, length: number): { text: string; length: number } | undefined {
  return code > 0 && code < 0x80 ? { text: String.fromCharCode(code), length } : undefined;
}
