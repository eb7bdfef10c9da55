import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRoom, MEMORY_LIMITS, readMemoryLimits, type MemoryNeed } from "../../../../src/features/memory/limits.js";
import { DAY, endOfNote, formatNote, parseNote } from "../../../../src/features/memory/note.js";
import { processorTime } from "../../../harness/processorTime.js";

const T = Date.parse("2026-01-02T03:04:05.000Z");

describe("a note's file", () => {
  test("has its times before the value", () => {
    expect(
      formatNote({
        value: "# Build\nnpm test",
        created: T,
        updated: T + DAY,
        expires: undefined,
        others: ["tags: [a]"],
      }),
    ).toBe(
      "---\ncreated: 2026-01-02T03:04:05.000Z\nupdated: 2026-01-03T03:04:05.000Z\ntags: [a]\n---\n# Build\nnpm test",
    );
  });

  test("reads back as it was written, whatever the value", () => {
    const time = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined });
    const value = fc
      .array(
        fc.oneof(
          fc.constantFrom("---\n", "---", "\n", "\r\n", "created: 2020-01-01\n", "\uFEFF"),
          fc.string({ unit: "grapheme" }),
        ),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(value, time, fc.integer({ min: 0, max: 4e12 }), time, (text, created, updated, expires) => {
        const note = { value: text, created, updated, expires, others: ["tags: [a, b]"] };
        expect(parseNote(formatNote(note))).toMatchObject(note);
      }),
    );
  });

  const byHand: {
    name: string;
    text: string;
    value: string;
    times?: object;
    frontLines?: number;
    others?: string[];
  }[] = [
    { name: "a text alone", text: "just text\n", value: "just text\n" },
    { name: "an empty one", text: "", value: "" },
    {
      name: "front matter of somebody else is the value",
      text: "---\ntitle: x\n---\ntext",
      value: "---\ntitle: x\n---\ntext",
    },
    { name: "a rule at its start is the value", text: "---\n\ntext", value: "---\n\ntext" },
    {
      name: "front matter that does not end",
      text: "---\nupdated: 2026-01-02\ntext",
      value: "---\nupdated: 2026-01-02\ntext",
    },
    {
      name: "a day alone",
      text: "---\nexpires: 2026-01-02\n---\ntext",
      value: "text",
      times: { expires: Date.parse("2026-01-02") },
      frontLines: 3,
    },
    {
      name: "quoted, among others",
      text: '---\ntitle: x\nupdated: "2026-01-02T03:04:05.000Z"\n---\n',
      value: "",
      times: { updated: T },
      frontLines: 4,
      others: ["title: x"],
    },
    {
      name: "CRLF",
      text: "---\r\ncreated: 2026-01-02T03:04:05Z\r\ntitle: x\r\n---\r\na\r\nb",
      value: "a\r\nb",
      times: { created: T },
      frontLines: 4,
      others: ["title: x"],
    },
    { name: "what is no date", text: "---\nexpires: 5\n---\ntext", value: "---\nexpires: 5\n---\ntext" },
    {
      name: "a date beside what is none",
      text: "---\nexpires: soon\nupdated: 2026-01-02T03:04:05Z\n---\ntext",
      value: "text",
      times: { updated: T },
      frontLines: 4,
    },
    {
      name: "front matter of 20 KB",
      text: `---\ncreated: 2026-01-02\n${"x\n".repeat(10_000)}---\ntext`,
      value: `---\ncreated: 2026-01-02\n${"x\n".repeat(10_000)}---\ntext`,
    },
  ];
  test.each(byHand)("made by hand: $name", ({ text, value, times, frontLines = 0, others = [] }) => {
    expect(parseNote(text)).toEqual({
      value,
      created: undefined,
      updated: undefined,
      expires: undefined,
      ...times,
      frontLines,
      others,
    });
  });

  test("a megabyte of dashes takes no time", async () => {
    expect(
      await processorTime(() => expect(parseNote(`---\n${"---x\n".repeat(200_000)}`).frontLines).toBe(0)),
    ).toBeLessThan(1_000);
  });
});

