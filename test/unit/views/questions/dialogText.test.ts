import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choicesOf } from "../../../../src/views/questions/choices.js";
import { dialogText } from "../../../../src/views/questions/dialogText.js";
import type { Question } from "../../../../src/ports/confirm.js";
import type { Rule } from "../../../../src/ports/rules.js";

const rule = (command: string): Rule => ({ tool: "exec", params: { command }, decision: "allow" });

function ask(command: string, more: Partial<Question> = {}): Question {
  return {
    tool: "exec",
    title: "Running it",
    reasons: ["It runs."],
    detail: { language: "bash", text: command },
    derived: [],
    ...more,
  };
}

test("reasons a line each, the command as it runs, and what “always” would write", () => {
  expect(dialogText(ask("npm test", { reasons: ["One.", "Two."], derived: [rule("npm test **")] }))).toEqual({
    headline: "Running it?",
    title: "Running it",
    detail: "One.\nTwo.\n\nnpm test\n\n“Always Allow” adds to your settings, for every workspace: “npm test **”.",
    shown: "npm test",
    whole: undefined,
  });
});

test("a command once: what the title has is not below, and of several lines the title has the first", () => {
  expect(dialogText(ask("rm a", { title: "Run rm a" }))).toMatchObject({
    headline: "Run this command?",
    detail: "rm a\n\nIt runs.",
  });
  expect(dialogText(ask("rm  a", { title: "Run rm a" })).detail).toBe("rm  a\n\nIt runs.");
  expect(dialogText(ask("rm a", { title: "greet: rm a" }))).toMatchObject({
    headline: "greet: rm a?",
    detail: "It runs.",
  });
  expect(dialogText(ask("sleep 5", { title: "Start sleep 5" })).headline).toBe("Start this command?");
  // What the title says and the command does not must not get lost.
  expect(dialogText(ask("rm a", { title: "Run the clean-up" })).headline).toBe("Run the clean-up?");
  expect(dialogText(ask("rm a", { title: "Approve it", accept: "Approve" })).headline).toBe("Approve it");
  expect(dialogText(ask("rm a\nrm b\n", { title: "Task “x”: Run rm a rm b" }))).toMatchObject({
    title: "Task “x”: Run rm a …",
    detail: "It runs.\n\nrm a\nrm b\n",
  });
  expect(dialogText(ask("export A=1\nrm b", { title: "Run rm b" })).title).toBe("Run rm b");
});

test("no Markdown, and no input that the title has already", () => {
  const secret = { language: "json", text: JSON.stringify({ path: ".env" }, undefined, 2) } as const;
  const reasons = ["`.env` may hold secrets."];
  expect(dialogText(ask("", { title: "Read .env", reasons, detail: secret })).detail).toBe("“.env” may hold secrets.");
  expect(dialogText(ask("", { title: "Read it", reasons, detail: secret })).detail).toContain('"path": ".env"');
  const two = { language: "json", text: JSON.stringify({ path: ".env", all: true }, undefined, 2) } as const;
  expect(dialogText(ask("", { title: "Read .env", reasons, detail: two })).detail).toContain('"all": true');
});

describe("the rules offered", () => {
  test.each([
    { what: "none", derived: [], always: undefined },
    { what: "several", derived: [rule("npm test **"), rule("git add **")], always: "2 Rules" },
    { what: "a long one", derived: [rule(`npm run ${"x".repeat(100)} **`)], always: `“npm run ${"x".repeat(23)}…”` },
    { what: "one with a hidden character", derived: [rule("npm \u202etest **")], always: "“npm \\u202etest **”" },
    {
      what: "of another tool",
      derived: [{ tool: "apply_patch", params: { path: "src/**" }, decision: "allow" } satisfies Rule],
      always: "“apply_patch src/**”",
    },
  ])("$what", ({ derived, always }) => {
    expect(choicesOf(ask("x", { derived })).map(({ title }) => title)).toEqual([
      ...["Don't Allow", "Allow Once"],
      ...(always === undefined ? [] : ["Allow in This Session", `Always Allow ${always}`]),
    ]);
  });

  test("are listed, however many there are", () => {
    const { detail } = dialogText(ask("x", { derived: Array.from({ length: 9 }, (_, index) => rule(`c${index} **`)) }));
    expect(detail.endsWith("“c0 **”, “c1 **”, “c2 **”, 6 more.")).toBe(true);
  });
});

