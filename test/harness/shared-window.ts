// One window for several suites of a test file: to open one costs more than most suites do.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { poll } from "./poll";
import { sampleFixture, startServer, type ServerOptions } from "./server";
import { openWorkbench, type WindowOptions, type Workbench } from "./workbench";

/** A window that shows a copy of the sample. */
interface SampleWindow {
  window: Workbench;
  /** Absolute path of the copy. */
  folder: string;
}

/**
 * Gives the window as a suite wants to find it: opened at the first call, put back into its first state at each one
 * after.
 */
export type FreshWindow = () => Promise<SampleWindow>;

/** A window for the suites of one file, which call what this returns in their `beforeAll`. */
export function shareWindow(server: ServerOptions, options: Omit<WindowOptions, "folder">): FreshWindow {
  let shared: SampleWindow | undefined;
  return async () => {
    if (shared === undefined) {
      const started = await startServer(server);
      const folder = started.temporaryFolder("sample", sampleFixture);
      shared = { folder, window: await openWorkbench(started, { ...options, folder }) };
    } else {
      await putBack(shared);
    }
    return shared;
  };
}

/**
 * What one suite leaves behind is not there for the next: editors, terminals, messages, the conversation, the model's
 * script, changed settings, files. What stays is what a user's window keeps over conversations: Toolhost's sessions and
 * journal.
 */
async function putBack({ window, folder }: SampleWindow): Promise<void> {
  await window.command("workbench.action.closeQuickOpen");
  await closeEditors(window);
  await window.command("workbench.action.terminal.killAll");
  await window.command("workbench.action.closePanel");
  await window.model.script([]);
  await window.chat.newConversation();
  await window.restoreSettings();
  resetSample(folder);
  await poll("the documents to be as on disk", async () => {
    for (const { path, text } of await documents(window, folder)) {
      // VS Code can hold the text of a deleted file for a while.
      if (existsSync(path) && readFileSync(path, "utf8") !== text) throw new Error(`${path} has another text on disk.`);
    }
    return true;
  });
  // Last: what came before may have had something to say.
  await window.command("notifications.clearAll");
  await poll("no message", async () => (await window.notifications()).length === 0);
}

/** Makes the folder's files those of the sample again. */
export function resetSample(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    // A file that is deleted and made again at once can be missing from the Explorer.
    if (!existsSync(join(sampleFixture, name))) rmSync(join(folder, name), { recursive: true, force: true });
  }
  cpSync(sampleFixture, folder, { recursive: true });
}

/** Closes every editor. What was typed and not saved is given up without a question. */
async function closeEditors(window: Workbench): Promise<void> {
  await poll("every editor to close", async () => {
    const tabs = await window.rig.run((vscode) =>
      vscode.window.tabGroups.all.reduce((sum, group) => sum + group.tabs.length, 0),
    );
    if (tabs > 0) await window.command("workbench.action.revertAndCloseActiveEditor");
    return tabs === 0;
  });
}

/** The texts that VS Code holds of the folder's files. */
function documents(window: Workbench, folder: string): Promise<{ path: string; text: string }[]> {
  return window.rig.run(
    (vscode, root) =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === "file" && uri.fsPath.startsWith(`${root}/`))
        .map((document) => ({ path: document.uri.fsPath, text: document.getText() })),
    folder,
  );
}
