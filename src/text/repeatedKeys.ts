/** The first repeated key of a JSON text, and how many repetitions there are. */
export interface RepeatedKeys {
  key: string;
  /** Offset of its repetition. */
  offset: number;
  count: number;
}

/**
 * Looks for objects in a JSON text that have a key more than once: `JSON.parse` silently keeps only the last one (RFC
 * 8259 §4 leaves it open). The caller must know that the text is JSON. One pass; holds only the keys of open objects.
 *
 * @returns undefined if no object repeats a key
 */
export function repeatedKeys(json: string): RepeatedKeys | undefined {
  /** The keys of the open objects; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  let found: RepeatedKeys | undefined;
  for (let at = 0; at < json.length; at++) {
    switch (json.charAt(at)) {
      case '"': {
        const end = endOfString(json, at);
        const keys = expectsKey ? open.at(-1) : undefined;
        if (keys !== undefined) {
          const key = unescaped(json.slice(at, end + 1));
          if (keys.has(key)) {
            found = found === undefined ? { key, offset: at, count: 1 } : { ...found, count: found.count + 1 };
          }
          keys.add(key);
        }
        expectsKey = false;
        at = end;
        break;
      }
      case "{":
        open.push(new Set());
        expectsKey = true;
        break;
      case "[":
        open.push(undefined);
        expectsKey = false;
        break;
      case "}":
      case "]":
        open.pop();
        expectsKey = false;
        break;
      case ",":
        expectsKey = open.at(-1) !== undefined;
        break;
    }
  }
  return found;
}

/** Returns the index of the quote that ends a string; the text's end if there is none. */
function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === "\\") {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return end;
    }
  }
  return json.length;
}

/** Decodes a quoted string: `"\u0061"` is `a`. */
function unescaped(quoted: string): string {
  if (!quoted.includes("\\")) {
    return quoted.slice(1, -1);
  }
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Not valid JSON, which the parser will report.
    return quoted;
  }
}
