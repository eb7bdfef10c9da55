// What a failed test leaves behind: everything a person needs to see what happened.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testResults } from "../../scripts/paths.mjs";
import type { Workbench } from "./workbench";

/** A hung extension host must not hold up the report. */
const RIG_TIMEOUT_MS = 5_000;

/**
 * Saves a window's screenshot, page, console, the scripted model's record, and the server's and VS Code's logs.
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
  writeFileSync(join(folder, "console.log"), workbench.console.join("\n"));
  await keep("page.html", () => workbench.page.content());
  await keep("model.json", async () =>
    JSON.stringify(await within(workbench.model.requests({ all: true })), undefined, 2),
  );
  try {
    await workbench.page.screenshot({ path: join(folder, "screenshot.png") });
  } catch (error) {
    writeFileSync(join(folder, "screenshot.png.missing"), String(error));
  }
  // The window's own log, the extension hosts' and every output channel.
  cpSync(join(workbench.server.dataDir, "data", "logs"), join(folder, "logs"), { recursive: true });
  return folder;
}

function within<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no answer within ${RIG_TIMEOUT_MS} ms`)), RIG_TIMEOUT_MS).unref(),
    ),
  ]);
}
