import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BINARY_PROBE_BYTES,
  decodeChunks,
  decodeText,
  detectEncoding,
  encodeText,
  looksBinary,
  type PlainEncoding,
} from "../../../src/text/encoding.js";

const ENCODINGS: PlainEncoding[] = ["utf8", "utf8bom", "utf16le", "utf16be"];

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("detectEncoding", () => {
  test.each<{ head: Uint8Array; encoding: PlainEncoding }>([
    { head: bytes(), encoding: "utf8" },
    { head: bytes(0x61), encoding: "utf8" },
    { head: bytes(0xef, 0xbb), encoding: "utf8" },
    { head: bytes(0xef, 0xbb, 0xbf), encoding: "utf8bom" },
    { head: bytes(0xff, 0xfe, 0x61, 0), encoding: "utf16le" },
    { head: bytes(0xfe, 0xff, 0, 0x61), encoding: "utf16be" },
    { head: bytes(0xff), encoding: "utf8" },
  ])("$encoding by $head", ({ head, encoding }) => {
    expect(detectEncoding(head)).toBe(encoding);
  });
});

describe("looksBinary", () => {
  test.each([
    { what: "empty", head: bytes(), binary: false },
    { what: "text", head: bytes(0x61, 0x0a), binary: false },
    { what: "a NUL", head: bytes(0x61, 0, 0x62), binary: true },
    { what: "UTF-16 with its mark", head: encodeText("ab", "utf16le"), binary: false },
    { what: "UTF-16 without", head: encodeText("ab", "utf16le").subarray(2), binary: true },
    { what: "Latin-1", head: bytes(0x66, 0xfc, 0x72), binary: false },
  ])("$what: $binary", ({ head, binary }) => {
    expect(looksBinary(head)).toBe(binary);
  });

  test("looks no further than the probe", () => {
    const text = new Uint8Array(BINARY_PROBE_BYTES + 1).fill(0x61);
    text[BINARY_PROBE_BYTES] = 0;
    expect(looksBinary(text)).toBe(false);
    text[BINARY_PROBE_BYTES - 1] = 0;
    expect(looksBinary(text)).toBe(true);
  });
});

describe("decodeText", () => {
  test.each([
    { what: "broken UTF-8", data: bytes(0x61, 0xff, 0x62), text: "a\ufffdb" },
    { what: "UTF-8 cut in a character", data: bytes(0x61, 0xe2, 0x82), text: "a\ufffd" },
    { what: "UTF-16 of an odd length", data: bytes(0xff, 0xfe, 0x61, 0, 0x62), text: "a\ufffd" },
    { what: "UTF-16 with half a pair", data: bytes(0xff, 0xfe, 0x3d, 0xd8, 0x61, 0), text: "\ufffda" },
  ])("$what is shown, and not exact", ({ data, text }) => {
    expect(decodeText(data)).toMatchObject({ text, exact: false });
  });

  test("gives back what was encoded, and encoding gives back the bytes", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(text, fc.constantFrom(...ENCODINGS), (given, encoding) => {
        // A text that begins with a mark of its own needs a second one before it to be told from the encoding's.
        fc.pre(encoding !== "utf8" || !given.startsWith("\ufeff"));
        const data = encodeText(given, encoding);
        expect(decodeText(data)).toEqual({ text: given, encoding, exact: true });
        expect(encodeText(decodeText(data).text, encoding)).toEqual(data);
      }),
      { numRuns: 60 },
    );
  });
});

describe("decodeChunks", () => {
  async function* cut(data: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const length of lengths) {
      yield data.subarray(from, from + length);
      from += length;
    }
    yield data.subarray(from);
  }

  async function decode(data: Uint8Array, lengths: readonly number[] = []): Promise<string> {
    let text = "";
    for await (const chunk of decodeChunks(cut(data, lengths), () => {
      throw new Error("binary");
    })) {
      text += chunk;
    }
    return text;
  }

  test("gives the whole text, wherever the chunks are cut", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\r\n", "ü", "日", "😀"), maxLength: 40 });
    const lengths = fc.array(fc.nat(20), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...ENCODINGS),
        lengths,
        fc.boolean(),
        async (given, encoding, cuts, long) => {
          const whole = long ? `${"x".repeat(BINARY_PROBE_BYTES)}${given}` : given;
          // The cuts of a long text lie around the end of the probe.
          const at = long ? [BINARY_PROBE_BYTES - 5, ...cuts] : cuts;
          expect(await decode(encodeText(whole, encoding), at)).toBe(whole);
        },
      ),
    );
  });

  test("decodes broken bytes as the whole does", async () => {
    const data = fc.uint8Array({ minLength: 0, maxLength: 40 }).filter((given) => !given.includes(0));
    await fc.assert(
      fc.asyncProperty(data, fc.array(fc.nat(10)), async (given, cuts) => {
        expect(await decode(given, cuts)).toBe(decodeText(given).text);
      }),
    );
  });

  test("tells of a binary file before it gives anything", async () => {
    await expect(decode(bytes(0x61, 0, 0x62), [1, 1])).rejects.toThrow("binary");
    await expect(decode(new Uint8Array(100_000), [50_000])).rejects.toThrow("binary");
  });

  test("an empty file is an empty text", async () => {
    expect(await decode(bytes())).toBe("");
  });
});
