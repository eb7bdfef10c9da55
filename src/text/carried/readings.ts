// What a receiver may read in a text: as it is, and with its encodings taken off.

const PERCENT = /(?:%[\da-f]{2})+/gi;
/** Encodings within each other that are taken off. */
const MAX_DEPTH = 3;

/**
 * Returns the texts that a text may be read as: itself, from its end, percent-decoded, without what separates its parts,
 * and what its parts are in base64, hex and numbers of characters.
 *
 * @param least characters that a part in one of these has at least
 */
export function readingsOf(text: string, least: number): string[] {
  const found = new Set([text, ...joinedParts(text), ...[text, ...percentDecoded(text)].map(fromEnd)]);
  let last = [...found];
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    last = last
      .flatMap((each) => {
        const decoded = percentDecoded(each);
        return [...decoded, ...decoded.flatMap(joinedParts), ...codesOf(each, least), ...runsOf(each, least)];
      })
      .filter((each) => !found.has(each));
    for (const each of last) {
      found.add(each);
      found.add(fromEnd(each));
    }
  }
  return [...found];
}

function fromEnd(text: string): string {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    codes[text.length - 1 - at] = text.charCodeAt(at);
  }
  return new TextDecoder("utf-16le").decode(codes);
}

/** Returns a text with what it has percent-encoded decoded, if there is any. */
export function percentDecoded(text: string): string[] {
  const decoded = text.replaceAll(PERCENT, (run) => new TextDecoder().decode(fromHex(run.replaceAll("%", ""))));
  return decoded === text ? [] : [decoded];
}

/** Returns a text without what separates lines and parts of an address, where a run may be cut into them. */
function joinedParts(text: string): string[] {
  const joined = text.replaceAll(/[&?;]\w{1,8}=/g, "").replaceAll(/[\s/.,:=]+/g, "");
  return joined === text ? [] : [joined];
}

/** What is between numbers of characters: `\u` and `&#x` are no digits, either. */
const BETWEEN = String.raw`(?:\b0x|[^\da-f])+`;

/** Returns what numbers one after another are as characters: `73 110`, `49-6e`, `\u0049`, `&#73;`. */
function codesOf(text: string, least: number): string[] {
  const code = String.raw`[\da-f]{2,4}`;
  const long = new RegExp(String.raw`(?<![\da-f])${code}(?:${BETWEEN}${code}){${least - 1},}(?![\da-f])`, "gi");
  const runs = (text.match(long) ?? []).map((run) => run.split(new RegExp(BETWEEN, "i")));
  return [10, 16].flatMap((base) =>
    together(runs.map((run) => run.map((each) => String.fromCharCode(parseInt(each, base) || 0)).join(""))),
  );
}

/** Returns what the parts of a text in base64, and those in hex, have one after another. */
function runsOf(text: string, least: number): string[] {
  const base64 = text.match(new RegExp(`[A-Za-z0-9+/_-]{${Math.ceil((least * 4) / 3)},}`, "g")) ?? [];
  const hex = text.match(new RegExp(`(?:[0-9a-f]{2}){${least},}`, "gi")) ?? [];
  return [
    // The text may begin anywhere in it, as after a file's name or a slash.
    ...[0, 1, 2, 3].map((from) => base64.map((run) => fromBase64(run.slice(from)))),
    hex.map(fromHex),
  ].flatMap((runs) => together(runs.flatMap((bytes) => textsIn(bytes, least))));
}

function together(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [parts.join("\n")];
}

function fromHex(run: string): Uint8Array {
  return Uint8Array.from(run.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function fromBase64(run: string): Uint8Array {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/");
  // Without padding; one character more than a multiple of four holds no byte.
  const bytes = atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  // Faster than `from`: the text may be long.
  const found = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    found[at] = bytes.charCodeAt(at);
  }
  return found;
}

/** Returns the texts in bytes, whatever is around them: bytes of chance are soon no characters. */
function textsIn(bytes: Uint8Array, least: number): string[] {
  return new TextDecoder().decode(bytes).match(new RegExp(`[^\\ufffd]{${least},}`, "g")) ?? [];
}
