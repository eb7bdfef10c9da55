import { buildSync } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProcessExpressions } from "../../../src/hosts/node/jsonata/expressions.js";

/** A folder like `dist/`, with the worker's bundled code. */
export const workerFolder = folderOfWorker();

/** The real thing. */
export const expressions = new ProcessExpressions(workerFolder);

function folderOfWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-jsonata-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../../src/hosts/node/jsonata/worker.ts", import.meta.url))],
    outfile: join(folder, "jsonata-worker.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return folder;
}
