// Secrets inside VS Code: what other agents get of them.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { poll } from "../../harness/poll";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

/** A key as GitHub writes them, in parts so that no scanner takes this file for a leak. */
const KEY = ["gh", "p_", "Zq7Rf2Kp9Xw4Tb6Ym1Hc8Vd3Ns5LgJuAeGiB"].join("");

describe("secrets, in VS Code", () => {
  afterEach(() => rmSync(inWorkspace("secret.ts")));

  it("are handles in results, which edits take; show_secret needs a person", async () => {
    writeFile("secret.ts", `const key = "${KEY}";\n`);
    const text = await toolText("read", { path: "secret.ts" });
    const handle = /⟦secret GITHUB_TOKEN #[0-9a-f]{6}⟧/.exec(text)?.[0] ?? "";
    assert.notEqual(handle, "", text);
    assert.ok(!text.includes(KEY));
    await toolText("edit", { path: "secret.ts", old_text: `"${handle}"`, new_text: `'${handle}'` });
    assert.equal(readFileSync(inWorkspace("secret.ts"), "utf8"), `const key = '${KEY}';\n`);
    assert.match(await toolText("show_secret", { handle }), /^Error \(denied\): show_secret/);
  });

  it("are in no log of the window, whatever came of a call", async () => {
    writeFile("secret.ts", `const key = "${KEY}";\n`);
    const logged = (): { ours: string; all: string } => {
      const folder = process.env["TOOLHOST_RIG_LOGS"] ?? "";
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
      const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
      const textOf = (each: typeof texts): string => each.map(({ text }) => text).join("\n");
      return { ours: textOf(texts.filter(({ name }) => name.endsWith("Toolhost.log"))), all: textOf(texts) };
    };
    await toolText("exec", { command: "cat secret.ts; exit 3" });
    await toolText("read", { path: `${KEY}.txt` });
    await toolText("message", { to: "window:", content: await toolText("read", { path: "secret.ts" }) });
    await toolText("edit", { path: "secret.ts", old_text: `${KEY}?`, new_text: "x" });
    // Logs are written a little later.
    await poll("the calls in the log", () => /lm edit no_match/.test(logged().ours));
    assert.match(logged().ours, /lm exec ok[^]*lm read not_found[^]*lm message ok/);
    assert.ok(!logged().all.includes(KEY));
  });

  it("are shown if the user's own settings say so, and masked again after that", async () => {
    writeFile("secret.ts", `const key = "${KEY}";\n`);
    await withSettings({ "toolhost.secrets.mask": false }, async () => {
      assert.ok((await toolText("read", { path: "secret.ts" })).includes(KEY));
      assert.ok((await toolText("exec", { command: "cat secret.ts" })).includes(KEY));
    });
    assert.ok(!(await toolText("read", { path: "secret.ts" })).includes(KEY));
    assert.ok(!(await toolText("exec", { command: "cat secret.ts" })).includes(KEY));
  });

  it("are masked whatever the workspace's settings say", async () => {
    writeFile("secret.ts", `const key = "${KEY}";\n`);
    const file = inWorkspace(".vscode/settings.json");
    const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    // A setting next to it shows that the file has been read.
    const isRead = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("editor.rulers")) {
          listener.dispose();
          resolve();
        }
      });
    });
    try {
      writeFile(".vscode/settings.json", '{"toolhost.secrets.mask": false, "editor.rulers": [71]}');
      await isRead;
      assert.ok(!(await toolText("read", { path: "secret.ts" })).includes(KEY));
      assert.ok(!(await toolText("exec", { command: "cat secret.ts" })).includes(KEY));
      await assert.rejects(
        Promise.resolve(
          vscode.workspace
            .getConfiguration()
            .update("toolhost.secrets.mask", false, vscode.ConfigurationTarget.Workspace),
        ),
      );
    } finally {
      if (before === undefined) {
        rmSync(file);
      } else {
        writeFile(".vscode/settings.json", before);
      }
    }
  });
});
