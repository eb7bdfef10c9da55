import { describe, expect, test } from "vitest";
import { leavesRunning, missesGit } from "../../../src/tools/runtime/missed.js";

describe("a command line that leaves programs to run on", () => {
  test.each([
    "node server.js &",
    "npm run dev & sleep 1; curl localhost",
    "a & b",
    "(a &)",
    "a &\nb",
    "nohup a >x 2>&1 &",
  ])("%s", (command) => expect(leavesRunning(command)).toBe(true));
});

describe("a command line that leaves none", () => {
  test.each([
    "a && b",
    "a 2>&1 | b",
    "a &> x",
    "a &>> x",
    "a |& b",
    "a >&2",
    "exec 3<&-",
    "echo 'a & b'",
    'echo "a & b"',
    "echo a\\&b",
    "echo a # b &",
    "a & b & wait",
    // Neither takes time by the square.
    `echo ${"1".repeat(1_000_000)}`,
    `echo ${'"'.repeat(999_999)}`,
  ])("%.40s", (command) => expect(leavesRunning(command)).toBe(false));
});

test("Git that cannot read its settings is recognized, and nothing else is taken for it", () => {
  expect(missesGit("warning: unable to access '.git/config': Permission denied\n")).toBe(true);
  expect(missesGit("fatal: unable to access '/w/.git/modules/lib/config': Permission denied\n")).toBe(true);
  expect(missesGit("fatal: unable to access 'https://github.com/a/config': Could not resolve host")).toBe(false);
});
