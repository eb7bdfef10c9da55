/** Whether filters of jq and yq only compute. */
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/** jq reads other files by modules alone (jq manual, "Modules"). */
export function jqFindings(call: Call): readonly Finding[] {
  const filter = call.operands[0]?.value;
  const isPlain = filter !== undefined && !/\b(?:import|include|modulemeta)\b/u.test(filter);
  return isPlain || filter === undefined ? [] : [beyond("unknown", "its filter loads a module")];
}

/** Two programs go by the name of yq; this refuses what either of them reads, runs or writes by. */
export function yqFindings(call: Call): readonly Finding[] {
  const isPlain = call.operands.every((word) => !/\b(?:load\w*|eval|import|include|system|env\w*|strenv|from_file)\b/u.test(word.value ?? ""));
  return isPlain ? [] : [beyond("unknown", "its expression may load, run or evaluate something")];
}
