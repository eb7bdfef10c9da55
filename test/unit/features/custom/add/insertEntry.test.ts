import { parse, type ParseError } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { insertEntry } from "../../../../../src/features/custom/add/insertEntry.js";

const made = { list: "tools", entry: { name: "new_one", command: "wc" } } as const;
const ENTRY = `{
      "name": "new_one",
      "command": "wc"
    }`;

describe("an entry that is added to a file", () => {
  const cases: { what: string; before: string | undefined; after: string }[] = [
    { what: "that is not there", before: undefined, after: `{\n  "tools": [\n    ${ENTRY}\n  ]\n}\n` },
    { what: "without a list", before: "{}", after: `{\n  "tools": [\n    ${ENTRY}\n  ]\n}` },
    {
      what: "with an empty list",
      before: '{\n  // mine\n  "tools": []\n}\n',
      after: `{\n  // mine\n  "tools": [\n    ${ENTRY}\n  ]\n}\n`,
    },
    {
      what: "after another",
      before: '{\n  "tools": [\n    {"name": "a"} // of a\n  ]\n}\n',
      after: `{\n  "tools": [\n    {"name": "a"}, // of a\n    ${ENTRY}\n  ]\n}\n`,
    },
    {
      what: "after a comma at the end",
      before: '{\n  "tools": [\n    {"name": "a"}, // of a\n    /* last */\n  ],\n  "openapi": [],\n}\n',
      after: `{\n  "tools": [\n    {"name": "a"}, // of a\n    /* last */\n    ${ENTRY},\n  ],\n  "openapi": [],\n}\n`,
    },
    {
      what: "on one line",
      before: '{"tools": [{"name": "a"}]}',
      after: `{"tools": [{"name": "a"}, ${ENTRY}]}`,
    },
  ];
  it.each(cases)("$what", ({ before, after }) => {
    const { text, offset, length } = insertEntry(before, made);
    expect(text).toBe(after);
    expect(parse(text.slice(offset, offset + length))).toEqual(made.entry);
  });

  it("keeps the file's line endings", () => {
    const { text } = insertEntry('{\r\n\t"tools": [\r\n\t\t{"name": "a"}\r\n\t]\r\n}\r\n', made);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(text).toContain('\r\n\t\t{\r\n\t\t\t"name": "new_one",');
  });

  it.each(["tools", "openapi"] as const)("leaves good JSON in files of any form, in %s", (list) => {
    const gaps = ["", " ", "\n", " // c\n", "/* c */", "\t"];
    for (const a of gaps) {
      for (const b of gaps) {
        for (const entries of ["", `{"a": 1}`, `{"a": 1}${a},`, `{"a": 1}${a},${b}{"b": 2}`]) {
          const before = `{${a}"${list}"${b}:[${a}${entries}${b}]${a},"x": [1]}`;
          const { text } = insertEntry(before, { list, entry: made.entry });
          const errors: ParseError[] = [];
          const read = parse(text, errors, { allowTrailingComma: true }) as Record<string, unknown[]>;
          expect(errors, text).toEqual([]);
          const had = parse(before, [], { allowTrailingComma: true }) as Record<string, unknown[]>;
          expect(read, text).toEqual({ ...had, [list]: [...(had[list] ?? []), made.entry] });
          expect(text.match(/\/[/*] ?c/g), text).toEqual(before.match(/\/[/*] ?c/g));
        }
      }
    }
  });
});
