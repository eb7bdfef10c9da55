import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Explanation } from "../../../../src/core/permission/explain.js";
import { explanationPage } from "../../../../src/views/permission/explanationPage.js";
import { ruleRow } from "../../../../src/views/permission/ruleRows.js";
import type { PlacedRule, Rule } from "../../../../src/ports/rules.js";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const rule = (command: string, decision: Rule["decision"] = "allow"): Rule => ({
  tool: "exec",
  params: { command },
  decision,
});

describe("a rule's row", () => {
  const placed = (more: Partial<PlacedRule>): PlacedRule => ({
    rule: rule("npm test **"),
    source: "settings",
    place: "toolhost.permissions.rules[1]",
    ...more,
  });
  test.each([
    {
      what: "that decided just now",
      row: placed({}),
      at: NOW - 5_000,
      shown: ["$(check) npm test **", "allowed", "your settings · last matched just now"],
    },
    {
      what: "that decided a while ago",
      row: placed({}),
      at: NOW - 120_000,
      shown: ["$(check) npm test **", "allowed", "your settings · last matched 2 minutes ago"],
    },
    {
      what: "that decided nothing",
      row: placed({ rule: rule("git push **", "deny") }),
      at: undefined,
      shown: ["$(circle-slash) git push **", "denied", "your settings · not matched yet"],
    },
    {
      what: "that asks",
      row: placed({ rule: { tool: "*", params: { path: "migrations/**" }, decision: "ask" } }),
      at: undefined,
      shown: ["$(question) * migrations/**", "asks", "your settings · not matched yet"],
    },
    {
      what: "of a session",
      row: placed({ source: "session", place: "session: npm test **" }),
      at: undefined,
      shown: ["$(check) npm test **", "allowed", "until the window closes · not matched yet"],
    },
    {
      what: "that is broken and allows",
      row: placed({ broken: "tool: no tool is called exce (did you mean exec?)" }),
      at: undefined,
      shown: [
        "$(warning) npm test **",
        "broken",
        "allows nothing · rules[1]: tool: no tool is called exce (did you mean exec?)",
      ],
    },
    {
      what: "that is broken and denies",
      row: placed({ rule: { tool: "exec", decision: "deny" }, broken: "params.command: expected text, got 1" }),
      at: undefined,
      shown: [
        "$(warning) exec",
        "broken",
        "denies every call that its readable part matches · rules[1]: params.command: expected text, got 1",
      ],
    },
    {
      what: "whose text would be an icon and a link",
      row: placed({ rule: rule("$(trash) [x](command:y)") }),
      at: undefined,
      shown: ["$(check) $\u2060(trash) [x]\u2060(command:y)", "allowed", "your settings · not matched yet"],
    },
    {
      what: "with a hidden character",
      row: placed({ rule: rule("rm \u202ex") }),
      at: undefined,
      shown: ["$(check) rm \\u202ex", "allowed", "your settings · not matched yet"],
    },
  ])("$what", ({ row, at, shown }) => {
    const { label, description, detail } = ruleRow(row, at, NOW);
    expect([label, description, detail]).toEqual(shown);
  });
});