describe("the end of a note", () => {
  test.each([
    { name: "of its own", note: { expires: 5, updated: 1 }, days: 9, end: 5 },
    {
      name: "by the user's limit, from its last change",
      note: { expires: undefined, updated: T },
      days: 2,
      end: T + 2 * DAY,
    },
    { name: "never, without a limit", note: { expires: undefined, updated: T }, days: 0, end: undefined },
    {
      name: "never, for a file that tells no time",
      note: { expires: undefined, updated: undefined },
      days: 2,
      end: undefined,
    },
  ])("$name", ({ note, days, end }) => {
    expect(endOfNote(note, days)).toBe(end);
  });
});

describe("room", () => {
  const limits = { keys: 2, valueBytes: 10, totalBytes: 100, days: 0 };
  const need: MemoryNeed = { key: "k", valueBytes: 10, fileBytes: 40, otherKeys: 1, otherBytes: 60, isNew: true };
  test.each<{ name: string; limits?: object; need?: Partial<MemoryNeed>; message?: string }>([
    { name: "just enough" },
    {
      name: "a value too long",
      need: { valueBytes: 11 },
      message: 'memory key "k": the value has 11 bytes; at most 10. Nothing was stored.',
    },
    {
      name: "a key too many",
      need: { otherKeys: 2 },
      message: 'memory key "k": memory has 2 keys; at most 2. Nothing was stored.',
    },
    { name: "one of too many keys, written again", need: { otherKeys: 5, isNew: false } },
    {
      name: "a byte too many in all",
      need: { otherBytes: 61 },
      message: 'memory key "k": memory would take 101 bytes; at most 100. Nothing was stored.',
    },
    { name: "0 is no limit of keys", limits: { keys: 0 }, need: { otherKeys: 100_000 } },
    { name: "0 is no limit of bytes in all", limits: { totalBytes: 0 }, need: { otherBytes: 1e12 } },
    { name: "0 is a megabyte of a value", limits: { valueBytes: 0, totalBytes: 0 }, need: { valueBytes: 1_000_000 } },
    {
      name: "and no more",
      limits: { valueBytes: 0 },
      need: { valueBytes: 1_000_001 },
      message: 'memory key "k": the value has 1000001 bytes; at most 1000000. Nothing was stored.',
    },
    {
      name: "nor by a higher limit",
      limits: { valueBytes: 5_000_000 },
      need: { valueBytes: 1_000_001 },
      message: 'memory key "k": the value has 1000001 bytes; at most 1000000. Nothing was stored.',
    },
  ])("$name", ({ limits: more, need: other, message }) => {
    const check = (): void => checkRoom({ ...limits, ...more }, { ...need, ...other });
    if (message === undefined) {
      expect(check).not.toThrow();
    } else {
      expect(check).toThrow(expect.objectContaining({ type: "too_large", message }) as Error);
    }
  });
});

describe("the user's limits", () => {
  test.each([
    { name: "nothing set", value: undefined, limits: {} },
    { name: "some", value: { keys: 5, days: 30 }, limits: { keys: 5, days: 30 } },
    {
      name: "none",
      value: { keys: 0, valueBytes: 0, totalBytes: 0 },
      limits: { keys: 0, valueBytes: 0, totalBytes: 0 },
    },
    { name: "what is no number", value: { keys: "5", valueBytes: null, totalBytes: Number.NaN, days: {} }, limits: {} },
    { name: "less than nothing", value: { keys: -1 }, limits: {} },
    { name: "more days than a date tells", value: { days: 1e300 }, limits: { days: 36_500 } },
    { name: "no object", value: "many", limits: {} },
    { name: "a list", value: [5], limits: {} },
  ])("$name", ({ value, limits }) => {
    expect(readMemoryLimits(value)).toEqual({ ...MEMORY_LIMITS, ...limits });
  });
});
