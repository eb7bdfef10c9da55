/** A JSON text as it was meant. */
export interface RepairedJson {
  value: unknown;
  /** What was repaired, for its author. */
  note: string;
}

/**
 * Reads JSON that a model wrote, repaired where that leaves no doubt about what was meant.
 *
 * @returns the value, and what was repaired
 * @throws SyntaxError that of `JSON.parse`
 */
export function readJson(text: string): { value: unknown; note?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const repaired = repairJson(text);
    if (repaired === undefined) {
      throw error;
    }
    return repaired;
  }
}

/**
 * Reads JSON with the two mistakes that leave no doubt about what was meant, both frequent in models: line endings and
 * tabs written as themselves in a string, and closing brackets after the end. A text that ends too early is never
 * completed: what is missing is not known.
 *
 * @returns undefined if the text has another mistake, or none
 */
export function repairJson(text: string): RepairedJson | undefined {
  const { escaped, end, closed } = scan(text);
  const rest = closed ? text.slice(end) : "";
  const isSurplus = /^[\s}\]]+$/.test(rest) && rest.trim() !== "";
  if ((escaped === undefined && !isSurplus) || (rest.trim() !== "" && !isSurplus)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(escaped ?? text.slice(0, end));
    const repairs = [
      ...(escaped === undefined ? [] : ["line endings and tabs in strings were not escaped"]),
      ...(isSurplus ? [`a closing ${rest.trim()[0] ?? ""} too many was ignored`] : []),
    ];
    return { value, note: `The input was not quite JSON: ${repairs.join("; ")}.` };
  } catch {
    return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Finds where the first value ends, and escapes raw line endings and tabs in its strings; undefined if it has none. */
function scan(text: string): { escaped: string | undefined; end: number; closed: boolean } {
  const parts: string[] = [];
  let [from, depth, isString, end, closed] = [0, 0, false, text.length, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isString) {
      const escape = ESCAPES[character];
      if (character === "\\") {
        at += 1;
      } else if (character === '"') {
        isString = false;
      } else if (escape !== undefined) {
        parts.push(text.slice(from, at), escape);
        from = at + 1;
      }
    } else if (character === '"') {
      isString = true;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if ((character === "}" || character === "]") && --depth <= 0) {
      [end, closed] = [at + 1, depth === 0];
      break;
    }
  }
  return { escaped: parts.length === 0 ? undefined : [...parts, text.slice(from, end)].join(""), end, closed };
}
