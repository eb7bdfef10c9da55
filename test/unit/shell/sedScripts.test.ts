// Scripts put together at random, run by the real sed: those that are said to print only must leave no file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPlainScript } from "../../../src/shell/commands/sed.js";

const plain: readonly string[] = [
  "p",
  "1,5p",
  "$p",
  "/a/p",
  "/a/,/b/d",
  "1!d",
  "1~2p",
  "2,+3p",
  "$!N;P;D",
  "s/a/b/",
  "s/a/b/g;s/c/d/2p",
  "s|a|b|",
  "s,/,\\,,g",
  "\\|a|p",
  "y/abc/xyz/",
  "/a/{p;d}",
  "/a/I,/b/{s/x/y/;p}",
  ":a;N;$!ba;s/\\n/ /g",
  "1i\\  text w",
  "a w",
  "c\\\nw x\\\nw y",
  "# w x\np",
  "q5",
  "=",
  "s/[a/b]*/c/".replace("/b", "b"),
  "s/w/e/",
];

const refused: readonly string[] = [
  "w x",
  "1w x",
  "W x",
  "r /etc/passwd",
  "R x",
  "e",
  "e id",
  "1e id",
  "s/a/b/w x",
  "s/a/b/e",
  "s/a/id/ge",
  "s/a/b/gw x",
  "s/a/b/;w x",
  "p\nw x",
  "{w x}",
  "/a/{p;w x\n}",
  "$!{w x\n}",
  "1,/a/w x",
  "\\|a|w x",
  "y/a/b/;w x",
  "a\\\\\nw x",
  "a text\nw x",
  "#\nw x",
  "b;w x",
  ":a w x",
  "s/[/]w x/y/",
  "/[/]/w x",
  "sxaxbxe",
  "s a b e",
  "p\vw x",
  "s/a/b/\nw x",
  "snanbnw x",
  "s/a\nb/c/",
  "v 4.2\nw x",
  "s/a/b",
  "s/a",
  "}w x",
  "Z",
];

const pieces = [
  "p",
  "d",
  "w out",
  "w out\n",
  "e touch out\n",
  "s/a/b/",
  "s/.*/touch out/e",
  "s/a/b/w out\n",
  "s,[,],x,",
  "s/[/]/x/",
  "y/ab/cd/",
  "/a/",
  "1",
  "$",
  "!",
  "{",
  "}",
  ";",
  "\n",
  " ",
  "\\",
  "a ",
  "a\\\n",
  "i\\",
  "c x",
  "#",
  ":x",
  "b x",
  "t",
  "1~2",
  ",",
  "+1",
  "I",
  "M",
  "N",
  "q5",
  "l 3",
  "\v",
  "\r",
  "[",
  "]",
  "/",
  "s",
  "&",
  "g",
  "=",
  "F",
  "0",
  "\\\n",
  "\\|a|",
  "#n\n",
  "z",
  "x",
];

/** A generator with a seed: the same scripts in every run (Numerical Recipes' constants). */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolhost-sed-"));
  writeFileSync(join(folder, "in"), "a\nb [/] a,b\nab\n");
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("isPlainScript", () => {
  it.each(plain)("knows that `%s` prints only", (script) => {
    expect(isPlainScript(script)).toBe(true);
  });

  it.each(refused)("does not take `%s` for one that prints only", (script) => {
    expect(isPlainScript(script)).toBe(false);
  });

  it("takes no script for plain that writes a file when sed runs it", () => {
    const random = pseudoRandom(Number(process.env.TOOLHOST_SEED ?? 7));
    let run = 0;
    for (let round = 0; round < Number(process.env.TOOLHOST_ROUNDS ?? 2000); round += 1) {
      const script = Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)] ?? "").join("");
      if (!isPlainScript(script) || !/out/u.test(script)) {
        continue;
      }
      run += 1;
      spawnSync("sed", ["-e", script, "in"], { cwd: folder, stdio: "ignore", timeout: 2000 });
      expect(readdirSync(folder), JSON.stringify(script)).toEqual(["in"]);
    }
    expect(run).toBeGreaterThan(10);
  });
});
