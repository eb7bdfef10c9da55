// The hosted CI that nobody has run yet (docs/platforms.md): what it calls must at least exist.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

it("the hosted workflow runs commands that package.json has, on all three systems", () => {
  const workflow = readFileSync(join(root, ".github/workflows/platforms.yml"), "utf8");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const called = [...workflow.matchAll(/npm (?:run )?([\w:]+)$/gm)].map(([, name = ""]) => name);
  expect(called).toEqual(["test", "windows", "test:desktop"]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  for (const system of ["ubuntu", "windows", "macos"]) {
    expect(workflow).toMatch(new RegExp(`(?:runs-on: |[[ ])${system}-\\d`, "u"));
  }
});
