/** Code units of a part. Longer texts are large objects of the engine, which it collects late. */
const PART = 32_768;
/**
 * Values and code units in one piece: a row of a table is written at once, since each piece costs as much as the row.
 */
const SMALL = 4_096;
/**
 * Levels that are taken apart. What lies deeper is written in one piece: a result is large by its lists, and those are
 * further out.
 */
const MAX_LEVELS = 8;

/**
 * The same text as `JSON.stringify(value, undefined, 2)`, in parts: of a value of 100 MB the text is nowhere as a
 * whole. What has no JSON at all (undefined, a function) is `null`.
 *
 * @throws TypeError as `JSON.stringify` does, for a value that holds itself or a BigInt
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

/** @param newline a line feed and the indentation of the line where the value stands */
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

/** What is left of a room when a value is in it; below 0 when it is too large. Looks no further than the room goes. */
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

/** The fields that JSON has; undefined and functions have none. */
function* entriesOfObject(value: object): Generator<[string, unknown]> {
  for (const name of Object.keys(value)) {
    const entry = plainValue(name, (value as Record<string, unknown>)[name]);
    if (entry !== undefined && typeof entry !== "function" && typeof entry !== "symbol") {
      yield [name, entry];
    }
  }
}

/** What stands for a value that says so itself, as dates do. */
function plainValue(name: string, value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value, name) as unknown) : value;
}
