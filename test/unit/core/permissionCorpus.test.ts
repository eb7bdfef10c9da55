import { describe, expect, test } from "vitest";
import { ATTACKS, HARMLESS, HIDDEN_RM, ORDINARY, RUN_RM, WIDE_RULES } from "./permissionCorpus.js";
import { world } from "./permissionRig.js";

const allow = (command: string): object => ({ tool: "exec", params: { command }, decision: "allow" });
const wide = [...WIDE_RULES.map(allow), { tool: "exec", decision: "allow" }, { tool: "*", decision: "allow" }];

describe("no attack runs unasked, whatever a rule allows that is not the very line", () => {
  const { explain } = world({ rules: wide });
  test.each(ATTACKS)("$note: $command", async ({ command }) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});

describe("nothing harmless asks", () => {
  const { explain } = world();
  test.each(HARMLESS)("$note: $command", async ({ command }) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });
});

describe("ordinary work asks, and its derived rule allows it and no more", () => {
  test.each(ORDINARY)("$command", async ({ command, rule }) => {
    const { derived, decision } = await world().explain("exec", { command });
    expect({ decision, derived }).toEqual({ decision: "ask", derived: [{ tool: "exec", params: { command: rule }, decision: "allow" }] });
    const after = world({ rules: derived });
    expect(await after.explain("exec", { command })).toMatchObject({ decision: "allow", rule: `rules[0]: allow ${rule}` });
    for (const more of [`${command}; rm x`, `${command} > /tmp/x`, `sudo ${command}`, `${command} $(rm x)`]) {
      expect({ more, ...(await after.explain("exec", { command: more })) }).toMatchObject({ more, decision: "ask" });
    }
  });
});

describe("a rule that denies rm finds it, whatever else allows", () => {
  for (const mode of ["default", "bypass"] as const) {
    const { explain } = world({ mode, rules: [...wide, { tool: "exec", params: { command: "rm **" }, decision: "deny" }] });
    test.each(HIDDEN_RM)(`mode ${mode}: %s`, async (command) => {
      expect(await explain("exec", { command })).toMatchObject({ decision: "deny" });
    });
  }
});

describe("a rule that denies rm asks where other programs may run it, in mode bypass, too", () => {
  const { explain } = world({ mode: "bypass", rules: [...wide, { tool: "exec", params: { command: "rm **" }, decision: "deny" }] });
  test.each(RUN_RM)("%s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});
