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
