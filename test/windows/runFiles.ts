// Runs files of tests under Node for Windows. What hangs there or ends the process costs one file, which fails for it.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, programs, windowsPath, wineEnvironment } from "../../scripts/windows/ensure-wine.mjs";
import type { Outcome, Work } from "./work.js";

/** Between looks whether the program still says something. */
const LOOK_MS = 1_000;
/** Of what the program printed before it broke off. */
const MAX_OUTPUT = 4_000;

type FilesWork = Omit<Work, "outcomes">;

/**
 * Runs all files in one process, as the tests on Linux, and again in another those that it did not come to.
 * @param silence milliseconds without a word of the program, after which it is killed: more than a test with its hooks
 */
export async function runFiles(work: FilesWork, silence: number): Promise<readonly Outcome[]> {
  const all: Outcome[] = [];
  let rest = Object.keys(work.files);
  while (rest.length > 0) {
    const files = Object.fromEntries(rest.map((file) => [file, work.files[file] ?? ""]));
    const { outcomes, broken } = await runOnce({ ...work, files }, silence);
    all.push(...outcomes);
    if (broken === undefined) {
      return all;
    }
    const { file = "", title = "" } = outcomes.at(-1) ?? {};
    all.push({ state: "failed", file, title: `${title} (broken off)`, message: broken });
    if (!rest.includes(file)) {
      return all;
    }
    const finished = new Set(outcomes.flatMap((each) => (each.state === "finished" ? [each.file] : [])));
    rest = rest.filter((each) => each !== file && !finished.has(each));
  }
  return all;
}

/** Runs files in one process. `broken` says how it ended if it did not come to its end. */
async function runOnce(
  work: FilesWork,
  silence: number,
): Promise<{ outcomes: readonly Outcome[]; broken: string | undefined }> {
  const at = (name: string): string => join(folder, name);
  const [workFile, outcomeFile, outputFile] = [at("work.json"), at("outcomes.jsonl"), at("output.log")];
  mkdirSync(folder, { recursive: true });
  rmSync(at("state"), { recursive: true, force: true });
  writeFileSync(outcomeFile, "");
  writeFileSync(workFile, JSON.stringify({ ...work, outcomes: windowsPath(outcomeFile) } satisfies Work));
  // A file: Windows' Node fails on pipes of Linux.
  const output = openSync(outputFile, "w");
  const program = windowsPath(at("bundles/test/windows/program.mjs"));
  const child = spawn("wine", [programs.node, program, windowsPath(workFile)], {
    cwd: folder.replace(/\.vscode-test.windows$/, ""),
    env: wineEnvironment(),
    stdio: ["ignore", output, output],
  });
  let spoke = Date.now();
  let said = 0;
  let isHung = false;
  const watch = setInterval(() => {
    const { size } = statSync(outcomeFile);
    if (size !== said) {
      [spoke, said] = [Date.now(), size];
    } else if (Date.now() - spoke > silence) {
      isHung = child.kill("SIGKILL");
    }
  }, LOOK_MS);
  const ended = await new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(`code ${code ?? signal}`));
  });
  clearInterval(watch);
  closeSync(output);
  const outcomes = readOutcomes(outcomeFile);
  if (outcomes.at(-1)?.state === "ended") {
    return { outcomes, broken: undefined };
  }
  const why = isHung
    ? `It said nothing for ${silence / 1000} s and was killed`
    : `Node for Windows ended with ${ended}`;
  const printed = readFileSync(outputFile, "utf8").slice(-MAX_OUTPUT);
  return { outcomes, broken: `${why}. The tests of this file that follow did not run.\n${printed}` };
}

/** A line that was not written to its end is none. */
function readOutcomes(file: string): readonly Outcome[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Outcome);
}
