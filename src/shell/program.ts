import type { SyntaxNode } from "../ports/shellGrammar.js";
import type { CommandList, Dialect, Findings } from "./findings.js";
import type { Folders } from "./folders.js";

/** One program of a line, with its tree: the line itself, or the argument of `bash -c`. */
export interface Program {
  text: string;
  root: SyntaxNode;
  dialect: Dialect;
  /** Names of the commands that run it, outermost first. */
  wrappers: readonly string[];
  level: number;
  findings: Findings;
  /** The list that its commands are added to. */
  place: CommandList;
}

/** Queues an inner program for analysis; its commands will be inserted here. */
export function addInner(
  program: Program,
  text: string,
  folders: Folders,
  wrappers: readonly string[],
  dialect: Dialect,
): void {
  const place: CommandList = [];
  program.place.push(place);
  program.findings.program({ text, dialect, folders, wrappers, level: program.level + 1, place });
}
