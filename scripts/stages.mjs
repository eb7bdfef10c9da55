// The stages of the tests. Each says what it is, shows its output and gives a tally; none throws.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { loadTypeScript } from "./load-typescript.mjs";
import { modules, repository, testResults } from "./paths.mjs";
import { oneFailed, onePassed, refuseNothing, sum } from "./tally.mjs";

/** @typedef {import("./tally.mjs").Tally} Tally */
/** @typedef {{ files: string[], name: string | undefined }} Filter which test files, and which tests in them */

/**
 * @param {string[]} words the arguments after `npm run e2e --`
 * @returns {Filter} `-t <text>` chooses tests by their title, everything else files by a part of their path
 */
export function parseFilter(words) {
  const at = words.indexOf("-t");
  return at < 0 ? { files: words, name: undefined } : { files: words.toSpliced(at, 2), name: words[at + 1] };
}

/**
 * @typedef {object} CheckOptions
 * @property {boolean} [isIncremental] whether to skip what passed the last time and has not changed since
 */

const caches = join(modules, ".cache");

/**
 * TypeScript 7, a fifth of TypeScript 6's processor time.
 *
 * @param {CheckOptions} [options]
 * @returns {Promise<Tally>}
 */
export const typecheck = ({ isIncremental = false } = {}) => {
  const cache = ["--incremental", "--tsBuildInfoFile", join(caches, "tsc")];
  return check("type check", [
    ...[join(modules, "typescript-native", "bin", "tsc"), "--noEmit"],
    ...(isIncremental ? cache : []),
  ]);
};

/** oxlint with tsgolint: the rules of typescript-eslint in a quarter of its processor time. @returns {Promise<Tally>} */
export const lint = () => check("lint", [join(modules, "oxlint", "dist", "cli.js")]);

/** Exports, files and dependencies that nothing uses; files of src that only tests use. @returns {Promise<Tally>} */
export async function deadCode() {
  const knip = join(modules, "knip", "bin", "knip.js");
  return sum([
    await check("no dead code", [knip]),
    await check("no test code in src", [knip, "--production", "--include", "files"]),
  ]);
}

/** @returns {Promise<Tally>} */
export const format = () => check("format", [join(modules, "oxfmt", "dist", "cli.js"), "--list-different", "."]);

/** @returns {Promise<Tally>} */
export const manifest = () => check("manifest is up to date", [join(repository, "scripts", "manifest.mjs"), "--check"]);

/** @returns {Promise<Tally>} */
export const build = () => check("build", [join(repository, "esbuild.mjs")]);

/** @returns {Promise<Tally>} */
export const unit = () => vitest(["unit"]);

/** Unit and system tests, whose files share the workers. @returns {Promise<Tally>} */
export const unitAndSystem = () => vitest(["unit", "system"]);

/** @param {Filter} [filter] @returns {Promise<Tally>} */
export const e2e = (filter) => vitest(["e2e"], filter);

/** @param {Filter} [filter] @returns {Promise<Tally>} */
export const integration = (filter) => inHost("integration", "runIntegration", filter);

/**
 * The engine in plain Node, then everything that needs a window.
 * @param {Filter} [filter] `engine` chooses the first alone
 * @returns {Promise<Tally>}
 */
export async function bench(filter = { files: [], name: undefined }) {
  const files = readdirSync(join(repository, "test", "bench"));
  const isWanted = (/** @type {string} */ file) =>
    filter.files.length === 0 || filter.files.some((part) => `test/bench/${file}`.includes(part));
  const tallies = [];
  for (const name of filter.name === undefined
    ? [
        "engine",
        "permission",
        "knowledge",
        "agent",
        "output",
        "sort",
        "openapi",
        "mcp",
        "effects",
        "code",
        "codeEmbeddings",
        "webPages",
      ]
    : []) {
    if (isWanted(`${name}.ts`)) {
      tallies.push(await inNode(`bench: ${name}`, join("bench", `${name}.ts`), "runBench"));
    }
  }
  if (files.some((file) => file.endsWith(".bench.ts") && isWanted(file))) {
    tallies.push(await inHost("bench", "runBench", filter));
  }
  return sum(tallies);
}

/**
 * Toolhost beside other agents.
 * @param {string[]} words names of agents; none for all of them
 * @returns {Promise<Tally>}
 */
export const peers = (words) => inNode("peers", join("peers", "run.ts"), "runPeers", { words });

/**
 * Other agents with our tools, through `toolhost mcp`.
 * @param {string[]} words what `toolhost connect` calls them; none for all of them
 * @returns {Promise<Tally>}
 */
export const agents = (words) => inNode("agents", join("agents", "run.ts"), "runAgents", { words });

/**
 * The unit tests under Node for Windows, by wine.
 * @param {Filter} filter
 * @returns {Promise<Tally>}
 */
export const windows = (filter) => inNode("windows", join("windows", "run.ts"), "runWindows", filter);

