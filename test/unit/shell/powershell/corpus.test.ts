import { expect, test } from "vitest";
import { world } from "../../core/permission/permissionRig.js";
import { ATTACKS } from "./attacks.js";
import { EVERYDAY } from "./everyday.js";

const { explain } = world({ inPowerShell: true });

test.each(EVERYDAY)("%s runs without a question", async (command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
});

const attacks = Object.entries(ATTACKS).flatMap(([does, lines]) => lines.map((line) => [does, line] as const));

test.each(attacks)("what %s asks: %s", async (_, command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
});

test("the tables are long enough to mean something", () => {
  expect(new Set(EVERYDAY).size).toBeGreaterThanOrEqual(60);
  expect(new Set(attacks.map(([, line]) => line)).size).toBeGreaterThanOrEqual(300);
});
