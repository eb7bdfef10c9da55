import { describe, expect, it } from "vitest";
import { quoteWord, splitCommandLine } from "../../../src/text/commandLine.js";

describe("splitCommandLine", () => {
  it.each<[line: string, words: string[]]>([
    ["", []],
    ["  wc  -l\t-- {path} ", ["wc", "-l", "--", "{path}"]],
    [`a 'b c' "d \\"e\\" \\n" f\\ g`, ["a", "b c", 'd "e" \\n', "f g"]],
    [`'' "" x''y`, ["", "", "xy"]],
    [`'|&;<>()$*' "*|"`, ["|&;<>()$*", "*|"]],
    ["{all?--all} --n={n}", ["{all?--all}", "--n={n}"]],
  ])("%s", (line, words) => expect(splitCommandLine(line)).toEqual({ words }));

  it.each([
    ["wc | cat", /\| is not a pipe/],
    ["a && b", /& is not/],
    ["echo $HOME", /\$ is not a variable/],
    ['echo "$HOME"', /\$ is not a variable/],
    ["echo `date`", /` is not/],
    ["ls *.ts", /\* is not file names/],
    ["ls > x", /> is not a redirection/],
    ["ls ~/x", /~ is not the home folder/],
    ["echo 'a", /quote \('\) is not closed/],
    ["echo \\", /ends with a backslash/],
  ])("refuses what only a shell understands: %s", (line, says) => {
    expect(splitCommandLine(line)).toEqual({ problem: expect.stringMatching(says) as string });
  });

  it("reads back what quoteWord writes", () => {
    for (const word of ["", "a b", "it's", "$x", "{path}", '"', "\\", "~", "*", "--a=b", "ü", "\n"]) {
      expect(splitCommandLine(`x ${quoteWord(word)}`)).toEqual({ words: ["x", word] });
    }
  });
});
