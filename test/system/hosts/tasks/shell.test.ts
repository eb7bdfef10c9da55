import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bashWord, processLine, shellLine, type TaskWord } from "../../../../src/hosts/vscode/tasks/shell.js";

/** The arguments that bash gives a program for a line. */
function argumentsOf(line: string): string[] {
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `print() { printf '%s\\0' "$@"; }\nprint ${line}`], {
    encoding: "utf8",
    env: { HOME: "/home/ada", PATH: process.env.PATH },
  });
  expect(stderr).toBe("");
  return stdout.split("\0").slice(0, -1);
}

describe("command lines of tasks", () => {
  it("gives a process exactly its arguments", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: "binary" }).filter((text) => !text.includes("\0")),
          { minLength: 1, maxLength: 4 },
        ),
        (words) => {
          const whole = words.map((word) => Buffer.from(word).toString());
          expect(argumentsOf(processLine(whole[0] ?? "", whole.slice(1)))).toEqual(whole);
        },
      ),
      { numRuns: 60 },
    );
  });

  const lines: [what: string, words: [TaskWord, ...TaskWord[]], line: string][] = [
    ["a line alone as it is", ["npm test && echo 'a b' | cat"], "npm test && echo 'a b' | cat"],
    ["words without blanks as they are", ["echo", "$HOME", "*.ts"], "echo $HOME *.ts"],
    ["a word with a blank quoted", ["echo", "a b"], "echo 'a b'"],
    ["a word whose blank is quoted already", ["echo", '"a b"', "x=' '", "a\\ b"], `echo "a b" x=' ' a\\ b`],
    ["an empty word as one", ["echo", ""], "echo ''"],
    ["strong quotes", ["echo", { value: "it's $HOME", quoting: "strong" }], `echo 'it'\\''s $HOME'`],
    [
      "weak quotes, in which the shell expands",
      ["echo", { value: 'say "$HOME"', quoting: "weak" }],
      `echo "say \\"$HOME\\""`,
    ],
    ["escaped blanks", ["echo", { value: "a b's", quoting: "escape" }], "echo a\\ b\\'s"],
    ["a command with a blank", [{ value: "my tool", quoting: "strong" }, "x"], "'my tool' x"],
    ["a command with a blank in a line with arguments", ["my tool", "x"], "'my tool' x"],
  ];
  it.each(lines)("%s", (_, [command, ...args], line) => {
    expect(shellLine(command, args)).toBe(line);
  });

  it("means to bash what it says", () => {
    const args: TaskWord[] = [
      "a b",
      { value: "it's $HOME", quoting: "strong" },
      { value: '"$HOME"', quoting: "weak" },
      { value: "c d", quoting: "escape" },
      "",
    ];
    expect(argumentsOf(shellLine("x", args))).toEqual(["x", "a b", "it's $HOME", '"/home/ada"', "c d", ""]);
    expect(argumentsOf(bashWord("a'b\nc"))).toEqual(["a'b\nc"]);
  });
});
