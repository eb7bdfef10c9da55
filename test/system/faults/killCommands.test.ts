// The command line is killed before every step that changes a file or the state, while a command of a model runs, is
// compared with what was there before, and is recorded: afterwards what it had done can be taken back, all of it.
import { existsSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { commandKills } from "./commandKills.js";
import { treeOf } from "./tree.js";

const kills = commandKills({
  files: { "a.txt": "one\ntwo\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", "keep.txt": "kept\n", "n.txt": "n\n" },
  // Nobody is asked about it, since undo takes it back.
  input: { command: "sed -i s/one/1/ a.txt && mv d lib && cp keep.txt n.txt && mkdir -p x && echo x > x/y" },
  sandbox: "read",
});

it.skipIf(process.platform !== "linux")(
  "is taken back as a whole, whenever the process is killed",
  { timeout: 900_000 },
  async () => {
    const { before, after, steps } = await kills.whole();
    expect(Object.keys(after)).toEqual(expect.arrayContaining(["lib/b.txt", "x/y"]));
    expect(after["a.txt"]).toBe("1\ntwo\n");
    const seen = { before: 0, changed: 0, told: 0 };
    await kills.each(steps, 2, 0, async ({ folder, state, step, toolhost }) => {
      const listed = await toolhost("undo", "--list");
      expect(listed.code).toBe(0);
      const isChanged = JSON.stringify(await treeOf(folder)) !== JSON.stringify(before);
      seen[isChanged ? "changed" : "before"]++;
      seen.told += /Toolhost was killed while a command ran/.test(listed.err) ? 1 : 0;
      if (isChanged) {
        const undone = await toolhost("undo");
        expect([step, undone.code, undone.err, listed.err]).toEqual([step, 0, "", listed.err]);
      }
      expect(await treeOf(folder)).toEqual(before);
      const left = existsSync(state) ? readdirSync(state, { recursive: true, encoding: "utf8" }) : [];
      expect(left.filter((path) => path.endsWith(".snapshot"))).toEqual([]);
    });
    expect(seen.before).toBeGreaterThan(0);
    expect(seen.changed).toBeGreaterThan(0);
    expect(seen.told).toBeGreaterThan(0);
  },
);
