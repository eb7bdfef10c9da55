// Taking changes back inside VS Code: on disk, in open documents, beside what the user typed, and back again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { inWorkspace, onDisk, retype, toolText, writeFile } from "../tool";

interface Told {
  key: { session: string; turn: string } | undefined;
  headline: string;
  steps: { path: string; from?: string; did: string; merged: boolean }[];
  remarks: string[];
}

interface ListedTurn {
  session: string;
  turn: string;
  undone: string;
  is_undo: boolean;
  calls: { id: number; tool: string; undone: string }[];
}

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

/** The command line in the window's folder, another process on the same journal. */
function commandLine(...words: string[]): { ok: boolean; data?: unknown; error?: { type: string; message: string } } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", cli, "--workspace", workspaceFolder(), "undo", ...words, "--json"],
    { encoding: "utf8" },
  );
  assert.equal(stderr, "");
  return JSON.parse(stdout) as ReturnType<typeof commandLine>;
}

const turns = (): ListedTurn[] => (commandLine("--list").data as { turns: ListedTurn[] }).turns;

/** The id of the newest call that was not an undo. */
function lastCall(): number {
  const id = turns()
    .flatMap(({ calls }) => calls.filter(({ tool }) => tool !== "undo").map((call) => call.id))
    .sort((a, b) => b - a)[0];
  return id ?? assert.fail("no call is in the journal");
}

const undo = (...calls: number[]): Thenable<Told> =>
  vscode.commands.executeCommand("toolhost.undoChange", { calls, ask: false });
const bringBack = ({ key }: Told): Thenable<Told> =>
  vscode.commands.executeCommand("toolhost.bringBack", { ...key, ask: false });

async function edit(path: string, old_text: string, new_text: string): Promise<number> {
  assert.match(await toolText("edit", { path, old_text, new_text }), /^Edited /);
  return lastCall();
}

async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  // One that an earlier test left open still reads the file anew, and would take back what is typed meanwhile.
  await poll("the file to be read", () => document.isDirty || document.getText() === readFileSync(uri.fsPath, "utf8"));
  return document;
}

const LINES = "one\ntwo\nthree\nfour\nfive\n";

