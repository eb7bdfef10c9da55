import { expect, test } from "vitest";
import { SandboxRules } from "../../../../src/core/permission/rules/sandboxRules.js";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import { readRules } from "../../../../src/core/permission/rules/readRules.js";
import { tools } from "../../../../src/tools/index.js";

function rules(...written: unknown[]): { here: Rules; there: SandboxRules } {
  const placed = readRules(written, "settings", "rules", tools);
  expect(placed.flatMap(({ broken }) => broken ?? [])).toEqual([]);
  const here = new Rules({ rules: () => placed, add: async () => undefined }, Date.now);
  return { here, there: new SandboxRules(here, "box") };
}

test("of the rules that allow, those that name the sandbox are left; of the others, all that name no other", () => {
  const { there } = rules(
    { tool: "exec", decision: "allow" },
    { tool: "exec", params: { sandbox: "b*", command: "make" }, decision: "allow" },
    { tool: "read", params: { sandbox: "box" }, decision: "allow" },
    { tool: "read", params: { sandbox: "other" }, decision: "deny" },
    { tool: "write", decision: "deny" },
    { tool: "edit", params: { path: "src/**" }, decision: "ask" },
  );
  expect(there.rules("s").map(({ rule }) => rule)).toEqual([
    { tool: "exec", params: { command: "make" }, decision: "allow" },
    { tool: "read", decision: "allow" },
    { tool: "write", decision: "deny" },
    { tool: "edit", params: { path: "src/**" }, decision: "ask" },
  ]);
  // Compiled rules are kept by their object.
  expect(there.rules("s")[0]).toBe(there.rules("s")[0]);
});

test("what is granted there is granted for this sandbox alone", () => {
  const { here, there } = rules();
  there.grantForSession("s", [{ tool: "exec", params: { command: "make" }, decision: "allow" }]);
  expect(here.rules("s").map(({ rule }) => rule.params)).toEqual([{ command: "make", sandbox: "box" }]);
  expect(there.rules("s").map(({ rule }) => rule.params)).toEqual([{ command: "make" }]);
  expect(new SandboxRules(here, "other").rules("s")).toEqual([]);
  // A door that grants later, by the local rules, grants the same.
  const rule = { tool: "exec", params: { command: "make" }, decision: "allow" } as const;
  expect(there.granted(rule).params).toEqual({ command: "make", sandbox: "box" });
});
