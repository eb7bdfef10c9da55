// A workspace of a folder on disk and one that is on none: every tool reaches both, and grep and glob from the top,
// too.
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import * as vscode from "vscode";
import { activateProduct } from "../../harness/host";
import { locked, put, stored } from "../memory";
import { NO_MATCH, onDisk, openUnsaved, toolText, writeFile } from "../tool";

/** A folder of the workspace by its name, and how a test reaches it without a tool. */
const folders = [
  {
    folder: "disk",
    plant: async (path: string, content: string | Uint8Array) => writeFile(path, content),
    stored: async (path: string) => onDisk(path),
  },
  { folder: "memory", plant: put, stored },
];

describe("a folder on disk and one on none", () => {
  before(() => activateProduct());

  it("are what the window has open", () => {
    assert.deepEqual(
      vscode.workspace.workspaceFolders?.map(({ name, uri }) => [name, uri.scheme]),
      [
        ["disk", "file"],
        ["memory", "memfs"],
      ],
    );
  });

  describe("from the top", () => {
    it("ls lists both", async () => {
      assert.equal(await toolText("ls", {}), "disk/\nmemory/");
      const lines = (await toolText("ls", { depth: 3 })).split("\n").map((line) => line.trim());
      assert.deepEqual(
        lines.filter((line) => line.startsWith("main.ts")),
        ["main.ts  (136 bytes)", "main.ts  (136 bytes)"],
      );
    });

    it("grep finds in both, sorted by path", async () => {
      const line = '  3: const names = ["Ada", "Grace", "Barbara"];';
      assert.equal(
        await toolText("grep", { pattern: "Ada|Barb[a-z]+" }),
        `disk/src/main.ts\n${line}\nmemory/src/main.ts\n${line}\n[4 matches on 2 lines in 2 files.]`,
      );
    });

    const grepCases: { name: string; input: object; found: string }[] = [
      {
        name: "counts in both",
        input: { pattern: "greet", output: "count", include: "main.ts" },
        found: "disk/src/main.ts: 2 (3 matches)\nmemory/src/main.ts: 2 (3 matches)\n[6 matches on 4 lines in 2 files.]",
      },
      {
        name: "by a name",
        input: { pattern: "names", output: "files", include: "*.ts" },
        found:
          "disk/src/main.ts\nmemory/src/main.ts\n[4 matches in 2 files.]\n[symbol: const names, disk/src/main.ts:3 and 1 more; references lists its uses.]",
      },
      {
        name: "by a path that begins with a folder",
        input: { pattern: "Barbara", output: "files", include: "memory/src/**" },
        found: "memory/src/main.ts\n[1 match in 1 file.]",
      },
      {
        name: "nothing by names in a folder that lie below",
        input: { pattern: "Barbara", output: "files", include: "memory/*.ts" },
        found: `${NO_MATCH}\n[No searched file matches include memory/*.ts.]\n[Files with such names are in other folders: **/*.ts would find 4 files, such as disk/src/greet.ts, disk/src/main.ts, memory/src/greet.ts.]`,
      },
      {
        name: "nothing where nothing fits, and tells it once",
        input: { pattern: "Barbara", include: "*.none" },
        found: `${NO_MATCH}\n[No searched file matches include *.none.]`,
      },
      {
        name: "in one alone",
        input: { pattern: "Barbara", output: "files", path: "memory" },
        found: "memory/src/main.ts\n[1 match in 1 file.]",
      },
      {
        name: "but not in one left out",
        input: { pattern: "Barbara", output: "files", exclude: "memory/**" },
        found: "disk/src/main.ts\n[1 match in 1 file.]",
      },
      {
        name: "a page of both, and the next",
        input: { pattern: "Barbara", output: "files", offset: 1, max_results: 1 },
        found: "memory/src/main.ts\n[Files 2-2 of 2: the end.]",
      },
    ];
    for (const { name, input, found } of grepCases) {
      it(`grep finds ${name}`, async () => {
        assert.equal(await toolText("grep", input), found);
      });
    }

    it("grep tells what both leave out", async () => {
      for (const { plant } of folders) {
        await plant("dist/out.txt", "only-in-ignored\n");
      }
      assert.equal(await toolText("grep", { pattern: "only-in-ignored" }), NO_MATCH);
      assert.equal(
        await toolText("grep", { pattern: "only-in-ignored", include_ignored: true, output: "files" }),
        "disk/dist/out.txt\nmemory/dist/out.txt\n[2 matches in 2 files.]",
      );
    });

    it("grep goes on where one folder cannot be opened", async () => {
      await put("closed/x.txt", "needle-closed\n");
      writeFile("closed/x.txt", "needle-closed\n");
      assert.equal(
        await locked("closed", () => toolText("grep", { pattern: "needle-closed", output: "files" })),
        "disk/closed/x.txt\n[1 match in 1 file.]\n[Not searched: memory/closed: the system does not permit it.]",
      );
    });

    const globCases: { pattern: string; input?: object; found: string[] }[] = [
      { pattern: "main.ts", found: ["disk/src/main.ts", "memory/src/main.ts"] },
      {
        pattern: "src/*.ts",
        found: ["disk/src/greet.ts", "disk/src/main.ts", "memory/src/greet.ts", "memory/src/main.ts"],
      },
      { pattern: "memory/src/*.ts", found: ["memory/src/greet.ts", "memory/src/main.ts"] },
      { pattern: "*/src/main.ts", found: ["disk/src/main.ts", "memory/src/main.ts"] },
      { pattern: "main.ts", input: { path: "disk" }, found: ["disk/src/main.ts"] },
    ];
    for (const { pattern, input = {}, found } of globCases) {
      it(`glob finds ${pattern}${"path" in input ? " in one" : ""}`, async () => {
        assert.equal(
          await toolText("glob", { pattern, ...input }),
          [...found, `[${found.length} file${found.length === 1 ? "" : "s"}.]`].join("\n"),
        );
      });
    }

    it("glob gives the newest of both first", async () => {
      utimesSync(writeFile("first.dated", "").fsPath, 1_000, 1_000);
      await put("second.dated", "");
      assert.equal(
        await toolText("glob", { pattern: "*.dated", sort: "modified" }),
        "memory/second.dated\ndisk/first.dated\n[2 files.]",
      );
    });

    it("a path without a folder is told which there are", async () => {
      for (const [tool, input] of [
        ["read", {}],
        ["write", { content: "x" }],
        ["edit", { old_text: "a", new_text: "b" }],
      ] as const) {
        assert.match(
          await toolText(tool, { path: "src/greet.ts", ...input }),
          /^Error \(\w+\): .*several folders.*\nHint: Begin the path with a folder: disk, memory\./,
        );
      }
    });
  });

  for (const { folder, plant, stored: storedText } of folders) {
    describe(`in the folder ${folder}`, () => {
      it("read gives pages, and what is on screen", async () => {
        assert.equal(
          await toolText("read", { path: `${folder}/src/main.ts`, limit: 2 }),
          '1\timport { greet } from "./greet";\n2\t\n[Lines 1-2 of 7. Continue with offset=3.]',
        );
        const document = await openUnsaved(await plant("read.txt", "stored\n"), "typed ");
        assert.equal(await toolText("read", { path: `${folder}/read.txt` }), "1\ttyped stored");
        assert.equal(
          await toolText("grep", { pattern: "typed stored" }),
          `${folder}/read.txt (unsaved)\n  1: typed stored\n[1 match in 1 file.]`,
        );
        await document.save();
        assert.equal(await storedText("read.txt"), "typed stored\n");
        await plant("read.txt", "");
      });

      it("write makes a file and its folders, in it alone", async () => {
        assert.equal(
          await toolText("write", { path: `${folder}/made/by-${folder}.txt`, content: "größer\n" }),
          `Wrote 9 bytes to ${folder}/made/by-${folder}.txt (new file).\nCreated the folder ${folder}/made.`,
        );
        assert.equal(await storedText(`made/by-${folder}.txt`), "größer\n");
        assert.equal(
          await toolText("glob", { pattern: `by-${folder}.txt` }),
          `${folder}/made/by-${folder}.txt\n[1 file.]`,
        );
      });

      it("write and edit change a closed file in its own line endings", async () => {
        await plant("closed.txt", "one\r\ntwo\r\n");
        assert.equal(
          await toolText("edit", { path: `${folder}/closed.txt`, old_text: "one\ntwo", new_text: "1\n2" }),
          `Edited ${folder}/closed.txt: 1 replacement at line 1.`,
        );
        assert.equal(await storedText("closed.txt"), "1\r\n2\r\n");
        assert.match(
          await toolText("write", { path: `${folder}/closed.txt`, content: "3\n" }),
          /\(overwritten\)\.\nLine endings were written as CRLF/,
        );
        assert.equal(await storedText("closed.txt"), "3\r\n");
      });

      it("edit changes an open document and saves it", async () => {
        const document = await vscode.workspace.openTextDocument(await plant("open.txt", "alpha\n"));
        await vscode.window.showTextDocument(document);
        assert.match(
          await toolText("edit", { path: `${folder}/open.txt`, old_text: "alpha", new_text: "beta" }),
          /^Edited /,
        );
        assert.deepEqual(
          [document.getText(), document.isDirty, await storedText("open.txt")],
          ["beta\n", false, "beta\n"],
        );
      });

      it("leads nowhere else", async () => {
        const other = folder === "disk" ? "memory" : "disk";
        await plant(`only-${folder}.txt`, "x\n");
        assert.match(await toolText("read", { path: `${other}/only-${folder}.txt` }), /^Error \(not_found\)/);
        assert.match(
          await toolText("read", { path: `${folder}/../${other}/only-${folder}.txt` }),
          /^Error \((not_found|outside_workspace)\)/,
        );
        assert.match(await toolText("read", { path: `${folder}/../../outside.txt` }), /^Error \(outside_workspace\)/);
      });
    });
  }
});
