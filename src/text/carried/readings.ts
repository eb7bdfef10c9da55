// What a receiver may read in a text: as it is, and with its encodings taken off.

/** Characters of a run in base64 or hex that is decoded: of 24 characters and more. */
const BASE64 = /[A-Za-z0-9+/_-]{32,}/g;
const HEX = /(?:[0-9a-f]{2}){24,}/gi;
const PERCENT = /(?:%[\da-f]{2})+/gi;
/** Encodings within each other that are taken off. */
const MAX_DEPTH = 3;
const MAX_RUNS = 200;
/** Numbers in a row that may be characters. */
const MIN_CODES = 24;

/**
 * Returns the texts that a text may be read as: itself, from its end, percent-decoded, without what separates its parts,
 * and what its parts are in base64, hex and numbers of characters.
 */
export function readingsOf(text: string): string[] {
  const found = new Set([text, ...joinedParts(text), ...[text, ...percentDecoded(text)].map(fromEnd)]);
  let last = [...found];
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    last = last
      .flatMap((each) => {
        const decoded = percentDecoded(each);
        return [...decoded, ...decoded.flatMap(joinedParts), ...codesOf(each), ...runsOf(each)];
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
  return [...text].reverse().join("");
}

/** Returns a text with what it has percent-encoded decoded, if there is any. */
export function percentDecoded(text: string): string[] {
  const decoded = text.replaceAll(PERCENT, (run) => {
    const bytes = (run.match(/[\da-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
  return decoded === text ? [] : [decoded];
}

/** Returns a text without what separates lines and parts of an address, where a run may be cut into them. */
function joinedParts(text: string): string[] {
  const joined = text.replaceAll(/[&?;]\w{1,8}=/g, "").replaceAll(/[\s/.,:=]+/g, "");
  return joined === text ? [] : [joined];
}

/** Returns what numbers one after another are as characters: `73 110`, `49-6e`, `\u0049`, `&#73;`. */
function codesOf(text: string): string[] {
  const parts = text.split(/(?:\\[ux]|&#x?|\b0x|[^\da-f])+/i);
  const runs: string[][] = [[]];
  for (const part of parts) {
    if (/^[\da-f]{2,4}$/i.test(part)) {
      runs.at(-1)?.push(part);
    } else if (runs.at(-1)?.length !== 0) {
      runs.push([]);
    }
  }
  return runs
    .filter((run) => run.length >= MIN_CODES)
    .flatMap((run) =>
      [10, 16].map((base) =>
        run.map((code) => String.fromCharCode((base === 10 ? Number(code) : parseInt(code, 16)) || 0)).join(""),
      ),
    )
    .filter(isText);
}

function runsOf(text: string): string[] {
  const base64 = [...text.matchAll(BASE64)].slice(0, MAX_RUNS).flatMap(([run]) =>
    // The text may begin anywhere in it, as after a file's name or a slash.
    [0, 1, 2, 3].map((from) => fromBase64(run.slice(from))),
  );
  const hex = [...text.matchAll(HEX)]
    .slice(0, MAX_RUNS)
    .map(([run]) => Uint8Array.from((run.match(/../g) ?? []).map((pair) => parseInt(pair, 16))));
  return [...base64, ...hex].flatMap((bytes) => {
    const decoded = new TextDecoder().decode(bytes);
    return isText(decoded) ? [decoded] : [];
  });
}

function fromBase64(run: string): Uint8Array {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = atob(plain.slice(0, plain.length - (plain.length % 4)));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}

/** Whether bytes have a text in them, whatever is around it: bytes of chance are mostly no letters. */
function isText(decoded: string): boolean {
  return /(?:[^\ufffd\p{Cc}]|[\t\n\r]){24,}/u.test(decoded);
}
