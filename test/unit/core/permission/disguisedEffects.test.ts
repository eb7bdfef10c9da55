// Forms in which a command that seems to only read writes a file, runs a program or reads what it must not: each was
// seen to do so.
import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

const SECRETS = [".env", "sub/.env", "sub/a.ts", "src/a.ts", "a.txt"];

/** By what was overlooked. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  "the place of a redirection is hidden from the look at a program of awk": [
    `awk 'BEGIN { f = "out"; print "x", # }\n b > f; if (1) { } }'`,
    `awk 'BEGIN { f = "out"; print "x", # if (\n b > f # )\n}'`,
    `awk 'BEGIN { f = "out"; print "x", /[if (]/ > f /[)]/ }'`,
    `awk 'BEGIN { f = "out"; print x /[/]if (/ > f # )\n }'`,
    `awk 'BEGIN { if (1) /"/; print "x" > f; /"/ }'`,
    `awk 'BEGIN { case = 1; print case / b > f; c / 2 }'`,
    `awk 'BEGIN { x++ /"/; print "x" > f; /"/ }'`,
    `awk 'BEGIN { print "}" "x" > f; { } }'`,
    `awk '{ print $1 > $2 }' a.txt`,
    `awk '{ printf "%s", $1 >> "x" }' a.txt`,
  ],
  "the name of a branch or a tag is a flag, or the name of a file": [
    "git log -1 --format=%B $(git branch --show-current)",
    "git log $(git rev-parse --abbrev-ref HEAD)",
    "b=$(git branch --show-current); git diff $b",
    'b=$(git branch --show-current); git diff "$b" a.txt',
    "git diff --no-index a.txt -- $(git branch --show-current)",
    "git blame -- $(git branch --show-current)",
  ],
  "a format checks signatures by a program of the configuration": [
    "git log --format='%+G?'",
    "git log --format='%-GG'",
    "git log --pretty='format:% GK'",
    "git show -s --format=%GS",
    "git for-each-ref --sort=signature",
    "git branch --sort=-signature:grade",
    "git tag -l --sort signature",
  ],
  "the value of a flag is a file of further words": [
    "strings -n @args a.txt",
    "strings -t @args a.txt",
    "strings --bytes @args a.txt",
  ],
  "ripgrep takes --iglob behind all of --glob": [
    "rg x --iglob '.*' -g '!.env' -g '!.git'",
    "rg x --iglob='.e*' --glob='!.env'",
    "rg x -g '!.env' --iglob '.ENV'",
  ],
  "bash puts a home folder into what looks like an assignment": [
    "cat a=~/x",
    "cat a=b:~/x",
    "head -1 a_1+=~root/x",
    "grep x a[1]=~",
    "sort A=~+/x",
    'for f in a=~/x; do cat "$f"; done',
  ],
  "a column has the environments of processes": ["ps -eo pid,environ", "ps -o environ", "ps --format pid,ENVIRON"],
  "addresses of a file are looked up in the network": ["last -d", "last -dfabd", "last -f a.txt"],
};

/** What these do is known. */
const RUNS: readonly string[] = [
  `awk '$3>5 {print $1}' a.txt`,
  `awk '/^#/ {next} $3>5 {print $1/2}' a.txt`,
  `awk '{ if ($3 > 5) print $1 }' a.txt`,
  `awk '{ print ($1+1)/2 }' a.txt`,
  `awk '/[#}]/ { print $1 / $2 # }\n }' a.txt`,
  `awk -F/ '{ print $NF }' a.txt`,
  "git log HEAD..$(git branch --show-current)",
  "git log $(git merge-base main HEAD)..HEAD",
  "git show $(git rev-parse --short HEAD)",
  'git diff main..."$(git rev-parse --abbrev-ref HEAD)"',
  "echo $(git branch --show-current)",
  "git log --format='%h %+s %Cgreen%an'",
  "git for-each-ref --sort=-committerdate",
  "strings -n 8 a.txt",
  "rg x --iglob '*.TS' -g '!.env'",
  "cat a=b~c",
  "cat 'a=~/x'",
  "cat a='~'/x",
  "ls --sort=size",
  "ps -eo pid,args",
  "last -n 5",
];

const { explain } = world({ files: SECRETS });

describe("a command that seems to only read", () => {
  test.each(Object.entries(ASKS).flatMap(([why, lines]) => lines.map((command) => ({ why, command }))))(
    "asks as $why: $command",
    async ({ command }) => {
      expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
    },
  );

  test.each([
    ["rg -t ts x", ".env.ts"],
    ["rg --type=yaml x", ".yarnrc.yml"],
    ["rg -t json x", ".env.json"],
  ])("leaves out what a type of ripgrep stands for although it is hidden: %s", async (command, name) => {
    const decided = await world({ files: ["src/a.ts", `src/${name}`] }).explain("exec", { command });
    expect(decided).toMatchObject({ decision: "allow", instead: { leftOut: [name] } });
  });

  test.each(RUNS)("runs: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });
});
