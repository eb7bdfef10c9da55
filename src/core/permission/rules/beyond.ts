import { changesNamedFiles, onlyReads } from "../commands/kinds.js";
import { isFileTouch, type CommandUse, type GatedTouch } from "../touches.js";
import type { Certainty } from "./commandPattern.js";
import type { PathPattern } from "./patterns.js";

/** All files but some, as a rule that denies names them. */
export interface Beyond {
  access: "read" | "write";
  patterns: readonly PathPattern[];
}

interface Place {
  path: string;
  realPath: string;
}

/** A name that no glob has by chance. */
const ANY_NAME = "\u0001";

/** Whether a call reads or changes files beyond those that patterns match. */
export function reachesBeyond(beyond: Beyond, touches: readonly GatedTouch[] | undefined): Certainty {
  if (touches === undefined) {
    return "maybe";
  }
  const runs = touches.some(({ kind }) => kind === "command");
  const found = touches.flatMap((touch): Certainty[] => {
    if (isFileTouch(touch)) {
      const { at, kind, deep } = touch;
      // The folder that a command starts in, of which nothing is read by that.
      if (runs && kind === "read" && deep !== true && at.lexical === at.root?.path) {
        return [];
      }
      return [kind === beyond.access ? certainty(!isWithin(beyond, at, deep === true)) : "no"];
    }
    // A tool of others may read and change any file; a program that only reads, as the user says, may read any.
    if (touch.kind === "external" || (touch.kind === "program" && beyond.access === "read")) {
      return ["maybe"];
    }
    if (touch.kind !== "command") {
      return [];
    }
    const uses = [...touch.commands.flatMap((each) => each.uses), ...touch.redirections];
    // What else it reads and changes is not known.
    const isKnown =
      touch.as === undefined &&
      touch.doubts.length === 0 &&
      touch.commands.every((each) => onlyReads(each) || changesNamedFiles(each));
    return [isKnown ? "no" : "maybe", ...uses.map((use) => useReaches(beyond, use))];
  });
  return found.includes("yes") ? "yes" : found.includes("maybe") ? "maybe" : "no";
}

function useReaches(beyond: Beyond, { kind, files, deep, strays, problem }: CommandUse): Certainty {
  if (kind !== beyond.access) {
    return "no";
  }
  return files.some((file) => !isWithin(beyond, file, deep))
    ? "yes"
    : strays !== undefined || problem !== undefined
      ? "maybe"
      : "no";
}

/** Whether a place, and all that is below it if that counts too, is among the files. */
function isWithin({ patterns }: Beyond, { path, realPath }: Place, deep: boolean): boolean {
  return [path, realPath].every((name) =>
    patterns.some(
      (pattern) => pattern.matches(name, false) && (!deep || pattern.matches(`${name}/${ANY_NAME}/${ANY_NAME}`, false)),
    ),
  );
}

function certainty(isSure: boolean): Certainty {
  return isSure ? "yes" : "no";
}
