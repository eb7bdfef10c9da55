// The same in-host suites in desktop VS Code (npm run test:desktop).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { ensureDesktop } from "../../scripts/desktop.mjs";
import { cache, repository } from "../../scripts/paths.mjs";
import { bundleHostTests } from "./host-bundle";
import { windowKinds, type HostContext, type HostResult, type WindowKind } from "./host-context";
import { hostTestFiles, type HostRunOptions } from "./host-runner";
import { prepareWindow } from "./host-windows";
import { buildRig } from "./rig-build";

/** Runs test/integration in each window that has tests. @returns the sums; a crash counts as one failure */
export async function runDesktop(options: HostRunOptions = {}): Promise<HostResult> {
  const total: HostResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const kind of windowKinds) {
    const files = hostTestFiles(kind, options);
    if (files.length === 0) continue;
    const result = await runWindow(kind, files, options.grep);
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
    total.failures.push(...result.failures);
  }
  return total;
}

async function runWindow(kind: WindowKind, files: string[], grep: string | undefined): Promise<HostResult> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-desktop-")));
  mkdirSync(join(cache, "host"), { recursive: true });
  const bundleFolder = mkdtempSync(join(cache, "host", `${kind}-`));
  try {
    const { folders, workspace, address, trust, extensions, env } = prepareWindow(kind, join(base, "window"));
    const context: HostContext = {
      window: kind,
      folders,
      temporary: join(base, "temporary"),
      repository,
      reportFile: join(base, "report.txt"),
      resultFile: join(base, "result.json"),
      ...(grep === undefined ? {} : { grep }),
      timeoutMs: 20_000,
    };
    mkdirSync(context.temporary);
    const bundle = join(bundleFolder, "tests.js");
    await bundleHostTests(files, context, bundle);
    const opened = address === undefined ? (workspace ?? folders[0]) : `--folder-uri=${address}`;
    let crash = "";
    try {
      await runTests({
        vscodeExecutablePath: await ensureDesktop(),
        extensionDevelopmentPath: [repository, await buildRig(join(base, "rig"), true), ...extensions],
        extensionTestsPath: bundle,
        extensionTestsEnv: { ...env, TOOLHOST_RIG_LOGS: join(base, "data", "logs") },
        launchArgs: [
          ...(opened === undefined ? [] : [opened]),
          `--user-data-dir=${join(base, "data")}`,
          `--extensions-dir=${join(base, "extensions")}`,
          ...(trust ? ["--disable-workspace-trust"] : []),
          ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        ],
      });
    } catch (error) {
      // Failed tests end VS Code with a code too: the result says what they were.
      crash = String(error);
    }
    if (existsSync(context.reportFile)) process.stdout.write(readFileSync(context.reportFile, "utf8"));
    if (existsSync(context.resultFile)) return JSON.parse(readFileSync(context.resultFile, "utf8")) as HostResult;
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [{ title: `window "${kind}"`, message: crash || "VS Code ended before its tests were done." }],
    };
  } finally {
    for (const folder of [base, bundleFolder]) rmSync(folder, { recursive: true, force: true });
  }
}
