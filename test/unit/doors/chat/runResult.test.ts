import { describe, expect, test } from "vitest";
import type { CallResult } from "../../../../src/agent/turn.js";
import { shownResult } from "../../../../src/doors/chat/runResult/shown.js";
import { tellResult, type RunResultHost } from "../../../../src/doors/chat/runResult/tell.js";

const link = (path: string, line: number | undefined, label: string): Promise<string> =>
  Promise.resolve(`[${label}](${path}${line === undefined ? "" : `#${line}`})`);
const shown = (text: string, data?: unknown): ReturnType<typeof shownResult> => shownResult(text, data, link);
const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `n${from + index}`).join("\n");

describe("a result in the chat", () => {
  test("of grep has a link to each file and, below it, to each match", async () => {
    const text = "src/a.ts\n  3: one\n  --\n  9: a`b\nb.md (unsaved)\n  1: four\n[3 matches in 2 files.]";
    const { markdown, isCut } = await shown(text, { files: [{ path: "src/a.ts" }, { path: "b.md" }] });
    expect(markdown).toBe(
      [
        "[src/a.ts](src/a.ts)\n\n- [3](src/a.ts#3) `one`\n- [9](src/a.ts#9) ``a`b``",
        "[b.md](b.md) \\(unsaved\\)\n\n- [1](b.md#1) `four`\n\n3 matches in 2 files\\.",
      ].join("\n\n"),
    );
    expect(isCut).toBe(false);
  });

  test("of ls is a list of links, indented as the tree", async () => {
    const data = {
      path: ".",
      entries: [
        { path: "src", kind: "directory" },
        { path: "src/a.ts", kind: "file" },
      ],
    };
    expect((await shown("src/\n  a.ts  (5 bytes)", data)).markdown).toBe(
      "- src\\/\n  - [a.ts](src/a.ts) \\(5 bytes\\)",
    );
  });

  test("of read has a link to the page, and its lines as code", async () => {
    const { markdown } = await shown("7\tx\n8\ty", { path: "src/a.ts", content: "x\ny" });
    expect(markdown).toBe("[src/a.ts](src/a.ts#7)\n\n```text\n7\tx\n8\ty\n```");
  });

  test("of a command has its end in words and its output as code that it cannot break out of", async () => {
    const { markdown } = await shown("[Exit code 0 after 5 ms.]\n```\n[x](command:y)");
    expect(markdown).toBe("Exit code 0 after 5 ms\\.\n\n````text\n```\n[x](command:y)\n````");
  });

  test("of a change is words that wrap; what a command prints stays as it is", async () => {
    const text = "Edited a.ts: 1 replacement at line 3.\nTypeScript reports no new problems.";
    expect((await shown(text, { path: "a.ts", saved: true })).markdown).toBe(
      "Edited a\\.ts\\: 1 replacement at line 3\\.\n\nTypeScript reports no new problems\\.",
    );
    expect((await shown(text, { stdout: text })).markdown).toBe(`\`\`\`text\n${text}\n\`\`\``);
  });

  test("is its head and tail if it is long, and says how many lines are not shown", async () => {
    const { markdown, isCut } = await shown(numbers(1, 100));
    expect(markdown).toContain(`\`\`\`text\n${numbers(1, 20)}\n\`\`\``);
    expect(markdown).toContain("70 lines not shown");
    expect(markdown).toContain(`\`\`\`text\n${numbers(91, 100)}\n\`\`\``);
    expect(isCut).toBe(true);
  });

  test("has its last lines below a link to their file", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `  ${index + 1}: x`).join("\n");
    const { markdown } = await shown(`a.ts\n${lines}`, { files: [{ path: "a.ts" }] });
    expect(markdown).toContain("not shown …*\n\n[a.ts](a.ts#91)\n\n- [91](a.ts#91) `x`\n");
  });

  test("of which its tool shows an excerpt counts no lines, and has no words for models", async () => {
    const note = "[9 characters in 4 lines omitted above. All of it: read_result r12, with pattern to search it.]";
    const { markdown, isCut } = await shown(`[Exit code 0 after 5 ms.]\n${numbers(1, 50)}\n${note}`);
    expect(markdown).toContain("many lines not shown");
    expect(markdown).not.toContain("read_result");
    expect(isCut).toBe(true);
  });

  test("has no line of more than 300 characters", async () => {
    const { markdown, isCut } = await shown("x".repeat(5_000));
    expect(markdown.length).toBeLessThan(400);
    expect(isCut).toBe(true);
  });
});

test("a line that a search found loses none of the lines around it, and shows $(…) as it is", async () => {
  const text = "notes.txt\nchecked\n1:  x=$(date)\ndone";
  const data = { files: [{ path: "notes.txt" }] };
  const { markdown } = await shownResult(text, data, (path, _line, label) => Promise.resolve(label ?? path));
  for (const part of ["checked", "x=$\u2060(date)", "done"]) {
    expect(markdown).toContain(part);
  }
});

describe("what is told of a call that a person made", () => {
  const tell = async (ended: CallResult, hasRun = false): Promise<string> => {
    let told = "";
    const host: RunResultHost = {
      addressOf: () => Promise.resolve(undefined),
      processOf: () => (hasRun ? "p1" : undefined),
      results: { keep: (...kept) => ({ toString: () => `kept:${kept.slice(0, 2).join(" ")}` }) },
    };
    const own = (text: string): void => void (told += text);
    await tellResult(host, { session: "s", id: "c", tool: "exec", about: "seq 9" }, ended, { own });
    return told;
  };
  /** Each link to a command as `<label> <command> <arguments>`. */
  const links = (text: string): string[] =>
    [...text.matchAll(/\[([^\]]*)\]\(command:([\w.]+)\?(\S+) /g)].map(([, label, command, given = ""]) =>
      [label, command, decodeURIComponent(given)].join(" "),
    );

  test("a result of one line is words, without links", async () => {
    expect(await tell({ ok: true, text: "Done." })).toBe("Done\\.\n\n");
  });

  test("a long one can be opened, and a command's terminal shown", async () => {
    expect(links(await tell({ ok: true, text: numbers(1, 100) }, true))).toEqual([
      'Open Whole Output toolhost.openWholeOutput [{"uri":"kept:exec seq 9"}]',
      'Show Terminal toolhost.showTerminal ["p1"]',
    ]);
  });

  test("an output that is stored is opened from the store, also by a later window", async () => {
    expect(links(await tell({ ok: true, text: numbers(1, 100), data: { result_id: "r1" } }))).toEqual([
      'Open Whole Output toolhost.openWholeOutput [{"stored":"r1","tool":"exec","title":"seq 9"}]',
    ]);
  });

  test("a command that failed says so first", async () => {
    const text = await tell({ ok: true, text: "[Exit code 3 after 1 ms.]\nx", failed: "exit 3" });
    expect(text).toBe("$(error) Exit code 3 after 1 ms\\.\n\n```text\nx\n```\n\n");
  });

  test("a call that was skipped has no words for models", async () => {
    const text = "The user chose to skip the tool call.";
    expect(await tell({ ok: false, text, failed: "not run: you skipped it" })).toBe(
      "$(error) **not run\\: you skipped it**",
    );
  });

  test("a failure is words that wrap, its details as code, then what to do", async () => {
    const error = { type: "no_match", message: "src/a.ts: not found.\n  3: near", hint: "Read it." } as const;
    expect(await tell({ ok: false, text: "", failed: "no match", error })).toBe(
      "$(error) **no match**\n\nsrc\\/a\\.ts\\: not found\\.\n\n```text\n  3: near\n```\n\nRead it\\.",
    );
  });
});
