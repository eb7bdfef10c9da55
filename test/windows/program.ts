// Runs the files of tests that it is told, under Node on Windows, and writes what became of each test.
import fs, { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startTests, type Suite, type Task, type VitestRunner, type VitestRunnerConfig } from "@vitest/runner";
import type { Outcome, Work } from "./work.js";

const [workFile = ""] = process.argv.slice(2);
const work = JSON.parse(readFileSync(workFile, "utf8")) as Work;
writeFileSync(work.outcomes, "");

const say = (outcome: Outcome): void => appendFileSync(work.outcomes, `${JSON.stringify(outcome)}\n`);

let running = { file: "", title: "" };

function begin(file: string, title: string): void {
  running = { file, title };
  say({ state: "begun", ...running, message: "" });
}

const config: VitestRunnerConfig = {
  root: work.root,
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: work.name === undefined ? undefined : new RegExp(work.name),
  allowOnly: false,
  sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: work.patience,
  hookTimeout: work.patience,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

const titleOf = (task: Task): string => (task.type === "suite" && task.file === task ? "" : nameIn(task));

function nameIn(task: Task): string {
  const outer = task.suite === undefined ? "" : nameIn(task.suite);
  return outer === "" ? task.name : `${outer} > ${task.name}`;
}

const messageOf = (task: Task): string =>
  (task.result?.errors ?? []).map(({ stack, message, diff }) => [stack ?? message, diff].join("\n")).join("\n");

class Runner implements VitestRunner {
  readonly config = config;

  importFile(file: string): Promise<unknown> {
    begin(file, "");
    return import(pathToFileURL(resolve(work.bundles, work.files[file] ?? file)).href);
  }

  onBeforeRunSuite(suite: Suite): void {
    if (suite.file !== suite) {
      return;
    }
    begin(suite.file.filepath, "");
    if (suite.result?.state === "fail") {
      // It could not be loaded, or has no test: nothing more is said of it then.
      this.onAfterRunSuite(suite);
    }
  }

  onBeforeRunTask(test: Task): void {
    if (isUntried(test)) {
      test.mode = "skip";
    } else {
      begin(test.file.filepath, titleOf(test));
    }
  }

  onAfterRunTask(test: Task): void {
    const state = test.result?.state === "pass" ? "passed" : "failed";
    say({ state, file: test.file.filepath, title: titleOf(test), message: messageOf(test) });
  }

  /** A file that cannot be loaded, or a group whose hook failed, has no failed test to show for it. */
  onAfterRunSuite(suite: Suite): void {
    const file = suite.file.filepath;
    const message = messageOf(suite);
    if (message !== "") {
      say({ state: "failed", file, title: titleOf(suite), message });
    }
    if (suite.file === suite) {
      saySkipped(suite);
      say({ state: "finished", file, title: "", message: "" });
    }
  }
}

const isUntried = (test: Task): boolean =>
  work.untried.some(({ file, titles }) => file === test.file.filepath && new RegExp(titles).test(titleOf(test)));

/** Once the file has run: tests leave themselves out, too. */
function saySkipped(suite: Suite): void {
  for (const task of suite.tasks) {
    if (task.type === "suite") {
      saySkipped(task);
    } else if ((task.mode === "skip" || task.mode === "todo") && !isUntried(task)) {
      say({ state: "skipped", file: task.file.filepath, title: titleOf(task), message: "" });
    }
  }
}

// wine 8 fails to connect a socket that is to be kept alive.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};

// wine 8 gives no final name of more than 260 characters: the walk from name to name takes its place there.
const { realpath } = fs.promises;
fs.promises.realpath = (async (path: string) => {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "UNKNOWN") {
      throw error;
    }
    return fs.realpathSync(path);
  }
}) as typeof realpath;
syncBuiltinESMExports();

// The test that waits for it fails; a rejection that none waits for is the runner's to report, not the end of all tests.
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.on(event, (error: unknown) => {
    say({ state: "failed", file: running.file, title: `${running.title} (afterwards)`, message: String(error) });
  });
}

// A test that waits for nothing fails by the time it may take, and the others run.
setInterval(() => undefined, 60_000);

// The next run removes it: what this process holds open cannot be removed here.
const state = resolve(work.bundles, "../state");
mkdirSync(state, { recursive: true });
process.env["TOOLHOST_STATE"] = state;
process.env["TOOLHOST_SNAPSHOT_PATIENCE"] = "50";
Reflect.deleteProperty(process.env, "TOOLHOST_AGENT");
await startTests(
  Object.keys(work.files).map((filepath) => ({ filepath })),
  new Runner(),
);
say({ state: "ended", file: "", title: "", message: "" });
process.exit(0);