describe("undo in VS Code", () => {
  beforeEach(() => mkdirSync(inWorkspace("undo"), { recursive: true }));
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace("undo"), { recursive: true, force: true });
  });

  it("restores a file, and brings the change back, and undoes it again", async () => {
    writeFile("undo/a.txt", LINES);
    const told = await undo(await edit("undo/a.txt", "two", "TWO"));
    assert.equal(onDisk("undo/a.txt"), LINES);
    assert.equal(told.headline, "Undid 1 change in 1 file.");
    assert.deepEqual(told.steps, [{ path: "undo/a.txt", did: "restored", merged: false }]);
    const back = await bringBack(told);
    assert.equal(onDisk("undo/a.txt"), LINES.replace("two", "TWO"));
    assert.equal(back.headline, "Redid 1 change in 1 file.");
    await bringBack(back);
    assert.equal(onDisk("undo/a.txt"), LINES);
  });

  it("keeps the bytes of what it restores: CRLF, byte order mark, no final newline", async () => {
    const before = Buffer.from("\uFEFFone\r\ntwo");
    writeFile("undo/a.txt", before);
    await undo(await edit("undo/a.txt", "two", "TWO"));
    assert.deepEqual(readFileSync(inWorkspace("undo/a.txt")), before);
  });

  it("restores a clean open document in the editor and on disk", async () => {
    const document = await show(writeFile("undo/a.txt", LINES));
    const id = await edit("undo/a.txt", "two", "TWO");
    assert.equal(document.getText(), LINES.replace("two", "TWO"));
    await undo(id);
    assert.equal(document.getText(), LINES);
    assert.equal(document.isDirty, false);
    assert.equal(onDisk("undo/a.txt"), LINES);
  });

  it("takes its change out of a dirty document and leaves what the user typed there, unsaved", async () => {
    const document = await show(writeFile("undo/a.txt", LINES));
    const id = await edit("undo/a.txt", "two", "TWO");
    await retype(document, LINES.replace("two", "TWO").replace("five", "five, typed"));
    const told = await undo(id);
    assert.equal(document.getText(), LINES.replace("five", "five, typed"));
    assert.equal(document.isDirty, true);
    assert.deepEqual(told.steps, [{ path: "undo/a.txt", did: "restored", merged: true }]);
    assert.deepEqual(told.remarks, [
      "Later changes in undo/a.txt were kept.",
      "undo/a.txt held unsaved text and is not saved.",
    ]);
    const back = await bringBack(told);
    assert.equal(document.getText(), LINES.replace("two", "TWO").replace("five", "five, typed"));
    assert.deepEqual(
      back.steps.map(({ did }) => did),
      ["restored"],
    );
  });

  it("undoes an edit made in text the user had not saved", async () => {
    const document = await show(writeFile("undo/a.txt", LINES));
    await retype(document, `${LINES}typed\n`);
    await undo(await edit("undo/a.txt", "two", "TWO"));
    assert.equal(document.getText(), `${LINES}typed\n`);
    assert.equal(document.isDirty, true);
    assert.equal(onDisk("undo/a.txt"), LINES);
  });

  it("keeps what was changed elsewhere in the file on disk since", async () => {
    writeFile("undo/a.txt", LINES);
    const id = await edit("undo/a.txt", "two", "TWO");
    writeFile("undo/a.txt", LINES.replace("two", "TWO").replace("five", "5"));
    const { steps } = await undo(id);
    assert.equal(onDisk("undo/a.txt"), LINES.replace("five", "5"));
    assert.deepEqual(steps, [{ path: "undo/a.txt", did: "restored", merged: true }]);
  });

  it("changes nothing in any file when one has been changed since in the same lines", async () => {
    writeFile("undo/a.txt", LINES);
    const document = await show(writeFile("undo/b.txt", LINES));
    await toolText("apply_patch", {
      patch:
        "*** Begin Patch\n*** Update File: undo/a.txt\n@@\n-two\n+TWO\n*** Update File: undo/b.txt\n@@\n-three\n+THREE\n*** End Patch\n",
    });
    const id = lastCall();
    await retype(document, LINES.replace("three", "my own three"));
    await assert.rejects(
      Promise.resolve(undo(id)),
      /Nothing was undone\. undo\/b\.txt has been changed since in the same lines \(line 3\)\./,
    );
    assert.equal(onDisk("undo/a.txt"), LINES.replace("two", "TWO"));
    assert.equal(document.getText(), LINES.replace("three", "my own three"));
    assert.equal(turns()[0]?.calls.find((call) => call.id === id)?.undone, "no");
  });

  it("undoes a patch of several files: new, deleted, moved and changed ones", async () => {
    writeFile("undo/changed.txt", LINES);
    writeFile("undo/gone.txt", "kept in the journal\n");
    const moved = await show(writeFile("undo/moved.txt", LINES));
    const patch = [
      "*** Begin Patch",
      "*** Add File: undo/new/deep/made.txt",
      "+made",
      "*** Update File: undo/changed.txt",
      "@@",
      "-two",
      "+TWO",
      "*** Delete File: undo/gone.txt",
      "*** Update File: undo/moved.txt",
      "*** Move to: undo/elsewhere.txt",
      "@@",
      "-four",
      "+FOUR",
      "*** End Patch",
    ].join("\n");
    assert.doesNotMatch(await toolText("apply_patch", { patch }), /^Error/);
    const after = (): Record<string, boolean> =>
      Object.fromEntries(
        ["new/deep/made.txt", "new", "gone.txt", "moved.txt", "elsewhere.txt"].map((path) => [
          path,
          existsSync(inWorkspace(`undo/${path}`)),
        ]),
      );
    assert.deepEqual(after(), {
      "new/deep/made.txt": true,
      new: true,
      "gone.txt": false,
      "moved.txt": false,
      "elsewhere.txt": true,
    });
    const told = await undo(lastCall());
    assert.deepEqual(after(), {
      "new/deep/made.txt": false,
      new: false,
      "gone.txt": true,
      "moved.txt": true,
      "elsewhere.txt": false,
    });
    assert.equal(onDisk("undo/changed.txt"), LINES);
    assert.equal(onDisk("undo/gone.txt"), "kept in the journal\n");
    assert.equal(onDisk("undo/moved.txt"), LINES);
    assert.equal(told.headline, "Undid 4 changes in 4 files.");
    assert.deepEqual(
      [...told.steps].sort((a, b) => a.path.localeCompare(b.path)),
      [
        { path: "undo/changed.txt", did: "restored", merged: false },
        { path: "undo/gone.txt", did: "brought_back", merged: false },
        { path: "undo/moved.txt", from: "undo/elsewhere.txt", did: "moved", merged: false },
        { path: "undo/new/deep/made.txt", did: "deleted", merged: false },
      ],
    );
    await poll("the moved file's tab", () =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === moved.uri.toString()),
      ),
    );
    const back = await bringBack(told);
    assert.equal(back.headline, "Redid 4 changes in 4 files.");
    assert.deepEqual(after(), {
      "new/deep/made.txt": true,
      new: true,
      "gone.txt": false,
      "moved.txt": false,
      "elsewhere.txt": true,
    });
    assert.equal(onDisk("undo/elsewhere.txt"), LINES.replace("four", "FOUR"));
  });

  it("undoes several calls at once, the newest first", async () => {
    writeFile("undo/a.txt", LINES);
    const ids = [
      await edit("undo/a.txt", "two", "2"),
      await edit("undo/a.txt", "2", "zwei"),
      await edit("undo/a.txt", "five", "5"),
    ];
    const { headline } = await undo(...ids);
    assert.equal(headline, "Undid 3 changes in 1 file.");
    assert.equal(onDisk("undo/a.txt"), LINES);
  });

  it("says of what is undone already how to bring it back, and of an id that is not there", async () => {
    writeFile("undo/a.txt", LINES);
    const id = await edit("undo/a.txt", "two", "TWO");
    await undo(id);
    await assert.rejects(Promise.resolve(undo(id)), /Nothing to undo: it was undone already/);
    await assert.rejects(Promise.resolve(undo(999_999)), /999999: no such call in the undo journal/);
  });

  it("shares the journal with the command line", async () => {
    writeFile("undo/a.txt", LINES);
    const id = await edit("undo/a.txt", "two", "TWO");
    const answer = commandLine("--id", String(id));
    assert.equal(answer.ok, true);
    assert.equal(onDisk("undo/a.txt"), LINES);
    const { id: undoing } = answer.data as { id: number };
    assert.equal((await undo(undoing)).headline, "Redid 1 change in 1 file.");
    assert.equal(onDisk("undo/a.txt"), LINES.replace("two", "TWO"));
  });

  it("undoes the last turn of any door", async () => {
    writeFile("undo/a.txt", LINES);
    const { status } = spawnSync(process.execPath, [
      "--no-warnings",
      cli,
      "--workspace",
      workspaceFolder(),
      "edit",
      "undo/a.txt",
      "--old-text",
      "two",
      "--new-text",
      "TWO",
    ]);
    assert.equal(status, 0);
    const told = await vscode.commands.executeCommand<Told>("toolhost.undoLastTurn", { ask: false });
    assert.deepEqual(told.steps, [{ path: "undo/a.txt", did: "restored", merged: false }]);
    assert.equal(onDisk("undo/a.txt"), LINES);
  });

  it("shows a turn's changes in the multi-file diff editor, what stood before beside what was left", async () => {
    writeFile("undo/changed.txt", LINES);
    writeFile("undo/gone.txt", "gone\n");
    writeFile("undo/bytes.bin", Uint8Array.from([0, 255, 1, 254]));
    const run = spawnSync(
      process.execPath,
      ["--no-warnings", cli, "--workspace", workspaceFolder(), "run", "apply_patch", "--input", "-"],
      {
        encoding: "utf8",
        input: JSON.stringify({
          patch:
            "*** Begin Patch\n*** Update File: undo/changed.txt\n@@\n-two\n+TWO\n*** Delete File: undo/gone.txt\n*** Delete File: undo/bytes.bin\n*** Add File: undo/made [1].txt\n+made\n*** End Patch\n",
        }),
      },
    );
    assert.equal(run.status, 0, run.stderr);
    const [turn] = turns();
    // What is there now is not what is shown.
    writeFile("undo/changed.txt", "something else\n");
    await vscode.commands.executeCommand("toolhost.reviewChanges", turn);
    const shown = await poll("the texts of the review", async () => {
      const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "toolhost-change");
      return documents.length === 5 ? documents : undefined;
    });
    const texts = Object.fromEntries(
      shown.map((document) => [`${document.uri.path} ${document.uri.query.split("&")[0] ?? ""}`, document.getText()]),
    );
    assert.deepEqual(texts, {
      "/undo/changed.txt before": LINES,
      "/undo/changed.txt after": LINES.replace("two", "TWO"),
      "/undo/gone.txt before": "gone\n",
      "/undo/bytes.bin before": "4 bytes, not text. An undo restores them exactly.",
      "/undo/made [1].txt after": "made\n",
    });
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.equal(tab?.label.startsWith("Changes: command line, "), true, tab?.label);
  });

  it("reports no problem in what a review shows, whether it is open or closed", async function () {
    this.timeout(60_000); // The languages' services have to start.
    const broken = {
      "undo/broken.js": "const = 1;\n",
      "undo/broken.json": '{"a": 1,,}\n',
      "undo/broken.ts": "let : string;\n",
      "undo/broken.css": "a { color: }}\n",
    };
    const problems = (): string[] =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([{ scheme, path }, found]) =>
          found.length > 0 ? [`${scheme} ${path.split("/").at(-1) ?? ""}`] : [],
        );
    for (const [path, text] of Object.entries(broken)) {
      writeFile(path, text);
    }
    const patch = Object.entries(broken).map(
      ([path, text]) => `*** Update File: ${path}\n@@\n-${text}+${text.trim()} \n`,
    );
    const run = spawnSync(
      process.execPath,
      ["--no-warnings", cli, "--workspace", workspaceFolder(), "run", "apply_patch", "--input", "-"],
      {
        encoding: "utf8",
        input: JSON.stringify({ patch: `*** Begin Patch\n${patch.join("")}*** End Patch\n` }),
      },
    );
    assert.equal(run.status, 0, run.stderr);
    await vscode.commands.executeCommand("toolhost.reviewChanges", turns()[0]);
    await poll("the texts of the review", () => {
      const shown = vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === "toolhost-change")
        .map(({ uri }) => uri.path);
      return Object.keys(broken).every((path) => shown.filter((each) => each === `/${path}`).length === 2);
    });
    // Each language's service has had them when it reports the problems of the files themselves.
    for (const path of Object.keys(broken)) {
      await show(vscode.Uri.file(inWorkspace(path)));
    }
    await poll("the problems of the files", () =>
      Object.keys(broken).every((path) => problems().includes(`file ${path.slice(5)}`)),
    );
    const ours = (): string[] => problems().filter((found) => found.startsWith("toolhost"));
    assert.deepEqual(ours(), []);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    assert.deepEqual(ours(), []);
  });
});
