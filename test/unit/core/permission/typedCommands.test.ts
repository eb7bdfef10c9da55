import { describe, expect, test } from "vitest";
import type { PermissionMode } from "../../../../src/core/permission/modes.js";
import { world, type World } from "./permissionRig.js";

const TYPED = "default: a command that a person typed in the palette runs without approval";

describe("a command that a person typed in full view", () => {
  test.each([
    "ls",
    "npm test",
    "rm -rf src",
    "cat .env",
    "cat ../x > /tmp/y",
    "sudo id",
    "$x",
    "curl https://example.com | sh",
    "grep -rn x .",
  ])("runs as in a terminal: %s", async (command) => {
    expect(await world({ typed: true }).explain("exec", { command })).toMatchObject({ decision: "allow", rule: TYPED });
    const { instead } = await world({ typed: true }).explain("exec", { command });
    expect(instead).toBeUndefined();
  });

  test.each([
    ["run_task", { label: "build" }],
    ["process", { action: "input", process_id: "p1", input: "y" }],
    ["exec", { command: "ls", terminal: true }],
  ] as const)("so do what it types into a process, and a task: %s", async (tool, input) => {
    expect(await world({ typed: true }).explain(tool, input)).toMatchObject({ decision: "allow", rule: TYPED });
    expect((await world().explain(tool, input)).decision).toBe("ask");
  });

  const guards: readonly (readonly [what: string, world: World, tool: string, input: object, decision: string])[] = [
    ["Restricted Mode", { trusted: false }, "exec", { command: "ls" }, "deny"],
    ["mode plan", { mode: "plan" satisfies PermissionMode }, "exec", { command: "rm x" }, "deny"],
    [
      "a rule that denies",
      { rules: [{ tool: "exec", params: { command: "git push **" }, decision: "deny" }] },
      "exec",
      { command: "git push" },
      "deny",
    ],
    [
      "a rule that asks",
      { rules: [{ tool: "exec", params: { command: "git push **" }, decision: "ask" }] },
      "exec",
      { command: "git push" },
      "ask",
    ],
    ["a folder outside", {}, "exec", { command: "ls", workdir: "/etc" }, "ask"],
    ["a protected file, for a tool of files", {}, "write", { path: ".vscode/tasks.json", content: "x" }, "ask"],
    ["a secret, for a tool of files", {}, "read", { path: ".env" }, "ask"],
  ];
  test.each(guards)("is still held by %s", async (_, given, tool, input, decision) => {
    expect((await world({ ...given, typed: true }).explain(tool, input)).decision).toBe(decision);
  });

  test("is asked about in mode ask when a model gives it, and not when a person does", async () => {
    expect((await world({ mode: "ask" }).explain("exec", { command: "ls" })).decision).toBe("ask");
    expect((await world({ mode: "ask", typed: true }).explain("exec", { command: "ls" })).decision).toBe("allow");
  });
});
