import { describe, expect, test } from "vitest";
import { openWorkspace, result, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

describe("memory on the command line", () => {
  test("what one process writes, the next ones list, read, search and delete", async () => {
    const cwd = await tempFolder();
    const run = async (...args: string[]): Promise<string> => {
      const done = await cli.run(["memory", ...args], { cwd });
      expect([done.code, done.err]).toEqual([0, ""]);
      return done.out;
    };
    expect(await run("list")).toBe("[No keys in memory.]\n");
    expect(await run("write", "build", "Compile with npm run compile")).toBe(
      'Stored 28 bytes under key "build" (new).\n',
    );
    expect(await run("write", "build", "and test with npm test", "--append")).toBe(
      'Stored 51 bytes under key "build" (appended).\n',
    );
    expect(await run("write", "short", "x", "--ttl-days", "1", "--json")).toMatch(/^\{"ok":true,.*"did":"new"/);
    expect(await run("list")).toMatch(
      /^build {2}\(51 bytes, updated \S+\)\nshort {2}\(1 byte, updated \S+, expires \S+\)\n$/,
    );
    expect(await run("read", "build")).toMatch(
      /^\[Stored note "build", .*\]\nCompile with npm run compile\nand test with npm test\n$/,
    );
    expect(await run("search", "how to compile", "--max-results", "3")).toMatch(
      /\nmemory\/build\.md:\d+-\d+ \(score [01]\.\d\d\)\n[^]*npm run compile/,
    );
    expect(await run("search", "--pattern", "NPM TEST")).toMatch(/memory\/build\.md:6-6 \(score 1\.00\)/);
    expect(await run("get", "memory/build.md", "--from", "5", "--lines", "1")).toMatch(
      /\n5\tCompile with npm run compile\n/,
    );
    expect(await run("delete", "build")).toBe('Deleted "build" from memory.\n');
    expect(await run("delete", "build")).toBe('There is no "build" in memory: nothing to delete.\n');
    expect(await run("delete", "--expired")).toBe("No note has expired: nothing to delete.\n");
    // A person's own command can be taken back, too.
    expect((await cli.run(["undo"], { cwd })).out).toContain("memory/build.md");
    expect(await run("read", "build")).toContain("npm test");
  });

  test.each([
    {
      name: "a key that is none",
      args: ["read", "a/b"],
      code: 1,
      err: /^Error \(invalid_input\): memory key "a\/b" contains a \/ .*\nHint: .*For example "a-b"\.\n$/,
    },
    {
      name: "a key that is not there",
      args: ["read", "nope"],
      code: 1,
      err: /^Error \(not_found\): memory key "nope": not found\.\n/,
    },
    { name: "no value", args: ["write", "k"], code: 2, err: /value: required/ },
    { name: "a search for nothing", args: ["search"], code: 1, err: /needs either query or pattern/ },
    { name: "a verb that is none", args: ["forget", "k"], code: 2, err: /unknown command 'forget'/ },
  ])("refused: $name", async ({ args, code, err }) => {
    const done = await cli.run(["memory", ...args], { cwd: await tempFolder() });
    expect(done.err).toMatch(err);
    expect([done.code, done.out]).toEqual([code, ""]);
  });

  test("four processes and a window add to one note and write their own at once: nothing is lost", async () => {
    const window = await openWorkspace({}, { sharesState: true });
    const writers = [0, 1, 2, 3];
    const args = (writer: number): string[][] => [
      ["memory", "write", "shared", `process ${writer}`, "--append"],
      ["memory", "write", `own-${writer}`, String(writer)],
    ];
    const done = await Promise.all([
      ...writers.flatMap((writer) => args(writer).map((line) => cli.run(line, { cwd: window.folder }))),
      ...writers.map((writer) =>
        window.call("memory_write", { key: "shared", value: `window ${writer}`, append: true }),
      ),
    ]);
    expect(done.filter((each) => ("ok" in each ? !each.ok : each.code !== 0))).toEqual([]);
    const { value } = result<{ value: string }>(await window.call("memory_read", { key: "shared" })).data;
    expect(value.split("\n").sort()).toEqual(
      writers.flatMap((writer) => [`process ${writer}`, `window ${writer}`]).sort(),
    );
    expect((await window.names(".toolhost/memory")).sort()).toEqual([
      "own-0.md",
      "own-1.md",
      "own-2.md",
      "own-3.md",
      "shared.md",
    ]);
    const found = result<{ hits: { path: string }[] }>(await window.call("memory_search", { pattern: "process 3" }))
      .data.hits;
    expect(found.map(({ path }) => path)).toEqual(["memory/shared.md"]);
  });
});
