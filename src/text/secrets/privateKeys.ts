/** A line of a private key, with what a listing, a diff or a string puts before it. */
const LINE =
  /[ \t]{0,20}(?:\d{1,7}[\t:| -][ \t]?|[+> -][ \t]?)?["'`]?([A-Za-z0-9+/=]{0,200}|[A-Z][A-Za-z-]{1,30}: [^\r\n\\]{0,200})["'`]?[ \t,+]{0,4}(?:\r?\n|(?:\\r)?\\n|$)/y;

const BEGIN =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[ \t"'`,+]{0,4}(?:\r?\n|(?:\\r)?\\n))?/y;
const END =
  /(?:[ \t]{0,20}(?:\d{1,7}[\t:| -][ \t]?|[+> -][ \t]?)?["'`]?)-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

/** Characters of a key's text; an RSA key of 16,384 bits has 12,000. */
export const MAX_PRIVATE_KEY = 24_000;
/** Letters that a key has at least: fewer are an example. */
const MIN_LETTERS = 80;

/** Finds private keys in PEM and OpenPGP's armor, also cut off, numbered, in a diff, or in a string with `\n`. */
export function findPrivateKeys(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
    BEGIN.lastIndex = at;
    const begin = BEGIN.exec(text);
    if (begin === null) {
      continue;
    }
    const end = endOf(text, at + begin[0].length);
    if (end !== undefined) {
      found.push({ start: at, end });
      at = end - 1;
    }
  }
  return found;
}

/** Returns where the text of a key ends; undefined if it has none. */
function endOf(text: string, from: number): number | undefined {
  let at = from;
  let end = from;
  let letters = 0;
  while (at < text.length && at - from < MAX_PRIVATE_KEY) {
    END.lastIndex = at;
    const last = END.exec(text);
    if (last !== null) {
      end = at + last[0].length;
      break;
    }
    LINE.lastIndex = at;
    const line = LINE.exec(text);
    if (line === null || line[0] === "") {
      break;
    }
    letters += line[1]?.length ?? 0;
    at += line[0].length;
    // Blank lines after a key that is cut off are not part of it.
    end = line[1] === "" ? end : at - (/(?:\r?\n|(?:\\r)?\\n)$/.exec(line[0])?.[0].length ?? 0);
  }
  return letters > MIN_LETTERS ? end : undefined;
}

/** Returns a private key without what a listing puts before its lines, so that all its copies are one value. */
export function plainKey(value: string): string {
  return value
    .split(/\r?\n|(?:\\r)?\\n/)
    .map((line) =>
      line
        .replace(/^[ \t]*(?:\d{1,7}[\t:| -][ \t]?|[+>-](?!-)[ \t]?)?["'`]?/, "")
        .replace(/["'`]?(?<![ \t,+])[ \t,+]*$/, ""),
    )
    .join("\n");
}
