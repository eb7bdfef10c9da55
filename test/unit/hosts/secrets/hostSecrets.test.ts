import { execFileSync } from "node:child_process";
import { mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HostSecrets } from "../../../../src/hosts/node/secrets/hostSecrets.js";
import { secretsKey } from "../../../../src/hosts/node/secrets/key.js";
import { MADE, PRIVATE_KEY, random } from "../../text/secrets/samples.js";
import { tempFolder } from "../../tools/workspace.js";

const other = random(24, undefined, 9);

async function open(files: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  const folder = await tempFolder(files);
  const clock = { now: 1_000_000 };
  const keyFile = join(await tempFolder(), "state", "secrets.key");
  const create = (): HostSecrets =>
    new HostSecrets({ folders: () => [folder], env, keyFile: () => keyFile, now: () => clock.now });
  return { folder, clock, keyFile, create, secrets: create() };
}

test("handles are equal for equal values, in every process of the user, and tell nothing of the value", async () => {
  const { secrets, create, keyFile } = await open({}, { API_TOKEN: MADE });
  const handle = (await secrets.mask()).mask(MADE);
  expect(handle).toMatch(/^⟦secret API_TOKEN #[0-9a-f]{6}⟧$/);
  expect((await create().mask()).mask(`x ${MADE}`)).toBe(`x ${handle}`);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const elsewhere = await open({}, { API_TOKEN: MADE });
  expect((await elsewhere.secrets.mask()).mask(MADE)).not.toBe(handle);
  const id = handle.slice(-7, -1);
  expect(secrets.find(id)).toEqual([MADE]);
  expect(create().find(id)).toEqual([MADE]);
  expect(secrets.find("000000")).toEqual([]);
});

test("a secret that is added later is masked from then on, beside the others", async () => {
  const { secrets } = await open({}, { API_TOKEN: MADE });
  await secrets.mask();
  expect(secrets.now().mask(other)).toBe(other);
  secrets.add("TOOLHOST_SECRET_deploy", other);
  expect(secrets.now().mask(`${other} ${MADE}`)).toMatch(
    /^⟦secret TOOLHOST_SECRET_DEPLOY #\w+⟧ ⟦secret API_TOKEN #\w+⟧$/,
  );
  expect((await secrets.mask()).mask(other)).toContain("TOOLHOST_SECRET_DEPLOY");
});

test("two processes that begin together have one key; without a place for it, handles are good for one process", async () => {
  const folder = await tempFolder();
  const first = secretsKey(join(folder, "a", "secrets.key"));
  expect(secretsKey(join(folder, "a", "secrets.key"))).toEqual(first);
  expect(await readFile(join(folder, "a", "secrets.key"))).toEqual(Buffer.from(first));
  await writeFile(join(folder, "file"), "");
  expect(secretsKey(join(folder, "file", "secrets.key"))).toHaveLength(32);
});

test("files with secrets are found near the top of a project, and not among what others made", async () => {
  const { secrets, folder } = await open({
    ".env": `A_TOKEN=${random(20, undefined, 2)}`,
    "apps/web/.env.local": `B_TOKEN=${random(20, undefined, 3)}`,
    "config/credentials.json": JSON.stringify({ secret: random(20, undefined, 4) }),
    "node_modules/x/.env": `C_TOKEN=${random(20, undefined, 5)}`,
    "a/b/c/d/e/.env": `D_TOKEN=${random(20, undefined, 6)}`,
    ".env.example": `E_TOKEN=${random(20, undefined, 7)}`,
    "src/env.ts": `export const F_TOKEN = "${random(20, undefined, 8)}"`,
  });
  const seeds = async (): Promise<number[]> => {
    const mask = await secrets.mask();
    return [2, 3, 4, 5, 6, 7, 8].filter((seed) => mask.mask(random(20, undefined, seed)).startsWith("⟦"));
  };
  expect(await seeds()).toEqual([2, 3, 4]);
  // A file that a call names counts wherever it is.
  secrets.note(join(folder, "a/b/c/d/e/.env"), true);
  expect(await seeds()).toEqual([2, 3, 4, 6]);
});

test("lines of a private key are masked in a file of any name that a call names, but nothing else of it", async () => {
  const { secrets, folder } = await open({ "notes.txt": `DB_PASSWORD=changeme\n${PRIVATE_KEY}\n` });
  const middle = PRIVATE_KEY.split("\n")[2] ?? "";
  expect((await secrets.mask()).mask(middle)).toBe(middle);
  secrets.note(join(folder, "notes.txt"), false);
  expect((await secrets.mask()).mask(`${middle} changeme`)).toMatch(/^⟦secret PRIVATE_KEY #\w+⟧ changeme$/);
});

test("a value that is weak in one place and no word in another is masked in paths, too", async () => {
  const value = "acme-shop-1";
  const { secrets, folder } = await open({ ".env": `authkey=${value}\n` });
  expect((await secrets.mask()).mask(`x/${value}/y ${value}`)).toMatch(/^x\/acme-shop-1\/y ⟦secret AUTHKEY #\w+⟧$/);
  await writeFile(join(folder, "a.env"), `API_TOKEN=${value}\n`);
  secrets.note(join(folder, "a.env"), true);
  expect((await secrets.mask()).mask(`x/${value}/y`)).toMatch(/^x\/⟦secret API_TOKEN #\w+⟧\/y$/);
});

test("a changed file is read again at the next call, a new one is found within ten seconds", async () => {
  const { secrets, folder, clock } = await open({ ".env": `A_TOKEN=${MADE}\n` });
  expect((await secrets.mask()).mask(MADE)).not.toBe(MADE);
  await writeFile(join(folder, ".env"), `A_TOKEN=${other}\n`);
  await utimes(join(folder, ".env"), 1, 1);
  expect((await secrets.mask()).mask(`${MADE} ${other}`)).toMatch(new RegExp(`^${MADE} ⟦secret A_TOKEN #`));
  await mkdir(join(folder, "api"));
  await writeFile(join(folder, "api/.env"), `B_TOKEN=${MADE}\n`);
  clock.now += 10_001;
  expect((await secrets.mask()).mask(MADE)).toMatch(/^⟦secret B_TOKEN/);
});

test("a pipe, a large file and a binary one have no secrets, and hold nobody up", async () => {
  const { secrets, folder } = await open({
    "big.env": `A_TOKEN=${MADE}\n${"x".repeat(300_000)}`,
    "b.key": `A_TOKEN=${MADE}\n\0`,
  });
  execFileSync("mkfifo", [join(folder, ".env")]);
  expect((await secrets.mask()).mask(MADE)).toBe(MADE);
});

/** Values that are taken for no secret by themselves: short, words, numbers, examples. */
const WEAK = ["hunter2", "abcd", "password12", "1234567", "/etc/x", "pässwort", "tell me"];

test.each(WEAK)("%s is masked in every spelling, since its user named it as a secret", async (value) => {
  const { secrets, create } = await open({});
  secrets.add("TOOLHOST_SECRET_api", value);
  const mask = await secrets.mask();
  const plain = mask.mask(value);
  expect(plain).toMatch(/^⟦secret TOOLHOST_SECRET_API #[0-9a-f]{6}⟧$/);
  expect(mask.mask(plain)).toBe(plain);
  expect(secrets.find(plain.slice(-7, -1))).toEqual([value]);
  const spelled = [
    ...[`x${value}x`, `{"key":${JSON.stringify(value)}}`, encodeURIComponent(value)],
    ...[Buffer.from(value).toString("base64"), Buffer.from(value).toString("base64url")],
    value.replaceAll(/[^a-z]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ];
  for (const text of spelled) {
    expect(mask.mask(`before ${text} after`)).toMatch(/^before \S*⟦secret TOOLHOST_SECRET_API #\w+⟧\S* after$/);
  }
  expect(JSON.stringify(mask.maskData({ deep: [{ [value]: value }] }))).not.toContain(value);
  // The next process has the variable from the start.
  const next = await open({}, { TOOLHOST_SECRET_api: value });
  expect((await next.secrets.mask()).mask(value)).toContain("TOOLHOST_SECRET_API");
  expect((await create().mask()).mask(value)).toBe(value);
});

test("a named secret is masked as a number of data, line by line, and not within handles", async () => {
  const { secrets } = await open({});
  secrets.add("pin", "1234567");
  secrets.add("lines", "first line\nabc\n-----END\nsecond line");
  secrets.add("hidden", "HIDDEN");
  secrets.add("short", "abc");
  const mask = await secrets.mask();
  expect(mask.maskData({ pin: 1_234_567, other: 12_345_678 })).toEqual({
    pin: expect.stringMatching(/^⟦secret PIN #\w+⟧$/) as string,
    other: 12_345_678,
  });
  expect(mask.mask("1: first line\n2: abc\n3: -----END\n4: second line")).toMatch(
    /^1: ⟦secret LINES #\w+⟧\n2: abc\n3: -----END\n4: ⟦secret LINES #\w+⟧$/,
  );
  const handle = mask.mask("HIDDEN");
  expect(handle).toMatch(/^⟦secret HIDDEN #\w+⟧$/);
  expect(mask.mask(handle)).toBe(handle);
});
