// Tasks at work in VS Code while somebody types in their files: what is on disk is right, and nothing typed is lost.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { OpenAiServer, type ServerStep } from "../../harness/openai-server";
import { inWorkspace, onDisk, writeFile } from "../tool";

const TASK = "---\ntitle: A\npriority: high\nstatus: pending\nblocked_by: []\n---\nDo it.\n";
const complete: ServerStep = { calls: [{ id: "1", name: "complete_task", arguments: { summary: "Done." } }] };

describe("a task whose file is open in VS Code", () => {
  let server: OpenAiServer;
  let document: vscode.TextDocument;
  let path = "";
  let tests = 0;
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration();
  const setUser = (name: string, value: unknown): Thenable<void> =>
    configuration().update(name, value, vscode.ConfigurationTarget.Global);
  const asked = (): number => server.chats().length;
  const isInEditor = (): Promise<true> =>
    poll("the editor to have what is on disk, saved", () => document.getText() === onDisk(path) && !document.isDirty);

  before(async () => {
    server = await OpenAiServer.start({ models: ["small"] });
    await setUser("files.autoSave", "off");
    await setUser("toolhost.models.servers", { tales: { baseUrl: server.baseUrl, models: ["small"] } });
    await setUser("toolhost.agent.model", "toolhost-servers/tales/small");
  });
  after(async () => {
    for (const name of ["files.autoSave", "toolhost.models.servers", "toolhost.agent.model"]) {
      await setUser(name, undefined);
    }
    await server.stop();
  });
  beforeEach(async () => {
    // VS Code keeps a document for a while that was closed: each test has its own.
    path = `.toolhost/tasks/a${++tests}.md`;
    writeFile(path, TASK);
    document = await vscode.workspace.openTextDocument(inWorkspace(path));
    await vscode.window.showTextDocument(document, { preview: false });
  });
  afterEach(async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    rmSync(inWorkspace(".toolhost/tasks"), { recursive: true });
  });

  /** Puts a text in place of another in the editor, unsaved. */
  async function type(old: string, typed: string): Promise<void> {
    const at = document.getText().indexOf(old);
    assert.ok(at >= 0, document.getText());
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + old.length)), typed);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);
  }

  /** Runs the next task. @returns waits until the run is over, and its notification is closed */
  function runNext(): () => Promise<void> {
    let isOver = false;
    void vscode.commands.executeCommand("toolhost.runNextTask").then(() => (isOver = true));
    return async () => {
      await poll("the run to be over", async () => {
        await vscode.commands.executeCommand("notifications.clearAll");
        return isOver;
      });
    };
  }

  /** Runs the task until its model is asked for the last time, has something done then, and lets it answer. */
  async function whileItRuns(steps: readonly ServerStep[], work: () => Promise<unknown>): Promise<void> {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    server.script(...steps.map((step, index) => (index === steps.length - 1 ? { ...step, until: gate } : step)));
    const over = runNext();
    try {
      await poll("the model to be asked", () => asked() === steps.length);
      assert.match(onDisk(path), /\nstatus: in_progress\n/);
      await work();
    } finally {
      go();
    }
    await over();
  }

  it("is taken and ended in the editor, which has what is on disk", async () => {
    await whileItRuns([complete], isInEditor);
    assert.match(onDisk(path), /\nstatus: complete\n/);
    await isInEditor();
  });

  it("with unsaved text is not taken; it is once that is saved", async () => {
    server.script(complete);
    await type("Do it.", "Do it wel");
    const typed = document.getText();
    await runNext()();
    assert.deepEqual([asked(), onDisk(path), document.getText(), document.isDirty], [0, TASK, typed, true]);
    await type("wel", "well.");
    assert.ok(await document.save());
    await runNext()();
    assert.match(onDisk(path), /\nstatus: complete\n/);
    assert.match(JSON.stringify(server.chats()[0]?.body), /Do it well\./);
  });

  const typings: { name: string; type: () => Promise<void>; has: RegExp }[] = [
    { name: "typed in its text", type: () => type("Do it.", "Do it.\nAnd tell me"), has: /\nDo it\.\nAnd tell me\n$/ },
    {
      name: "typed in its front matter",
      type: () => type("title: A", "title: A better one"),
      has: /^---\ntitle: A better one\n/,
    },
    {
      name: "typed in its front matter, and malformed as yet",
      type: () => type("title: A", "title: ["),
      has: /^---\ntitle: \[\n/,
    },
    {
      name: "typed beside its state, and malformed as yet",
      type: () => type("blocked_by: []", "blocked_by: ["),
      has: /\nblocked_by: \[\n/,
    },
  ];
  const ends: { name: string; steps: ServerStep[] }[] = [
    { name: "by its model", steps: [complete] },
    {
      name: "by the worker, since its model does not say how it stands",
      steps: [{ text: "It is done." }, { text: "It is." }],
    },
  ];
  for (const { name, type: typeIt, has } of typings) {
    for (const { name: by, steps } of ends) {
      it(`is ended ${by}, on disk and in the editor, with what was ${name}; it is not done again`, async () => {
        await whileItRuns(steps, typeIt);
        assert.match(onDisk(path), /\nstatus: complete\n/);
        assert.match(onDisk(path), has);
        await isInEditor();
        assert.equal(onDisk(path).match(/^status:/gm)?.length, 1);
        server.script(complete);
        await runNext()();
        assert.equal(asked(), 0);
      });
    }
  }
});
