import { expect, test } from "vitest";
import { MarkedOutput } from "../../../../src/hosts/node/sandbox/markedOutput.js";

const MARK = "\u001etoken ";

function collect(): { take: (text: string) => void; seen: unknown[]; flush: () => void } {
  const seen: unknown[] = [];
  const marked = new MarkedOutput(
    MARK,
    (bytes) => seen.push(Buffer.from(bytes).toString()),
    (end) => seen.push(end),
  );
  return { take: (text) => marked.take(Buffer.from(text)), seen, flush: () => marked.flush() };
}

test("the end of a shell comes between what it wrote and what it left running writes", () => {
  const { take, seen } = collect();
  take(`a\n${MARK}3 1\u001eb\n`);
  expect(seen).toEqual(["a\n", { code: 3, isLeft: true }, "b\n"]);
});

test("a mark that arrives in pieces is one, wherever it is cut", () => {
  const whole = `text${MARK}141 0\u001emore`;
  for (let at = 1; at < whole.length; at++) {
    const { take, seen, flush } = collect();
    take(whole.slice(0, at));
    take(whole.slice(at));
    flush();
    const ends = seen.filter((each) => typeof each !== "string");
    expect(ends).toEqual([{ code: 141, isLeft: false }]);
    expect(seen.filter((each) => typeof each === "string").join("")).toBe("textmore");
  }
});

test("a mark that arrives byte by byte is one", () => {
  const { take, seen } = collect();
  [...`x${MARK}0 0\u001ey`].forEach((byte) => take(byte));
  expect(seen).toEqual(["x", { code: 0, isLeft: false }, "y"]);
});

test("text that only begins like the mark is output, at once or at the end", () => {
  const { take, seen, flush } = collect();
  take("a\u001eto");
  expect(seen).toEqual(["a"]);
  take("p\u001e");
  expect(seen).toEqual(["a", "\u001etop"]);
  flush();
  flush();
  expect(seen).toEqual(["a", "\u001etop", "\u001e"]);
});

test.each([`${MARK}no end that anyone knows`, `${MARK}1 2\u001e`, `${MARK}-1 0\u001e`, `${MARK}12345678901 0\u001e`])(
  "a mark without an exit code (%j) is output",
  (text) => {
    const { take, seen, flush } = collect();
    take(text);
    flush();
    expect(seen.join("")).toBe(text);
  },
);
