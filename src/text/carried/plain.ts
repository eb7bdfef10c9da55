/** A text's letters and digits in lower case, which its spelling, spacing and punctuation leave as they are. */
export interface Plain {
  letters: string;
  /** Offset in the text of each of them. */
  at: (index: number) => number;
}

/** Returns the letters and digits of a text. */
export function plainOf(text: string): Plain {
  const codes = new Uint16Array(text.length);
  const places = new Uint32Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const code = plainCode(text.charCodeAt(at));
    if (code !== 0) {
      codes[size] = code;
      places[size] = at;
      size += 1;
    }
  }
  return {
    letters: new TextDecoder("utf-16le").decode(codes.subarray(0, size)),
    at: (index) => places[index] ?? text.length,
  };
}

/** Returns a letter or digit in lower case as a code unit; 0 for any other character. */
function plainCode(code: number): number {
  if (code < 128) {
    const isKept = (code > 47 && code < 58) || (code > 96 && code < 123);
    return isKept ? code : code > 64 && code < 91 ? code + 32 : 0;
  }
  const letter = String.fromCharCode(code);
  return /[\p{L}\p{N}]/u.test(letter) ? (letter.toLowerCase().charCodeAt(0) ?? code) : 0;
}