describe("an explanation", () => {
  const call = { tool: "exec", input: { command: "cat a | rm -rf build" }, mode: "default", trusted: true } as const;
  const explanation: Explanation = {
    decision: "ask",
    rule: "default: a command needs approval unless it is proven to only read",
    reasons: ["Removes files."],
    derived: [rule("rm -rf build")],
    commands: [
      { text: "cat a", effect: "reads", why: "", paths: [{ kind: "read", path: "a" }] },
      { text: "rm -rf build", effect: "destroys", why: "it removes files", paths: [{ kind: "write", path: "build" }] },
    ],
  };

  test("says what is decided, by what, why, and of which part", () => {
    const page = explanationPage(call, explanation);
    expect(page).toMatch(/^# Asks first\n\n```bash\ncat a \| rm -rf build\n```\n/);
    expect(page).toContain(
      "| Default | A command needs approval unless it is proven to only read\\. |\n| Mode | `default` |",
    );
    expect(page).toContain(
      "| `cat a` | only reads |  | `a` |\n| `rm -rf build` | destroys or publishes | Removes files\\. | writes `build` |",
    );
    expect(page).toContain("## How to allow it\n\n- `rm -rf build`");
    const headings = ["## Why", "## How to allow it", "## The command, part by part", "## What decided"];
    expect(page.split("\n").filter((line) => line.startsWith("## "))).toEqual(headings);
    expect(page.endsWith("This is only an explanation: nothing was run.")).toBe(true);
  });

  test("has the parts of commands in its reasons as code", () => {
    expect(explanationPage(call, explanation)).toContain("- Removes files\\.");
  });

  test.each([
    {
      what: "a refusal",
      change: {
        decision: "deny",
        reasons: ["the permission mode is plan, which is read-only"],
        derived: [],
        commands: [],
      } as const,
      shown: "# Is refused",
      reason: "- The permission mode is plan\\, which is read\\-only\\.",
    },
    {
      what: "an allowed call",
      change: { decision: "allow", reasons: [], derived: [], commands: [] } as const,
      shown: "# Runs without asking",
      reason: "| Tool | `exec` |",
    },
  ])("of $what", ({ change, shown, reason }) => {
    const page = explanationPage(call, { ...explanation, ...change });
    expect(page.startsWith(shown)).toBe(true);
    expect(page).toContain(reason);
    expect(page).not.toContain("part by part");
  });

  test.each([
    { what: "asked, with no rule", change: {}, how: "the question offers no rule for it" },
    {
      what: "asked by a rule",
      change: { rule: "toolhost.permissions.rules[0]: ask rm" },
      how: "A rule of yours asks about it",
    },
    {
      what: "refused by a rule",
      change: { decision: "deny", rule: "toolhost.permissions.rules[0]: deny rm" } as const,
      how: "A rule of yours refuses it",
    },
    { what: "refused in a mode", change: { decision: "deny" } as const, how: "Choose a mode other than `default`" },
  ])("says how to allow what is $what", ({ change, how }) => {
    const page = explanationPage(call, { ...explanation, derived: [], ...change });
    expect(page.slice(page.indexOf("## How to allow it"), page.indexOf("## The command"))).toContain(how);
  });

  test("names the folder that a command reaches", () => {
    const commands = [{ text: "make", effect: "changes", why: "", paths: [{ kind: "read", path: "." }] }] as const;
    expect(explanationPage(call, { ...explanation, commands })).toContain("| this folder |");
  });

  test("of another tool shows its input as JSON; of a workspace that is not trusted says so", () => {
    const page = explanationPage(
      { tool: "edit", input: { path: "a" }, mode: "plan", trusted: false },
      { ...explanation, commands: [] },
    );
    expect(page).toContain('```json\n{\n  "path": "a"\n}\n```');
    expect(page).toContain("| Mode | `plan`, in an untrusted workspace |");
  });

  test("no text in it becomes markup or hides anything", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("`", "```", "|", "\n", "[x](command:y)", "<b>", "\u202e", "a", "\\", "# ", "- "),
      maxLength: 12,
    });
    fc.assert(
      fc.property(hostile, hostile, hostile, (command, why, path) => {
        const page = explanationPage(
          { ...call, input: { command } },
          {
            ...explanation,
            reasons: [why],
            commands: [{ text: command, effect: "unknown", why, paths: [{ kind: "read", path }] }],
          },
        );
        expect(page).not.toContain("\u202e");
        const behind = page.slice(page.lastIndexOf("\n## Why"));
        expect(behind.split("\n").filter((line) => line.startsWith("#"))).toEqual([
          "## Why",
          "## How to allow it",
          "## The command, part by part",
          "## What decided",
        ]);
        const row = behind.split("\n").find((line) => line.includes("| unknown |")) ?? "";
        expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
      }),
    );
  });
});
