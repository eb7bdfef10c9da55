import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepChanges } from "../../../../src/hosts/node/copies/keepChanges.js";
import { KEPT_FOR } from "../../../../src/hosts/node/copies/keptFor.js";
import { tempFolder } from "../../tools/workspace.js";

const change = (bytes: number) => ({
  path: "a.bin",
  before: undefined,
  after: new Uint8Array(bytes),
  modes: { after: 0o644 },
  isLarge: false,
});

/** Keeps a file of so many bytes, as if that had been days ago. */
async function keep(place: string, bytes: number, days: number, most?: number): Promise<string> {
  const kept = await keepChanges(place, "every-minute", [change(bytes)], { folder: "", paths: [] }, most);
  const then = new Date(Date.now() - days * 24 * 3_600_000);
  utimesSync(kept, then, then);
  return kept;
}

test("keeps no more of all than its bytes, the latest whatever it has, and the oldest goes first", async () => {
  const place = join(await tempFolder(), "kept");
  const [first, second] = [await keep(place, 1_000, 3, 2_500), await keep(place, 1_000, 2, 2_500)];
  expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
  const third = await keep(place, 1_000, 1, 2_500);
  expect([existsSync(first), existsSync(second), existsSync(third)]).toEqual([false, true, true]);
  const huge = await keep(place, 5_000, 0, 2_500);
  expect(readdirSync(place).map((name) => join(place, name))).toEqual([huge]);
});

test("counts large files of the copy, too", async () => {
  const place = join(await tempFolder(), "kept");
  const first = await keep(place, 10, 1);
  const folder = await tempFolder({ "core.dump": new Uint8Array(3_000) });
  const large = { folder, paths: ["core.dump"] };
  const second = await keepChanges(place, "every-minute", [], large, 2_500);
  expect([existsSync(first), existsSync(join(second, "files/core.dump"))]).toEqual([false, true]);
});

test("removes what has been kept for 30 days, and nothing that is younger", async () => {
  const place = join(await tempFolder(), "kept");
  const days = KEPT_FOR / (24 * 3_600_000);
  const [old, young] = [await keep(place, 10, days + 1), await keep(place, 10, days - 1)];
  writeFileSync(join(place, "a file of the user's"), "");
  await keep(place, 10, 0);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});
