// A search that is stopped before its end never says that nothing matches: it says what it did not come to.
import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hosts, openWorkspace, result, tempFolder } from "../../../unit/tools/workspace.js";

/** Milliseconds after which grep and glob are stopped. */
const LIMIT = 20_000;
const UNKNOWN =
  "[The search stopped early; no match so far.]\n[Ignored files (.gitignore) and files that may hold secrets are not searched; include_ignored searches the former.]\n[Partial: stopped after 20 s. Narrow it with path or include.]";
const summary = `{"data":{"stats":{"searches":1}},"type":"summary"}`;
const match = [
  `{"type":"begin","data":{"path":{"text":"./a.ts"}}}`,
  `{"type":"match","data":{"path":{"text":"./a.ts"},"lines":{"text":"needle\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"needle"},"start":0,"end":6}]}}`,
];
/** More than a pipe holds: once it is written, what came before it has been read. */
const more = Array.from({ length: 6_000 }, () => `{"type":"begin","data":{"path":{"text":"./b.ts"}}}`);

/** A pattern is tried first on an empty text where the files lie on no disk: that run ends. */
const OF_NOTHING = `case "$*" in *' -- -') read -r line || { echo '${summary}'; exit 1; };; esac\n`;

afterEach(() => void vi.restoreAllMocks());

/** A ripgrep that prints something and does not end; its time is up once it has printed. */
async function endless(lines: readonly string[]): Promise<string> {
  const folder = await tempFolder();
  const began = join(folder, "began");
  await writeFile(
    join(folder, "rg"),
    `#!/bin/sh\n${OF_NOTHING}cat <<'END'\n${lines.join("\n")}\nEND\n: > '${began}'\nexec sleep 600\n`,
  );
  await chmod(join(folder, "rg"), 0o755);
  const real = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => {
    // What is left of the limit for one of several folders is a little less.
    if (time <= LIMIT - 1_000 || time > LIMIT) {
      return real(time);
    }
    const limit = new AbortController();
    void vi
      .waitFor(() => expect(existsSync(began)).toBe(true), { timeout: 120_000, interval: 5 })
      .then(() => limit.abort());
    return limit.signal;
  });
  return join(folder, "rg");
}

describe.each(hosts)("a search whose time is up, on the %s host", (host) => {
  const cases: { name: string; lines: readonly string[]; on: readonly string[]; text: string; found: number }[] = [
    { name: "before it said anything", lines: [], on: hosts, text: UNKNOWN, found: 0 },
    { name: "behind last words that say nothing was found", lines: [summary], on: hosts, text: UNKNOWN, found: 0 },
    {
      name: "behind a match",
      lines: [...match, ...more],
      on: ["node"],
      text: "a.ts\n  1: needle\n[1 match in 1 file.]\n[Partial: stopped after 20 s. Narrow it with path or include.]",
      found: 1,
    },
  ];
  test.each(cases.filter(({ on }) => on.includes(host)))(
    "$name is partial, and says so",
    async ({ lines, text, found }) => {
      const { call } = await openWorkspace({ "a.ts": "needle\n" }, { host, ripgrep: await endless(lines) });
      const answer = result<{ partial: boolean; total_matches: number }>(await call("grep", { pattern: "needle" }));
      expect(answer.text).toBe(text);
      expect(answer.data).toMatchObject({ partial: true, total_matches: found });
    },
  );
});

test("a listing whose time is up is partial, and says so", async () => {
  const { call } = await openWorkspace({ "a.ts": "needle\n" }, { ripgrep: await endless([]) });
  const answer = result<{ partial: boolean }>(await call("glob", { pattern: "*.ts" }));
  expect(answer.text).toMatch(/^\[The search stopped early; no file so far matches\.\]\n\[Partial: stopped early /);
  expect(answer.data.partial).toBe(true);
});

// Elsewhere nothing tells what a process has, and a search has its time limit alone.
const watched = process.platform === "linux";

test("a search that takes too much memory is stopped, with what it found before", async () => {
  const { call } = await openWorkspace(
    { "a.txt": "needle a\n", "z/line.txt": "a".repeat(30_000_000) },
    { ripgrepMemory: 60_000_000 },
  );
  const answer = result<{ partial: boolean; total_matches: number }>(await call("grep", { pattern: "a", path: "z" }));
  expect(answer.data.partial).toBe(watched);
  expect(answer.text).toMatch(
    watched
      ? /^\[The search stopped early; no match so far\.\]\n.*\n\[Partial: stopped because the search took too much memory: /
      : /1 match in 1 file/,
  );
  const whole = result<{ total_matches: number }>(await call("grep", { pattern: "a", path: "a.txt" }));
  expect(whole.data.total_matches).toBe(1);
});

describe.each(hosts)("where the look into ignored files is ended, on the %s host", (host) => {
  const files = { ".gitignore": "*.log\n", "a.ts": "hay\n", "b.log": "needle\n" };
  /** The look has no time at all. */
  const withoutTime = (): void => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => (time === 3_000 ? AbortSignal.abort() : real(time)));
  };
  const IGNORED =
    "[Some ignored files may match: checking them was stopped after 3 s. Set include_ignored to search them.]";

  test("glob says that it is not known whether they match", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(result(await call("glob", { pattern: "*.log" })).text).not.toContain("not known");
    withoutTime();
    expect(result(await call("glob", { pattern: "*.log" })).text).toContain(IGNORED);
  });
});
