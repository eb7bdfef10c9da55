// What is masked by mistake: real code, as npm installs it here, that has no secrets but those its tests made up.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSecrets } from "../../../../src/text/secrets/find.js";

const PACKAGES = join(import.meta.dirname, "../../../../node_modules");
/** TypeScript's sources and declarations, a schema library with its tests, clients of APIs with keys, a linter, test runners. */
const CORPUS = [
  "typescript/lib",
  "zod",
  "openai",
  "@modelcontextprotocol",
  "fast-check",
  "mocha",
  "knip",
  "vitest",
  "@types",
];
/** Larger files are bundles. */
const MAX_BYTES = 1_000_000;

test("false alarms are at most one in 100,000 lines", () => {
  let lines = 0;
  const found: string[] = [];
  for (const folder of CORPUS) {
    for (const name of readdirSync(join(PACKAGES, folder), { recursive: true, encoding: "utf8" })) {
      const path = join(PACKAGES, folder, name);
      const info = statSync(path);
      const text = info.isFile() && info.size <= MAX_BYTES ? readFileSync(path, "utf8") : "";
      if (!text.includes("\0")) {
        lines += text.split("\n").length;
        found.push(...findSecrets(text).map((each) => `${each.name} in ${folder}/${name}`));
      }
    }
  }
  expect(lines).toBeGreaterThan(500_000);
  expect(found.length / lines, found.join("\n")).toBeLessThanOrEqual(1 / 100_000);
});
