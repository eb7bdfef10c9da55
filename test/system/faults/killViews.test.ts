// The command line is killed before every step that changes a file or the state, while it makes in the workspace what a
// contained command changed in its view.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { commandKills } from "./commandKills.js";
import { treeOf, type Tree } from "./tree.js";

const COMMAND =
  "echo two >> a.txt; rm -r d; mkdir -p x/y; echo n > x/y/n.txt; printf '#!/bin/sh\\n' > x/run; chmod 755 x/run; mkdir empty";
const INPUT = {
  command: `python3 -c 'import subprocess; subprocess.call(["sh", "-c", ${JSON.stringify(COMMAND).replaceAll("'", "'\\''")}])'`,
};
const kills = commandKills({
  files: { "a.txt": "one\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", "keep.txt": "kept\n" },
  ...{ input: INPUT, sandbox: "work" },
});

it.skipIf(missingSandbox() !== undefined)(
  "leaves all as before or all as after, whenever the process is killed, and nothing of the view",
  { timeout: 900_000 },
  async () => {
    const { before, after, steps } = await kills.whole();
    expect(after).toEqual({
      "a.txt": "one\ntwo\n",
      "empty/": "folder",
      "keep.txt": "kept\n",
      "x/": "folder",
      "x/run": "#!/bin/sh\n 755",
      "x/y/": "folder",
      "x/y/n.txt": "n\n",
    } satisfies Tree);
    const begin = steps.findIndex((step) => step.includes("/views"));
    expect(begin).toBeGreaterThan(0);
    const seen = { before: 0, after: 0 };
    await kills.each(steps, 4, begin, async ({ folder, state, toolhost }) => {
      expect((await toolhost("undo", "--list")).code).toBe(0);
      const found = await treeOf(folder);
      const isAfter = "empty/" in found;
      expect(found).toEqual(isAfter ? after : before);
      seen[isAfter ? "after" : "before"]++;
      if (isAfter) {
        // It can be taken back.
        expect((await toolhost("undo")).code).toBe(0);
        expect(await treeOf(folder)).toEqual(before);
      }
      // The next command that gets a view removes what the killed process kept aside.
      await toolhost("explain", "exec", "--input", JSON.stringify(INPUT));
      const views = join(state, "views");
      expect(existsSync(views) ? readdirSync(views) : []).toEqual([]);
    });
    expect(seen.before).toBeGreaterThan(0);
    expect(seen.after).toBeGreaterThan(0);
  },
);
