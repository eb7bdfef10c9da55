import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import * as vscode from "vscode";
import { ASKED, callTool, inWorkspace, toolText, withSettings, writeFile } from "../tool";

/** Files below `glob/`, empty. */
const tree = [
  "a.ts",
  "B.ts",
  "c.tsx",
  ".hidden.ts",
  ".config/d.ts",
  "deep/er/e.ts",
  "deep/e.md",
  "names/[id].tsx",
  "names/{x}.tsx",
  "names/-dash.md",
  "names/😀.md",
  "names/sp ace.md",
  "names/line\nbreak.md",
  "ignored/x.ts",
  "debug.log",
];

describe("glob in VS Code", () => {
  before(() => {
    for (const path of tree) {
      writeFile(`glob/${path}`, "");
    }
    writeFile("glob/.gitignore", "ignored\n*.log\n");
    symlinkSync("/etc", inWorkspace("glob/outside"));
    symlinkSync("deep", inWorkspace("glob/link"));
  });
  after(() => rmSync(inWorkspace("glob"), { recursive: true }));

  const ignoredOnly = (count: number): string =>
    `[No file matches.]\n[${count} in ignored files only. Set include_ignored to see them.]`;
  const cases: { name: string; input: object; found: string[]; last?: string }[] = [
    {
      name: "a name at any depth, hidden ones too",
      input: { pattern: "*.ts" },
      found: [".config/d.ts", ".hidden.ts", "B.ts", "a.ts", "deep/er/e.ts"],
    },
    { name: "names of two kinds", input: { pattern: "{a,c}.{ts,tsx}" }, found: ["a.ts", "c.tsx"] },
    { name: "a name with ?", input: { pattern: "?.tsx" }, found: ["c.tsx"] },
    { name: "a range of characters", input: { pattern: "[a-e].ts" }, found: [".config/d.ts", "a.ts", "deep/er/e.ts"] },
    { name: "a path from where it looks", input: { pattern: "deep/**/*.ts" }, found: ["deep/er/e.ts"] },
    { name: "a path with ./", input: { pattern: "./deep/*.md" }, found: ["deep/e.md"] },
    { name: "all below a folder", input: { pattern: "deep/**" }, found: ["deep/e.md", "deep/er/e.ts"] },
    {
      name: "no folders and nothing through links to them",
      input: { pattern: "{deep,link/*,link,outside/*}" },
      found: [],
      last: "[No file matches.]",
    },
    { name: "a file whose name begins with a dot", input: { pattern: ".*.ts" }, found: [".hidden.ts"] },
    {
      name: "names by their case",
      input: { pattern: "b.ts" },
      found: [],
      last: "[No file matches.]\n[Case matters: 1 file, such as glob/B.ts.]",
    },
    {
      name: "brackets as they are, when escaped",
      input: { pattern: String.raw`\[id\].tsx` },
      found: ["names/[id].tsx"],
    },
    { name: "brackets in brackets", input: { pattern: "[[]id].tsx" }, found: ["names/[id].tsx"] },
    { name: "braces as they are, when escaped", input: { pattern: String.raw`\{x\}.tsx` }, found: ["names/{x}.tsx"] },
    { name: "a dash in front, which is no flag", input: { pattern: "-dash.md" }, found: ["names/-dash.md"] },
    { name: "a flag in place of a pattern", input: { pattern: "--version" }, found: [], last: "[No file matches.]" },
    {
      name: "all but what follows an exclamation mark",
      input: { pattern: "!*.md", path: "glob/names" },
      found: ["names/[id].tsx", "names/{x}.tsx"],
      last: "[2 files.]\n[The leading ! was taken as: all files but *.md.]",
    },
    { name: "an emoji as one character", input: { pattern: "?.md" }, found: ["deep/e.md", "names/😀.md"] },
    { name: "a blank", input: { pattern: "sp ace.*" }, found: ["names/sp ace.md"] },
    { name: "a name of two lines, in quotes", input: { pattern: "line*" }, found: ['"glob/names/line\\nbreak.md"'] },
    { name: "ignored files, told and not given", input: { pattern: "*.log" }, found: [], last: ignoredOnly(1) },
    {
      name: "what lies in an ignored folder, told and not given",
      input: { pattern: "ignored/*.ts" },
      found: [],
      last: ignoredOnly(1),
    },
    {
      name: "ignored files when asked for",
      input: { pattern: "{x.ts,*.log}", include_ignored: true },
      found: ["debug.log", "ignored/x.ts"],
    },
    { name: "an ignored folder by its path", input: { pattern: "*", path: "glob/ignored" }, found: ["ignored/x.ts"] },
    {
      name: "as many as asked for, and tells of the others",
      input: { pattern: "*.ts", max_results: 2 },
      found: [".config/d.ts", ".hidden.ts"],
      last: "[Files 1-2 of 5. Set max_results up to 5000, or narrow the pattern or path to see the others.]",
    },
  ];
  for (const { name, input, found, last = `[${found.length} file${found.length === 1 ? "" : "s"}.]` } of cases) {
    it(`finds ${name}`, async () => {
      const lines = found.map((path) => (path.startsWith('"') ? path : `glob/${path}`));
      assert.equal(await toolText("glob", { path: "glob", ...input }), [...lines, last].join("\n"));
    });
  }

  it("finds in the whole workspace, from its top", async () => {
    assert.equal(await toolText("glob", { pattern: "src/*.ts" }), "src/greet.ts\nsrc/main.ts\n[2 files.]");
    assert.equal(await toolText("glob", { pattern: "glob/deep/*.md" }), "glob/deep/e.md\n[1 file.]");
  });

  it("gives the newest first when asked for", async () => {
    for (const [path, time] of [
      ["old.txt", 1_000],
      ["new.txt", 3_000],
      ["sub/middle.txt", 2_000],
    ] as const) {
      utimesSync(writeFile(`glob/dated/${path}`, "").fsPath, time, time);
    }
    assert.equal(
      await toolText("glob", { pattern: "*.txt", path: "glob/dated" }),
      "glob/dated/new.txt\nglob/dated/old.txt\nglob/dated/sub/middle.txt\n[3 files.]",
    );
    assert.equal(
      await toolText("glob", { pattern: "*.txt", path: "glob/dated", sort: "modified" }),
      "glob/dated/new.txt\nglob/dated/sub/middle.txt\nglob/dated/old.txt\n[3 files.]",
    );
    assert.match(
      await toolText("glob", { pattern: "*.txt", path: "glob/dated", sort: "modified", max_results: 1 }),
      /^glob\/dated\/new\.txt\n\[Files 1-1 of 3\./,
    );
  });

  it("gives 200 without max_results, and counts the others", async () => {
    for (let index = 0; index < 203; index++) {
      writeFile(`glob/many/f${index}`, "");
    }
    const lines = (await toolText("glob", { pattern: "f*", path: "glob/many" })).split("\n");
    assert.equal(lines.length, 201);
    assert.equal(
      lines.at(-1),
      "[Files 1-200 of 203. Set max_results up to 5000, or narrow the pattern or path to see the others.]",
    );
    assert.match(await toolText("glob", { pattern: "f*", path: "glob/many", max_results: 300 }), /\n\[203 files\.\]$/);
    rmSync(inWorkspace("glob/many"), { recursive: true });
  });

  it("names files that may hold secrets, since a name is none", async () => {
    writeFile("glob/secret/.env", "K=1");
    assert.equal(await toolText("glob", { pattern: ".env", path: "glob/secret" }), "glob/secret/.env\n[1 file.]");
  });

  it("looks at the files there are, whatever VS Code's own search leaves out", async () => {
    await withSettings({ "files.exclude": { "glob/deep": true }, "search.exclude": { "**/*.tsx": true } }, async () => {
      assert.equal(
        await toolText("glob", { pattern: "{e,c}.{md,tsx}", path: "glob" }),
        "glob/c.tsx\nglob/deep/e.md\n[2 files.]",
      );
    });
  });

  for (const [name, input, answer] of [
    ["a broken glob", { pattern: "{a" }, /^Error \(invalid_input\): Invalid glob/],
    ["an empty pattern", { pattern: "" }, /^Error \(invalid_input\): glob: pattern: /],
    [
      "a file in place of a folder",
      { pattern: "*", path: "README.md" },
      /^Error \(invalid_input\): README\.md is not a folder/,
    ],
    ["a missing folder", { pattern: "*", path: "scr" }, /^Error \(not_found\): scr: .*\nHint: Did you mean src\?/],
    ["a folder outside", { pattern: "*", path: "glob/outside" }, ASKED],
    ["a way out in the pattern", { pattern: "../*" }, /^(\[No file matches\.\]$|Error \(invalid_input\))/],
    ["too many results", { pattern: "*", max_results: 5_001 }, /^Error \(invalid_input\): glob: max_results: /],
  ] as const) {
    it(`answers ${name}`, async () => {
      assert.match(await toolText("glob", input), answer);
    });
  }

  it("answers an empty folder", async () => {
    mkdirSync(inWorkspace("glob/empty"));
    assert.equal(await toolText("glob", { pattern: "*", path: "glob/empty" }), "[No file matches.]");
  });

  it("ends as cancelled when it is cancelled before it starts", async () => {
    const cancellation = new vscode.CancellationTokenSource();
    cancellation.cancel();
    await assert.rejects(callTool("glob", { pattern: "*" }, cancellation.token), /Cancel/i);
  });
});
