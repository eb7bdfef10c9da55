import { describe, expect, test } from "vitest";
import { parseRunCommand } from "../../../../src/doors/chat/runCommand.js";

const TOOLS = ["read", "grep", "memory_read"];
const parse = (prompt: string): ReturnType<typeof parseRunCommand> =>
  parseRunCommand(prompt, TOOLS, (name) => `${name.slice(0, 20)}, perhaps?`);
const USAGE = 'Write `/run <tool> {json}`, for example `/run grep {"pattern": "TODO"}`.';

describe("/run", () => {
  test.each<{ prompt: string; tool: string; input: object }>([
    { prompt: 'grep {"pattern": "x"}', tool: "grep", input: { pattern: "x" } },
    { prompt: "grep", tool: "grep", input: {} },
    { prompt: "  grep   ", tool: "grep", input: {} },
    { prompt: "grep {}", tool: "grep", input: {} },
    { prompt: 'grep{"pattern":"x"}', tool: "grep", input: { pattern: "x" } },
    { prompt: 'grep\n{\n  "pattern": "a\\nb"\n}\n', tool: "grep", input: { pattern: "a\nb" } },
    { prompt: 'toolhost_grep {"pattern":"x"}', tool: "grep", input: { pattern: "x" } },
    { prompt: '#toolhost_grep {"pattern":"x"}', tool: "grep", input: { pattern: "x" } },
    { prompt: "#grep", tool: "grep", input: {} },
    { prompt: "memory_read", tool: "memory_read", input: {} },
    { prompt: 'grep {"pattern":"}{ \\"x\\" "}', tool: "grep", input: { pattern: '}{ "x" ' } },
  ])("$prompt", ({ prompt, tool, input }) => {
    expect(parse(prompt)).toEqual({ ok: true, tool, input });
  });

  test("an input that is not quite JSON is repaired, and the note says how", () => {
    expect(parse('read {"path": "a"}}')).toEqual({
      ok: true,
      tool: "read",
      input: { path: "a" },
      note: "The input was not quite JSON: a closing } too many was ignored.",
    });
  });

  test.each([
    { prompt: "", problem: `Which tool? ${USAGE} \`/tools\` lists them.` },
    { prompt: "   \n ", problem: `Which tool? ${USAGE} \`/tools\` lists them.` },
    { prompt: "{}", problem: `Which tool? ${USAGE} \`/tools\` lists them.` },
    { prompt: "gerp {}", problem: "There is no tool with that name. gerp, perhaps?" },
    { prompt: "constructor", problem: "There is no tool with that name. constructor, perhaps?" },
    { prompt: "Grep {}", problem: "There is no tool with that name. Grep, perhaps?" },
    { prompt: "grep []", problem: `The input must be a JSON object. ${USAGE}` },
    { prompt: "grep null", problem: `The input must be a JSON object. ${USAGE}` },
    { prompt: 'grep "x"', problem: `The input must be a JSON object. ${USAGE}` },
    { prompt: "grep 5", problem: `The input must be a JSON object. ${USAGE}` },
  ])("$prompt is not understood", ({ prompt, problem }) => {
    expect(parse(prompt)).toEqual({ ok: false, problem });
  });

  test.each(["grep pattern", "grep {pattern: 1}", "grep {'a': 1}", 'grep {"a": 1} {"b": 2}', 'grep {"a": 1'])(
    "%s is no JSON, and says why",
    (prompt) => {
      expect(parse(prompt)).toMatchObject({
        ok: false,
        problem: expect.stringMatching(/^The input is not JSON \(`.+`\)\. Write/) as string,
      });
    },
  );

  test.each(["grep ![x](https://evil.example/i)", "grep `[x](command:y)`", "grep {\n\n# Heading"])(
    "what is wrong is shown as code, not as Markdown: %j",
    (prompt) => {
      const parsed = parse(prompt);
      const [, shown = ""] = /\(((`+).*\2)\)\. Write/.exec(parsed.ok ? "" : parsed.problem) ?? [];
      expect(shown).not.toBe("");
      expect(shown).not.toContain("\n");
    },
  );

  test("very long prompts are read at once", () => {
    expect(parse(" ".repeat(1_000_000)).ok).toBe(false);
    expect(parse(`grep {"pattern":"${"x".repeat(1_000_000)}"}`).ok).toBe(true);
    expect(JSON.stringify(parse("x".repeat(1_000_000))).length).toBeLessThan(200);
  });
});
