import type { Containment } from "../../../ports/processes.js";
import { commandWords } from "../../../shell/judge.js";
import type { SimpleCommand } from "../../../shell/analysis.js";
import type { AllowedHosts } from "../../../text/hosts/allowedHosts.js";
import { hostsOf } from "../../../text/hosts/presets.js";
import type { CommandTouch, GatedTouch } from "../touches.js";
import { baseName, changesNamedFiles, changingWrapper, onlyReads, rightsTaken, tellsNamesOnly } from "./kinds.js";

/** Programs that report about the machine, its users and its processes, which a contained command does not see. */
const ABOUT_MACHINE: ReadonlySet<string> = new Set(
  "ps pgrep pidof who w users last uptime hostname df id groups tty".split(" "),
);

/**
 * Whether a command line may change files unasked where the system contains it: all that it runs is the project's own
 * code, or changes or reads what its words name, or fetches what the project's files name from registries that the user
 * allowed.
 *
 * @param hosts those that contained commands may reach
 */
export function isContainable({ as, doubts, commands }: CommandTouch, hosts?: AllowedHosts): boolean {
  return (
    as === undefined &&
    doubts.length === 0 &&
    commands.every(
      (each) =>
        rightsTaken(each.simple) === undefined &&
        (onlyReads(each) ||
          // The repository cannot be changed there.
          (changesNamedFiles(each) && baseName(each.simple.words[0]) !== "git") ||
          ((each.simple.local === true || mayFetch(each.simple, hosts)) && changingWrapper(each.simple) === undefined)),
    )
  );
}

function mayFetch({ fetches }: SimpleCommand, hosts: AllowedHosts | undefined): boolean {
  return fetches !== undefined && hosts?.allowsAll(hostsOf(fetches)) === true;
}

/** Whether a line is not proven to only read, or is to run outside of the sandbox. */
export function mayAct({ outside, doubts, commands, redirections }: CommandTouch): boolean {
  return (
    outside === true ||
    doubts.length > 0 ||
    redirections.some(({ kind }) => kind === "write") ||
    !commands.every((each) => onlyReads(each))
  );
}

/**
 * Returns how a command line that is judged to only read is contained. It only reads inside the workspace: if that is
 * wrong, it fails instead of acting.
 *
 * @returns undefined if it cannot work there, or is not a command line
 */
export function containmentOf(touches: readonly GatedTouch[] = []): Containment | undefined {
  const lines = touches.filter((touch) => touch.kind === "command");
  const commands = lines.flatMap((line) => line.commands.map(({ simple }) => simple));
  const programs = commands.map(({ words }) => baseName(commandWords(words)[0] ?? words[0]));
  return lines.length === 0 || programs.some((name) => ABOUT_MACHINE.has(name))
    ? undefined
    : // A hidden file looks empty to what prints sizes, and changed to Git, which compares files by their state on disk.
      { hidesSecrets: !programs.includes("git") && !commands.some(tellsNamesOnly) };
}

/** Whether a command that only reads tells which packages are installed: contained commands may have their own. */
export function showsPackages(touches: readonly GatedTouch[] = []): boolean {
  return touches.some(
    (touch) =>
      touch.kind === "command" &&
      touch.commands.some((each) => onlyReads(each) && baseName(each.simple.words[0]) === "npm"),
  );
}
