// What lies on disks besides files and folders, and what happens to them meanwhile.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { inWorkspace, toolText, writeFile } from "../tool";

const MB = 1_000_000;
/** Longest a tool may be with what must not be opened: an open pipe would wait forever. */
const PROMPT_MS = 5_000;

/** Fails when the work waits for something that never comes. */
async function promptly<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing after ${PROMPT_MS} ms`)), PROMPT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

describe("odd files in VS Code", () => {
  for (const [kind, make] of [
    ["pipe", (path: string) => execFileSync("mkfifo", [path])],
    // Making a device is root's alone; the command line's tests have one to look at for everybody.
    ...(process.getuid?.() === 0
      ? ([["device", (path: string) => execFileSync("mknod", [path, "c", "1", "5"])]] as const)
      : []),
  ] as const) {
    it(`a ${kind} is named and never opened`, async () => {
      const folder = `odd/${kind}`;
      mkdirSync(inWorkspace(folder), { recursive: true });
      make(inWorkspace(`${folder}/node`));
      try {
        assert.match(
          await promptly(toolText("read", { path: `${folder}/node` })),
          /^Error \(unsupported\): .*is a pipe, socket or device/,
        );
        assert.match(
          await promptly(toolText("edit", { path: `${folder}/node`, old_text: "a", new_text: "b" })),
          /^Error \(unsupported\)/,
        );
        assert.match(
          await promptly(toolText("grep", { pattern: "x", path: `${folder}/node` })),
          /^Error \(unsupported\)/,
        );
        assert.match(await promptly(toolText("grep", { pattern: "x", path: folder })), /^\[No match\.\]/);
        assert.equal(await promptly(toolText("ls", { path: folder })), "node  (not a file)");
      } finally {
        rmSync(inWorkspace(folder), { recursive: true });
      }
    });
  }

  it("links in a circle end", async () => {
    mkdirSync(inWorkspace("odd/circle/in"), { recursive: true });
    symlinkSync("..", inWorkspace("odd/circle/in/up"));
    symlinkSync("b", inWorkspace("odd/circle/a"));
    symlinkSync("a", inWorkspace("odd/circle/b"));
    writeFile("odd/circle/in/real.txt", "needle-in-circle\n");
    assert.match(
      await promptly(toolText("ls", { path: "odd/circle", depth: 5 })),
      /^a {2}\(link, broken.*\nb {2}\(link, broken.*\nin\/\n {2}real\.txt {2}\(17 bytes\)\n {2}up\/ {2}\(link\)$/,
    );
    assert.equal(
      await promptly(toolText("grep", { pattern: "needle-in-circle", path: "odd/circle" })),
      "odd/circle/in/real.txt\n  1: needle-in-circle\n[1 match in 1 file.]",
    );
    assert.match(await promptly(toolText("read", { path: "odd/circle/a" })), /^Error \(io_error\): .*circle/);
    assert.match(await promptly(toolText("read", { path: "odd/circle/in/up/in/up/in/real.txt" })), /needle-in-circle/);
  });

  it("a file that a folder takes the place of", async () => {
    const uri = writeFile("odd/replaced.txt", "was a file\n");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    rmSync(uri.fsPath);
    mkdirSync(uri.fsPath);
    assert.match(await toolText("read", { path: "odd/replaced.txt" }), /^Error \(is_directory\)/);
    assert.match(
      await toolText("edit", { path: "odd/replaced.txt", old_text: "was", new_text: "is" }),
      /^Error \(is_directory\)/,
    );
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("a folder that is removed while it is searched", async () => {
    for (let index = 0; index < 400; index++) {
      writeFile(`odd/removed/${index}/f.txt`, "needle-removed\n".repeat(200));
    }
    const searching = toolText("grep", {
      pattern: "needle-removed",
      path: "odd/removed",
      output: "count",
      max_results: 1,
    });
    rmSync(inWorkspace("odd/removed"), { recursive: true });
    const answer = await promptly(searching);
    assert.match(answer, /^\[No match\.\]|^\[Files|\[Files|\[\d+ match|^Error \(not_found\)/);
  });

  it("a file of 1 GB is paged in less than 50 MB of memory", async function () {
    this.timeout(60_000);
    const path = inWorkspace("odd/huge.txt");
    const line = `${"x".repeat(99)}\n`;
    writeFileSync(path, "");
    for (let block = 0; block < 40; block++) {
      appendFileSync(path, line.repeat(10_000));
    }
    // Sparse: the rest takes no room on the disk.
    truncateSync(path, 1_000 * MB);
    await toolText("read", { path: "odd/huge.txt", limit: 1 });
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    try {
      assert.match(
        await toolText("read", { path: "odd/huge.txt" }),
        /\[Lines 1-\d+ of a very long file\. Continue with offset=\d+\.\]$/,
      );
      assert.match(
        await toolText("read", { path: "odd/huge.txt", offset: 399_999, limit: 1 }),
        /^399999\tx{99}\n\[Line 399999 of a very long file\. Continue with offset=400000\.\]$/,
      );
    } finally {
      clearInterval(sampling);
      rmSync(path);
    }
    assert.ok(peak - before < 50 * MB, `${Math.round((peak - before) / MB)} MB`);
  });
});
