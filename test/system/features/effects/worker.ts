import { buildSync } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SnapshotLimits } from "../../../../src/hosts/node/effects/threadSnapshots.js";

/** A folder like `dist/`, with the thread's bundled code. */
export const effectsFolder = folderOfWorker();

/** Time limits that are long enough for a busy machine. */
export const PATIENT: SnapshotLimits = {
  take: 60_000,
  copy: 60_000,
  waitToTake: 60_000,
  compare: 60_000,
  waitToCompare: 60_000,
  silent: 120_000,
  patience: 1,
  entries: 300_000,
};

function folderOfWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-effects-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../../../src/hosts/node/effects/worker.ts", import.meta.url))],
    outfile: join(folder, "effects-worker.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return folder;
}
