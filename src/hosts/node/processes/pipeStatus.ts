import { existsSync, mkdtempSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_MARK } from "./left.js";

/** The file that bash reads before a command. */
const FILE = "pipe-status";
/** A path that means itself where bash expands the value of BASH_ENV. */
const PLAIN_PATH = /^[\w./-]+$/;
/** Maximum bytes of a report, to which every program of its command may write. */
const MAX_REPORT = 10_000;
/** Longer commands are scripts; nobody takes them for one pipe. */
const MAX_COMMAND = 10_000;
/** What could make our trap visible, or is a trap itself. */
const SEES_TRAPS = /\btrap\b|\bverbose\b|\bset\s+[-+]\w*v|\bBASH_/;

/**
 * Creates a folder with the file by which bash reports how each command of its last pipe ended: the command itself runs as
 * it was given, with no option changed. Its EXIT trap does that; one that the command sets replaces it, and then nothing is
 * reported. A shell below the command that still has the variable is left alone: its parent is another process.
 * A contained command's parent is number 1 of its namespace.
 */
export function makeStatusFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  if (PLAIN_PATH.test(folder)) {
    writeFileSync(
      join(folder, FILE),
      `unset BASH_ENV
[[ $PPID == ${process.pid} || $PPID == 1 ]] && trap '{ builtin printf "%s " "\${PIPESTATUS[@]}" >|${folder}/'"$${COMMAND_MARK}"'; } 2>/dev/null || :' EXIT
: "$BASH"
`,
      { mode: 0o600 },
    );
  }
  return folder;
}

/**
 * Returns the variables with which bash reports how the commands of a pipe ended; none for a command that does not end in
 * one. Any other command might show the difference: bash becomes the last program of a list unless it has a trap.
 *
 * @param folder see `makeStatusFolder`
 */
export function statusVariables(
  command: string,
  env: Readonly<Record<string, string>>,
  folder: string | undefined,
): Record<string, string> {
  const isAsked = folder !== undefined && PLAIN_PATH.test(folder) && env.BASH_ENV === undefined && endsInPipe(command);
  return isAsked ? { BASH_ENV: join(folder, FILE) } : {};
}

/** Makes the file that a command whose shell sees nothing else of the folder reports to. */
export function prepareReport(folder: string, mark: string): string {
  const file = join(folder, mark);
  writeFileSync(file, "", { mode: 0o600 });
  return file;
}

/** Returns a file of the folder that nobody may read. */
export function unreadableIn(folder: string): string {
  const file = join(folder, "unreadable");
  if (!existsSync(file)) {
    writeFileSync(file, "", { mode: 0 });
  }
  return file;
}

/** Returns the exit codes of the commands of the last pipe; undefined if none was reported. */
export function takePipeStatus(folder: string | undefined, mark: string): number[] | undefined {
  if (folder === undefined) {
    return undefined;
  }
  const file = join(folder, mark);
  try {
    const text = statSync(file).size > MAX_REPORT ? "" : readFileSync(file, "latin1");
    const codes = text.trim().split(" ").map(Number);
    unlinkSync(file);
    return codes.length > 1 && codes.every((code) => Number.isInteger(code)) ? codes : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a command seems to end in a pipe. Where that is hard to see, it does not. */
function endsInPipe(command: string): boolean {
  if (!command.includes("|") || command.length > MAX_COMMAND || SEES_TRAPS.test(command)) {
    return false;
  }
  const unquoted = command
    .replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g, "x")
    .replaceAll(/\|&|>&|<&|&>/g, (operator) => (operator.startsWith("|") ? "|" : ">"));
  const last = unquoted
    .split(/&&|\|\||[;&\n]/)
    .filter((part) => part.trim() !== "")
    .at(-1);
  return last?.includes("|") === true;
}
