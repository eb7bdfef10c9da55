import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test("code in another user's folder is not run", async () => {
  const state = await tempFolder();
  const code = join(state, "code");
  if (process.getuid?.() === 0) {
    await mkdir(code);
    await chown(code, 12_345, 12_345);
  } else {
    await symlink("/", code);
  }
  const before = await readdir(code);
  expect(await versionWith(state)).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
  expect(await readdir(code)).toEqual(before);
});
