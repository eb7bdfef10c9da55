// Commands that nobody is asked about since undo takes their changes back: what they overwrite is kept before they start.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ThreadSnapshots, type SnapshotLimits } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { failed, result } from "../../unit/tools/workspace.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { gitProject, MODEL, put } from "./gitProject.js";

/** A model that nobody can be asked about. */
const ALONE = { as: "model", mode: "default", session: MODEL.session, turn: MODEL.turn } as const;

async function project(limits: Partial<SnapshotLimits> = {}) {
  const opened = await gitProject({
    snapshots: new ThreadSnapshots(effectsFolder, () => undefined, { ...PATIENT, ...limits }),
  });
  return { ...opened, exec: (command: string) => opened.call("exec", { command }, ALONE) };
}

describe.skipIf(process.platform === "win32")("without a question", () => {
  it.each([
    ["a tracked file", "sed -i s/two/2/ src/a.ts"],
    ["an untracked file", "cp src/a.ts notes.md"],
    ["a changed file", "echo '{}' > package.json.new; mv package.json.new notes.md"],
    ["an ignored file", "echo more >> debug.log && : > dist/out1.js"],
    ["a binary file", "cp src/a.ts logo.png"],
    ["files of a pattern", "sed -i s/built/made/ dist/*.js"],
    ["a folder that moves", "mv src lib && touch lib/new.ts"],
    ["new files in new folders", "mkdir -p a/b && cp src/a.ts a/b/ && git add a"],
  ])("%s is changed, and comes back: %s", async (_what, command) => {
    const { exec, state, undo } = await project({ copy: 0 });
    const before = state();
    expect(result(await exec(command)).text).toContain("[Exit code 0");
    expect(state()).not.toEqual(before);
    await undo();
    expect(state()).toEqual(before);
  });

  it.each(["rm -rf src", "sed -i s/two/2/ src/a.ts; ./x", "cp -r src lib", "sed -i s/a/b/ package.json"])(
    "nothing runs that asks: %s",
    async (command) => {
      const { exec, state } = await project();
      const before = state();
      expect(failed(await exec(command)).type).toBe("denied");
      expect(state()).toEqual(before);
    },
  );

  it("a large untracked file comes back, though others have used up the room for copies", async () => {
    const { exec, folder, undo } = await project();
    const large = Buffer.alloc(7_900_000, "line\n");
    for (let at = 0; at < 9; at++) {
      put(folder, `data/${at}.bin`, large);
    }
    result(await exec("touch other"));
    for (const path of ["data/0.bin", "data/8.bin"]) {
      result(await exec(`echo x > ${path}`));
    }
    await undo();
    for (const path of ["data/0.bin", "data/8.bin"]) {
      expect(readFileSync(join(folder, path)).equals(large)).toBe(true);
    }
  });

  it.each<[what: string, limits: Partial<SnapshotLimits>]>([
    ["the workspace could not be looked at in time", { take: 0 }],
    ["it has too many files", { entries: 3 }],
    ["the snapshot does not come", { waitToTake: 0 }],
  ])("nothing is changed that could not be kept: %s", async (_what, limits) => {
    const { exec, state } = await project(limits);
    const before = state();
    const { type, message, hint } = failed(await exec("sed -i s/two/2/ src/a.ts"));
    expect([type, hint]).toEqual(["unavailable", "Try again, or make the change with write or edit."]);
    expect(message).toContain("The command was not run: undo could not take its changes back now (");
    expect(state()).toEqual(before);
  });
});
