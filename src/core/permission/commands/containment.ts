import type { Containment } from "../../../ports/processes.js";
import { commandWords } from "../../../shell/judge.js";
import type { CommandTouch, GatedTouch } from "../touches.js";
import { baseName, changesNamedFiles, changingWrapper, onlyReads, rightsTaken } from "./kinds.js";

/** Programs that report about the machine, its users and its processes, which a contained command does not see. */
const ABOUT_MACHINE: ReadonlySet<string> = new Set(
  "ps pgrep pidof who w users last uptime hostname df id groups tty".split(" "),
);

/**
 * Whether a command line may change files unasked where the system contains it: all that it runs is the project's own
 * code, or changes or reads what its words name.
 */
export function isContainable({ mayBeContained, doubts, commands }: CommandTouch): boolean {
  return (
    mayBeContained === true &&
    doubts.length === 0 &&
    commands.every(
      (each) =>
        rightsTaken(each.simple) === undefined &&
        (onlyReads(each) ||
          // The repository cannot be changed there.
          (changesNamedFiles(each) && baseName(each.simple.words[0]) !== "git") ||
          (each.simple.local === true && changingWrapper(each.simple) === undefined)),
    )
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
  const programs = lines.flatMap(({ commands }) =>
    commands.map(({ simple }) => baseName(commandWords(simple.words)[0] ?? simple.words[0])),
  );
  return lines.length === 0 ||
    lines.some(({ outside }) => outside === true) ||
    programs.some((name) => ABOUT_MACHINE.has(name))
    ? undefined
    : // Git compares files by their state on disk, so that a tracked one that is hidden counts as changed.
      { hidesSecrets: !programs.includes("git") };
}
