import { expect, it } from "vitest";
import { commandHeader } from "../../../src/hosts/vscode/terminal/commandHeader.js";

it("shows a command and its folder in dim text", () => {
  expect(commandHeader({ command: "npm test\n", workdir: "app" })).toBe("\x1b[2m$ npm test  (in app)\x1b[0m");
  expect(commandHeader({ command: "cat <<X\na\nX", workdir: "." })).toBe("\x1b[2m$ cat <<X\n  a\n  X\x1b[0m");
});

it("lets nothing in a command steer the terminal or turn its text around", () => {
  expect(commandHeader({ command: "echo \x1b[2J\x9b2J\u202Etxt\x7f", workdir: "a\x1bb" })).toBe(
    "\x1b[2m$ echo ␛[2J\uFFFD2J\uFFFDtxt\uFFFD  (in a␛b)\x1b[0m",
  );
});

it("shows the head of a long command", () => {
  const shown = commandHeader({
    command: Array.from({ length: 30 }, (_, at) => `echo ${at}`).join("\n"),
    workdir: ".",
  });
  expect(shown).toContain("echo 19\n  [10 more lines]");
  expect(shown).not.toContain("echo 20");
});
