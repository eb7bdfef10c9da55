import { describe, expect, test } from "vitest";
import {
  ATTACKS,
  HARMLESS,
  HIDDEN_RM,
  NARROWED,
  NOT_NARROWED,
  ORDINARY,
  RUN_RM,
  WIDE_RULES,
} from "./permissionCorpus.js";
import { world } from "./permissionRig.js";

const allow = (command: string): object => ({ tool: "exec", params: { command }, decision: "allow" });
const wide = [...WIDE_RULES.map(allow), { tool: "exec", decision: "allow" }, { tool: "*", decision: "allow" }];

describe("no attack runs unasked, whatever a rule allows that is not the very line", () => {
  const { explain } = world({ rules: wide });
  test.each(ATTACKS)("$note: $command", async ({ command }) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});

describe("a search that would print secrets", () => {
  const { explain } = world({ rules: wide });
  test.each(NARROWED)("%s runs without them", async (command, instead) => {
    const found = await explain("exec", { command });
    expect(found).toMatchObject({ decision: "allow", instead: { command: instead } });
    expect(found.reasons.at(-1)).toMatch(/skipped, as (?:it|they) may hold secrets: the command run is `/);
    // What runs reads, and needs no other line in its place.
    const again = await explain("exec", { command: instead });
    expect(again.decision).toBe("allow");
    expect(again.instead).toBeUndefined();
  });

  const texts = {
    "keys/server.pem": "x\n",
    "secretly/.docker/config.json": "x\n",
    "secretly/a.txt": "x\n",
    "blank/.env x": "x\n",
    "docs/a.md": "x\n",
    ...Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`many/.env.${index}`, "x\n"])),
  };
  test.each(NOT_NARROWED)("%s asks", async (command) => {
    const found = await world({ rules: wide, files: [".env", "a.txt"], texts, links: { link: "/work/.env" } }).explain(
      "exec",
      { command },
    );
    expect(found.decision).toBe("ask");
    expect(found.instead).toBeUndefined();
  });

  test.each([
    ["of mode ask", { mode: "ask" }, "ask"],
    ["of mode bypass, which opens secrets", { mode: "bypass" }, "allow"],
    [
      "that a rule denies",
      { rules: [{ tool: "exec", params: { command: "grep -rn x keys" }, decision: "deny" }] },
      "deny",
    ],
    [
      "that a rule asks about",
      { rules: [{ tool: "exec", params: { command: "grep -rn x keys" }, decision: "ask" }] },
      "ask",
    ],
    [
      "that a rule asks about by the file",
      { rules: [{ tool: "exec", params: { path: "keys/**" }, decision: "ask" }] },
      "ask",
    ],
  ] as const)("is left as it is: one %s", async (_, given, decision) => {
    const found = await world(given).explain("exec", { command: "grep -rn x keys" });
    expect(found.decision).toBe(decision);
    expect(found.instead).toBeUndefined();
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
    expect({ decision, derived }).toEqual({
      decision: "ask",
      derived: [{ tool: "exec", params: { command: rule }, decision: "allow" }],
    });
    const after = world({ rules: derived });
    expect(await after.explain("exec", { command })).toMatchObject({
      decision: "allow",
      rule: `rules[0]: allow ${rule}`,
    });
    for (const more of [`${command}; rm x`, `${command} > /tmp/x`, `sudo ${command}`, `${command} $(rm x)`]) {
      expect({ more, ...(await after.explain("exec", { command: more })) }).toMatchObject({ more, decision: "ask" });
    }
  });
});

describe("a rule that denies rm finds it, whatever else allows", () => {
  for (const mode of ["default", "bypass"] as const) {
    const { explain } = world({
      mode,
      rules: [...wide, { tool: "exec", params: { command: "rm **" }, decision: "deny" }],
    });
    test.each(HIDDEN_RM)(`mode ${mode}: %s`, async (command) => {
      expect(await explain("exec", { command })).toMatchObject({ decision: "deny" });
    });
  }
});

describe("a rule that denies rm asks where other programs may run it, in mode bypass, too", () => {
  const { explain } = world({
    mode: "bypass",
    rules: [...wide, { tool: "exec", params: { command: "rm **" }, decision: "deny" }],
  });
  test.each(RUN_RM)("%s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});
