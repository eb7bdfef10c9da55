// Everyday work of Node, Python, C, Java and Rust developers, in a view: it works, changes what it should, and undo takes it back.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig } from "./rig.js";

const FILES = {
  "package.json": JSON.stringify({
    type: "module",
    scripts: { test: "node --test", build: "node build.js", clean: "node -e \"fs.rmSync('dist', {recursive: true})\"" },
  }),
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  "sum.test.js":
    'import test from "node:test"; import assert from "node:assert"; import { sum } from "./src/sum.js";\ntest("sums", () => assert.equal(sum(1, 2), 3));\n',
  "build.js":
    'import { cpSync, mkdirSync, writeFileSync } from "node:fs"; mkdirSync("dist", { recursive: true }); cpSync("src", "dist/src", { recursive: true }); writeFileSync("dist/index.js", "export {};\\n");\n',
  "dist/old.js": "old\n",
  "py/__init__.py": "",
  "py/calc.py": "def double(x):\n    return 2 * x\n",
  "py/test_calc.py":
    "import unittest\nfrom py.calc import double\n\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(double(2), 4)\n",
  "gen.py":
    "import json, pathlib\npathlib.Path('gen').mkdir(exist_ok=True)\npathlib.Path('gen/a.json').write_text(json.dumps({'a': 1}))\n",
  Makefile:
    "all: hello\nhello: hello.c\n\tcc -o hello hello.c\ntest: hello\n\t./hello | grep hi\nclean:\n\trm -f hello\n",
  "hello.c": '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }\n',
  "J.java": 'class J { public static void main(String[] a) { System.out.println("hi from java"); } }\n',
  "Cargo.toml": '[package]\nname = "c"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "#[test]\nfn works() {\n    assert_eq!(1 + 1, 2);\n}\n",
  "run.sh": '#!/bin/sh\nset -e\nmkdir -p out\nfor f in src/*.js; do wc -l "$f" > out/lines; done\necho done\n',
};

/** [needs, command, expected in the output, expected among the changes] */
const COMMANDS: [needs: string, command: string, said: RegExp, changed: RegExp | undefined][] = [
  ["npm", "npm test --silent", /^[#ℹ] pass 1$/m, undefined],
  ["npm", "npm run --silent build", /Exit code 0/, /A dist\/index\.js/],
  ["npm", "npm run --silent build && npm test --silent", /^[#ℹ] pass 1$/m, /A dist\/src\/sum\.js/],
  ["npm", "npm run --silent clean", /Exit code 0/, /D dist\/old\.js/],
  ["node", "node --test", /^[#ℹ] pass 1$/m, undefined],
  ["node", "node build.js", /Exit code 0/, /A dist\/index\.js/],
  ["node", "node --test sum.test.js", /^[#ℹ] pass 1$/m, undefined],
  ["python3", "python3 -m unittest", /OK/, undefined],
  ["python3", "python3 -m unittest py.test_calc -v", /OK/, undefined],
  ["python3", "python3 gen.py", /Exit code 0/, /A gen\/a\.json/],
  ["python3", "python3 -m py_compile py/calc.py", /Exit code 0/, /__pycache__/],
  ["python3", "python3 -c 'import json; print(json.loads(\"1\"))'", /\n1/, undefined],
  ["cc", "make", /cc -o hello/, /A hello/],
  ["cc", "make test", /\nhi/, /A hello/],
  ["cc", "make -j2 all && ./hello", /\nhi/, /A hello/],
  ["cc", "gcc -Wall -o hello hello.c", /Exit code 0/, /A hello/],
  ["javac", "javac J.java && java J", /hi from java/, /A J\.class/],
  ["bash", "./run.sh", /done/, /A out\/lines/],
  ["cp", "cp -r src lib && cp -a py/. copy && chmod +x gen.py", /Exit code 0/, /A lib\/sum\.js/],
  ["tar", "tar czf s.tgz src && mkdir t && tar xzf s.tgz -C t", /Exit code 0/, /A t\/src\/sum\.js/],
  ["gzip", "gzip -k hello.c && gzip J.java", /Exit code 0/, /D J\.java/],
  ["sed", "mkdir -p x && cp hello.c x/ && sed -i s/hi/ho/ x/hello.c", /Exit code 0/, /A x\/hello\.c/],
];

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

describe.skipIf(missingSandbox() !== undefined)("everyday work", () => {
  test.each(COMMANDS.filter(([needs]) => has(needs)))(
    "%s: %s",
    { timeout: 240_000 },
    async (_, command, said, changed) => {
      const { folder, told, undo } = await openRig(FILES);
      spawnSync("chmod", ["755", join(folder, "run.sh")]);
      const before = await treeOf(folder);
      const text = await told(command);
      expect(text).toMatch(said);
      expect(text).toContain("Exit code 0");
      if (changed === undefined) {
        expect(text).not.toContain("Error");
      } else {
        expect(text).toMatch(changed);
        await undo();
        expect(await treeOf(folder)).toEqual(before);
      }
    },
  );

  test.skipIf(!has("cargo"))("cargo goes on from one command to the next", { timeout: 240_000 }, async () => {
    const { folder, told, undo } = await openRig({
      "Cargo.toml": FILES["Cargo.toml"],
      "src/main.rs": 'fn main() {\n    println!("hi");\n}\n\n#[test]\nfn works() {}\n',
    });
    execFileSync("cargo", ["generate-lockfile", "--offline"], { cwd: folder });
    const before = await treeOf(folder);
    const built = await told("cargo build");
    expect(built).toMatch(
      /Compiling c[^]*\[Changed: target\/ in the sandbox alone, where contained commands have their own\]/,
    );
    expect(await told("cargo build")).not.toMatch(/Compiling|Changed|kept/);
    expect(await told("./target/debug/c")).toMatch(/^\[Exit code 0.*\]\nhi$/);
    expect(await told("cargo test && cp target/debug/c.d made.txt")).toMatch(/1 passed[^]*\[Changed: A made\.txt/);
    await undo();
    expect(await treeOf(folder)).toEqual(before);
  });

  test("what a home keeps of caches goes on from one command to the next, and is not the user's", async () => {
    const { told } = await openRig(FILES);
    const look = 'import os, pathlib; p = pathlib.Path.home() / ".cache"; print(os.listdir(p));';
    expect(await told(`python3 -c '${look} (p / "x-of-toolhost").write_text("")'`)).toMatch(/\n\[\]$/);
    expect(await told(`python3 -c '${look}'`)).toMatch(/\n\['x-of-toolhost'\]$/);
    expect(existsSync(join(homedir(), ".cache/x-of-toolhost"))).toBe(false);
  });
});
