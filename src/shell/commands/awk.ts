/** Whether a program of awk only computes and prints. */
import { awkWithoutTexts } from "./awkTokens.js";
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/**
 * What may run a command, open a file or load code, and what may hide such a word: a pipe, a redirection, `system`,
 * `getline`, another list of files, gawk's `@load` and indirect calls.
 */
const REACHING = /system|getline|\||@|\bARG[VC]\b|SYMTAB|FUNCTAB|\\\r?\n|<|close|fflush/u;

/** What is not proven about a call. Only ASCII programs are, and those without the words above; `||` is no pipe. */
export function awkFindings(call: Call): readonly Finding[] {
  const program = call.operands[0]?.value;
  const refused = [beyond("unknown", "its program is not one of those that only print")];
  if (program === undefined) {
    return refused;
  }
  const text = program.replaceAll("||", "").replace(/<=?\s*-?[\d$]/gu, "");
  // A comparison in a condition, or in the pattern before a rule: no statement can stand there. What only looks like
  // one in a text or a comment is none.
  const outsideTexts = awkWithoutTexts(program)?.replaceAll("||", "");
  const withoutConditions = (outsideTexts ?? text)
    .replace(/\b(?:if|while)\s*\([^(){};"]*\)/gu, "")
    .replace(/(?<=^|\})(?:(?!print)[^{}"/])*\{/gu, "{");
  // `print a > b` writes; `$1 > 5` without any print compares.
  const mayWrite = (outsideTexts === undefined ? text : withoutConditions).includes(">") && /print/u.test(text);
  const isReaching = REACHING.test(text) || mayWrite;
  // `ARGV=…` or a variable that a program is made of cannot be set by the words of files, but `a=b` is none: it names no file.
  return isReaching ? refused : [];
}
