// What the system does not permit. The harness takes root's right to everything away from this host, where the tests
// run as root.
import assert from "node:assert/strict";
import { chmodSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { inWorkspace, onDisk, toolText, writeFile } from "../tool";

describe("what the system does not permit, in VS Code", () => {
  before(() => {
    chmodSync(writeFile("closed/probe.txt", "").fsPath, 0);
    assert.throws(
      () => readFileSync(inWorkspace("closed/probe.txt")),
      /EACCES/,
      "no permission stops this host: as root, install setpriv (util-linux)",
    );
    rmSync(inWorkspace("closed"), { recursive: true });
  });
  beforeEach(() => {
    writeFile("closed/folder/x.txt", "behind\n");
    writeFile("closed/file.txt", "in a file\n");
    writeFile("closed/open.txt", "open\n");
  });
  afterEach(() => {
    chmodSync(inWorkspace("closed/folder"), 0o755);
    rmSync(inWorkspace("closed"), { recursive: true });
  });

  const refused = /^Error \(io_error\): \S+: the system does not permit it\.\nHint: Check the permissions/;
  const closedFolder =
    /^Error \(io_error\): The folder to search may not be opened: the system does not permit it\.\nHint: Check the permissions/;
  const cases: { name: string; tool: string; input: object; path: string; mode: number; answer: RegExp | string }[] = [
    {
      name: "read a file",
      tool: "read",
      input: { path: "closed/file.txt" },
      path: "file.txt",
      mode: 0,
      answer: refused,
    },
    {
      name: "read a file of a folder",
      tool: "read",
      input: { path: "closed/folder/x.txt" },
      path: "folder",
      mode: 0,
      answer: refused,
    },
    { name: "ls a folder", tool: "ls", input: { path: "closed/folder" }, path: "folder", mode: 0, answer: refused },
    {
      name: "ls the folder above, which shows the rest",
      tool: "ls",
      input: { path: "closed", depth: 2 },
      path: "folder",
      mode: 0,
      answer: "file.txt  (10 bytes)\nfolder/  (cannot be read)\nopen.txt  (5 bytes)",
    },
    {
      name: "ls names in a folder whose files cannot be looked at",
      tool: "ls",
      input: { path: "closed/folder" },
      path: "folder",
      mode: 0o444,
      answer: "x.txt",
    },
    {
      name: "grep a file",
      tool: "grep",
      input: { pattern: "in", path: "closed/file.txt" },
      path: "file.txt",
      mode: 0,
      answer: /^\[No match\.\]\n\[Not searched: closed\/file\.txt: .*\]$/,
    },
    {
      name: "grep a folder",
      tool: "grep",
      input: { pattern: "in", path: "closed/folder" },
      path: "folder",
      mode: 0,
      answer: closedFolder,
    },
    {
      name: "grep the folder above, which searches the rest",
      tool: "grep",
      input: { pattern: "n", path: "closed", output: "files" },
      path: "folder",
      mode: 0,
      answer:
        /^closed\/file\.txt\nclosed\/open\.txt\n\[2 matches in 2 files\.\]\n\[Not searched: closed\/folder: .*\]$/,
    },
    {
      name: "glob a folder",
      tool: "glob",
      input: { pattern: "*", path: "closed/folder" },
      path: "folder",
      mode: 0,
      answer: closedFolder,
    },
    {
      name: "glob the folder above, which finds the rest",
      tool: "glob",
      input: { pattern: "*", path: "closed" },
      path: "folder",
      mode: 0,
      answer: /^closed\/file\.txt\nclosed\/open\.txt\n\[2 files\.\]\n\[Not searched: closed\/folder: .*\]$/,
    },
    {
      name: "edit a file that can be read",
      tool: "edit",
      input: { path: "closed/file.txt", old_text: "file", new_text: "x" },
      path: "file.txt",
      mode: 0o444,
      answer: refused,
    },
    {
      name: "write a file that can be read",
      tool: "write",
      input: { path: "closed/file.txt", content: "x" },
      path: "file.txt",
      mode: 0o444,
      answer: refused,
    },
    {
      name: "write a file that cannot",
      tool: "write",
      input: { path: "closed/file.txt", content: "x" },
      path: "file.txt",
      mode: 0,
      answer: refused,
    },
    {
      name: "write a new file in a folder",
      tool: "write",
      input: { path: "closed/folder/new.txt", content: "x" },
      path: "folder",
      mode: 0o555,
      answer: refused,
    },
    {
      name: "write a new file far below a folder",
      tool: "write",
      input: { path: "closed/folder/a/b/new.txt", content: "x" },
      path: "folder",
      mode: 0o555,
      answer: refused,
    },
  ];
  for (const { name, tool, input, path, mode, answer } of cases) {
    it(`is told: ${name}`, async () => {
      chmodSync(inWorkspace(`closed/${path}`), mode);
      const text = await toolText(tool, input);
      chmodSync(inWorkspace(`closed/${path}`), 0o755);
      if (typeof answer === "string") {
        assert.equal(text, answer);
      } else {
        assert.match(text, answer);
      }
      assert.equal(onDisk("closed/file.txt"), "in a file\n");
      assert.deepEqual(readdirSync(inWorkspace("closed"), { recursive: true }).sort(), [
        "file.txt",
        "folder",
        "folder/x.txt",
        "open.txt",
      ]);
    });
  }
});