/**
 * @param {string} title
 * @param {string} file in test, which runs in plain Node
 * @param {string} runner the function of it that runs
 * @param {object} [options]
 * @returns {Promise<Tally>}
 */
async function inNode(title, file, runner, options = {}) {
  console.log(`\n${title}`);
  try {
    const module = /** @type {Record<string, (options: object) => Tally | Promise<Tally>>} */ (
      await loadTypeScript(join(repository, "test", file))
    );
    return (await module[runner]?.({ repository, ...options })) ?? oneFailed(title, `${file} has no ${runner}`);
  } catch (error) {
    return oneFailed(title, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** @param {Filter} [filter] @returns {Promise<Tally>} */
export const desktopIntegration = (filter) => inHost("desktop integration", "runDesktop", filter);

/**
 * A program whose exit code is the verdict: one test.
 * @param {string} title
 * @param {string[]} args of node
 * @returns {Promise<Tally>}
 */
async function check(title, args) {
  const started = Date.now();
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
  const ended = exitCode(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const code = await ended;
  console.log(`${code === 0 ? "✓" : "✗"} ${title} (${seconds(started)})`);
  if (code === 0) return onePassed();
  console.log(output.trimEnd());
  return oneFailed(title, output);
}

/**
 * @param {("unit" | "system" | "e2e")[]} projects
 * @param {Filter} [filter]
 * @returns {Promise<Tally>}
 */
async function vitest(projects, filter = { files: [], name: undefined }) {
  const title = projects.join(" and ");
  const resultFile = join(testResults, `${projects.join("-")}.json`);
  mkdirSync(testResults, { recursive: true });
  rmSync(resultFile, { force: true });
  console.log(`\n${title}`);
  const args = [
    ...[join(modules, "vitest", "vitest.mjs"), "run", "--config", "test/vitest.config.mjs"],
    ...projects.flatMap((project) => ["--project", project]),
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile}`],
    ...(filter.name === undefined ? [] : ["-t", filter.name]),
    ...filter.files,
  ];
  const code = await exitCode(spawn(process.execPath, args, { cwd: repository, stdio: "inherit" }));
  /** @type {VitestResult} */
  let result;
  try {
    result = JSON.parse(readFileSync(resultFile, "utf8"));
  } catch {
    return oneFailed(title, `vitest ended with code ${code} and no result`);
  }
  const skippedIn = result.testResults
    .filter((file) => file.assertionResults.some(({ status }) => status === "skipped" || status === "pending"))
    .map((file) => relative(repository, file.name));
  const failures = result.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    // A file that cannot be loaded, or whose hook failed, has no failed test to show for it.
    if (failed.length === 0 && file.status === "failed") return [{ title: file.name, message: file.message ?? "" }];
    return failed.map((test) => ({ title: test.fullName, message: test.failureMessages.join("\n") }));
  });
  if (code !== 0 && failures.length === 0 && result.numPassedTests > 0)
    failures.push({
      title,
      message: `vitest ended with code ${code}, though no test failed: see its output above`,
    });
  return refuseNothing(title, {
    passed: result.numPassedTests,
    failed: failures.length,
    skipped: result.numPendingTests + result.numTodoTests,
    skippedIn,
    failures,
  });
}

/**
 * @typedef {object} VitestResult
 * @property {number} numPassedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string,
 * failureMessages: string[] }[] }[]} testResults
 */

/**
 * Mocha suites inside the extension host of VS Code.
 * @param {string} title
 * @param {"runIntegration" | "runBench" | "runDesktop"} runner
 * @param {Filter} [filter]
 * @returns {Promise<Tally>}
 */
async function inHost(title, runner, filter = { files: [], name: undefined }) {
  console.log(`\n${title}`);
  try {
    const module = runner === "runDesktop" ? "host-desktop.ts" : "host-runner.ts";
    const runners = /** @type {Record<string, (options: object) => Promise<Tally>>} */ (
      await loadTypeScript(join(repository, "test", "harness", module))
    );
    const run = runners[runner];
    if (run === undefined) return oneFailed(title, `${module} has no ${runner}`);
    return refuseNothing(
      title,
      await run({ files: filter.files, ...(filter.name === undefined ? {} : { grep: filter.name }) }),
    );
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.log(message);
    return oneFailed(title, message);
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child ended with us
 * @returns {Promise<number>}
 */
async function exitCode(child) {
  // A terminal's Ctrl+C reaches the child by itself; these signals come to this process alone.
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal);
    process.exit(1);
  };
  process.once("SIGTERM", passOn).once("SIGHUP", passOn);
  try {
    return await new Promise((resolve) => {
      child.once("error", () => resolve(1));
      child.once("close", (code) => resolve(code ?? 1));
    });
  } finally {
    process.off("SIGTERM", passOn).off("SIGHUP", passOn);
  }
}

/** @param {number} since */
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
