import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeFence, codeSpan, escapeMarkdown } from "../../../src/text/fence.js";

const hostile = fc.string({
  unit: fc.constantFrom(
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\r",
    " ",
    "\t",
    "a",
    "[x](command:y)",
    "![i](https://evil.example/i)",
  ),
  maxLength: 30,
});

describe("codeFence", () => {
  test.each([
    { content: "ls", language: "bash", block: "```bash\nls\n```" },
    { content: "a ``` b", language: "", block: "````\na ``` b\n````" },
    {
      content: "```\n[run](command:evil)\n```",
      language: "diff",
      block: "````diff\n```\n[run](command:evil)\n```\n````",
    },
    { content: "", language: "", block: "```\n\n```" },
    { content: "x", language: "ts\n```\n# out", block: "```tsout\nx\n```" },
    { content: "x", language: "objective-c++", block: "```objective-c++\nx\n```" },
  ])("of $content", ({ content, language, block }) => {
    expect(codeFence(content, language)).toBe(block);
  });

  test("cannot be closed by its content", () => {
    fc.assert(
      fc.property(hostile, hostile, (content, language) => {
        const block = codeFence(content, language);
        const [, fence = ""] = /^(`{3,})/.exec(block) ?? [];
        expect(block.endsWith(`\n${content}\n${fence}`)).toBe(true);
        // CommonMark: a fence of N backticks is closed by a line of N or more of them.
        expect(content.split(/\r\n|\n|\r/).some((line) => line.includes(fence))).toBe(false);
        expect(block.slice(fence.length, block.indexOf("\n"))).toMatch(/^[\w+-]*$/);
      }),
    );
  });

  test("takes a content with very many backticks", () => {
    const content = "` ".repeat(300_000);
    expect(codeFence(content)).toBe(`\`\`\`\n${content}\n\`\`\``);
    expect(codeSpan(content).startsWith("`` ` `")).toBe(true);
  });
});

describe("codeSpan", () => {
  test.each([
    { content: "grep", span: "`grep`" },
    { content: "a`b", span: "``a`b``" },
    { content: "`", span: "`` ` ``" },
    { content: "two\n\n# lines", span: "`two # lines`" },
    { content: "", span: "` `" },
  ])("of $content", ({ content, span }) => {
    expect(codeSpan(content)).toBe(span);
  });

  test("is one line that its content cannot close", () => {
    fc.assert(
      fc.property(hostile, (content) => {
        const span = codeSpan(content);
        const [, ticks = ""] = /^(`+)/.exec(span) ?? [];
        const inner = span.slice(ticks.length, -ticks.length);
        expect(span).not.toMatch(/[\r\n]/);
        expect(span.endsWith(ticks)).toBe(true);
        // A run of exactly as many backticks would close it.
        expect(inner.match(/`+/g) ?? []).not.toContain(ticks);
        expect(inner).not.toMatch(/^`|`$/);
        expect(inner).not.toBe("");
      }),
    );
  });
});

describe("escapeMarkdown", () => {
  test.each([
    { what: "link", text: "[x](command:evil)" },
    { what: "image", text: "![x](https://evil.example/a.png)" },
    { what: "bare address", text: "https://localhost/x" },
    { what: "bare www", text: "www.evil.example" },
    { what: "mail address", text: "a@evil.example" },
    { what: "HTML", text: "<img src=x>" },
    { what: "entity", text: "&#91;x&#93;" },
    { what: "emphasis", text: "__init__ *a* ~~b~~" },
    { what: "heading", text: "# a" },
    { what: "setext heading", text: "a\n===" },
    { what: "rule", text: "a\n---" },
    { what: "list", text: "- a\n+ b\n1. c\n2) d" },
    { what: "table", text: "a|b" },
    { what: "icon", text: "$(alert)" },
    { what: "escape of an escape", text: "\\[x](y)" },
    { what: "code", text: "`a`" },
  ])("$what shows as it is", ({ text }) => {
    const escaped = escapeMarkdown(text);
    // Every ASCII punctuation is escaped (CommonMark 2.4): so none is markup, and the reader sees the text.
    expect(escaped.replaceAll(/\\([!-/:-@[-`{-~])/g, "")).not.toMatch(/[!-/:-@[-`{-~]/);
    expect(escaped.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")).toBe(text);
  });
});
