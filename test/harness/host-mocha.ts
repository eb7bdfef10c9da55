// Runs a bundle's suites with mocha inside the extension host. Reports to files, since the host has no terminal.
import { appendFileSync, writeFileSync } from "node:fs";
import Mocha from "mocha";
import * as vscode from "vscode";
import { hostContext } from "./host";
import type { HostResult } from "./host-context";
import { inSources } from "./source-positions";

/** A test file, loaded when mocha is ready for its `describe`. */
export type TestFile = [path: string, load: () => Promise<unknown>];

/**
 * Runs all tests of `files` and writes {@link HostResult}.
 * @throws Error when a test failed, so that VS Code's own exit code says so too
 */
export async function runMocha(files: TestFile[]): Promise<void> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: hostContext.timeoutMs,
    reporter: FileReporter,
    ...(hostContext.grep === undefined ? {} : { fgrep: hostContext.grep }),
  });
  say(`\nVS Code ${vscode.version}, window "${hostContext.window}"`);
  // VS Code in the browser saves by itself after a second; a test whose text is to stay unsaved may take longer. Tests
  // put settings back.
  mocha.suite.beforeEach(async () => {
    const configuration = vscode.workspace.getConfiguration();
    if (configuration.get("files.autoSave") !== "off") {
      await configuration.update("files.autoSave", "off", vscode.ConfigurationTarget.Global);
    }
  });
  for (const [path, load] of files) {
    mocha.suite.emit("pre-require", globalThis, path, mocha);
    try {
      await load();
    } catch (error) {
      // A test of its own, so that the other files still run and the result says what is wrong.
      mocha.suite.addTest(
        new Mocha.Test(`${path} loads`, () => {
          throw error;
        }),
      );
    }
    mocha.suite.emit("require", {}, path, mocha);
    mocha.suite.emit("post-require", globalThis, path, mocha);
  }
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}

function say(line: string): void {
  appendFileSync(hostContext.reportFile, `${line}\n`);
}

class FileReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner) {
    super(runner);
    const result: HostResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
    let depth = 0;
    const tell = (text: string) => say(`${"  ".repeat(depth)}${text}`);
    runner.on("suite", (suite) => {
      if (!suite.root) tell(suite.title);
      depth++;
    });
    runner.on("suite end", () => depth--);
    runner.on("pass", (test) => {
      result.passed++;
      tell(`✓ ${test.title}${test.speed === "slow" ? ` (${test.duration} ms)` : ""}`);
    });
    runner.on("pending", (test) => {
      result.skipped++;
      tell(`- ${test.title} (skipped)`);
    });
    // Hooks fail through the same event.
    runner.on("fail", (test, error) => {
      result.failed++;
      const message = inSources(
        String((error as Error | undefined)?.stack ?? error),
        __filename,
        hostContext.repository,
      );
      result.failures.push({ title: test.fullTitle(), message });
      tell(`✗ ${test.title}`);
      say(message.replaceAll(/^/gm, "  ".repeat(depth + 1)));
    });
    runner.on("end", () => writeFileSync(hostContext.resultFile, JSON.stringify(result)));
  }
}
