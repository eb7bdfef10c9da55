import type { Effect } from "../../shell/analysis.js";
import type { Rule } from "../../ports/rules.js";
import type { Decision } from "./decide.js";
import type { Narrowed } from "./commands/narrowed.js";
import type { CommandTouch, GatedTouch } from "./touches.js";

/** Why a call is allowed, asked about or denied. */
export interface Explanation {
  decision: Decision["decision"];
  /** The rule with its place, or `default: …`, that decided. */
  rule: string;
  reasons: readonly string[];
  /** The rules that would allow it from now on. */
  derived: readonly Rule[];
  /** The command line that would run instead of the given one: it skips files that may hold secrets, by these names. */
  instead?: Narrowed;
  /** The simple commands that it would run, if it runs any and they are understood. */
  commands: readonly ExplainedCommand[];
}

interface ExplainedCommand {
  /** As written in the line. */
  text: string;
  effect: Effect;
  /** Why it is not proven to only read; empty for one that only reads. */
  why: string;
  /** The paths its words reach, as people write them. */
  paths: readonly { kind: "read" | "write"; path: string }[];
}

/** Returns a decision with what it was based on. */
export function explain(
  decision: Decision,
  touches: readonly GatedTouch[] | undefined,
  instead?: Narrowed,
): Explanation {
  const lines = (touches ?? []).filter((touch): touch is CommandTouch => touch.kind === "command");
  return {
    decision: decision.decision,
    rule: decision.rule,
    reasons: decision.reasons,
    derived: decision.decision === "ask" ? decision.derived : [],
    ...(instead === undefined ? {} : { instead: { command: instead.command, leftOut: instead.leftOut } }),
    commands: lines.flatMap(({ commands }) =>
      commands.map(({ simple: { text, effect, why }, uses }) => ({
        text,
        effect,
        why,
        paths: uses.flatMap(({ kind, files }) => files.map(({ path }) => ({ kind, path }))),
      })),
    ),
  };
}
