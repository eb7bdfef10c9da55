// What is built is what is packed: a bundle that is missing fails only when something needs it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const linesOf = (file: string): string[] => readFileSync(join(root, file), "utf8").split("\n");
const bundles = [
  ...readFileSync(join(root, "esbuild.mjs"), "utf8").matchAll(/^ {2}"(dist\/[\w-]+\.js)": [\d_]+,$/gm),
].map(([, file]) => `!${file ?? ""}`);

it.each([
  { file: ".vscodeignore", without: ["!dist/library.js"] },
  {
    file: ".npmignore",
    without: [
      "extension",
      "window",
      "activity",
      "activity-page",
      "server-code",
      "explanation-page",
      "add-server",
      "add-tool-view",
      "web",
      "web-rg",
    ].map((name) => `!dist/${name}.js`),
  },
])("$file lets every bundle in that the package needs", ({ file, without }) => {
  expect(bundles.length).toBeGreaterThan(5);
  expect(linesOf(file)).toEqual(expect.arrayContaining(bundles.filter((line) => !without.includes(line))));
});

it("installing the package installs no other but ripgrep: the bundles have all that they need", () => {
  const { dependencies = {}, optionalDependencies } = JSON.parse(linesOf("package.json").join("\n")) as {
    dependencies?: object;
    optionalDependencies: object;
  };
  expect([Object.keys(dependencies), Object.keys(optionalDependencies)]).toEqual([[], ["@vscode/ripgrep"]]);
});