describe("what does not fit", () => {
  test.each([
    {
      what: "many lines",
      text: "echo line\n".repeat(3_000),
      notice: "Too long to show: 2982 of 3001 lines are omitted. “Show in Editor…” opens the full text.",
    },
    {
      what: "many characters",
      text: `echo ${"x".repeat(5_000)}`,
      notice: "Too long to show: 3960 of 5005 characters are omitted. “Show in Editor…” opens the full text.",
    },
    {
      what: "wide lines",
      text: `echo ${"x".repeat(600)}\n`.repeat(3),
      notice: "Too long to show: 3 of 4 lines are omitted. “Show in Editor…” opens the full text.",
    },
  ])("is said first and can be shown whole: $what", ({ text, notice }) => {
    const { detail, whole } = dialogText(ask(text));
    expect(detail.split("\n")[0]).toBe(notice);
    expect(whole).toBe(text);
  });

  test("of a diff is told by its changes", () => {
    const lines = Array.from({ length: 50 }, (_, index) => `+line ${index}`).join("\n");
    const { detail } = dialogText(ask("", { detail: { language: "diff", text: `@@ -0,0 +1,50 @@\n${lines}` } }));
    expect(detail).toMatch(
      /^Too long to show: 32 of 51 lines are omitted: \+32 −0\. “Show in Editor…” opens the full text\.\n\nIt runs\./,
    );
  });

  test("leaves room for what a command did when it was tried, which is below it", () => {
    const outcome = [
      { title: "What it changed", language: "diff", text: "@@ -1,1 +1,1 @@\n-a\n+b" },
      { title: "Its output", language: "text", text: "said" },
    ];
    expect(dialogText(ask("rm a", { title: "Run rm a", outcome }))).toMatchObject({
      detail: "rm a\n\nIt runs.\n\nWhat it changed:\n@@ -1,1 +1,1 @@\n-a\n+b\n\nIts output:\nsaid",
      shown: "rm a\n\nWhat it changed:\n@@ -1,1 +1,1 @@\n-a\n+b\n\nIts output:\nsaid",
      whole: undefined,
    });
    const { detail, whole } = dialogText(ask("x\n".repeat(50), { outcome }));
    expect(detail).toMatch(
      /^Too long to show: \d+ of 51 lines are omitted\. “Show in Editor…” opens the full text\.\n\nIt runs/,
    );
    expect(detail).toContain("What it changed:\n@@ -1,1 +1,1 @@\n-a\n+b\n\nIts output:\nsaid");
    expect(detail.split("\n").length).toBeLessThan(26);
    expect(whole).toContain(`${"x\n".repeat(50)}\n\nWhat it changed:`);
  });

  test("of the reasons is told, too", () => {
    const { detail, whole } = dialogText(
      ask("x", { reasons: Array.from({ length: 100 }, (_, index) => `Reason ${index}.`) }),
    );
    expect(detail).toContain("Reason 3.\n… and 96 more reasons: “Show in Editor…”.\n\nx");
    expect(whole).toContain("Reason 99.\n\nx");
    const long = dialogText(ask("x", { reasons: [`It changes ${"a/".repeat(500)}.`] }));
    expect(long.detail.length).toBeLessThan(200);
    expect(long.whole).toContain(`${"a/".repeat(500)}.`);
  });

  test("is whole when nothing is left out: what is shown ends with what runs", () => {
    expect(dialogText(ask("a\n".repeat(18))).whole).toBeUndefined();
    expect(dialogText(ask("a\n".repeat(19))).whole).toBeDefined();
  });

  test("keeps any question on the screen, and tells of everything it leaves out", () => {
    const text = fc.string({ unit: fc.constantFrom("x", "echo ", "\n", "\u202e", "word ".repeat(40)), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), (command, reasons) => {
        const { detail, whole } = dialogText(ask(command, { reasons }));
        const rows = detail.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 55)), 0);
        expect(rows).toBeLessThan(35);
        const left = !detail.includes(command.replaceAll("\u202e", "\\u202e"));
        expect(detail.startsWith("Too long to show: ") || !left).toBe(true);
        expect(whole !== undefined || !left).toBe(true);
      }),
    );
  });
});

test("hidden characters are shown, and said", () => {
  const { headline, title, detail } = dialogText(
    ask("ls \u202ehs.x\u200b", { title: "Running ls \u202ehs.x\nok", reasons: ["It runs \u202ex."] }),
  );
  expect(headline).toBe("Running ls \\u202ehs.x ok? It contains invisible characters.");
  expect(title).toBe("Running ls \\u202ehs.x ok");
  expect(detail).toBe(
    "2 invisible characters are shown as escapes, such as \\u202e (right-to-left override).\n\nIt runs \\u202ex.\n\nls \\u202ehs.x\\u200b",
  );
});

test.each([
  { where: "a command", question: ask("ls a\u200bb", { title: "Run ls a\u200bb" }) },
  { where: "a title", question: ask("ls", { title: "Read a\u202eb" }) },
  { where: "a reason", question: ask("ls", { title: "Run ls", reasons: ["Reads a\u0007b."] }) },
  { where: "who asks", question: ask("ls", { title: "A\u2066: Run ls", asker: "A\u2066" }) },
])("the headline says that there are hidden characters in $where", ({ question }) => {
  expect(dialogText(question).headline).toMatch(/\? It contains invisible characters\.$/);
});

test("who asks and where have a line of their own, below why", () => {
  const title = "box: Other Agent in site: Run rm a";
  expect(dialogText(ask("rm a", { title, asker: "Other Agent in site", place: "box" }))).toMatchObject({
    headline: "Run this command?",
    detail: "rm a\n\nIt runs.\n\nAsked by Other Agent in site.\nWhere: box.",
  });
});
