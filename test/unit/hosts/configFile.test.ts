import { readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, writeConfig } from "../../../src/hosts/node/configFile.js";
import { tempFolder } from "../tools/workspace.js";

test("a file that changed, came or went since it was read is left as it is", async () => {
  const folder = await tempFolder({ "a.json": "{}", "gone.json": "{}" });
  const [a, gone, made] = ["a.json", "gone.json", "new/made.json"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const files = await Promise.all([a, gone, made].map((path) => readConfig([path])));
  expect(files.map(({ text }) => text)).toEqual(["{}", "{}", undefined]);
  await writeFile(a, "{ }");
  await rm(gone);
  const [ofA, ofGone, ofMade] = files as [(typeof files)[0], (typeof files)[0], (typeof files)[0]];
  await expect(writeConfig(ofA, "mine")).rejects.toThrow("was changed meanwhile");
  await expect(writeConfig(ofGone, "mine")).rejects.toThrow("gone.json");
  await writeConfig(ofMade, "mine");
  await expect(writeConfig(ofMade, "again")).rejects.toThrow("made.json");
  expect(await readFile(a, "utf8")).toBe("{ }");
  expect(await readFile(made, "utf8")).toBe("mine");
  expect([(await readdir(folder)).sort(), await readdir(join(folder, "new"))]).toEqual([
    ["a.json", "new"],
    ["made.json"],
  ]);
});

test("a new file in a folder behind a link is told by its real path", async () => {
  const folder = await tempFolder({ "real/x": "" });
  await symlink("real", join(folder, "link"));
  expect(await readConfig([join(folder, "link/deep/a.json")])).toEqual({
    path: join(folder, "real/deep/a.json"),
    text: undefined,
  });
});

test("what is no text of UTF-8, or no file, is refused", async () => {
  const folder = await tempFolder({ "latin.json": Buffer.from([0x7b, 0xff, 0x7d]) });
  await expect(readConfig([join(folder, "latin.json")])).rejects.toThrow("is not UTF-8 text");
  await expect(readConfig([folder])).rejects.toThrow(folder);
});
