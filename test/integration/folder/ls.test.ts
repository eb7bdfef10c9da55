import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { inWorkspace, toolText, writeFile } from "../tool";

describe("ls in VS Code", () => {
  it("lists folders, files with sizes, and links for what they are", async () => {
    writeFile("ls/a.txt", "12345");
    writeFile("ls/sub/deep.txt", "1");
    mkdirSync(inWorkspace("ls/empty"), { recursive: true });
    symlinkSync(inWorkspace("ls/a.txt"), inWorkspace("ls/inside"));
    symlinkSync("/etc/hostname", inWorkspace("ls/outside"));
    symlinkSync(inWorkspace("ls/nowhere"), inWorkspace("ls/broken"));
    assert.equal(
      await toolText("ls", { path: "ls", depth: 2 }),
      [
        "a.txt  (5 bytes)",
        "broken  (link, broken or leading outside)",
        "empty/",
        "inside  (link, 5 bytes)",
        "outside  (link, broken or leading outside)",
        "sub/",
        "  deep.txt  (1 byte)",
      ].join("\n"),
    );
  });

  it("answers an empty folder, a file and a missing folder", async () => {
    mkdirSync(inWorkspace("ls/empty"), { recursive: true });
    assert.equal(await toolText("ls", { path: "ls/empty" }), "[ls/empty is empty.]");
    assert.match(await toolText("ls", { path: "README.md" }), /^README\.md {2}\(\d+ bytes\)\n\[README\.md is a file/);
    assert.match(await toolText("ls", { path: "doc" }), /^Error \(not_found\): .*\nHint: Did you mean docs/);
  });
});
