import { table } from "../../../shell/commands/index.js";
import { guardOf, useGuard } from "../concerns.js";
import { secretOf, type CommandTouch, type GatedSimple, type GatedTouch } from "../touches.js";
import { baseName, changesNamedFiles, onlyReads, rightsTaken } from "./kinds.js";

/** Listed programs that change files and nothing else, whether or not the words name all of these files. */
const OF_FILES: ReadonlySet<string> = new Set(
  "chmod cp gunzip gzip install ln mkdir mv patch rmdir sed tar tee touch truncate unzip zip".split(" "),
);

/**
 * Whether a call that asks may be tried first, where the system contains it: it is a command line that neither destroys
 * nor publishes, nor names what it would not see there. What else it does, nobody knows; there it does it to nothing.
 */
export function isRehearsable(touches: readonly GatedTouch[] = []): boolean {
  return (
    touches.some(({ kind }) => kind === "command") &&
    touches.every((touch) =>
      touch.kind === "command"
        ? isLine(touch)
        : touch.kind === "read" && touch.at.outside !== true && secretOf(touch.at) === undefined,
    )
  );
}

function isLine(line: CommandTouch): boolean {
  return (
    line.as === undefined &&
    line.mayBeContained === true &&
    line.outside !== true &&
    line.redirections.every((use) => useGuard(use, false) === undefined) &&
    line.commands.every(
      (of) =>
        rightsTaken(of.simple) === undefined &&
        guardOf({ kind: "command", of, line }) === undefined &&
        (onlyReads(of) || mayWorkThere(of)),
    )
  );
}

/** Listed programs are known to need more than files, unless they are known not to. */
function mayWorkThere(of: GatedSimple): boolean {
  const { effect, local, words } = of.simple;
  const name = baseName(words[0]);
  return (
    effect !== "destroys" &&
    name !== "git" &&
    (local === true || changesNamedFiles(of) || OF_FILES.has(name) || !Object.hasOwn(table, name))
  );
}
