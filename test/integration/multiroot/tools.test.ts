// A workspace of two folders: paths begin with a folder's name.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolder } from "../../harness/host";
import { NO_MATCH, toolText } from "../tool";

describe("with two folders", () => {
  it("ls shows both", async () => {
    assert.equal(await toolText("ls", {}), "first/\nsecond/");
  });

  it("grep searches both, and one when told so", async () => {
    assert.equal(
      await toolText("grep", { pattern: "Barbara", output: "files" }),
      "first/src/main.ts\nsecond/src/main.ts\n[2 matches in 2 files.]",
    );
    assert.equal(
      await toolText("grep", { pattern: "Barbara", output: "files", path: "second" }),
      "second/src/main.ts\n[1 match in 1 file.]",
    );
  });

  const globs: { name: string; input: object; found: string }[] = [
    {
      name: "include of a path that begins with a folder",
      input: { include: "second/src/**" },
      found: "second/src/main.ts\n[1 match in 1 file.]",
    },
    {
      name: "include of one that begins with any",
      input: { include: "*/src/*.ts" },
      found: "first/src/main.ts\nsecond/src/main.ts\n[2 matches in 2 files.]",
    },
    {
      name: "include that counts from each",
      input: { include: "src/*.ts" },
      found: "first/src/main.ts\nsecond/src/main.ts\n[2 matches in 2 files.]",
    },
    {
      name: "include of names in a folder, not below",
      input: { include: "second/*.ts" },
      found: `${NO_MATCH}\n[No searched file matches include second/*.ts.]\n[Files with such names are in other folders: **/*.ts would find 4 files, such as first/src/greet.ts, first/src/main.ts, second/src/greet.ts.]`,
    },
    {
      name: "include that fits nothing, told once",
      input: { include: "third/**" },
      found: `${NO_MATCH}\n[No searched file matches include third/**.]`,
    },
    { name: "exclude of a folder", input: { exclude: "first/" }, found: "second/src/main.ts\n[1 match in 1 file.]" },
    {
      name: "exclude of a path in a folder",
      input: { exclude: "second/src/main.ts" },
      found: "first/src/main.ts\n[1 match in 1 file.]",
    },
    {
      name: "exclude of a name in a folder, not below",
      input: { exclude: "second/main.ts" },
      found: "first/src/main.ts\nsecond/src/main.ts\n[2 matches in 2 files.]",
    },
  ];
  for (const { name, input, found } of globs) {
    it(`grep knows ${name}`, async () => {
      assert.equal(await toolText("grep", { pattern: "Barbara", output: "files", ...input }), found);
    });
  }

  it("read takes folder/path and an absolute path", async () => {
    assert.match(await toolText("read", { path: "second/src/greet.ts" }), /^1\t/);
    assert.match(await toolText("read", { path: join(workspaceFolder(1), "src/greet.ts") }), /^1\t/);
  });

  it("a path without a folder is told which there are", async () => {
    assert.match(
      await toolText("read", { path: "src/greet.ts" }),
      /^Error \(not_found\): .*several folders.*\nHint: Begin the path with a folder: first, second\./,
    );
  });

  it("edit changes the folder it names and no other", async () => {
    const before = readFileSync(join(workspaceFolder(0), "README.md"), "utf8");
    assert.match(
      await toolText("edit", { path: "second/README.md", old_text: "# Sample", new_text: "# Second sample" }),
      /^Edited second\/README\.md/,
    );
    assert.equal(readFileSync(join(workspaceFolder(0), "README.md"), "utf8"), before);
    assert.match(readFileSync(join(workspaceFolder(1), "README.md"), "utf8"), /^# Second sample/);
  });

  it("one folder is no way into what lies beside it", async () => {
    assert.match(await toolText("read", { path: "first/../../both.code-workspace" }), /^Error \(outside_workspace\)/);
    assert.match(await toolText("read", { path: "first/../second/src/greet.ts" }), /^1\t/);
  });

  it("the context store is in the first, whatever is stored and how", async () => {
    const store = join(workspaceFolder(0), ".toolhost/context");
    try {
      assert.equal(
        await toolText("context_write", { path: "a.md", content: "The walrus sleeps.\n" }),
        "Stored 19 bytes as a.md (new).",
      );
      assert.equal(readFileSync(join(store, "a.md"), "utf8"), "The walrus sleeps.\n");
      assert.equal(readFileSync(join(store, ".gitignore"), "utf8"), "*\n");
      assert.match(
        await toolText("pipe", {
          tool_name: "grep",
          tool_input: { pattern: "Barbara", path: "second" },
          path: "found.json",
        }),
        /^Stored \d+ bytes from grep as found\.json/,
      );
      assert.equal(await toolText("query", { path: "found.json", expression: "matches.path" }), '"second/src/main.ts"');
      // Past the undo journal, too.
      assert.match(
        await toolText("pipe", {
          tool_name: "exec",
          tool_input: { command: "seq 1 2000000", workdir: "second" },
          path: "numbers.jsonl",
        }),
        /^Stored 14888896 bytes/,
      );
      assert.equal(statSync(join(store, "numbers.jsonl")).size, 14_888_896);
      assert.equal(
        await toolText("context_edit", {
          path: "a.md",
          patches: [{ start_line: 1, end_line: 1, content: "The walrus wakes." }],
        }),
        "Edited a.md: +1 −1 lines.",
      );
      assert.match(await toolText("context_search", { query: "walrus wakes" }), /^a\.md:1 /);
      assert.equal(
        await toolText("context_tree", {}),
        "a.md  (18 bytes)\nfound.json  (" +
          statSync(join(store, "found.json")).size +
          " bytes)\nnumbers.jsonl  (14888896 bytes)",
      );
      assert.equal(await toolText("context_delete", { path: "a.md" }), "Deleted a.md (18 bytes).");
      assert.equal(existsSync(join(workspaceFolder(1), ".toolhost")), false);
    } finally {
      rmSync(join(workspaceFolder(0), ".toolhost"), { recursive: true, force: true });
    }
  });

  it("the memory is in the first", async () => {
    try {
      assert.match(await toolText("memory_write", { key: "k", value: "The walrus checklist." }), /^Stored 21 bytes/);
      assert.match(readFileSync(join(workspaceFolder(0), ".toolhost/memory/k.md"), "utf8"), /walrus/);
      assert.match(await toolText("memory_search", { query: "walrus checklist" }), /memory\/k\.md:\d+-\d+ /);
    } finally {
      rmSync(join(workspaceFolder(0), ".toolhost"), { recursive: true, force: true });
    }
  });
});
