/** Decides whether an awk program only computes and prints. */
import { awkWithoutTexts } from "./awkTokens.js";
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/**
 * Matches anything that may run a command, open a file or load code, or that may hide such a word: a pipe, a
 * redirection, `system`, `getline`, another list of files, gawk's `@load` and indirect calls.
 */
const REACHING = /system|getline|\||@|\bARG[VC]\b|SYMTAB|FUNCTAB|\\\r?\n|<|close|fflush/u;

/**
 * Returns what is not proven about a call. Only ASCII programs without the words above are proven; `||` is not a pipe.
 */
export function awkFindings(call: Call): readonly Finding[] {
  const program = call.operands[0]?.value;
  const refused = [beyond("unknown", "its program may do more than print")];
  if (program === undefined) {
    return refused;
  }
  const text = program.replaceAll("||", "").replace(/<=?\s*-?[\d$]/gu, "");
  // A comparison in a condition, or in the pattern before a rule: no statement can be there. Text that only looks like
  // a comparison, in a string or a comment, does not count.
  const outsideTexts = awkWithoutTexts(program)?.replaceAll("||", "");
  const withoutConditions = (outsideTexts ?? text)
    .replace(/\b(?:if|while)\s*\([^(){};"]*\)/gu, "")
    .replace(/(?<=^|\})(?:(?!print)[^{}"/])*\{/gu, "{");
  // `print a > b` writes; `$1 > 5` without any print compares.
  const mayWrite = (outsideTexts === undefined ? text : withoutConditions).includes(">") && /print/u.test(text);
  const isReaching = REACHING.test(text) || mayWrite;
  // `ARGV=…`, or a variable that a program is built from, cannot be set through file names, but `a=b` is harmless: it
  // names no file.
  return isReaching ? refused : [];
}
