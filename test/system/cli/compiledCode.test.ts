import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, type Finished } from "./built.js";

const cli = builtCli();

async function versionWith(state: string): Promise<Finished> {
  // The tests' own cache would be used instead (node-state.ts).
  return cli.run(["--version"], { env: { ...process.env, TOOLHOST_STATE: state, NODE_COMPILE_CACHE: undefined } });
}

/** The files below a folder, with their sizes. */
async function sizes(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, (await stat(file)).size] as const)));
}

test("the code is kept for the user alone, and not written again", async () => {
  const state = await tempFolder();
  await chmod(state, 0o755);
  expect(await versionWith(state)).toMatchObject({ code: 0, err: "" });
  const code = join(state, "code");
  expect((await stat(code)).mode & 0o777).toBe(0o700);
  const kept = await sizes(code);
  expect(Math.max(...Object.values(kept))).toBeGreaterThan(100_000);
  const files = Object.keys(kept);
  const before = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  expect(await versionWith(state)).toMatchObject({ code: 0, err: "" });
  expect(await sizes(code)).toEqual(kept);
  expect(await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs))).toEqual(before);
});

test("damaged code is not run", async () => {
  const state = await tempFolder();
  await versionWith(state);
  for (const [file, size] of Object.entries(await sizes(join(state, "code")))) {
    const code = await readFile(file);
    await writeFile(file, code.fill(0x41, size / 2));
  }
  expect(await versionWith(state)).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
});

test("a command runs although no code can be kept", async () => {
  const folder = await tempFolder({ state: "a file" });
  expect(await versionWith(join(folder, "state"))).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
  expect(await readFile(join(folder, "state"), "utf8")).toBe("a file");
});

describe("code that anyone else could have put there is not run", () => {
  const isRoot = process.getuid?.() === 0;

  async function expectUnused(state: string, code = join(state, "code")): Promise<void> {
    await writeFile(join(code, "there"), "");
    const before = (await stat(code)).mode;
    expect(await versionWith(state)).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
    expect(await readdir(code)).toEqual(["there"]);
    expect((await stat(code)).mode).toBe(before);
  }

  test.each([0o755, 0o770, 0o707])("in a folder of mode %o", async (mode) => {
    const state = await tempFolder();
    await mkdir(join(state, "code"));
    await chmod(join(state, "code"), mode);
    await expectUnused(state);
  });

  test("behind a link", async () => {
    const folder = await tempFolder({ "target/": undefined, "state/": undefined });
    await chmod(join(folder, "target"), 0o700);
    await symlink(join(folder, "target"), join(folder, "state/code"));
    await expectUnused(join(folder, "state"));
  });

  test("in a state folder that others may change", async () => {
    const state = await tempFolder();
    await mkdir(join(state, "code"), { mode: 0o700 });
    await chmod(state, 0o777);
    await expectUnused(state);
  });

  test.runIf(isRoot).each(["code", "."])("in another user's folder: %s", async (foreign) => {
    const state = await tempFolder();
    await mkdir(join(state, "code"), { mode: 0o700 });
    await chown(join(state, foreign), 12_345, 12_345);
    await expectUnused(state);
  });
});
