// The extension host is killed in the middle of a change of several files, open and closed: as when it crashes, or its
// window does.
import type { TextDocument, TextDocumentWillSaveEvent } from "vscode";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { treeOf } from "../system/faults/tree.js";

/** `a` and `b` are open, `typed` is open and holds unsaved text, `closed` is not open, and `new/made` is not there. */
const PATCH = [
  "*** Begin Patch",
  ...["a", "b", "typed", "closed"].flatMap((name) => [`*** Update File: ${name}.txt`, "@@", "-one", "+ONE", " two"]),
  "*** Add File: new/made.txt",
  "+made",
  "*** End Patch",
].join("\n");

/**
 * Before which event of VS Code the host kills itself: nothing is saved, `a` is, or all that is to be saved is and no
 * more than the journal does not say so.
 */
type Moment = { event: "onWillSaveTextDocument" | "onDidSaveTextDocument"; count: number };

describe("a killed extension host", () => {
  let window: Workbench;
  let folder: string;
  let before: Record<string, string>;
  const at = (name: string): string => join(folder, name);

  beforeAll(async () => {
    const server = await startServer({ settings: { "files.autoSave": "off" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
  });

  /** Open documents by name: what they hold, and whether it is not on disk. */
  const documents = (): Promise<Record<string, [string, boolean]>> =>
    window.rig.run((vscode) =>
      Object.fromEntries(
        vscode.workspace.textDocuments.flatMap((document) =>
          document.fileName.endsWith(".txt")
            ? [[document.fileName.replace(/.*[\\/]/, ""), [document.getText(), document.isDirty]]]
            : [],
        ),
      ),
    );

  const OPEN = {
    "a.txt": ["one\ntwo\n", false],
    "b.txt": ["one\ntwo\n", false],
    "typed.txt": ["one\ntwo\ntyped\n", true],
  };

  beforeAll(async () => {
    for (const name of ["a", "b", "typed", "closed"]) {
      writeFileSync(at(`${name}.txt`), "one\ntwo\n");
    }
    before = await treeOf(folder);
    for (const name of ["a", "b", "typed"]) {
      await window.openFile(at(`${name}.txt`));
    }
    await window.rig.run(async (vscode) => {
      const edit = new vscode.WorkspaceEdit();
      vscode.workspace.textDocuments
        .filter(({ fileName }) => fileName.endsWith("typed.txt"))
        .forEach(({ uri }) => edit.insert(uri, new vscode.Position(2, 0), "typed\n"));
      await vscode.workspace.applyEdit(edit);
    });
    await expectAsBefore();
  });

  async function expectAsBefore(open: object = OPEN): Promise<void> {
    await poll("the files to be as before", async () => isDeepStrictEqual(await treeOf(folder), before)).catch(
      async () => expect(await treeOf(folder)).toEqual(before),
    );
    // VS Code reads again what changed on disk when it hears of it.
    await poll("the documents to be as before", async () => isDeepStrictEqual(await documents(), open)).catch(
      async () => expect(await documents()).toEqual(open),
    );
  }

  /** Gives the dead process, and a copy of the folder as it left it: the next host restores the folder at once. */
  async function killDuringPatch(moment: Moment): Promise<{ died: number; left: string }> {
    // What an earlier one has told.
    await window.command("notifications.clearAll");
    const died = await window.rig.run(() => process.pid);
    const left = join(mkdtempSync(join(tmpdir(), "killed-host-")), "left");
    const call = window.rig.run(
      (vscode, { patch, event, count, from, to }) => {
        let seen = 0;
        vscode.workspace[event]((saved: TextDocument | TextDocumentWillSaveEvent) => {
          // VS Code may save its own settings at any time.
          const { fileName } = "document" in saved ? saved.document : saved;
          if (!fileName.startsWith(from) || ++seen !== count) return;
          process.getBuiltinModule("node:fs").cpSync(from, to, { recursive: true });
          process.kill(process.pid, "SIGKILL");
        });
        return vscode.lm.invokeTool("toolhost_apply_patch", { input: { patch }, toolInvocationToken: undefined });
      },
      { patch: PATCH, ...moment, from: folder, to: left },
    );
    await expect(call).rejects.toThrow("closed its connection");
    return { died, left };
  }

  async function expectMixed(left: string, saved: boolean): Promise<void> {
    expect(await treeOf(left)).toMatchObject({
      "closed.txt": "ONE\ntwo\n",
      "new/made.txt": "made\n",
      "a.txt": saved ? "ONE\ntwo\n" : "one\ntwo\n",
      "typed.txt": "one\ntwo\n",
    });
  }

  async function expectTold(): Promise<void> {
    const { message } = await window.notification("Toolhost ended in the middle of a change");
    expect(message).toContain("which was rolled back: a.txt, b.txt, typed.txt, closed.txt, new/made.txt.");
  }

  it.each<Moment>([
    { event: "onWillSaveTextDocument", count: 1 },
    { event: "onWillSaveTextDocument", count: 2 },
  ])(
    "is followed by one that takes its change back in files and editors, before anybody calls a tool ($event $count)",
    async (moment) => {
      const { died, left } = await killDuringPatch(moment);
      await expectMixed(left, moment.count === 2);
      await window.followHost(died);
      await expectTold();
      await expectAsBefore();
    },
  );

  it("is followed by the next window's", async () => {
    const { left } = await killDuringPatch({ event: "onDidSaveTextDocument", count: 2 });
    await expectMixed(left, true);
    await window.reload();
    await expectTold();
    // Of the others the new window has tabs, and reads them when they are looked at.
    await expectAsBefore({ "typed.txt": OPEN["typed.txt"] });
    // What was taken back can be made.
    await window.rig.run(
      (vscode, patch) =>
        vscode.lm
          .invokeTool("toolhost_apply_patch", { input: { patch }, toolInvocationToken: undefined })
          .then(() => undefined),
      PATCH,
    );
    expect(await treeOf(folder)).toEqual({
      ...before,
      ...Object.fromEntries(["a", "b", "closed"].map((name) => [`${name}.txt`, "ONE\ntwo\n"])),
      "new/": "folder",
      "new/made.txt": "made\n",
    });
    expect((await documents())["typed.txt"]).toEqual(["ONE\ntwo\ntyped\n", true]);
  });
});
