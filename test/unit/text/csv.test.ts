import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvError, csvObjects, csvRecords } from "../../../src/text/csv.js";

describe("records of", () => {
  const cases: [name: string, text: string, records: string[][]][] = [
    ["nothing", "", []],
    ["one field", "a", [["a"]]],
    [
      "lines with and without an end",
      "a,b\nc,d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["every line end", "a\r\nb\rc\nd", [["a"], ["b"], ["c"], ["d"]]],
    [
      "empty fields",
      ",\n,,x\na,",
      [
        ["", ""],
        ["", "", "x"],
        ["a", ""],
      ],
    ],
    ["empty lines, which are none", "\n\na\n\n\nb\n\n", [["a"], ["b"]]],
    ["quotes", '"a,b","c""d","e\nf"\n', [["a,b", 'c"d', "e\nf"]]],
    ["an empty quoted field", '"",x', [["", "x"]]],
    ["a quote within a plain field", 'a"b,c', [['a"b', "c"]]],
    ["a byte order mark", '\uFEFF"a",b', [["a", "b"]]],
    ["blanks, which belong to the field", " a , b ", [[" a ", " b "]]],
  ];
  test.each(cases)("%s", (_name, text, records) => {
    expect(csvRecords(text, ",")).toEqual(records);
  });
});

describe("no CSV is", () => {
  const cases: [name: string, text: string, line: number, message: RegExp][] = [
    ["a quote that does not end", 'a,b\n"c,d\n', 2, /is not closed/],
    ["something behind a quote", '"a"b,c', 1, /followed by "b"/],
    ["the same after a field of several lines", 'x\n"a\nb"c', 3, /followed by "c"/],
  ];
  test.each(cases)("%s", (_name, text, line, message) => {
    expect(() => csvRecords(text, ",")).toThrow(CsvError);
    expect(() => csvRecords(text, ",")).toThrow(
      expect.objectContaining({ line, message: expect.stringMatching(message) as string }),
    );
  });
});

test("whatever fields are written comes back", () => {
  const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "😀") });
  const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom("\n", "\r\n"),
      (records, end) => {
        expect(csvRecords(records.map((record) => record.map(quoted).join(",")).join(end), ",")).toEqual(records);
      },
    ),
  );
});

test("names that are missing or come twice still name every field, and __proto__ is a name", () => {
  // A column keeps a name that it has; a field beyond the names does not take another's name.
  expect(csvObjects("a,,a,a_2\n1,2,3,4,5\n6\n", ",")).toEqual({
    objects: [{ a: "1", column_2: "2", a_3: "3", a_2: "4", column_5: "5" }, { a: "6" }],
    renamed: [{ column: 3, given: "a", name: "a_3" }],
  });
  expect(csvObjects("column_3,,column_2\n1,2,3\n", ",")).toEqual({
    objects: [{ column_3: "1", column_2_2: "2", column_2: "3" }],
    renamed: [],
  });
  expect(csvObjects("column_2\n1,2\n", ",")).toEqual({ objects: [{ column_2: "1", column_2_2: "2" }], renamed: [] });
  expect(JSON.stringify(csvObjects("__proto__\tb\n1\t2", "\t").objects)).toBe('[{"__proto__":"1","b":"2"}]');
});

test("every field of every record is in its object, whatever the names", () => {
  const name = fc.constantFrom("", " ", "a", "a_2", "a_2_2", "column_2", "column_2_2", "column_3");
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 5 }), fc.integer({ min: 2, max: 7 }), (names, width) => {
      const values = Array.from({ length: width }, (_, index) => `v${index}`);
      const [object = {}] = csvObjects(`${names.join(",")}\n${values.join(",")}`, ",").objects;
      expect(Object.values(object).sort()).toEqual(values);
    }),
  );
});
