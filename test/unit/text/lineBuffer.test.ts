import { expect, test } from "vitest";
import { LineBuffer } from "../../../src/text/lineBuffer.js";

test.each([1, 2, 3, 7, 1_000])("lines are the same in chunks of %d bytes", (size) => {
  const lines: string[] = [];
  const dropped: string[][] = [];
  const buffer = new LineBuffer(
    500,
    (line) => lines.push(line),
    (...ends) => dropped.push(ends),
  );
  const bytes = new TextEncoder().encode(`one\n\nzwölf €\n${"a".repeat(300)}${"b".repeat(300)}\nlast\nopen`);
  for (let from = 0; from < bytes.length; from += size) {
    buffer.add(bytes.subarray(from, from + size));
  }
  expect(lines).toEqual(["one", "", "zwölf €", "last"]);
  expect(dropped).toEqual([["a".repeat(200), "b".repeat(200)]]);
});

test("a line without an end is known to be too long", () => {
  const buffer = new LineBuffer(
    10,
    () => undefined,
    () => undefined,
  );
  buffer.add(new Uint8Array(10).fill(97));
  expect(buffer.isTooLong).toBe(false);
  buffer.add(new Uint8Array(1).fill(97));
  expect(buffer.isTooLong).toBe(true);
});
