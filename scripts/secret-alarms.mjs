// Counts what looks like a secret in projects that have none: node scripts/secret-alarms.mjs <folder>… (docs/security.md).
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { loadTypeScript } from "./load-typescript.mjs";
import { repository } from "./paths.mjs";

/** Larger files are data. */
const MAX_BYTES = 1_000_000;

/** @typedef {{ start: number, end: number, name: string }} Found */

/**
 * @param {string} folder
 * @returns {string[]} the paths of its files, and of those below
 */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() && statSync(path).size <= MAX_BYTES ? [path] : [];
  });
}

const { findSecrets } = /** @type {{ findSecrets: (text: string) => Found[] }} */ (
  await loadTypeScript(join(repository, "src/text/secrets/find.ts"))
);
const all = { lines: 0, bytes: 0, found: 0, milliseconds: 0 };
for (const folder of process.argv.slice(2)) {
  const texts = filesIn(resolve(folder))
    .map((path) => readFileSync(path))
    .filter((bytes) => !bytes.includes(0))
    .map((bytes) => bytes.toString());
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length, 0);
  const started = performance.now();
  const found = texts.flatMap((text) =>
    findSecrets(text).map(({ start, end, name }) => `${name} ${text.slice(start, end).slice(0, 12)}…`),
  );
  all.milliseconds += performance.now() - started;
  all.lines += lines;
  all.bytes += texts.reduce((sum, text) => sum + text.length, 0);
  all.found += found.length;
  console.log(`${basename(folder)}: ${found.length} in ${lines} lines`);
  for (const each of new Set(found)) {
    console.log(`  ${found.filter((other) => other === each).length} × ${each}`);
  }
}
const rate = ((all.found / Math.max(1, all.lines)) * 100_000).toFixed(2);
console.log(
  `${all.found} in ${all.lines} lines: ${rate} in 100,000; ${Math.round(all.bytes / 1_000 / all.milliseconds)} MB a second`,
);
