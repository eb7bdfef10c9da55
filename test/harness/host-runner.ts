// Runs mocha suites inside the extension host of a real VS Code: one window for each kind of folder that has tests.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { cache, repository, testResults } from "../../scripts/paths.mjs";
import { closeBrowser, newContext } from "./browser";
import { copilotSetUp, seedGlobalState } from "./browser-state";
import { bundleHostTests } from "./host-bundle";
import { windowKinds, type HostContext, type HostResult, type WindowKind } from "./host-context";
import { prepareWindow } from "./host-windows";
import { boundByPermissions } from "./permissions";
import { poll } from "./poll";
import { startServer, type Server } from "./server";
import { windowUrl, type WindowOptions } from "./workbench";

export interface HostRunOptions {
  /** Only files whose path contains one of these. */
  files?: string[];
  /** Only tests whose full title contains this. */
  grep?: string;
}

/** What runs: integration tests by default. */
interface Suite {
  /** Files of a window, as a glob below the checkout. */
  pattern: (window: WindowKind) => string;
  windows: readonly WindowKind[];
  /** Whether Copilot Chat and its tools are there. */
  copilot: boolean;
  viewport: { width: number; height: number };
  testTimeoutMs: number;
  /** How long a window may report no test before it is taken to hang. */
  silenceMs: number;
}

const integration: Suite = {
  pattern: (window) => `test/integration/${window}/**/*.test.ts`,
  windows: windowKinds,
  copilot: false,
  // Nobody sees it, and a small window takes a tenth less to draw.
  viewport: { width: 480, height: 320 },
  testTimeoutMs: 240_000,
  silenceMs: 900_000,
};

const bench: Suite = {
  pattern: () => "test/bench/**/*.bench.ts",
  windows: ["folder"],
  copilot: true,
  viewport: { width: 1280, height: 800 },
  testTimeoutMs: 600_000,
  silenceMs: 1_800_000,
};

/** Runs test/integration in each window that has tests. @returns the sums; a crash counts as one failure */
export function runIntegration(options: HostRunOptions = {}): Promise<HostResult> {
  return runSuite(integration, options);
}

/** Runs test/bench in a window with Copilot's own tools next to ours. */
export function runBench(options: HostRunOptions = {}): Promise<HostResult> {
  return runSuite(bench, options);
}

/** Tests of virtual folders that have no meaning in a browser: it offers nothing through MCP. */
const notForBrowsers = ["mcpOffer.test.ts"];

/** @returns the files of a window that `options` choose, absolute, sorted */
export function hostTestFiles(
  window: WindowKind,
  { files = [] }: HostRunOptions,
  suite: Pick<Suite, "pattern"> = integration,
): string[] {
  const patterns = [suite.pattern(window), ...(window === "web" ? [suite.pattern("virtual")] : [])];
  return globSync(patterns, { cwd: repository })
    .filter((file) => window !== "web" || !notForBrowsers.includes(basename(file)))
    .filter((file) => files.length === 0 || files.some((part) => file.includes(part)))
    .map((file) => join(repository, file))
    .sort();
}

async function runSuite(suite: Suite, options: HostRunOptions): Promise<HostResult> {
  const total: HostResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    for (const window of suite.windows) {
      const files = hostTestFiles(window, options, suite);
      if (files.length === 0) continue;
      const result = await runWindow(suite, window, files, options.grep);
      total.passed += result.passed;
      total.failed += result.failed;
      total.skipped += result.skipped;
      total.failures.push(...result.failures);
    }
  } finally {
    await closeBrowser();
  }
  return total;
}

