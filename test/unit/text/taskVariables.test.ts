import { describe, expect, it } from "vitest";
import { expandVariables, FILE_VARIABLES, fileVariable } from "../../../src/text/taskVariables.js";

describe("variables of tasks", () => {
  const values: Record<string, string> = { a: "1", "env:X": "${a}", "/": "/", "input:b c": "in" };
  const value = (name: string, argument?: string): string | undefined =>
    values[argument === undefined ? name : `${name}:${argument}`];
  const cases: [text: string, expanded: string][] = [
    ["${a}", "1"],
    ["x${a}y${a}", "x1y1"],
    ["${env:X} is not expanded again", "${a} is not expanded again"],
    ["src${/}main", "src/main"],
    ["${input:b c}", "in"],
    ["${HOME} and $HOME and ${HOME:-x} are the shell's", "${HOME} and $HOME and ${HOME:-x} are the shell's"],
    ["${a", "${a"],
    ["${}", "${}"],
    ["$${a}", "$1"],
  ];
  it.each(cases)("%s", (text, expanded) => {
    expect(expandVariables(text, value)).toBe(expanded);
  });

  it("lets an error of a value through", () => {
    expect(() =>
      expandVariables("${input:x}", () => {
        throw new Error("no input");
      }),
    ).toThrow("no input");
  });

  it("takes an open file apart as VS Code does", () => {
    const file = { path: "/work/app/src/a.test.ts", folder: "/work/app", line: 3, column: 5, selectedText: "word" };
    expect(Object.fromEntries(FILE_VARIABLES.map((name) => [name, fileVariable(name, file)]))).toEqual({
      file: "/work/app/src/a.test.ts",
      fileWorkspaceFolder: "/work/app",
      fileWorkspaceFolderBasename: "app",
      relativeFile: "src/a.test.ts",
      relativeFileDirname: "src",
      fileBasename: "a.test.ts",
      fileBasenameNoExtension: "a.test",
      fileExtname: ".ts",
      fileDirname: "/work/app/src",
      fileDirnameBasename: "src",
      lineNumber: "3",
      columnNumber: "5",
      selectedText: "word",
    });
  });

  it("names a file at the top of its folder, without an extension, or in no folder", () => {
    const file = { path: "/work/app/.env", folder: "/work/app", line: 1, column: 1, selectedText: "" };
    expect(fileVariable("relativeFileDirname", file)).toBe(".");
    expect(fileVariable("fileExtname", file)).toBe("");
    expect(fileVariable("fileBasenameNoExtension", file)).toBe(".env");
    expect(fileVariable("fileWorkspaceFolder", { ...file, folder: undefined })).toBeUndefined();
    expect(fileVariable("relativeFile", { ...file, folder: undefined })).toBe("/work/app/.env");
  });
});
