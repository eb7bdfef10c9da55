import { describe, expect, test } from "vitest";
import { missingArguments, renderSkill, splitArguments, type SkillArgument } from "../../../src/text/skillArguments.js";

describe("the words of a line", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["   ", []],
    ["a b  c", ["a", "b", "c"]],
    ['"a b" c', ["a b", "c"]],
    ["'a b' c", ["a b", "c"]],
    [`"it's" 'say "hi"'`, ["it's", 'say "hi"']],
    ['x="a b" c', ["x=a b", "c"]],
    ['""', [""]],
    ['a "b c', ["a", "b c"]],
    ["ä\tü\nö", ["ä", "ü", "ö"]],
  ])("%j", (line, words) => {
    expect(splitArguments(line)).toEqual(words);
  });
});

const two: SkillArgument[] = [
  { name: "where", required: true },
  { name: "branch", default: "main" },
];

describe("a skill's text with its arguments put in", () => {
  test.each<{ name: string; body: string; line?: string; declared?: SkillArgument[]; text: string }>([
    { name: "the line as given", body: "Do: $ARGUMENTS.", line: ' a "b c" ', text: 'Do: a "b c".' },
    { name: "words by position", body: "$2 then $1", line: "a b", text: "b then a" },
    { name: "quotes stripped", body: "<$1>", line: '"a b" c', text: "<a b>" },
    { name: "what is missing is nothing", body: "<$1><$9>", text: "<><>" },
    { name: "$10 is $1 and a 0", body: "$10", line: "a", text: "a0" },
    { name: "$0 and $ alone stay", body: "$0 $ $$1", line: "a", text: "$0 $ $a" },
    { name: "by name", body: "to $where from $branch", line: "prod dev", declared: two, text: "to prod from dev" },
    { name: "defaults", body: "$where/$branch/$2", line: "prod", declared: two, text: "prod/main/main" },
    {
      name: "the last one takes what is left",
      body: "$where|$branch|$2|$3",
      line: 'prod "a b" c',
      declared: two,
      text: "prod|a b c|a b c|",
    },
    {
      name: "a longer name is another name",
      body: "$branches $branch_x $branch-x",
      line: "p d",
      declared: two,
      text: "$branches $branch_x d-x",
    },
    {
      name: "the longest name counts",
      body: "$ab $a",
      line: "1 2",
      declared: [{ name: "a" }, { name: "ab" }],
      text: "2 1",
    },
    {
      name: "names that no text can refer to",
      body: "$my-arg $1",
      line: "v",
      declared: [{ name: "my-arg" }],
      text: "$my-arg v",
    },
    { name: "an unknown name stays", body: "$HOME $where", line: "p", declared: two, text: "$HOME p" },
    { name: "what is put in is not looked at again", body: "$1 $2", line: "$2 $ARGUMENTS", text: "$2 $ARGUMENTS" },
    {
      name: "names of objects are no arguments",
      body: "$constructor $toString",
      line: "x",
      declared: two,
      text: "$constructor $toString",
    },
  ])("$name", ({ body, line = "", declared = [], text }) => {
    expect(renderSkill(body, line, declared)).toBe(text);
  });

  test("a required argument that is missing is named, unless it has a default", () => {
    expect(missingArguments("", two)).toEqual(["where"]);
    expect(missingArguments("prod", two)).toEqual([]);
    expect(missingArguments('""', two)).toEqual([]);
    expect(missingArguments("", [{ name: "a", required: true, default: "x" }])).toEqual([]);
  });
});
