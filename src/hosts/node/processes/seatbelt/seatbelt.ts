import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DividedEnvironment } from "../innerEnvironment.js";
import type { ShellCall } from "../shell.js";
import { whySeatbeltFails } from "./probe.js";
import { seatbeltArguments, type SeatbeltReach } from "./profile.js";

/** The program, which every macOS has. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Folders of files of other programs and people. */
const EMPTY = ["/private/tmp", "/private/var/tmp", "/private/var/folders", "/private/var/run", "/Users"];

/** Where Git is if it is installed: the system's own program only asks to install it where there are no such tools. */
const GITS = [
  ["/Library/Developer/CommandLineTools/usr/bin/git", "/usr/bin/git"],
  ["/Applications/Xcode.app/Contents/Developer/usr/bin/git", "/usr/bin/git"],
  ["/opt/homebrew/bin/git", "/opt/homebrew/bin/git"],
  ["/usr/local/bin/git", "/usr/local/bin/git"],
] as const;

/** The folder of all commands' files for the moment, which goes with this process. */
let scratch: string | undefined;

/** What a command under Seatbelt is given. */
interface Given {
  environment: DividedEnvironment;
  /** The homes of the user, and what is seen of them. */
  homes: readonly string[];
  seen: readonly string[];
  hidden: readonly string[];
  /** The folder of Toolhost's state. */
  state: string;
  report: { script: string; file: string } | undefined;
}

/** Returns why commands cannot be contained on this Mac, as a sentence; undefined if they can. */
export function whyNoSeatbelt(): Promise<string | undefined> {
  return whySeatbeltFails(SANDBOX_EXEC, GITS.find(([installed]) => existsSync(installed))?.[1]);
}

/** Returns the call that runs another by macOS's Seatbelt, without network, and where it can change nothing. */
export function underSeatbelt(call: ShellCall, given: Given): ShellCall {
  const { environment, homes, seen, hidden, state, report } = given;
  scratch ??= newScratch();
  const reach: SeatbeltReach = {
    emptied: [...EMPTY, ...homes].map(realPath),
    seen: seen.map(realPath),
    hidden: [...hidden, state].map(realPath),
    readable: report === undefined ? [] : [realPath(report.script), realPath(report.file)],
    report: report && realPath(report.file),
    scratch,
  };
  return {
    ...call,
    env: environment.outer,
    file: SANDBOX_EXEC,
    args: [
      ...seatbeltArguments(reach),
      // Files for the moment are not for the folder of other programs.
      ...["/usr/bin/env", ...environment.words, `TMPDIR=${scratch}`, call.file, ...call.args],
    ],
  };
}

function newScratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-contained-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the name by which Seatbelt knows a path: `/private/tmp/x` of `/tmp/x`, also where x does not exist. */
export function realPath(path: string): string {
  for (let [at, rest] = [path, ""]; ;) {
    try {
      return join(realpathSync(at), rest);
    } catch {
      if (dirname(at) === at) {
        return path;
      }
      [at, rest] = [dirname(at), join(at.slice(dirname(at).length), rest)];
    }
  }
}
