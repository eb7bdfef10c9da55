// What the agents work on: a Git repository of 20,000 files, and a check whose long output has one failure in the middle.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "./install.js";

const FOLDERS = 200;
const FILES_PER_FOLDER = 100;
export const FILES = FOLDERS * FILES_PER_FOLDER;
/** Files that are read, and words that are searched for: each once by every agent. */
export const MAX_ROUNDS = 40;
const LINES = 200;

/** What the failing test of `bash check.sh` says. */
export const FAILURE = "expected 3 parts, got 4";
const TESTS = 20_000;
export const CHECK = "bash check.sh";

/** The file to read in a round, and what only its last line has. */
export const readFileOf = (round: number): { path: string; end: string } => ({
  path: `read/chapter${round}.txt`,
  end: `line ${LINES} of chapter ${round},`,
});

/** A word that is in one file of the workspace. */
export const wordOf = (round: number): { word: string; file: string } => ({
  word: `quillfeather${String.fromCharCode(97 + (round % 26), 97 + Math.floor(round / 26))}`,
  file: `rare/holder${round}.ts`,
});

/** The file that an agent edits, which no other agent touches. */
export const editedFile = (agent: string): string => `edited/${agent.replaceAll(" ", "-")}.ts`;
export const editedLine = (count: number): string => `export const counter = ${count};`;

/** Makes the workspace, or what an earlier run left of it as it was. Returns its folder. */
export function prepareWorkspace(agents: readonly string[]): string {
  const folder = join(cache, "workspace");
  if (!existsSync(folder)) {
    const made = `${folder}.${process.pid}`;
    write(made);
    git(made, "init", "--quiet");
    git(made, "add", "--all");
    git(made, "commit", "--quiet", "--message", "Begin");
    renameSync(made, folder);
  }
  git(folder, "reset", "--quiet", "--hard");
  git(folder, "clean", "--quiet", "-fdx");
  mkdirSync(join(folder, "edited"));
  for (const agent of agents) {
    writeFileSync(join(folder, editedFile(agent)), `${text("edited")}${editedLine(0)}\n${text("edited")}`);
  }
  return folder;
}

function write(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(folder, `src/area${at}`), { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      writeFileSync(join(folder, `src/area${at}/part${file}.ts`), source(at, file));
    }
  }
  mkdirSync(join(folder, "read"));
  mkdirSync(join(folder, "rare"));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    writeFileSync(join(folder, readFileOf(round).path), text(`chapter ${round}`));
    const { file, word } = wordOf(round);
    writeFileSync(join(folder, file), `${text(file)}export const ${word} = ${round};\n${text(file)}`);
  }
  writeFileSync(join(folder, "check.log"), checkOutput());
  writeFileSync(join(folder, "check.sh"), "cat check.log\nexit 1\n");
}

/** About as long as a file of code mostly is. */
function source(area: number, file: number): string {
  return Array.from(
    { length: 40 },
    (_, at) => `export function part${at}Of${file}(value: number): number {\n  return value * ${area} + ${at};\n}\n`,
  ).join("\n");
}

function text(of: string): string {
  return Array.from({ length: LINES }, (_, at) => `line ${at + 1} of ${of}, about as long as a line of code\n`).join(
    "",
  );
}

/** What `node --test` prints, 1.6 MB, with one failure in the middle. */
function checkOutput(): string {
  const failing = TESTS / 2;
  const one = (at: number): string =>
    at === failing
      ? `# Subtest: joins part ${at}\nnot ok ${at} - joins part ${at}\n  ---\n  duration_ms: 1.1\n  location: '/work/test/join.test.js:12:3'\n  failureType: 'testCodeFailure'\n  error: '${FAILURE}'\n  code: 'ERR_ASSERTION'\n  ...\n`
      : `# Subtest: joins part ${at}\nok ${at} - joins part ${at}\n  ---\n  duration_ms: 0.4\n  ...\n`;
  const tests = Array.from({ length: TESTS }, (_, at) => one(at + 1)).join("");
  return `TAP version 13\n${tests}1..${TESTS}\n# tests ${TESTS}\n# pass ${TESTS - 1}\n# fail 1\n`;
}

function git(folder: string, ...args: string[]): void {
  const settings = ["user.name=peers", "user.email=peers@localhost", "gc.auto=0", "safe.directory=*"];
  execFileSync("git", [...settings.flatMap((each) => ["-c", each]), ...args], { cwd: folder, stdio: "ignore" });
}
