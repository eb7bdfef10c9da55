// What wait_for matches, wherever the chunks of an output end and wherever the caller has read on from.
import { tmpdir } from "node:os";
import { describe, expect, it, test } from "vitest";
import { MAX_RING } from "../../../src/features/processes/limits.js";
import { ProcessTable } from "../../../src/features/processes/processTable.js";
import type { SpawnedProcess, SpawnEvents } from "../../../src/features/processes/spawner.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { ripgrepPatterns } from "../../../src/hosts/ripgrep/patterns.js";
import type { GatedPath } from "../../../src/ports/files.js";
import type { ManagedProcess } from "../../../src/ports/processes.js";
import { process as tool } from "../../../src/tools/runtime/process.js";
import { poll } from "../../harness/poll.js";
import { ripgrepPath } from "../../unit/tools/workspace.js";

const patterns = ripgrepPatterns(createRipgrep(ripgrepPath), tmpdir());
const noProcess: SpawnedProcess = {
  pid: 0,
  pause: () => undefined,
  resume: () => undefined,
  write: () => Promise.resolve(),
  closeInput: () => Promise.resolve(),
  signal: () => false,
  isGroupAlive: () => false,
  hasLeftBehind: () => false,
  unref: () => undefined,
};

interface Written {
  process: ManagedProcess;
  write: (text: string) => void;
  end: () => void;
  /** Whether it has come when the process has ended. */
  waitFor: (pattern: string, cursor?: number) => Promise<boolean>;
}

/** A process whose output a test writes. */
async function open(): Promise<Written> {
  let events: SpawnEvents | undefined;
  const table = new ProcessTable({
    spawner: {
      start: async (_request, told) => {
        events = told;
        return noProcess;
      },
    },
  });
  const workdir = { path: ".", realPath: ".", lexical: "/", absolute: "/", root: undefined } as unknown as GatedPath;
  const process = await table.start({ command: "test", workdir, env: {}, interactive: false, title: "test" }, true, {
    session: "s",
    callId: "c",
  });
  const context = {
    processes: table,
    patterns,
    signal: new AbortController().signal,
    report: () => undefined,
    session: "s",
    callId: "c",
    parentId: undefined,
  };
  return {
    process,
    write: (text) => events?.output(Buffer.from(text)),
    end: () => {
      events?.exit(0, undefined);
      events?.close();
    },
    waitFor: async (pattern, cursor = 0) => {
      const { data } = await tool.execute(
        { action: "poll", process_id: process.id, wait_for: pattern, cursor, timeout: 600 },
        context as never,
        undefined,
      );
      return (data as { matched: boolean }).matched;
    },
  };
}

describe("a line's start", () => {
  const cases: { name: string; before: string; then: string; pattern: string; matched: boolean }[] = [
    { name: "is the start of the output", before: "", then: "ready", pattern: "^ready", matched: true },
    { name: "comes behind a line end", before: "a\n", then: "ready", pattern: "^ready", matched: true },
    {
      name: "is not where the caller has read on from",
      before: "al",
      then: "ready\n",
      pattern: "^ready",
      matched: false,
    },
    {
      name: "may be before that, with the rest of the match behind it",
      before: "re",
      then: "ady\n",
      pattern: "^ready",
      matched: true,
    },
    { name: "is found in a later line, too", before: "al", then: "ready\nready\n", pattern: "^ready", matched: true },
    { name: "does not make new what was there", before: "ready> ", then: "go\n", pattern: "^ready", matched: false },
    { name: "nor without an expression for it", before: "ready> ", then: "go\n", pattern: "ready", matched: false },
    { name: "is not needed", before: "ready> ", then: "already\n", pattern: "ready", matched: true },
    { name: "counts with the whole line", before: "ready> ", then: "go\n", pattern: "^.*go$", matched: true },
    { name: "is not behind an empty line that was there", before: "a\n\n", then: "b\n", pattern: "^$", matched: false },
    { name: "is an empty line that is new", before: "a\n", then: "\n", pattern: "^$", matched: true },
    {
      name: "of a line that was overwritten is where it begins again",
      before: "10%",
      then: "\rready\n",
      pattern: "^ready",
      matched: true,
    },
    { name: "counts characters, not bytes", before: "é😀€ready> ", then: "go\n", pattern: "ready", matched: false },
    {
      name: "is where it is behind characters of several bytes",
      before: "é😀€",
      then: "ready",
      pattern: "^ready|^.ready",
      matched: false,
    },
  ];
  test.each(cases)("$name", async ({ before, then, pattern, matched }) => {
    const { process, write, end, waitFor } = await open();
    write(before);
    const cursor = process.output(0).next;
    const waiting = waitFor(pattern, cursor);
    write(then);
    end();
    expect(await waiting).toBe(matched);
  });

  it("is not in the middle of a line of which no more is held", async () => {
    for (const [pattern, matched] of [
      ["^x", false],
      ["^x+yes", false],
      ["x+yes", true],
      ["yes$", true],
      ["^.*yes", true],
    ] as const) {
      const { process, write, end, waitFor } = await open();
      write("y".repeat(9));
      for (let count = 0; count < 60; count++) {
        write("x".repeat(MAX_RING / 20));
      }
      write("\n");
      write("x".repeat(3 * MAX_RING));
      await poll("some of it to be gone", () => process.output(0).missed > 0);
      const waiting = waitFor(pattern, process.output(0).next);
      write("yes\n");
      end();
      expect([pattern, await waiting]).toEqual([pattern, matched]);
    }
  });
});

/** The same numbers each time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

test("whatever the chunks, it is what the whole output has behind the cursor", { timeout: 300_000 }, async () => {
  // Without an end of line: what matches once goes on to.
  const expressions = ["^ready", "ready", "^re.*x", "y+", "^é", "(^a|b)r"];
  const pieces = ["ready", "al", "re", "ady", "x", "y", "é", "😀", "a", "br", "\n", "\n", " "];
  const seen = { true: 0, false: 0 };
  for (let seed = 1; seed <= 150; seed++) {
    const next = numbers(seed);
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)] ?? "").join("");
    const characters = [...text];
    const pattern = expressions[next(expressions.length)] ?? "";
    const { process, write, end, waitFor } = await open();
    const first = characters.slice(0, next(characters.length + 1));
    write(first.join(""));
    const cursor = process.output(0).next;
    expect(cursor).toBe(first.join("").length);
    const expected = [...text.matchAll(new RegExp(pattern, "gmu"))].some(
      ({ index, 0: match }) => index + match.length > cursor,
    );
    const waiting = waitFor(pattern, cursor);
    for (let at = first.length; at < characters.length;) {
      const size = 1 + next(4);
      write(characters.slice(at, at + size).join(""));
      at += size;
      // Now and then it is looked at in between.
      await new Promise((resolve) => setTimeout(resolve, next(3) === 0 ? 12 : 0));
    }
    end();
    expect([seed, pattern, text, cursor, await waiting]).toEqual([seed, pattern, text, cursor, expected]);
    seen[`${expected}`]++;
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(20);
});

test.each([
  { what: "that neither engine takes", pattern: "(?<=a+)b", message: /look-around/ },
  { what: "on which PCRE2 gives up", pattern: "(?=a)(a+)+$(?!b)", message: /match limit/ },
])("a pattern $what fails, and is no wait without end", async ({ pattern, message }) => {
  const { write, waitFor } = await open();
  write(`${"a".repeat(40)}c\n`);
  await expect(waitFor(pattern)).rejects.toMatchObject({ message: expect.stringMatching(message) as string });
});
