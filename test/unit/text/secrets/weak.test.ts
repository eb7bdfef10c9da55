import { expect, test } from "vitest";
import { SecretMask } from "../../../../src/text/secrets/mask.js";
import { secretsOfFile } from "../../../../src/text/secrets/known.js";
import { MADE } from "./samples.js";

const ids = (value: string): string => Buffer.from(value).toString("hex").slice(0, 6);
const mask = new SecretMask(secretsOfFile(`DB_PASSWORD=wordpress\nPASS=hunter2\nPIN_TOKEN=481516\nKEY=${MADE}\n`), ids);

test.each([
  "wp/wordpress-seo/index.php",
  "wp/wordpress/index.php:12:3",
  "wordpress/",
  "wp/wordpress",
  "see [x](plugins/2024-wordpress) there",
  "/srv/wordpress/wp-config.php",
  "--dir=wp/wordpress",
  "--dir=wordpress/x",
  "packages/@acme/wordpress/x.ts",
  "wordpress-seo",
  "wordpress.md",
  "Dockerfile.wordpress",
  "my_wordpress",
  "logs/481516/x",
])("a weak value stays in a path or a longer name: %s", (text) => {
  expect(mask.mask(text)).toBe(text);
});

test.each([
  "the password is wordpress.",
  "wordpress",
  "DB_PASSWORD=wordpress",
  "password: wordpress\nnext",
  "- wordpress",
  "-wordpress",
  '{"password":"wordpress"}',
  "mysql -u app -phunter2",
  "mysql -phunter2 app",
  "postgres://app:wordpress@db/app",
  "https://wordpress@db/app",
  "https://x.test/hooks/wordpress/x",
  "https://x.test/?token=wordpress&a=b/c",
  "scott/wordpress@db",
  "scott/wordpress.1@db",
  "config.txt-12-wordpress",
  "code 481516!",
  "DB_PASSWORD=wordpress\\nDB_NAME=x",
])("it is masked elsewhere: %s", (text) => {
  expect(mask.mask(text)).toMatch(/⟦secret (?:DB_PASSWORD|PASS|PIN_TOKEN) #\w+⟧/);
  expect(mask.mask(text)).not.toMatch(/wordpress|hunter2|481516/);
});

test("any other value is masked in paths, too", () => {
  expect(mask.mask(`x/${MADE}/y`)).toMatch(/^x\/⟦secret KEY #\w+⟧\/y$/);
});

test("reads a hostile text of weak values in time in proportion to it", () => {
  for (const around of ["/", "://", "@", "-", " "]) {
    const text = `wordpress${around.repeat(20)}`.repeat(20_000);
    expect(mask.mask(text).length).toBeGreaterThanOrEqual(text.length);
  }
});
