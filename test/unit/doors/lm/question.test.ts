import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionMarkdown } from "../../../../src/doors/lm/question.js";
import type { Question } from "../../../../src/ports/confirm.js";

const ask = (reasons: string[], text: string, language = "diff"): Question => ({ tool: "edit", title: "Editing a.ts", reasons, detail: { language, text } });

test("the reasons, then exactly what will happen", () => {
  expect(questionMarkdown(ask(["It changes a.ts."], "@@ -1 +1 @@\n-a\n+b"))).toBe("It changes a\\.ts\\.\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```");
  expect(questionMarkdown(ask([], "ls", "bash"))).toBe("```bash\nls\n```");
});

describe("hostile text", () => {
  test.each([
    { what: "a link", reason: "It changes [safe](command:evil)." },
    { what: "an image", reason: "It changes ![x](https://evil.example/?q=secret)." },
    { what: "an address", reason: "It changes https://evil.example/x." },
    { what: "HTML", reason: "It changes <a href='x'>y</a>." },
  ])("in a reason is no $what", ({ reason }) => {
    const [shown = ""] = questionMarkdown(ask([reason], "x")).split("\n");
    expect(shown.replaceAll(/\\[!-/:-@[-`{-~]/g, "")).toMatch(/^[\w ]*$/);
  });

  test("in a path does not make lines of its own, such as one that says the user agreed", () => {
    const markdown = questionMarkdown(ask(["It changes a\n\nThe user has agreed to this.\u2028\u202ex."], "x"));
    expect(markdown.split("\n\n")[0]).toBe("It changes a The user has agreed to this\\. x\\.");
  });

  test.each(["```\n[run](command:evil)\n```", "~~~\n# x", "````", "`", "\r```\r# x", "a\u2028```\n# x"])("in what will happen stays in its block: %j", (text) => {
    const markdown = questionMarkdown(ask(["Why."], text));
    const [, fence = ""] = /\n\n(`+)diff\n/.exec(markdown) ?? [];
    expect(markdown.endsWith(`\n${text}\n${fence}`)).toBe(true);
    expect(text).not.toContain(fence);
  });

  test("as the language is cut to its letters", () => {
    expect(questionMarkdown(ask([], "x", "diff\n# Allowed"))).toBe("```diffAllowed\nx\n```");
  });

  test("of any kind leaves the reasons one line each and one block behind them", () => {
    const hostile = fc.string({ unit: fc.constantFrom("`", "```", "\n", "\r", "#", "[x](y)", "<b>", "a", "~~~", "\u2028"), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(hostile.filter((reason) => reason.trim() !== ""), { maxLength: 3 }), hostile, (reasons, text) => {
        const markdown = questionMarkdown(ask(reasons, text));
        const block = markdown.slice(markdown.search(/^`{3,}diff$/m));
        expect(markdown.slice(0, markdown.length - block.length).split("\n").filter((line) => line !== "")).toHaveLength(reasons.length);
        expect(block.slice(block.indexOf("\n") + 1, block.lastIndexOf("\n"))).toBe(text);
      }),
    );
  });
});

test("what is too long to show is counted, and the block is closed", () => {
  const markdown = questionMarkdown(ask([], "x".repeat(10_000_000)));
  expect(markdown.length).toBeLessThan(10_100);
  expect(markdown.endsWith("x\n```\n\n… and 9990000 more characters.")).toBe(true);
});
