// Secrets in texts and values, however a server spells them.
import { describe, expect, test } from "vitest";
import { Mask } from "../../../../src/features/openapi/mask.js";
import { call, load, oneOperation, startHttp } from "./rig.js";

const SECRET = 'aB3/+ "q&\\<Z9=x';
const hex = (text: string, write: (hex: string) => string): string =>
  [...text].map((each) => write(each.charCodeAt(0).toString(16).padStart(2, "0"))).join("");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("/", "&#47;");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const mask = (secret = SECRET): Mask => {
  const made = new Mask();
  made.add("KEY", secret);
  return made;
};

describe("a secret is hidden", () => {
  test.each<[string, (text: string) => string]>([
    ["as it is", (text) => text],
    ["in lower case", (text) => text.toLowerCase()],
    ["in JSON", json],
    ["in JSON with escaped slashes", (text) => json(text).replaceAll("/", "\\/")],
    ["in JSON inside JSON", (text) => json(json(text))],
    ["in JSON inside JSON with escaped slashes", (text) => json(json(text).replaceAll("/", "\\/"))],
    ["in \\u", (text) => hex(text, (each) => `\\u00${each}`)],
    ["in \\U of capitals", (text) => hex(text, (each) => `\\u00${each.toUpperCase()}`)],
    ["in \\u inside JSON", (text) => json(hex(text, (each) => `\\u00${each}`))],
    ["in \\u{}", (text) => hex(text, (each) => `\\u{${each}}`)],
    ["in \\x", (text) => hex(text, (each) => `\\x${each}`)],
    ["with one character in \\u", (text) => text.replace("Z", "\\u005a")],
    ["percent-encoded", encodeURIComponent],
    [
      "percent-encoded in lower case",
      (text) => encodeURIComponent(text).replaceAll(/%../g, (each) => each.toLowerCase()),
    ],
    ["percent-encoded twice", (text) => encodeURIComponent(encodeURIComponent(text))],
    ["percent-encoded in every character", (text) => hex(text, (each) => `%${each}`)],
    ["as a form", (text) => new URLSearchParams({ k: text }).toString().slice(2)],
    ["in HTML", html],
    ["in HTML by numbers", (text) => hex(text, (each) => `&#x${each};`)],
    ["in base64", base64],
    ["in base64 without padding", (text) => base64(text).replaceAll("=", "")],
    ["in base64url", base64url],
    ["in percent-encoded base64", (text) => encodeURIComponent(base64(text))],
    ["in base64 in JSON with escaped slashes", (text) => base64(text).replaceAll("/", "\\/")],
  ])("%s", (_what, write) => {
    const shown = mask().hide(`before ${write(SECRET)} after, ${write(SECRET)}.`);
    expect(shown).toBe("before [KEY] after, [KEY].");
  });

  test.each([0, 1, 2, 3, 4, 5])("in base64 of other text, %i bytes in", (before) => {
    for (const write of [base64, base64url]) {
      const written = write(`${"x".repeat(before)}${SECRET}:after`);
      const shown = mask().hide(written);
      expect(shown).toContain("[KEY]");
      // At its ends a character may hold bits of what is around, and that is all that is left of it.
      const inside = write(SECRET).slice(2, -4);
      expect(shown).not.toContain(inside);
      expect(shown.length).toBeLessThan("[KEY]".length + written.length - inside.length);
    }
  });

  test("where the text is cut, as far as it is there", () => {
    for (const write of [
      (text: string) => text,
      json,
      encodeURIComponent,
      base64,
      (text: string) => hex(text, (each) => `\\u00${each}`),
    ]) {
      const written = write(SECRET);
      for (let length = written.length - 1; length >= 4 * (written.length / SECRET.length) + 2; length--) {
        expect(mask().hide(`before ${written.slice(0, length)}`, true)).toBe("before [KEY]");
      }
    }
    expect(mask().hide("before aB3", true)).toBe("before aB3");
    expect(mask().hide('before aB3/+ "', false)).toBe('before aB3/+ "');
  });

  test("in names, texts and numbers of a value", () => {
    const hiding = mask("12345678");
    expect(hiding.hideIn({ a12345678: ["12345678", 12345678, null, true, 5], b: { c: base64("12345678") } })).toEqual({
      "a[KEY]": ["[KEY]", "[KEY]", null, true, 5],
      b: { c: "[KEY]" },
    });
    expect(JSON.stringify(hiding.hideIn(JSON.parse('{"__proto__": {"a": "12345678"}}')))).toBe(
      '{"__proto__":{"a":"[KEY]"}}',
    );
  });

  test("beside another one that begins like it", () => {
    const two = mask("abcdef");
    two.add("LONG", "abcdefgh");
    expect(two.hide("abcdefgh abcdef abcd%65fgh abcd%65f")).toBe("[LONG] [KEY] [LONG] [KEY]");
  });
});

test("other text stays as it is", () => {
  const text = `${json('a "b" \\ c / d')} 100% %41 &amp; &copy; \\u0041 aB3/+ aB3 ${"\\".repeat(20)} ${base64("something else")}`;
  expect(mask().hide(text, true)).toBe(text);
  expect(mask("abc").hide("abc")).toBe("abc");
});

describe("in an answer", () => {
  const answered = async (
    answer: Parameters<typeof startHttp>[0],
    secret = SECRET,
    entry: object = {},
  ): Promise<string> => {
    const server = await startHttp(answer);
    const auth = { type: "basic", username: "ann", secret: "KEY" };
    const { tools } = load(
      oneOperation({}, { server: server.origin }),
      { auth, ...entry },
      { secrets: { KEY: secret } },
    );
    const got: unknown = await call(tools, "op").catch((error: unknown) => error);
    return got instanceof Error ? got.message : JSON.stringify(got);
  };

  test("data of JSON has no secret in any spelling", async () => {
    const parts = hex(SECRET, (each) => `\\u00${each}`);
    const shown = await answered((_asked, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"a":"${parts}","${json(SECRET).replaceAll("/", "\\/")}":"${base64(`ann:${SECRET}`)}"}`),
    );
    expect(shown).toContain('"body":{"a":"[KEY]","[KEY]":"[KEY]"}');
    expect(shown).not.toContain(json(SECRET));
  });

  test("JSON that is nested without end is text", async () => {
    const shown = await answered((_asked, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(4_000) + "]".repeat(4_000)),
    );
    expect(shown).toContain('"body":"[[[');
  });

  test("a secret across the limit of an answer, or in its type, status or redirect, is hidden", async () => {
    const secret = "Tok/enTok/enTok";
    const cut = await answered(
      (_asked, response) =>
        response.writeHead(200, { "content-type": "text/plain" }).end(`${"x".repeat(990)}${secret}`),
      secret,
      { maxBytes: 1_000 },
    );
    expect(cut).toContain(`${"x".repeat(990)}[KEY]`);
    const status = await answered(
      (_asked, response) =>
        response.writeHead(418, `${"y".repeat(84)} ${secret}`, { "content-type": `text/${secret}` }).end(),
      secret,
    );
    expect(status).toContain("yyy [KEY]");
    expect(status).not.toContain("Tok");
    const redirected = await answered(
      (_asked, response) => response.writeHead(302, { location: "http://s3cr3tvalue.localhost/" }).end(),
      "S3cr3tValue",
    );
    expect(redirected).toContain("http://[KEY].localhost");
  });
});