async function runWindow(
  suite: Suite,
  kind: WindowKind,
  files: string[],
  grep: string | undefined,
): Promise<HostResult> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-host-")));
  mkdirSync(join(cache, "host"), { recursive: true });
  const bundleFolder = mkdtempSync(join(cache, "host", `${kind}-`));
  let server: Server | undefined;
  try {
    const {
      folders,
      workspace,
      address,
      trust,
      extensions,
      env,
      settings = {},
    } = prepareWindow(kind, join(base, "window"));
    const context: HostContext = {
      window: kind,
      folders,
      temporary: join(base, "temporary"),
      repository,
      reportFile: join(base, "report.txt"),
      resultFile: join(base, "result.json"),
      ...(grep === undefined ? {} : { grep }),
      timeoutMs: suite.testTimeoutMs,
    };
    mkdirSync(context.temporary);
    const bundle = join(bundleFolder, "tests.js");
    await bundleHostTests(files, context, bundle);
    // The product comes by the payload, as in desktop VS Code; the driver makes the payload count.
    server = await startServer({
      extensions,
      env,
      trust,
      settings,
      driver: true,
      through: boundByPermissions(),
      cleanUp: [base, bundleFolder],
    });
    // A workspace file wins over its first folder.
    const folder = address ?? folders[0];
    const opened = workspace !== undefined ? { workspace } : folder !== undefined ? { folder } : {};
    const crash = await runPage(server, suite, context, bundle, opened);
    if (crash === undefined) return JSON.parse(readFileSync(context.resultFile, "utf8")) as HostResult;
    const title = `window "${kind}"`;
    console.error(`${title}: ${crash}`);
    return { passed: 0, failed: 1, skipped: 0, failures: [{ title, message: crash }] };
  } finally {
    await server?.stop();
    for (const folder of [base, bundleFolder]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads the window and waits for its tests to end, printing their report. @returns why there is no result, if so */
async function runPage(
  server: Server,
  suite: Suite,
  context: HostContext,
  bundle: string,
  opened: Pick<WindowOptions, "folder" | "workspace">,
): Promise<string | undefined> {
  const browserContext = await newContext(suite.viewport);
  if (suite.copilot) await seedGlobalState(browserContext, server.origin, copilotSetUp);
  const page = await browserContext.newPage();
  const log: string[] = [];
  page.on("console", (message) => {
    log.push(message.text());
    if (process.env["DBGW"]) {
      if (/rror/.test(message.type() + message.text())) console.log("CONSOLE", message.text().slice(0, 1500));
    }
  });
  let exitCode: number | undefined;
  await page.exposeFunction("codeAutomationLog", () => undefined);
  await page.exposeFunction("codeAutomationExit", (code: number) => (exitCode = code));
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const report = reportPrinter(context.reportFile);
  await page.goto(
    windowUrl(server, {
      ...opened,
      payload: [
        [
          "extensionDevelopmentPath",
          remote(context.window === "web" ? join(repository, "test", "harness", "memfs-extension") : repository),
        ],
        ["extensionTestsPath", remote(bundle)],
      ],
    }),
  );
  try {
    const hasEnded = () => exitCode !== undefined || existsSync(context.resultFile);
    do {
      await poll(
        `the next test of the window "${context.window}" to end`,
        () => {
          const reported = report();
          return reported || hasEnded();
        },
        { timeoutMs: suite.silenceMs, intervalMs: 100 },
      );
    } while (!hasEnded());
    report();
    if (existsSync(context.resultFile)) return undefined;
    return `ended with code ${exitCode} before its tests were done.\n${await keepEvidence(context.window, page, log, server)}`;
  } catch (error) {
    return `${(error as Error).message}\n${await keepEvidence(context.window, page, log, server)}`;
  } finally {
    await browserContext.close();
  }
}

/** @returns a function that prints what a growing file has that was not printed yet, and says whether there was any */
function reportPrinter(file: string): () => boolean {
  let printed = 0;
  return () => {
    if (!existsSync(file)) return false;
    const text = readFileSync(file, "utf8");
    const isNew = text.length > printed;
    process.stdout.write(text.slice(printed));
    printed = text.length;
    return isNew;
  };
}

async function keepEvidence(kind: WindowKind, page: Page, log: string[], server: Server): Promise<string> {
  const folder = join(testResults, `window-${kind}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "console.log"), log.join("\n"));
  writeFileSync(join(folder, "server.log"), server.logs());
  cpSync(join(server.dataDir, "data", "logs"), join(folder, "logs"), { recursive: true });
  await page.screenshot({ path: join(folder, "screenshot.png") }).catch(() => undefined);
  const errors = log.filter((line) => line.includes("[Extension Host]")).slice(-5);
  return `${errors.join("\n")}\nEvidence: ${folder}`;
}
