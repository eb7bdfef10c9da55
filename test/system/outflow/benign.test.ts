// What the guard of what leaves costs people who do nothing wrong.
import { expect, test } from "vitest";
import { ANSWERS, benignTurn, SHOP } from "./benignCalls.js";
import { GENEROUS, openOutflow } from "./rig.js";

const CALLS = 1_000;

test("of a thousand ordinary calls less than two in a hundred ask for what they carry or follow", async () => {
  const world = await openOutflow(SHOP, GENEROUS, ANSWERS);
  // Nothing was read in this one.
  const fresh = await openOutflow(SHOP, GENEROUS, ANSWERS);
  let calls = 0;
  const more: string[] = [];
  for (let turn = 0; calls < CALLS; turn++) {
    const name = `turn ${turn}`;
    for (const { tool, input, isMade } of benignTurn(turn)) {
      calls += 1;
      const now = await world.decides(tool, input, name);
      const before = await fresh.decides(tool, input, name);
      if (now.decision !== before.decision || now.reasons.join() !== before.reasons.join()) {
        more.push(`${tool} ${JSON.stringify(input)}: ${now.reasons.join(" ")}`);
      }
      if (isMade) {
        await world.model(tool, input, { turn: name, answer: true, mode: "default" });
      }
    }
  }
  expect(calls).toBeGreaterThanOrEqual(CALLS);
  expect(more.length / calls, more.slice(0, 40).join("\n")).toBeLessThan(0.02);
}, 300_000);
