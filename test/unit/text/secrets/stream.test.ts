import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SecretMask } from "../../../../src/text/secrets/mask.js";
import { MaskStream } from "../../../../src/text/secrets/stream.js";
import { KEYS, MADE, PRIVATE_KEY, random } from "./samples.js";

const PASSWORD = "correct horse battery 4";
const mask = new SecretMask([{ name: "DB_PASSWORD", value: PASSWORD }], (value) =>
  [...value]
    .reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 0xff_ffff, 7)
    .toString(16)
    .padStart(6, "0"),
);

const streamed = (parts: readonly string[]): string => {
  const stream = new MaskStream((text) => mask.places(text));
  return [...parts.map((part) => stream.push(part)), stream.end()].join("");
};

const TEXT = [
  "starting",
  `key ${KEYS["GITHUB_TOKEN"] ?? ""} in a line`,
  `API_TOKEN=${MADE}`,
  `the password is ${PASSWORD}!`,
  PRIVATE_KEY,
  "done",
  `postgres://app:${MADE}@db/app`,
].join("\n");

test("masks a text that is split anywhere as it masks the whole", () => {
  const whole = mask.mask(TEXT);
  expect(whole).toBe(
    whole
      .replaceAll(MADE, "")
      .replaceAll(KEYS["GITHUB_TOKEN"] ?? "", "")
      .replaceAll(PASSWORD, "")
      .replace(PRIVATE_KEY, ""),
  );
  expect(whole.match(/⟦secret /g)).toHaveLength(5);
  for (let at = 0; at <= TEXT.length; at++) {
    expect(streamed([TEXT.slice(0, at), TEXT.slice(at)])).toBe(whole);
  }
  expect(streamed([...TEXT])).toBe(whole);
});

test("masks a text that is split into any parts as it masks the whole", () => {
  const pieces = fc.array(fc.constantFrom(...TEXT.split(/(?<=\n)/), "\n", "token: ", " ", "x".repeat(50)), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(400), { maxLength: 20 }), (lines, cuts) => {
      const text = lines.join("");
      const parts: string[] = [];
      let from = 0;
      for (const cut of cuts) {
        parts.push(text.slice(from, from + cut));
        from += cut;
      }
      parts.push(text.slice(from));
      return streamed(parts) === mask.mask(text);
    }),
  );
});

test.each([60, 110, 500])("takes the end of a line of %i characters for no line of a private key", (size) => {
  const line = MADE.repeat(20).slice(0, 120);
  const text = `see ${"x".repeat(size)}${line}\n-----END RSA PRIVATE KEY-----\n`;
  const end = text.indexOf("\n") + 1;
  expect(streamed([text.slice(0, end), text.slice(end)])).toBe(mask.mask(text));
});

test.each([100, 4_000, 8_000, 15_990, 16_010, 40_000])(
  "finds a secret in a line without an end, %i characters in, whatever the parts",
  (offset) => {
    const text = `${"lorem ipsum ".repeat(10_000).slice(0, offset)} token=${MADE} ${"dolor sit ".repeat(5_000)}`;
    for (const size of [1_000, 4_096, 7_777, 16_384, 65_536]) {
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      const shown = streamed(parts);
      expect(shown).not.toContain(MADE.slice(4, 20));
      expect(shown.replace(/⟦secret TOKEN #[0-9a-f]+⟧/, MADE)).toBe(text);
    }
  },
);

test("shows nothing of a secret that is too long to be held", () => {
  const secret = random(300_000);
  const text = `secret=${secret} end`;
  const shown = streamed(Array.from({ length: 40 }, (_, index) => text.slice(index * 8_000, (index + 1) * 8_000)));
  expect(shown).toMatch(/^secret=⟦secret SECRET #[0-9a-f]+⟧ end$/);
});

test("holds no more of a text than a line", () => {
  const stream = new MaskStream((text) => mask.places(text));
  let shown = 0;
  for (let index = 0; index < 1_000; index++) {
    shown += stream.push(" word".repeat(1_000)).length;
    expect((index + 1) * 5_000 - shown).toBeLessThan(20_000);
  }
});
