/** Code units per part. Longer strings are large objects in the engine, which it collects late. */
const PART = 32_768;
/**
 * Values and code units formatted in one piece: a table row is formatted as a whole, because each piece costs as much
 * as the row.
 */
const SMALL = 4_096;
/**
 * Levels that are split up. Deeper values are formatted in one piece: what makes a result large is lists, and those are
 * near the top.
 */
const MAX_LEVELS = 8;

/**
 * Yields the text of `JSON.stringify(value, undefined, 2)` in parts, so that a 100 MB value's text is never held as a
 * whole. A value without JSON (undefined, a function) becomes `null`.
 *
 * @throws TypeError like `JSON.stringify`, for a circular value or a BigInt
 */
export function* jsonParts(value: unknown): Generator<string> {
  let part: string[] = [];
  let length = 0;
  for (const piece of pieces(plainValue("", value), "\n", 1)) {
    part.push(piece);
    length += piece.length;
    if (length >= PART) {
      yield part.join("");
      part = [];
      length = 0;
    }
  }
  yield part.join("");
}

/** @param newline a line feed and the indentation of the value's line */
function* pieces(value: unknown, newline: string, level: number): Generator<string> {
  if (!isTakenApart(value, level)) {
    yield (JSON.stringify(value, undefined, 2) ?? "null").replaceAll("\n", newline);
    return;
  }
  const isArray = Array.isArray(value);
  const inside = `${newline}  `;
  let before = isArray ? "[" : "{";
  for (const [name, entry] of isArray ? entriesOfArray(value) : entriesOfObject(value)) {
    yield `${before}${inside}${isArray ? "" : `${JSON.stringify(name)}: `}`;
    yield* pieces(entry, inside, level + 1);
    before = ",";
  }
  const close = isArray ? "]" : "}";
  yield before === "," ? `${newline}${close}` : `${before}${close}`;
}

function isTakenApart(value: unknown, level: number): value is object {
  const isBoxed =
    value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
  return typeof value === "object" && value !== null && !isBoxed && level <= MAX_LEVELS && roomBeside(value, SMALL) < 0;
}

/**
 * Returns the room left after adding a value; below 0 if the value is too large. Stops reading once the room is used
 * up.
 */
function roomBeside(value: unknown, room: number): number {
  let left = room - (typeof value === "string" ? value.length : 1);
  if (typeof value === "object" && value !== null) {
    for (const name in value) {
      if (left < 0) {
        break;
      }
      left = roomBeside((value as Record<string, unknown>)[name], left - name.length);
    }
  }
  return left;
}

function* entriesOfArray(values: readonly unknown[]): Generator<[string, unknown]> {
  for (const [index, value] of values.entries()) {
    yield [String(index), plainValue(String(index), value)];
  }
}

/** Yields the fields that JSON includes: not undefined, functions or symbols. */
function* entriesOfObject(value: object): Generator<[string, unknown]> {
  for (const name of Object.keys(value)) {
    const entry = plainValue(name, (value as Record<string, unknown>)[name]);
    if (entry !== undefined && typeof entry !== "function" && typeof entry !== "symbol") {
      yield [name, entry];
    }
  }
}

/** Applies a value's own `toJSON`, as dates have. */
function plainValue(name: string, value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value, name) as unknown) : value;
}
