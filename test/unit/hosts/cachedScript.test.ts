import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { requireCached } from "../../../src/hosts/node/cachedScript.js";
import { tempFolder } from "../tools/workspace.js";

const SOURCE = `
const { sep } = require("node:path");
exports.sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
exports.where = [__filename, __dirname, sep, require("./neighbour.js").name];
`;

interface Loaded {
  sum: (numbers: number[]) => number;
  where: string[];
}

/** A file that is loaded with the code that was kept of it; what is to be kept is kept before the function returns. */
async function openFolder(): Promise<{ folder: string; kept: string; load: () => Loaded; names: () => string[] }> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await tempFolder({
    "main.js": SOURCE,
    "neighbour.js": 'exports.name = "neighbour";',
    kept: undefined,
  });
  const kept = join(folder, "kept/code");
  const file = join(folder, "main.js");
  const load = (): Loaded => {
    const loaded = requireCached(file, createRequire(file), kept) as Loaded;
    vi.runAllTimers();
    return loaded;
  };
  return { folder, kept, load, names: () => readdirSync(kept) };
}

test("a script loads as a module does, the first time and with the code that was kept", async () => {
  const { folder, load, names } = await openFolder();
  for (const _ of ["first", "with the code"]) {
    const { sum, where } = load();
    expect(sum([1, 2, 3])).toBe(6);
    expect(where).toEqual([join(folder, "main.js"), folder, "/", "neighbour"]);
    expect(names()).toEqual([expect.stringMatching(/^main-[0-9a-f]{16}-\d+\.bin$/)]);
  }
});

test("code that is kept is not written again", async () => {
  const { kept, load, names } = await openFolder();
  load();
  const [name = ""] = names();
  const before = readFileSync(join(kept, name));
  load();
  expect(readFileSync(join(kept, name)).equals(before)).toBe(true);
});

test.each([
  ["cut off", (code: Buffer) => code.subarray(0, code.length / 2)],
  ["changed", (code: Buffer) => Buffer.concat([code.subarray(0, -1), Buffer.from([(code.at(-1) ?? 0) ^ 1])])],
  ["empty", () => Buffer.alloc(0)],
])("code that is %s is not used, and replaced", async (_, damage) => {
  const { kept, load, names } = await openFolder();
  load();
  const [name = ""] = names();
  const whole = readFileSync(join(kept, name));
  writeFileSync(join(kept, name), damage(whole));
  expect(load().sum([2, 3])).toBe(5);
  expect(readFileSync(join(kept, name))).toHaveLength(whole.length);
});

test("another build has other code, though it is as long, and the older one is removed", async () => {
  const { folder, load, names } = await openFolder();
  load();
  const before = names();
  writeFileSync(join(folder, "main.js"), SOURCE.replace("a + b", "a - b"));
  expect(load().sum([1, 2])).toBe(-3);
  expect(names()).toHaveLength(1);
  expect(names()).not.toEqual(before);
});

test("where nothing can be kept, it loads all the same", async () => {
  const { folder, kept, load } = await openFolder();
  writeFileSync(join(folder, "kept/code"), "a file in the way");
  expect(load().sum([1])).toBe(1);
  expect(load().sum([1])).toBe(1);
  expect(readFileSync(kept, "utf8")).toBe("a file in the way");
});
