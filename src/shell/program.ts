import type { SyntaxNode } from "../ports/shellGrammar.js";
import type { CommandList, Dialect, Findings } from "./findings.js";
import type { Folders } from "./folders.js";

/** One program of a line, with its tree: the line itself, or what `bash -c` is given. */
export interface Program {
  text: string;
  root: SyntaxNode;
  dialect: Dialect;
  /** Names of the commands that run it, the outermost first. */
  wrappers: readonly string[];
  level: number;
  findings: Findings;
  /** Where its commands are put. */
  place: CommandList;
}

/** Hands a program within one to be looked into later, its commands to stand here. */
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
