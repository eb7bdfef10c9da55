import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { checkKey, isKey, notePath } from "../../../../src/features/memory/key.js";
import { memoryPath } from "../../../../src/features/memory/path.js";

describe("a key that is one", () => {
  test.each([
    ["build-commands", "build-commands"],
    ["user.prefs_2", "user.prefs_2"],
    ["Wie heißt das?".replace("?", ""), "Wie heißt das"],
    ["日本語 メモ", "日本語 メモ"],
    ["in-dash-", "in-dash-"],
    ["c++ & (more), 50%", "c++ & (more), 50%"],
    // Composed, so that one word has one file.
    ["cafe\u0301", "caf\u00e9"],
    ["console", "console"],
    ["k".repeat(200), "k".repeat(200)],
  ])("%j", (raw, key) => {
    expect(checkKey(raw)).toBe(key);
    expect(notePath(raw)).toBe(`.toolhost/memory/${key}.md`);
  });
});

describe("a key that is none says why, and what would be one", () => {
  const cases: { key: string; why: RegExp; proposal?: string }[] = [
    { key: "", why: /is empty/ },
    { key: ".", why: /begins or ends with a dot/ },
    { key: "..", why: /begins or ends with a dot/ },
    { key: ".hidden", why: /begins or ends with a dot/, proposal: "hidden" },
    { key: "dot.", why: /begins or ends with a dot/, proposal: "dot" },
    { key: " blank", why: /dot or whitespace/, proposal: "blank" },
    { key: "blank ", why: /dot or whitespace/, proposal: "blank" },
    { key: "a/b", why: /contains a \/ or \\/, proposal: "a-b" },
    { key: "../../etc/passwd", why: /contains a \/ or \\/, proposal: "etc-passwd" },
    { key: "/etc/passwd", why: /contains a \/ or \\/, proposal: "etc-passwd" },
    { key: "a\\b", why: /contains a \/ or \\/, proposal: "a-b" },
    { key: "memory/notes.md", why: /contains a \/ or \\/, proposal: "notes" },
    { key: ".toolhost/memory/notes.md", why: /contains a \/ or \\/, proposal: "notes" },
    { key: "notes.md", why: /ends in \.md/, proposal: "notes" },
    { key: "Notes.MD", why: /ends in \.md/, proposal: "Notes" },
    { key: "a\0b", why: /invisible character/, proposal: "a-b" },
    { key: "a\nb", why: /invisible character/, proposal: "a-b" },
    { key: "a\u200bb", why: /invisible character/, proposal: "a-b" },
    { key: "a\u202eb", why: /invisible character/, proposal: "a-b" },
    { key: "a\ud800", why: /invisible character/, proposal: "a" },
    { key: "a:b", why: /contains :/, proposal: "a-b" },
    { key: "x:$DATA", why: /contains :/, proposal: "x-DATA" },
    { key: "what?", why: /contains \?/, proposal: "what" },
    { key: "*", why: /contains \*/ },
    { key: "CON", why: /is a device on Windows/ },
    { key: "nul.txt", why: /is a device on Windows/ },
    { key: "PROGRA~1", why: /short \(8\.3\) name/, proposal: "PROGRA-1" },
    { key: "-dash", why: /special file: a pattern such as `\*`/, proposal: "dash" },
    { key: "AGENTS", why: /special file: it instructs agents/ },
    { key: "copilot-instructions", why: /special file: it instructs agents/ },
    { key: "k".repeat(201), why: /has 201 bytes; 200 at most/ },
    { key: "é".repeat(101), why: /has 202 bytes; 200 at most/ },
    { key: "x".repeat(10_000_000), why: /has 10000000 bytes/ },
  ];
  test.each(cases.map((each) => ({ ...each, name: JSON.stringify(each.key.slice(0, 40)) })))(
    "$name",
    ({ key, why, proposal }) => {
      let error: unknown;
      try {
        checkKey(key);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(ToolError);
      const { type, message, hint = "" } = error as ToolError;
      expect(type).toBe("invalid_input");
      expect(message).toMatch(why);
      expect(message.length).toBeLessThan(300);
      expect(/For example (".*")\.$/.exec(hint)?.[1]).toBe(
        proposal === undefined ? undefined : JSON.stringify(proposal),
      );
      expect(isKey(key)).toBe(false);
    },
  );
});

describe("paths of the memory", () => {
  test.each([
    ["MEMORY.md", "MEMORY.md"],
    ["/MEMORY.md", "MEMORY.md"],
    ["./memory/a.md", "memory/a.md"],
    [".toolhost/memory/a b.md", "memory/a b.md"],
    ["memory\\a.md", "memory/a.md"],
  ])("%j", (raw, path) => {
    expect(memoryPath(raw)).toBe(path);
  });

  test.each(
    [
      "",
      ".",
      "memory",
      "memory/",
      "memory/.md/x.md",
      "memory/../../x.md",
      "memory/sub/a.md",
      "MEMORY.txt",
      "memory.md",
      "tools.json",
      "context/a.md",
      "memory/a\0.md",
      "memory/a\ud800.md",
      "/etc/passwd",
      "x".repeat(1_000_000),
    ].map((raw) => ({ raw, name: JSON.stringify(raw.slice(0, 40)) })),
  )("refuses $name", ({ raw }) => {
    expect(() => memoryPath(raw)).toThrow(
      expect.objectContaining({
        type: "invalid_input",
        hint: expect.stringContaining("memory/<key>.md") as string,
      }) as Error,
    );
  });
});
