import { describe, expect, test } from "vitest";
import { readChannels } from "../../../../src/features/messages/channelSettings.js";
import { fillTemplate } from "../../../../src/features/messages/template.js";

const URL_OF = "https://hooks.example.com/services/${secret:team}";
const read = (entries: unknown): ReturnType<typeof readChannels> => readChannels(entries, "toolhost.message.channels");

describe("channels that can be used", () => {
  test("a webhook, by default what most chat services take", () => {
    expect(read({ "webhook:team": { url: URL_OF } })).toEqual({
      channels: [
        {
          address: "webhook:team",
          origin: "https://hooks.example.com",
          url: URL_OF,
          method: "POST",
          headers: {},
          body: { text: "{{content}}" },
          maxLength: 50_000,
          escape: "none",
        },
      ],
      problems: [],
    });
  });

  test("a number, by the REST API of signal-cli, wherever the user copied its address from", () => {
    for (const url of ["http://localhost:8080", "http://localhost:8080/", "http://localhost:8080/v2/send"]) {
      expect(read({ "signal:+15551234567": { url, number: "+15557654321" } }).channels).toMatchObject([
        {
          address: "signal:+15551234567",
          origin: "http://localhost:8080",
          url: "http://localhost:8080/v2/send",
          body: { message: "{{content}}", number: "+15557654321", recipients: ["+15551234567"] },
        },
      ]);
    }
  });

  test.each([undefined, null, {}])("%j is none", (value) => {
    expect(read(value)).toEqual({ channels: [], problems: [] });
  });

  test("of several, each by itself", () => {
    const { channels, problems } = read({
      "webhook:a": { url: URL_OF },
      "webhook:b": {},
      "webhook:c": { url: URL_OF },
    });
    expect(channels.map(({ address }) => address)).toEqual(["webhook:a", "webhook:c"]);
    expect(problems.map(({ address }) => address)).toEqual(["webhook:b"]);
  });
});

describe("channels that cannot be used are named, and none of their values is shown", () => {
  const webhook = (more: object): object => ({ "webhook:team": { url: URL_OF, ...more } });
  test.each<{ what: string; entries: unknown; says: RegExp }>([
    { what: "a list", entries: [], says: /must be an object of channels/ },
    { what: "a text", entries: "S3CRET", says: /must be an object of channels/ },
    {
      what: "another scheme",
      entries: { "mail:me": { url: URL_OF } },
      says: /entry "mail:me": an address is webhook:<name>/,
    },
    {
      what: "window:, which is always there",
      entries: { "window:": { url: URL_OF } },
      says: /an address is webhook:<name>/,
    },
    { what: "no name", entries: { "webhook:": { url: URL_OF } }, says: /an address is webhook:<name>/ },
    {
      what: "a star, which rules read as a pattern",
      entries: { "webhook:*": { url: URL_OF } },
      says: /an address is webhook:<name>/,
    },
    {
      what: "a number without plus",
      entries: { "signal:15551234567": { url: "http://x", number: "+15551234567" } },
      says: /a number such as \+15551234567/,
    },
    {
      what: "no number that sends",
      entries: { "signal:+15551234567": { url: "http://x" } },
      says: /number must be the sender's/,
    },
    {
      what: "a body for signal",
      entries: { "signal:+15551234567": { url: "http://x", number: "+15551234567", body: {} } },
      says: /"body" is not one of its properties; use url, number/,
    },
    {
      what: "no object",
      entries: { "webhook:team": "https://S3CRET" },
      says: /the entry must be an object with a url/,
    },
    { what: "an unknown part", entries: webhook({ token: "S3CRET" }), says: /"token" is not one of its properties/ },
    { what: "no address", entries: webhook({ url: "hooks.example.com/S3CRET" }), says: /url must be an address/ },
    { what: "another protocol", entries: webhook({ url: "file:///S3CRET" }), says: /url must be an address/ },
    {
      what: "a password in the address",
      entries: webhook({ url: "https://me:S3CRET@example.com/" }),
      says: /url must be an address/,
    },
    {
      what: "a secret that chooses the machine",
      entries: webhook({ url: "https://${secret:host}/x" }),
      says: /url must be an address/,
    },
    {
      what: "a secret that ends the machine's name",
      entries: webhook({ url: "https://example.com${secret:rest}" }),
      says: /url must be an address/,
    },
    {
      what: "the message in the address",
      entries: webhook({ url: "https://example.com/?text={{content}}" }),
      says: /url must be an address/,
    },
    { what: "another method", entries: webhook({ method: "GET" }), says: /method must be one of POST, PUT, PATCH/ },
    { what: "headers that are none", entries: webhook({ headers: ["S3CRET"] }), says: /headers must be an object/ },
    {
      what: "a name with a line end",
      entries: webhook({ headers: { "x\r\ny": "S3CRET" } }),
      says: /is not a header name/,
    },
    {
      what: "a header with a line end",
      entries: webhook({ headers: { x: "S3CRET\r\ny: z" } }),
      says: /the header "x" must be a one-line string/,
    },
    {
      what: "the message in a header",
      entries: webhook({ headers: { x: "{{content}}" } }),
      says: /cannot contain the message/,
    },
    {
      what: "a body that is no JSON",
      entries: webhook({ body: '{"text": {{content}}}' }),
      says: /body must be JSON/,
    },
    { what: "a body that is a number", entries: webhook({ body: 5 }), says: /body must be JSON/ },
    {
      what: "a body without the message",
      entries: webhook({ body: { text: "S3CRET" } }),
      says: /none of its strings contains \{\{content\}\}/,
    },
    {
      what: "a placeholder that stands for nothing",
      entries: webhook({ body: { text: "{{content}} {{user}}" } }),
      says: /\{\{user\}\} is not a placeholder/,
    },
    {
      what: "a secret without a name",
      entries: webhook({ body: { text: "{{content}} ${secret:}" } }),
      says: /\$\{secret:\} is not a placeholder/,
    },
    { what: "no whole number", entries: webhook({ maxLength: 1.5 }), says: /maxLength must be a whole number/ },
    { what: "an unknown escape", entries: webhook({ escape: "xml" }), says: /escape must be none or html/ },
  ])("$what", ({ entries, says }) => {
    const { channels, problems } = read(entries);
    expect(channels).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(says);
    expect(problems[0]?.message).not.toContain("S3CRET");
  });

  test("a body nested without end", () => {
    let body: unknown = "{{content}}";
    for (let depth = 0; depth < 1_000; depth++) {
      body = [body];
    }
    expect(read(webhook({ body })).problems[0]?.message).toMatch(/nested more than 20 deep/);
  });
});

describe("a message goes into the template as it is", () => {
  test.each([
    '"',
    '", "channel": "#all',
    "\\",
    "\n\t\u0000",
    "$& $1 $$",
    "{{content}}",
    "${secret:team}",
    "</script>",
    "😀 é 日本",
    "'",
  ])("%j", (content) => {
    const body = {
      text: "{{content}}",
      blocks: [{ note: "from {{ content }} with ${secret:team}", n: 1, on: true, none: null }],
    };
    expect(JSON.parse(fillTemplate(body, content, new Map([["team", 'k"ey']])))).toEqual({
      text: content,
      blocks: [{ note: `from ${content} with k"ey`, n: 1, on: true, none: null }],
    });
  });
});
