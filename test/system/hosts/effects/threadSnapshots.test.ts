// A thread of snapshots that reads large files for one command while another command starts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ThreadSnapshots } from "../../../../src/hosts/node/effects/threadSnapshots.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** A thread that answers nobody while it reads: until long after it was asked for another snapshot. */
const READING = `
  const { parentPort } = require("node:worker_threads");
  let reading;
  parentPort.on("message", ({ kind, id }) => {
    if (kind === "contents") {
      reading = id;
    } else if (kind === "take" && reading === undefined) {
      parentPort.postMessage({ id });
    } else if (kind === "take") {
      setTimeout(() => {
        parentPort.postMessage({ id: reading, contents: [{ files: [], left: [], same: [], newIgnored: 0 }] });
        parentPort.postMessage({ id });
      }, 1_500);
    }
  });
`;

test("is not taken for one that hangs", async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, "effects-worker.js"), READING);
  const snapshots = new ThreadSnapshots(folder, () => undefined, { waitToTake: 60_000, silent: 500 });
  const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "x" };
  const note = { call, started: Date.now(), roots: [{ folder, prefix: "" }] };
  // A thread that starts has more time.
  expect(await snapshots.take(note, [join(folder, "a")])).toEqual({ id: 1 });
  const contents = snapshots.contents(1);
  expect(await snapshots.take(note)).toEqual({ id: 3 });
  expect(await contents).toEqual([{ files: [], left: [], same: [], newIgnored: 0 }]);
});
