// What people read in views at run time can be translated (scripts/l10n.mjs, npm run manifest).
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundleOf, textsOf, viewTexts } from "../../../scripts/l10n.mjs";

const root = new URL("../../../", import.meta.url);
const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(path, root), "utf8")) as Record<string, unknown>;

test("every text for people in a view that knows VS Code is localized", () => {
  const texts = viewTexts();
  expect(texts.filter(({ isLocalized }) => !isLocalized).map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  expect(texts.length).toBeGreaterThan(150);
});

test("the bundle has every text, and VS Code finds it (npm run manifest)", () => {
  expect(json("l10n/bundle.l10n.json")).toEqual(bundleOf(viewTexts()));
  expect(json("package.json")["l10n"]).toBe("./l10n");
  expect(readFileSync(new URL(".vscodeignore", root), "utf8")).toContain("\n!l10n/bundle.l10n.json\n");
});

test("texts in titles, buttons and notices are found, and what is not for people is not", () => {
  const code = [
    'import * as vscode from "vscode";',
    'const OPEN = "Open Session";',
    "box.title = `Key of ${name}`;",
    'box.prompt = "A command line.";',
    'vscode.l10n.t("Run {0}", tool);',
    'throw new ToolError("denied", "The user said no.");',
    "host.note(`Task ${name}: done`);",
    'if (key === "pending") show({ command: "toolhost.run", Title: 1 });',
  ].join("\n");
  expect(textsOf("a.ts", code).map(({ text, place, isLocalized }) => `${place} ${isLocalized} ${text}`)).toEqual([
    "a.ts:2 false Open Session",
    "a.ts:3 false Key of {0}",
    "a.ts:4 false A command line.",
    "a.ts:5 true Run {0}",
  ]);
  const counted = 'import { l10n } from "../shared/l10n.js";\nl10n.many(2, "{0} file", "{0} files", "More");';
  expect(textsOf("a.ts", counted).map(({ text, isLocalized }) => [text, isLocalized])).toEqual([
    ["{0} file", true],
    ["{0} files", true],
    ["More", false],
  ]);
  expect(textsOf("a.ts", 'const OPEN = "Open Session";')).toEqual([]);
});
