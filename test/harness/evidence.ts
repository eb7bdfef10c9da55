// What a failed test leaves behind: everything a person needs to see what happened.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testResults } from "../../scripts/paths.mjs";
import type { Workbench } from "./workbench";

/** A hung extension host must not hold up the report. */
const RIG_TIMEOUT_MS = 5_000;

/**
 * Saves a window's screenshot, page, console, server log, output channels and the scripted model's record.
 * @param name of the failed test
 * @returns the folder
 */
export async function saveEvidence(workbench: Workbench, name: string): Promise<string> {
  const folder = join(testResults, name.replaceAll(/[^\w.-]+/g, "-").slice(0, 120));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const keep = async (file: string, content: () => Promise<string> | string) => {
    try {
      writeFileSync(join(folder, file), await content());
    } catch (error) {
      writeFileSync(join(folder, `${file}.missing`), String(error));
    }
  };
  writeFileSync(join(folder, "server.log"), workbench.server.logs());
  const { console: lines } = workbench;
  writeFileSync(join(folder, "console.log"), lines.join("\n"));
  writeFileSync(join(folder, "extension-host.log"), lines.filter((line) => line.includes("[Extension Host]")).join("\n"));
  await keep("page.html", () => workbench.page.content());
  await keep("model.json", async () => JSON.stringify(await within(workbench.model.requests({ all: true })), undefined, 2));
  try {
    await workbench.page.screenshot({ path: join(folder, "screenshot.png") });
  } catch (error) {
    writeFileSync(join(folder, "screenshot.png.missing"), String(error));
  }
  // Last, because it shows the output panel.
  await keep("toolhost-output.log", () => within(outputOf(workbench, "toolhost")));
  return folder;
}

/** The text of the output channels whose extension's id contains `extension`, read through the output view (this server writes no log files). */
async function outputOf(workbench: Workbench, extension: string): Promise<string> {
  return workbench.rig.run(
    async (vscode, id) => {
      const texts: string[] = [];
      const prefix = "workbench.action.output.show.";
      for (const command of await vscode.commands.getCommands()) {
        if (!command.startsWith(prefix) || !command.includes(id)) continue;
        await vscode.commands.executeCommand(command);
        const deadline = Date.now() + 2000;
        const shown = () => vscode.window.visibleTextEditors.find((editor) => editor.document.uri.scheme === "output" && editor.document.uri.path.includes(id));
        while (!shown()?.document.getText() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
        texts.push(`${command.slice(prefix.length)}\n${shown()?.document.getText() ?? "(not shown)"}`);
      }
      return texts.join("\n\n");
    },
    extension,
  );
}

function within<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no answer within ${RIG_TIMEOUT_MS} ms`)), RIG_TIMEOUT_MS).unref()),
  ]);
}
