import fc from "fast-check";

/** Short texts that mix line endings, characters of two code units, and few different lines, so that these repeat. */
export const anyText = fc.string({
  unit: fc.constantFrom("a", "b", "c", "\n", "\n", "\r\n", "\r", "😀", "😁", "\ud83d", "\ude00"),
  maxLength: 40,
});

/** Texts of several lines that mostly end in `\n`. */
export const anyLines = fc
  .tuple(
    fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n", "}\n", "e\r\n"), { maxLength: 25 }),
    fc.constantFrom("", "a", "z"),
  )
  .map(([lines, last]) => lines.join("") + last);

/** Cuts a text at places chosen by fast-check; the parts joined are the text. */
export function anyChunks(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((places) => {
    const cuts = [0, ...places.sort((a, b) => a - b), text.length];
    return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
  });
}
