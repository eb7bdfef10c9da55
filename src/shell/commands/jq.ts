/** Decides whether jq and yq filters only compute. */
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/** Reports a filter that loads a module, the only way in which jq reads other files (jq manual, "Modules"). */
export function jqFindings(call: Call): readonly Finding[] {
  const filter = call.operands[0]?.value;
  const isPlain = filter !== undefined && !/\b(?:import|include|modulemeta)\b/u.test(filter);
  return isPlain || filter === undefined ? [] : [beyond("unknown", "its filter loads a module")];
}

/** Functions that only compute, of both programs named yq (mikefarah 4.0–4.48, and kislyuk 3, which has jq's). */
const YQ_FUNCTIONS = new Set(
  (
    "select map map_values keys length has has_key to_entries from_entries with_entries sort sort_by sort_keys group_by unique unique_by min max min_by max_by first last limit range reverse flatten add any all not and or " +
    "join split test match capture contains inside startswith endswith ltrimstr rtrimstr sub gsub ascii_downcase ascii_upcase downcase upcase trim tostring tonumber to_string to_number type tag kind key parent path paths getpath " +
    "del delpaths empty error if then elif else end as reduce foreach try catch true false null in with tojson fromjson to_json from_json to_yaml from_yaml to_props style anchor alias explode document_index di line column " +
    "headComment lineComment footComment head_comment line_comment foot_comment entries values objects arrays strings numbers scalars recurse splitDoc split_doc pivot pick omit filter e r eval ea eval-all"
  ).split(" "),
);

/** A file name: it has none of the characters needed to call a function. */
const PLAIN_WORD = /^[\w./@+-]*$/u;

/** Whether a yq expression uses only fields, variables, strings and functions that only compute. */
function isPlainExpression(text: string): boolean {
  const outside = text.replace(/"(?:[^"\\]|\\[^(])*"/gu, " ");
  const names = outside.replace(/(?:\.|\$)[A-Za-z_][\w-]*/gu, " ").match(/[A-Za-z_][\w-]*/gu) ?? [];
  return !/["'`]|\\/u.test(outside) && names.every((name) => YQ_FUNCTIONS.has(name) && name !== "eval");
}

/** Reports an expression that may do more than compute; what it loads, runs or evaluates is not examined. */
export function yqFindings(call: Call): readonly Finding[] {
  const isPlain = call.operands.every(({ value = "" }) =>
    PLAIN_WORD.test(value) ? !/^(?:env|input_filename|load\w*)$/u.test(value) : isPlainExpression(value),
  );
  return isPlain ? [] : [beyond("unknown", "its expression may load, run or evaluate something")];
}
