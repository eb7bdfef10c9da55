import { generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findSecrets } from "../../../../src/text/secrets/find.js";
import { plainKey } from "../../../../src/text/secrets/privateKeys.js";
import { FORM_MARKER, SECRET_FORMS } from "../../../../src/text/secrets/formats.js";
import { HEX, KEYS, MADE, PRIVATE_KEY, random } from "./samples.js";

const found = (text: string): { name: string; value: string }[] =>
  findSecrets(text).map(({ start, end, name }) => ({ name, value: text.slice(start, end) }));

test.each(Object.entries(KEYS))("finds a key by its form alone, wherever it is: %s", (name, key) => {
  const written = name === "AZURE_KEY" ? `AccountName=a;AccountKey=${key};` : `see ${key}, or "${key}"`;
  const values = found(written);
  expect(values[0]).toEqual({ name, value: key });
  expect(values.every(({ value }) => value === key)).toBe(true);
});

const withoutLooks = (form: string): string => form.replaceAll(/\(\?<?[=!][^()]*(?:\([^()]*\)[^()]*)*\)/g, "");
/** What comes before keys that only that tells. */
const BEFORE: Readonly<Record<string, string>> = {
  AZURE_KEY: "AccountKey=",
  SLACK_WEBHOOK: "https://hooks.slack.com/services/",
  DISCORD_WEBHOOK: "https://discord.com/api/webhooks/",
};

/** Keys as Node writes them, in all kinds and forms. */
const GENERATED: readonly [what: string, key: string][] = [
  ...(["pkcs1", "pkcs8"] as const).flatMap((type) =>
    [1024, 2048].map((modulusLength): [string, string] => [
      `RSA ${modulusLength}, ${type}`,
      String(generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ type, format: "pem" })),
    ]),
  ),
  ...(["sec1", "pkcs8"] as const).flatMap((type) =>
    ["prime256v1", "secp384r1", "secp521r1"].map((namedCurve): [string, string] => [
      `${namedCurve}, ${type}`,
      String(generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type, format: "pem" })),
    ]),
  ),
  ["Ed448", String(generateKeyPairSync("ed448").privateKey.export({ type: "pkcs8", format: "pem" }))],
];

test.each(GENERATED)("finds a key without its first line, or without its last: %s", (_what, key) => {
  const [begin, ...lines] = key.trimEnd().split("\n");
  const body = lines.slice(0, -1);
  expect(begin).toContain("BEGIN");
  expect(found(`x\n${body.join("\n")}\n\nafter`)).toEqual([{ name: "PRIVATE_KEY", value: body.join("\n") }]);
  expect(found(`key = "${body.join("")}"`)).toEqual([{ name: "PRIVATE_KEY", value: body.join("") }]);
  const numbered = lines.map((line, at) => `${at + 7}\t${line}`);
  expect(found(numbered.join("\n")).map(({ value }) => plainKey(value))).toEqual([lines.join("\n")]);
  const rest = lines.slice(1);
  expect(found(`x\n${rest.join("\n")}\nafter`).map(({ value }) => value)).toEqual(
    rest.slice(0, -1).join("").length > 80 ? [rest.join("\n")] : [],
  );
});

test("takes no public key or certificate for a private one, also without its first line", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  for (const type of ["spki", "pkcs1"] as const) {
    const lines = String(publicKey.export({ type, format: "pem" })).split("\n");
    expect([found(lines.join("\n")), found(lines.slice(1).join("\n"))]).toEqual([[], []]);
  }
});

test("looks for every form only where a cheaper pattern finds something, which misses none", () => {
  const missed = Object.values(KEYS)
    .map((key) => (key === KEYS["AZURE_KEY"] ? `AccountKey=${key}` : key))
    .filter((key) => !FORM_MARKER.test(key));
  expect(missed).toEqual([]);
  const marks = SECRET_FORMS.flatMap(({ name, form }) =>
    fc
      .sample(fc.stringMatching(new RegExp(`^(?:${withoutLooks(form)})$`)), { numRuns: 20, seed: 1 })
      .flatMap((key) => (FORM_MARKER.test(`${BEFORE[name] ?? ""}${key}`) ? [] : [`${name}: ${key}`])),
  );
  expect(marks).toEqual([]);
});

test.each([
  ["a shell's variable", `export API_SECRET=${MADE}`, "API_SECRET", MADE],
  ["JSON", `{"client_secret": "${MADE}"}`, "CLIENT_SECRET", MADE],
  ["YAML", `  dbPassword: '${MADE}'`, "DBPASSWORD", MADE],
  ["code", `const apiKey = "${MADE}";`, "APIKEY", MADE],
  ["Python's bytes", `SECRET_KEY = b'${MADE}'`, "SECRET_KEY", MADE],
  ["a Ruby hash", `:access_token => "${MADE}"`, "ACCESS_TOKEN", MADE],
  ["a URL's query", `https://example.org/?x=1&access_token=${MADE}`, "ACCESS_TOKEN", MADE],
  ["hexadecimal digits", `AUTH_TOKEN=${random(40, HEX)}`, "AUTH_TOKEN", random(40, HEX)],
  ["a header", `Authorization: Bearer ${MADE}`, "CREDENTIAL", MADE],
  ["a header in code", `"x-api-key": "${MADE}"`, "CREDENTIAL", MADE],
  ["a connection string", `postgres://app:${MADE}@db.internal:5432/app`, "PASSWORD", MADE],
  [
    "what is taken for another's value",
    `token: ${"x".repeat(50)}-API_TOKEN=${MADE}`,
    `${"X".repeat(30)}_API_TOKEN`,
    MADE,
  ],
  ["the end of a long word", `${"a".repeat(5_000)}&token=${MADE}`, "TOKEN", MADE],
])("finds a value by its name, in %s", (_where, text, name, value) => {
  expect(found(text)).toContainEqual({ name, value });
});

