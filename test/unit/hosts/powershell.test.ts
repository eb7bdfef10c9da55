import { expect, test } from "vitest";
import { windowsShellVariable } from "../../../src/compose/cli/settings.js";
import { findPowerShell, powerShellCall } from "../../../src/hosts/node/processes/powershell.js";
import { preferredPowerShell } from "../../../src/hosts/node/processes/shell.js";

const env = { ProgramFiles: "P", SystemRoot: "S" };
const newer = "P/PowerShell/7/pwsh.exe";
const older = "S/System32/WindowsPowerShell/v1.0/powershell.exe";

/** What is found, with slashes whatever the system. */
const found = (exists: (file: string) => boolean): string | undefined =>
  findPowerShell(env, (file) => exists(file.replaceAll("\\", "/")))?.replaceAll("\\", "/");

test("PowerShell 7 is used before Windows PowerShell, and nothing where neither is", () => {
  expect(found(() => true)).toBe(newer);
  expect(found((file) => file === older)).toBe(older);
  expect(found(() => false)).toBeUndefined();
  expect(findPowerShell({}, () => true)).toBeUndefined();
});

test.each([
  ["auto", "bash.exe", undefined],
  ["auto", undefined, "pwsh.exe"],
  ["bash", "bash.exe", undefined],
  ["bash", undefined, undefined],
  ["powershell", "bash.exe", "pwsh.exe"],
  ["powershell", undefined, "pwsh.exe"],
] as const)("with the setting %s and bash at %s, commands run in PowerShell at %s", (setting, bash, expected) => {
  expect(preferredPowerShell(setting, bash, () => "pwsh.exe")).toBe(expected);
  // Where there is none, bash is what is left.
  expect(preferredPowerShell(setting, bash, () => undefined)).toBeUndefined();
});

test.each<[given: NodeJS.ProcessEnv, shell: string, told: number]>([
  [{}, "auto", 0],
  [{ TOOLHOST_WINDOWS_SHELL: "" }, "auto", 0],
  [{ TOOLHOST_WINDOWS_SHELL: "powershell" }, "powershell", 0],
  [{ TOOLHOST_WINDOWS_SHELL: "pwsh" }, "auto", 1],
  [{ TOOLHOST_WINDOWS_SHELL: "powershell", TOOLHOST_AGENT: "1" }, "auto", 0],
])("the variable %j has commands run in %s", (given, shell, told) => {
  const notices: string[] = [];
  expect(windowsShellVariable(given, (notice) => notices.push(notice))).toBe(shell);
  expect(notices).toHaveLength(told);
  expect(notices.join()).toContain(told === 0 ? "" : 'expected auto, bash, powershell, got string "pwsh"');
});

test("a command reaches it as it is, without profiles, and its exit code is passed on", () => {
  const command = "git log --format='%h \"x\"' # ümlaut\n'a' | % { $_ }";
  const { file, args, isBash, hasOwnErrors } = powerShellCall("pwsh.exe", command);
  expect([file, isBash, hasOwnErrors]).toEqual(["pwsh.exe", false, true]);
  expect(args).toEqual(expect.arrayContaining(["-NoProfile", "-NonInteractive"]));
  const script = Buffer.from(args.at(-1) ?? "", "base64")
    .toString("utf16le")
    .split("\n");
  expect(args.at(-2)).toBe("-EncodedCommand");
  expect(script.slice(1, -1).join("\n")).toBe(command);
  expect(script.at(-1)).toContain("exit $LASTEXITCODE");
});

test("what programs get and print is UTF-8, said before the command and in a line of its own", () => {
  const [before = "", command] = Buffer.from(powerShellCall("pwsh.exe", "chcp").args.at(-1) ?? "", "base64")
    .toString("utf16le")
    .split("\n");
  expect(before).toContain("$OutputEncoding = [Text.UTF8Encoding]::new($false);");
  expect(before).toContain("[Console]::OutputEncoding = $OutputEncoding");
  expect(command).toBe("chcp");
});

test("a command that fills a command line of Windows is refused with what to do", () => {
  expect(powerShellCall("pwsh.exe", "x".repeat(10_000)).args.at(-1)?.length).toBeLessThan(32_000);
  expect(() => powerShellCall("pwsh.exe", "x".repeat(10_001))).toThrow(/has 10001 characters/);
});
