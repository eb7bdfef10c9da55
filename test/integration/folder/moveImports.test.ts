// Imports that follow moved files: in open documents, beside what the user typed, and back again in one step.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { callTool, inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

/** The id of the newest call in the window's journal. */
function lastCall(): number {
  const { stdout } = spawnSync(
    process.execPath,
    ["--no-warnings", cli, "--workspace", workspaceFolder(), "undo", "--list", "--json"],
    { encoding: "utf8" },
  );
  const { turns } = (JSON.parse(stdout) as { data: { turns: { calls: { id: number }[] }[] } }).data;
  return Math.max(...turns.flatMap(({ calls }) => calls.map(({ id }) => id)));
}

async function show(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** A folder for each test: VS Code keeps a document some time after nobody shows it. */
let here = "";
let tests = 0;

function move(from: string, to: string): { patch: string } {
  return { patch: `*** Begin Patch\n*** Update File: ${here}/${from}\n*** Move to: ${here}/${to}\n*** End Patch` };
}

const on = { "toolhost.updateImportsOnMove": true };

describe("imports of moved files in VS Code", () => {
  beforeEach(() => {
    here = `imports/${++tests}`;
    mkdirSync(inWorkspace(here), { recursive: true });
    writeFile(`${here}/src/a.ts`, "import { b } from './b';\nexport const a = b;\n");
    writeFile(`${here}/src/b.ts`, "export const b = 1;\n");
    writeFile(`${here}/src/open.ts`, "import { a } from './a';\nexport const open = a;\n");
    writeFile(`${here}/src/closed.ts`, 'export { a } from "./a.js";\n');
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await document.save();
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  for (const mode of ["default", "ask"]) {
    it(`are updated in the editor and on disk, and saved (mode ${mode})`, async () => {
      const document = await show(`${here}/src/open.ts`);
      await withSettings({ ...on, "toolhost.permissionMode": mode }, async () => {
        assert.equal(
          (await toolText("apply_patch", move("src/a.ts", "lib/a.ts"))).split("\nNew problem")[0],
          `Applied the patch to 1 file:\n- moved ${here}/src/a.ts to ${here}/lib/a.ts: line 1 (+1 −1)\n  Imports updated: line 1.\n` +
            `- updated imports in ${here}/src/closed.ts: line 1\n- updated imports in ${here}/src/open.ts: line 1`,
        );
      });
      assert.equal(document.getText(), "import { a } from '../lib/a';\nexport const open = a;\n");
      assert.equal(document.isDirty, false);
      assert.equal(onDisk(`${here}/src/open.ts`), document.getText());
      assert.equal(onDisk(`${here}/src/closed.ts`), 'export { a } from "../lib/a.js";\n');
      assert.equal(onDisk(`${here}/lib/a.ts`), "import { b } from '../src/b';\nexport const a = b;\n");
      // One step of the editor's own undo takes the import back.
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), "import { a } from './a';\nexport const open = a;\n");
    });
  }

  it("are undone together with the move", async () => {
    const document = await show(`${here}/src/open.ts`);
    await withSettings(on, async () => {
      assert.match(await toolText("apply_patch", move("src/a.ts", "lib/a.ts")), /^Applied/);
    });
    await vscode.commands.executeCommand("toolhost.undoChange", { calls: [lastCall()], ask: false });
    assert.equal(onDisk(`${here}/src/a.ts`), "import { b } from './b';\nexport const a = b;\n");
    assert.equal(onDisk(`${here}/src/closed.ts`), 'export { a } from "./a.js";\n');
    assert.equal(onDisk(`${here}/src/open.ts`), "import { a } from './a';\nexport const open = a;\n");
    assert.equal(existsSync(inWorkspace(`${here}/lib`)), false);
    await poll("the editor to follow", () => document.getText() === onDisk(`${here}/src/open.ts`));
  });

  it("are found and updated in what the user typed, which stays unsaved", async () => {
    writeFile(`${here}/src/typed.ts`, "\n");
    const document = await openUnsaved(vscode.Uri.file(inWorkspace(`${here}/src/typed.ts`)), "import './a';");
    await withSettings(on, async () => {
      assert.match(
        await toolText("apply_patch", move("src/a.ts", "src/c.ts")),
        /- updated imports in \S+\/src\/typed\.ts: line 1\n {2}The file has unsaved changes in the editor/,
      );
    });
    assert.equal(document.getText(), "import './c';\n");
    assert.equal(document.isDirty, true);
    assert.equal(onDisk(`${here}/src/typed.ts`), "\n");
  });

  it("are left in files that the user has marked read-only, and that is said", async () => {
    await withSettings({ ...on, "files.readonlyInclude": { "**/closed.ts": true } }, async () => {
      assert.match(
        await toolText("apply_patch", move("src/a.ts", "lib/a.ts")),
        /\nImports in \S+\/src\/closed\.ts were not updated: \S+closed\.ts: the user has marked it read-only\./,
      );
    });
    assert.equal(onDisk(`${here}/src/closed.ts`), 'export { a } from "./a.js";\n');
    assert.equal(onDisk(`${here}/src/open.ts`), "import { a } from '../lib/a';\nexport const open = a;\n");
  });

  it("stay as they are while the setting is off, and no language server is told of a rename", async () => {
    const told: string[] = [];
    const listeners = [
      vscode.workspace.onWillRenameFiles(({ files }) => void told.push(...files.map(({ oldUri }) => oldUri.path))),
      vscode.workspace.onDidRenameFiles(({ files }) => void told.push(...files.map(({ oldUri }) => oldUri.path))),
    ];
    try {
      await callTool("apply_patch", move("src/a.ts", "src/c.ts"));
      assert.equal(onDisk(`${here}/src/open.ts`), "import { a } from './a';\nexport const open = a;\n");
      await withSettings(on, async () => {
        await callTool("apply_patch", move("src/c.ts", "src/a.ts"));
      });
      // A rename of the user's own is told: ours, made before it, were not.
      const [from, to] = ["x.txt", "y.txt"].map((name) => vscode.Uri.file(inWorkspace(`${here}/${name}`)));
      assert(from && to);
      writeFile(`${here}/x.txt`, "");
      const rename = new vscode.WorkspaceEdit();
      rename.renameFile(from, to);
      await vscode.workspace.applyEdit(rename);
      await poll("the rename to be told", () => told.length === 2);
      assert.deepEqual(told, [from.path, from.path]);
    } finally {
      listeners.forEach((listener) => void listener.dispose());
    }
  });
});
