import { expect, test } from "vitest";
import { secretsOfFile } from "../../../../src/text/secrets/known.js";
import { HEX, KEYS, MADE, PRIVATE_KEY, random } from "./samples.js";

const values = (text: string): string[] => secretsOfFile(text).map(({ name, value }) => `${name} ${value}`);

const PASSWORD = `Tr0ub${"4dor"}&3x`;

test.each([
  ["a .env file", `# c\nexport DB_PASSWORD="${PASSWORD}" # x\nPORT=3000\n`, [`DB_PASSWORD ${PASSWORD}`]],
  ["a value of any name that looks secret", `FOO=${MADE}\nBAR=${PASSWORD}\n`, [`FOO ${MADE}`, `BAR ${PASSWORD}`]],
  ["a comment after a value", `API_KEY=${MADE} # rotate\n`, [`API_KEY ${MADE}`]],
  ["JSON on one line", `{"a":{"client_secret":"${MADE}","id":"my-app"}}`, [`CLIENT_SECRET ${MADE}`]],
  ["JSON on many lines", `{\n  "apiKey": "${MADE}",\n  "region": "eu-central-1"\n}`, [`APIKEY ${MADE}`]],
  ["YAML", `db:\n  password: '${PASSWORD}'\n  host: db.internal\n`, [`PASSWORD ${PASSWORD}`]],
  ["properties", `db.password = ${PASSWORD}\n`, [`DB_PASSWORD ${PASSWORD}`]],
  ["npm's settings", `//registry.npmjs.org/:_authToken=${MADE}\n`, [`AUTHTOKEN ${MADE}`]],
  ["netrc", `machine x.test login me password ${PASSWORD}\n`, [`PASSWORD ${PASSWORD}`]],
  [
    "the password of a URL alone",
    `DATABASE_URL=postgres://app:${PASSWORD.replace("&", "-")}@db/app\n`,
    [`DATABASE_URL_PASSWORD ${PASSWORD.replace("&", "-")}`],
  ],
  ["a key of a known form", `x ${KEYS["NPM_TOKEN"] ?? ""}\n`, [`NPM_TOKEN ${KEYS["NPM_TOKEN"] ?? ""}`]],
])("the secrets of %s", (_what, text, expected) => {
  expect(values(text)).toEqual(expect.arrayContaining(expected));
  expect(new Set(values(text).map((each) => each.slice(each.indexOf(" ") + 1))).size).toBe(expected.length);
});

test("the lines of a private key, each by itself: a search shows single ones", () => {
  expect(values(PRIVATE_KEY)).toEqual(
    PRIVATE_KEY.split("\n")
      .slice(1, -1)
      .map((line) => `PRIVATE_KEY ${line}`),
  );
});

test.each([
  ["DB_PASSWORD", "changeme"],
  ["API_KEY", "abcdef123456"],
  ["JWT_SECRET", "changeMe-please"],
  ["ADMIN_PASS", "sunshine"],
  ["PIN_TOKEN", "481516"],
  ["db.password", "hunter2"],
  ["MYSQL_PASS2", "sunshine"],
  ["ACCOUNT_PASSWORD", "481516"],
])("the weak value of %s, whose name says that it is secret", (name, value) => {
  expect(values(`${name}=${value}\n`)).toEqual([`${name.replace(".", "_").toUpperCase()} ${value}`]);
  expect(secretsOfFile(JSON.stringify({ [name]: value }))).toHaveLength(1);
});

test("a word of its own in the name: dbPass", () => {
  expect(values("dbPass: sunshine\n")).toEqual(["DBPASS sunshine"]);
});

test("a value that another setting with a secret's name has, too", () => {
  expect(values("DB_PASSWORD=sunshine\nAPI_SECRET=sunshine\n")).toEqual(["DB_PASSWORD sunshine"]);
  expect(values(`DB_PASSWORD=${PASSWORD}\nOTHER=${PASSWORD}\n`)).toEqual([`DB_PASSWORD ${PASSWORD}`]);
});

test("the weak password of a URL", () => {
  expect(values("DATABASE_URL=postgres://app:hunter2@db/app\n")).toEqual(["DATABASE_URL_PASSWORD hunter2"]);
});

test.each([
  "NODE_ENV=development",
  "SECRET_KEY=your-secret-key-here",
  "PASSWORD=password",
  "PASSWORD=postgres",
  "API_KEY=<your key>",
  "API_KEY=xxxxxxxxxxxx",
  "API_KEY=${OTHER_KEY}",
  "TOKEN=short",
  "AUTH_PORT=5432",
  "DB_PASSWORD=admin",
  "DB_PASSWORD=localhost",
  "USE_SECRET=enabled",
  "TOKEN_ISSUER=my-company",
  "SESSION_COOKIE_NAME=sessionid",
  "TOKEN_FILE=/run/secrets/token",
  "TOKEN_URL=https://auth.example.org/token",
  "TOKEN_LIMIT=123456789012",
  "APP_NAME=my-application-name",
  "HOST=db-1.internal.example.org",
  `BUILD=${random(7, HEX)}`,
  "DATABASE_URL=postgres://localhost/app",
  "# PASSWORD=Tr0ub4dor&3x",
  "BYPASS=always",
  "BYPASS=everywhere-but-here",
  "COMPASS=needle",
  "MAX_TOKEN=128000",
  "maxToken: 128000",
  "LENGTH_OF_TOKEN=128000",
  ...["$(cat token)", "$(pass)", "@file", "@a.txt", "number", "boolean", "string", "always", "include"].map(
    (value) => `API_TOKEN=${value}`,
  ),
  ...["same-origin", "return", "cookie", "true", "false"].map((value) => `credentials: ${value}`),
  "DB_NAME=acmeshop\nDB_PASSWORD=acmeshop",
  "DB_PASSWORD=acmeshop\nDB_USER=acmeshop",
  '{"password": "acmeshop", "database": "acmeshop"}',
])("nothing of %s, which other texts may have", (line) => {
  expect(values(line)).toEqual([]);
});

test.each([" ", "=", "a=", "\t-", "password ", `${'"'}`, "a b", ":"])(
  "reads a hostile file of %j in time in proportion to it",
  (part) => {
    expect(secretsOfFile(part.repeat(Math.ceil(250_000 / part.length))).length).toBeLessThan(400);
    expect(secretsOfFile(`${part.repeat(1_900)}\n`.repeat(100)).length).toBeLessThan(400);
  },
);
