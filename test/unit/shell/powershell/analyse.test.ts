import { describe, expect, test } from "vitest";
import { judge } from "../../../../src/shell/judge.js";
import { analysePowerShell } from "../../../../src/shell/powershell/analyse.js";
import type { CommandAnalysis } from "../../../../src/shell/analysis.js";

const analyse = (line: string, variables: readonly string[] = []): CommandAnalysis =>
  analysePowerShell(line, variables, judge);

test.each([
  [
    "gc a.txt",
    [
      ["Get-Content", "a.txt"],
      ["gc", "a.txt"],
    ],
  ],
  ["Get-Content -Path a.txt", [["Get-Content", "-Path", "a.txt"]]],
  [
    "rm x",
    [
      ["Remove-Item", "x"],
      ["rm", "x"],
    ],
  ],
  ["GIT.exe push 'a b' $x", [["git", "push", "a b", undefined]]],
  ["git log -p.x", [["git", "log", undefined]]],
  ["npm run x -- --y", [["npm", "run", "x", undefined, "--y"]]],
  [
    "gci | % { ri $_ }",
    [
      ["Get-ChildItem"],
      ["gci"],
      ["Remove-Item", undefined],
      ["ri", undefined],
      ["ForEach-Object", undefined],
      ["%", undefined],
    ],
  ],
])("rules see what %s runs by each of its names", (line, words) => {
  expect(analyse(line).commands.map((command) => command.words)).toEqual(words);
});

test.each([
  ["gc src\\a.ts", ["src/a.ts"]],
  ["gc 'src/*.ts'", ["src/*.ts"]],
  ["gc 'src/*' -Include *.ts", ["src"]],
  ["cd src; gc a.ts", ["src", "a.ts"]],
  ["git diff -- src\\a.ts", ["src/a.ts", "."]],
  ["Set-Content out.txt x", ["out.txt", "x"]],
])("the files of %s are known by their names on every system", (line, paths) => {
  const found = analyse(line).commands.filter(({ text }, at, all) => text !== all[at - 1]?.text);
  expect(found.flatMap((command) => command.paths.map(({ path }) => path))).toEqual(paths);
});

test.each([
  ["git grep x -- .\\keys", ["./keys"]],
  ["git log -p -- sub\\keys\\*", ["sub/keys/*"]],
])("Git takes backslashes for slashes: %s", (line, paths) => {
  const { tracked } = analyse(line).commands[0] ?? {};
  expect([...(tracked?.paths ?? []), ...(tracked?.words ?? [])]).toEqual(paths);
});

test("a folder that may not be there leaves both", () => {
  const last = analyse("cd src; git status").commands.at(-1);
  expect(last?.bases).toEqual([".", "src"]);
});

test.each([
  ["cd C:\\work\\src; gc a", [".", "C:/work/src"]],
  ["cd C:\\; gc a", [".", "C:/"]],
  ["cd C:\\work; cd src; gc a", [".", "C:/work", "src", "C:/work/src"]],
  ["cd C:\\work\\src; cd ..\\..\\..\\..\\x; gc a", [".", "C:/work/src", "../../../../x", "C:/x"]],
  ["cd C:\\work\\..\\x; gc a", [".", "C:/x"]],
  ["cd C:\\work; cd D:\\x; gc a", [".", "C:/work", "D:/x"]],
])("folders on drives stay on them: %s", (line, bases) => {
  expect(analyse(line).commands.at(-1)?.bases).toEqual(bases);
});

describe("another machine", () => {
  test.each([
    "gc \\\\server\\share\\a",
    "rm //server/share",
    "rg x \\\\server\\share",
    "sc \\\\server\\a x",
    "gc a > \\\\server\\a",
  ])("that %s names is never looked up, since it would get the user's credentials", (line) => {
    const { commands, redirections, doubts } = analyse(line);
    const paths = [...commands.flatMap((command) => command.paths), ...redirections].map(({ path }) => path);
    expect(paths.filter((path) => path.includes("server"))).toEqual([]);
    expect(doubts.join()).toContain("may name another machine");
  });
});

test.each(["PSModulePath", "psmodulepath", "Path", "NODE_OPTIONS", "anything"])(
  "the variable %s is a doubt",
  (name) => {
    expect(analyse("gci", [name]).doubts).toHaveLength(1);
  },
);

test("a harmless variable is none", () => {
  expect(analyse("gci", ["NO_COLOR", "ci"]).doubts).toEqual([]);
});

test("what is not read at all is one doubt, however long and deep it is", () => {
  for (const line of [
    "(".repeat(5_000),
    "{".repeat(5_000),
    "'".repeat(9_999),
    '"$('.repeat(3_000),
    "gci | ".repeat(1_500),
    "x".repeat(20_000),
  ]) {
    expect(analyse(line).doubts).toHaveLength(1);
  }
});
