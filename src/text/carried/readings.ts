// What a receiver may read in a text: as it is, and with its encodings taken off.

/** Characters of a run in base64 or hex that is decoded: of 24 characters and more. */
const BASE64 = /[A-Za-z0-9+/_-]{32,}/g;
const HEX = /(?:[0-9a-f]{2}){24,}/gi;
const PERCENT = /(?:%[\da-f]{2})+/gi;
/** Encodings within each other that are taken off. */
const MAX_DEPTH = 3;
const MAX_RUNS = 200;

/** Returns the texts that a text may be read as: itself, percent-decoded, and what its parts are in base64 and hex. */
export function readingsOf(text: string): string[] {
  const found = [text];
  let last = [text];
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    last = last.flatMap((each) => [...percentDecoded(each), ...runsOf(each)]).filter((each) => !found.includes(each));
    found.push(...last);
  }
  return found;
}

function percentDecoded(text: string): string[] {
  const decoded = text.replaceAll(PERCENT, (run) => {
    const bytes = (run.match(/[\da-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
  return decoded === text ? [] : [decoded];
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

/** Whether bytes were text: bytes of chance are mostly no letters. */
function isText(decoded: string): boolean {
  const odd = decoded.match(/[\ufffd\p{Cc}]/gu)?.length ?? 0;
  return odd <= decoded.length * 0.2;
}