test.each([
  ["no digit", "kQzWvTbXyRmHcJdNpLsGfKwZ"],
  ["one digit", "VbXqZkTmRw7LpHcNdJyGsKfQ"],
])("finds a value by its name that has %s", (_what, value) => {
  expect(found(`DEPLOY_TOKEN=${value}`)).toEqual([{ name: "DEPLOY_TOKEN", value }]);
});

test("finds all but a few in a thousand of the values of 24 letters and digits, whatever digits they have", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const values = Array.from({ length: 3_000 }, (_, at) => random(24, letters, 7_919 * (at + 1)));
  expect(values.filter((value) => value.replaceAll(/\D/g, "").length < 2).length).toBeGreaterThan(150);
  const missed = values.filter((value) => found(`DEPLOY_TOKEN=${value}`).length === 0);
  expect(missed.length).toBeLessThan(30);
});

test.each([
  ["as it is", PRIVATE_KEY],
  ["in a string", JSON.stringify(PRIVATE_KEY).slice(1, -1)],
  ["in a diff", PRIVATE_KEY.replaceAll("\n", "\n+")],
  [
    "with line numbers",
    PRIVATE_KEY.split("\n")
      .map((line, index) => (index === 0 ? line : `   ${index}\t${line}`))
      .join("\n"),
  ],
  [
    "in lines of code",
    PRIVATE_KEY.split("\n")
      .map((line, index) => (index === 0 ? line : `  "${line}`))
      .join('",\n'),
  ],
  ["cut off", PRIVATE_KEY.slice(0, -60)],
])("finds a private key %s, to its end and no further", (_how, key) => {
  const values = found(`before\n${key}\nafter it`);
  expect(values).toHaveLength(1);
  expect(values[0]?.name).toBe("PRIVATE_KEY");
  expect(values[0]?.value.startsWith("-----BEGIN")).toBe(true);
  expect(values[0]?.value).not.toContain("after");
  // Nothing of the key is left.
  const rest = `before\n${key}\nafter it`.replace(values[0]?.value ?? "", "");
  expect(rest).not.toMatch(/[A-Za-z0-9+/]{20}/);
});

test.each([
  ["a hash of a commit", `commit ${random(40, HEX)}`],
  [
    "a lock file",
    `"integrity": "sha512-${random(86)}==",\n"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz#${random(40, HEX)}"`,
  ],
  ["a UUID", "client_secret: 3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
  ["a name", "const token = getAccessTokenFromEnvironmentOrThrow2(options12)"],
  ["a name without digits", "token: fetchXsrfTknFromHdrsOrQueryStr"],
  ["a name of short words", "apiKey = mapStateToPropsByIdOrNullIfItIsEmpty"],
  ["a placeholder", "API_KEY=your-api-key-goes-here-1234567890"],
  ["an example of a form", ["AK", "IA", "IOSFODNN7EXAMPLE"].join("")],
  ["stars", `password: "****************"`],
  ["a type", "secret: Record<string, AbstractSecretProviderFactory2>"],
  ["a path", "credentials: /var/run/secrets/kubernetes.io/serviceaccount/token2/v1"],
  ["a reference", "password: ${{ secrets.DEPLOY_PASSWORD_2024_PRODUCTION }}"],
  ["a handle", "TOKEN=⟦secret TOKEN #1a2b3c4d5e6f7a8b9c⟧"],
  ["a header of a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"],
  ["a private key left out", `-----BEGIN PRIVATE ${"KEY"}-----\n...\n-----END PRIVATE ${"KEY"}-----`],
  ["a URL without a password", "https://user@example.org:8080/path@2x.png"],
  ["a URL with an example", "postgres://user:password@localhost/db"],
  ["an image", `url(data:image/png;base64,${random(200)})`],
])("takes nothing for a secret in %s", (_what, text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  "token",
  "token=",
  "secret:",
  "a1B2",
  "-eyJaaaaaaaaaa.eyJ",
  "-eyJaaaaaaaaaa",
  "sk-",
  "sk-aaaaaaaaaaaaaaaaaaaaT3BlbkFJ",
  "://a:",
  "://",
  "-----BEGIN ",
  `-----BEGIN PRIVATE ${"KEY"}-----\nabcd\n`,
  "-----END ",
  "authorization: bearer ",
  "xoxb-",
  "1234567890:AA",
  "M".repeat(24) + ".",
  "A-",
  "\\n",
  " \t",
])("reads a hostile line that repeats %j in time in proportion to it", (part) => {
  for (const end of ["", "\n", `=${MADE}`]) {
    const line = part.repeat(Math.ceil(300_000 / part.length)) + end;
    findSecrets(line);
    plainKey(`${line}x`);
  }
  expect(found(`${part.repeat(1_000)}\n password=${MADE}`)).toContainEqual({ name: "PASSWORD", value: MADE });
});
