import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import * as vscode from "vscode";
import { temporaryFolder } from "../../harness/host";
import { ASKED, callTool, inWorkspace, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("read in VS Code", () => {
  it("gives numbered lines, and the offset to continue with", async () => {
    assert.equal(
      await toolText("read", { path: "src/main.ts", limit: 2 }),
      '1\timport { greet } from "./greet";\n2\t\n[Lines 1-2 of 7. Continue with offset=3.]',
    );
    assert.match(await toolText("read", { path: "src/main.ts", offset: 7 }), /^7\t}\n\[Line 7 of 7: the end\.\]$/);
  });

  it("gives what is on screen", async () => {
    const uri = writeFile("read/dirty.txt", "on disk\n");
    const document = await openUnsaved(uri, "typed ");
    assert.equal(await toolText("read", { path: "read/dirty.txt" }), "1\ttyped on disk");
    await document.save();
    assert.equal(await toolText("read", { path: "read/dirty.txt" }), "1\ttyped on disk");
  });

  it("gives what is on screen through a link to the file", async () => {
    const uri = writeFile("read/target.txt", "on disk\n");
    symlinkSync(uri.fsPath, inWorkspace("read/link.txt"));
    const document = await openUnsaved(uri, "typed ");
    assert.equal(await toolText("read", { path: "read/link.txt" }), "1\ttyped on disk");
    await document.save();
  });

  it("follows a file that changes on disk behind an open, clean editor", async () => {
    const uri = writeFile("read/clean.txt", "first\n");
    await vscode.workspace.openTextDocument(uri);
    writeFile("read/clean.txt", "second\n");
    assert.equal(await toolText("read", { path: "read/clean.txt" }), "1\tsecond");
  });

  it("honours byte order marks and files.encoding", async () => {
    writeFile("read/utf16.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("größer\n", "utf16le")]));
    writeFile("read/bom.txt", "\uFEFFmarked\n");
    writeFile("read/latin.txt", Buffer.from("größer\n", "latin1"));
    assert.equal(await toolText("read", { path: "read/utf16.txt" }), "1\tgrößer");
    assert.equal(await toolText("read", { path: "read/bom.txt" }), "1\tmarked");
    await withSettings({ "files.encoding": "iso88591" }, async () => {
      assert.equal(await toolText("read", { path: "read/latin.txt" }), "1\tgrößer");
    });
  });

  it("pages a file too large to hold whole", async () => {
    const line = `${"x".repeat(99)}\n`;
    writeFile("read/large.txt", line.repeat(120_000));
    assert.equal(
      await toolText("read", { path: "read/large.txt", offset: 120_000 }),
      `120000\t${"x".repeat(99)}\n[Line 120000 of 120000: the end.]`,
    );
  });

  it("gives an image as an image", async () => {
    writeFile("read/dot.png", PNG);
    const { content } = await callTool("read", { path: "read/dot.png" });
    const [text, image] = content;
    assert.ok(text instanceof vscode.LanguageModelTextPart && text.value.startsWith("read/dot.png: image/png"));
    assert.ok(image instanceof vscode.LanguageModelDataPart);
    assert.equal(image.mimeType, "image/png");
    assert.deepEqual(Buffer.from(image.data), PNG);
  });

  const outside = temporaryFolder("outside");
  const refusals: { name: string; input: object; make?: () => void; error: RegExp }[] = [
    {
      name: "a missing file, with the near name",
      input: { path: "src/mian.ts" },
      error: /^Error \(not_found\): src\/mian\.ts: .*\nHint: Did you mean src\/main\.ts\?$/,
    },
    {
      name: "a folder",
      input: { path: "src" },
      error: /^Error \(is_directory\): src is a folder.*\nHint: Call ls with path=src/,
    },
    {
      name: "a binary file",
      input: { path: "read/binary" },
      make: () => writeFile("read/binary", new Uint8Array([1, 0, 2])),
      error: /^Error \(binary\): read\/binary is /,
    },
    {
      name: "a pipe, without opening it",
      input: { path: "read/pipe" },
      make: () => execFileSync("mkfifo", [inWorkspace("read/pipe")]),
      error: /^Error \(unsupported\): read\/pipe is /,
    },
    { name: "a path above", input: { path: "../x" }, error: ASKED },
    { name: "an absolute path outside", input: { path: "/etc/hostname" }, error: ASKED },
    {
      name: "a link that leads out",
      input: { path: "read/out/hostname" },
      make: () => symlinkSync("/etc", inWorkspace("read/out")),
      error: ASKED,
    },
    {
      name: "a file that does not exist yet behind a link that leads out",
      input: { path: "read/out2/new.txt" },
      make: () => symlinkSync(outside, inWorkspace("read/out2")),
      error: ASKED,
    },
    {
      name: "a NUL character",
      input: { path: "a\0b" },
      error: /^Error \(invalid_input\): "a\\u0000b": a path with a NUL/,
    },
    {
      name: "another scheme",
      input: { path: "vscode-userdata:///settings.json" },
      error: /^Error \(invalid_input\): /,
    },
    { name: "no input", input: {}, error: /^Error \(invalid_input\): read: path: required \(string\), got nothing\./ },
    {
      name: "a wrong type",
      input: { path: 5 },
      error: /^Error \(invalid_input\): read: path: expected string, got number 5\./,
    },
  ];
  for (const { name, input, make, error } of refusals) {
    it(`refuses ${name}`, async () => {
      mkdirSync(inWorkspace("read"), { recursive: true });
      make?.();
      assert.match(await toolText("read", input), error);
    });
  }

  it("ends as cancelled when it is cancelled before it starts", async () => {
    const cancellation = new vscode.CancellationTokenSource();
    cancellation.cancel();
    await assert.rejects(callTool("read", { path: "README.md" }, cancellation.token), /Cancel/i);
  });

  it("splits a long answer into parts that Copilot passes whole", async () => {
    writeFile("read/long.txt", `${"words of a line\n".repeat(2_000)}`);
    const { content } = await callTool("read", { path: "read/long.txt" });
    assert.ok(content.length > 1);
    for (const part of content) {
      assert.ok(part instanceof vscode.LanguageModelTextPart && part.value.length <= 8_192);
    }
  });
});
