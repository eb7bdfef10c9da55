// Toolhost in desktop VS Code, where its download server can be reached.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SetupError } from "./child.mjs";
import { cache, repository } from "./paths.mjs";
import { build } from "./stages.mjs";

/**
 * Downloads desktop VS Code once (TOOLHOST_DESKTOP_VERSION, default the newest stable).
 * @returns {Promise<string>} its executable
 * @throws {SetupError} where it cannot be downloaded or shown
 */
export async function ensureDesktop() {
  const { downloadAndUnzipVSCode, SilentReporter } = await import("@vscode/test-electron");
  let executable;
  try {
    executable = await downloadAndUnzipVSCode({
      version: process.env.TOOLHOST_DESKTOP_VERSION ?? "stable",
      cachePath: join(cache, "desktop"),
      extensionDevelopmentPath: repository,
      reporter: new SilentReporter(),
    });
  } catch (error) {
    throw new SetupError(
      `Desktop VS Code could not be downloaded (${error instanceof Error ? error.message : String(error)}): this command needs network access to VS Code's download server, beyond the npm registry. \`npm start\` and \`npm test\` do without.`,
    );
  }
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new SetupError(
      "Desktop VS Code needs a display: run this under a desktop session, or `xvfb-run -a npm run desktop`.",
    );
  }
  return executable;
}

/**
 * Opens the sample in desktop VS Code and waits until its window is closed. @returns {Promise<number>} the exit code
 */
export async function desktop() {
  if ((await build()).failed > 0) throw new SetupError("The build failed, see above.");
  const executable = await ensureDesktop();
  const base = mkdtempSync(join(tmpdir(), "toolhost-desktop-"));
  try {
    const folder = join(base, "sample");
    cpSync(join(repository, "test", "fixtures", "sample"), folder, { recursive: true });
    const args = [
      folder,
      `--extensionDevelopmentPath=${repository}`,
      `--user-data-dir=${join(cache, "desktop-data")}`,
      "--disable-workspace-trust",
      "--wait",
    ];
    const child = spawn(executable, process.getuid?.() === 0 ? [...args, "--no-sandbox"] : args, { stdio: "inherit" });
    return await new Promise((resolve) => {
      child.once("error", () => resolve(1));
      child.once("close", (code) => resolve(code ?? 1));
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
