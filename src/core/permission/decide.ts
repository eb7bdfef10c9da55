import type { PlacedRule, Rule } from "../../ports/rules.js";
import type { ErrorType } from "../errors.js";
import { compileRule, type CompiledRule } from "./rules/compiledRule.js";
import { isContainable } from "./commands/containment.js";
import { concernOf, isContained, type Concern } from "./concerns.js";
import { deriveRules, exactRules } from "./rules/derive.js";
import { defaultRule, type Policy } from "./modes.js";
import { changesSomething, partsOf, readsInside, type Call, type CallPart } from "./commands/parts.js";
import { isFileTouch, type GatedSimple } from "./touches.js";
import { ruleCovers } from "./rules/covers.js";
import { ruleHits } from "./rules/hits.js";
import { whyNotCovered } from "./rules/notCovered.js";
import { changesNamedFiles, shownCommand } from "./commands/kinds.js";
import { listed } from "../../text/words.js";
import { ruleWords } from "./rules/words.js";

/** Maximum number of files that a reason names for an ordinary change. */
const MAX_NAMED = 5;
/** Maximum number of reasons that say which rule does not apply. */
const MAX_NOT_COVERED = 3;

interface Decided {
  reasons: string[];
  /** The rule with its place, or `default: …`, that decided. */
  rule: string;
  /** The rules that decided; none if a default did. */
  matched: readonly PlacedRule[];
}

export type Decision =
  | (Decided & {
      decision: "allow";
      /** Whether it is proven to only read, whatever allowed it. */
      onlyReads: boolean;
      /** Whether it must be contained, since nothing else allows a part of it. */
      isContained?: boolean;
    })
  | (Decided & {
      decision: "ask";
      /**
       * Whether a yes counts only for this call. An editor's “allow in this session” applies to a tool, whatever it
       * reaches: it must not open secrets and protected files (vscode.md §4.3; CVE-2025-53773).
       */
      everyTime: boolean;
      /** The rules that would allow the call from now on; none if no rule is narrow enough. */
      derived: readonly Rule[];
      /** The rules that name exactly this, where none is offered and they would allow it. */
      exact?: readonly Rule[];
    })
  | (Decided & { decision: "deny"; error: ErrorType; hint: string });

/**
 * Decides on what a call really reaches: canonical paths and parsed words, never display text. Deny wins over ask, ask
 * over allow.
 * @param rules those of the user and the session
 */
export function decide(call: Call, policy: Policy, rules: readonly PlacedRule[] = []): Decision {
  const compiled = rules.map(compileRule);
  const parts = partsOf(call);
  return (
    untrusted(call, parts, policy) ??
    denied(call, compiled) ??
    planned(parts, policy) ??
    asked(call, parts, policy, compiled)
  );
}

function untrusted({ tool, touches }: Call, parts: readonly CallPart[], { trusted }: Policy): Decision | undefined {
  // A command line is a command even if no command was found in it. What a tool changes may be known only after asking
  // language servers, which do not all run here.
  const justReads = parts.every(readsInside) && touches?.every(isFileTouch) === true;
  if (trusted || (justReads && (tool.reaches === undefined || tool.annotations.readOnly))) {
    return undefined;
  }
  return {
    decision: "deny",
    error: "untrusted",
    reasons: [`the workspace is not trusted, so only tools that just read inside it run`],
    hint: "The user can trust the workspace (command “Workspaces: Manage Workspace Trust”).",
    rule: defaultRule("untrusted"),
    matched: [],
  };
}

function denied(call: Call, rules: readonly CompiledRule[]): Decision | undefined {
  const matched = rules
    .filter((rule) => rule.placed.rule.decision === "deny" && ruleHits(rule, call) === "yes")
    .map(({ placed }) => placed);
  const [first] = matched;
  if (first === undefined) {
    return undefined;
  }
  return {
    decision: "deny",
    error: "denied",
    reasons: matched.map((rule) => `a user's rule denies it (${placedText(rule)})`),
    hint: "Do not work around it. Ask the user how to continue.",
    rule: placedText(first),
    matched,
  };
}

function planned(parts: readonly CallPart[], { mode }: Policy): Decision | undefined {
  if (mode !== "plan" || !parts.some(changesSomething)) {
    return undefined;
  }
  return {
    decision: "deny",
    error: "denied",
    reasons: [`the permission mode is plan, which is read-only`],
    hint: "Describe the change instead of making it. Only the user can leave plan mode.",
    rule: defaultRule("plan"),
    matched: [],
  };
}

function asked(call: Call, parts: readonly CallPart[], policy: Policy, rules: readonly CompiledRule[]): Decision {
  const asking = askingRules(call, rules);
  const concerns: Concern[] = [];
  const used: PlacedRule[] = [];
  let containsLine = false;
  for (const part of parts) {
    const concern = policy.typed === true && isOfCommand(part) ? undefined : concernOf(call, part, policy);
    const rule = concern && rules.find((each) => ruleCovers(each, call, part));
    if (rule !== undefined) {
      used.push(rule.placed);
    } else if (concern !== undefined && isContained(concern, policy)) {
      containsLine = true;
    } else if (concern !== undefined) {
      concerns.push(concern);
    }
  }
  const matched = [...new Set([...asking.map(({ placed }) => placed), ...(concerns.length === 0 ? used : [])])];
  const onlyReads = concerns.length === 0 && used.length === 0 && !parts.some(changesSomething);
  if (policy.mode === "bypass") {
    return asking.length > 0 ? askFor(call, [], asking, matched) : bypassed(parts, concerns, matched, onlyReads);
  }
  return asking.length > 0 || concerns.length > 0
    ? askFor(call, concerns, asking, matched, asking.length > 0 ? [] : notCovered(call, concerns, rules))
    : allowed(parts, policy, matched, onlyReads, containsLine || (used.length === 0 && changesInView(call, policy)));
}

/**
 * Whether a call that nobody needs to approve runs commands that change files, and the system contains them. Outside,
 * they would meet what others have made of the files since they were judged.
 */
function changesInView({ touches = [] }: Call, { mode, contains = false, typed = false, hosts }: Policy): boolean {
  const lines = touches.filter((touch) => touch.kind === "command");
  return (
    contains && !typed && mode === "default" && lines.length > 0 && lines.every((line) => isContainable(line, hosts))
  );
}

/** Returns a sentence for each rule that seems to allow what is asked about, and does not. */
function notCovered(call: Call, concerns: readonly Concern[], rules: readonly CompiledRule[]): string[] {
  const sentences = concerns.flatMap(({ part }) =>
    rules.flatMap((rule) => {
      const why = whyNotCovered(rule, call, part);
      const { rule: written, place } = rule.placed;
      return why === undefined ? [] : [`The rule ${ruleWords(written)} (${place}) does not cover ${why}.`];
    }),
  );
  return [...new Set(sentences)].slice(0, MAX_NOT_COVERED);
}

/** Whether a part belongs to a command line, typed input or a task, whatever these do. */
function isOfCommand(part: CallPart): boolean {
  return part.kind === "command" || part.kind === "redirection" || (part.kind === "opaque" && part.what !== "tool");
}

interface AskingRule {
  placed: PlacedRule;
  reason: string;
}

/**
 * Returns the rules that make a call ask: those that say so, and those that would deny it if it turns out to run a
 * certain command.
 */
function askingRules(call: Call, rules: readonly CompiledRule[]): AskingRule[] {
  return rules.flatMap((rule): AskingRule[] => {
    const { placed } = rule;
    const hit = placed.rule.decision === "allow" ? "no" : ruleHits(rule, call);
    if (hit === "no") {
      return [];
    }
    const why =
      placed.rule.decision === "ask" ? "A rule asks about it" : "A rule may deny it, which is only known once it runs";
    return [{ placed, reason: `${why} (${placedText(placed)}).` }];
  });
}

function askFor(
  call: Call,
  concerns: readonly Concern[],
  asking: readonly AskingRule[],
  matched: readonly PlacedRule[],
  remarks: readonly string[] = [],
): Decision {
  const plain = new Set(concerns.flatMap(({ changes }) => changes ?? []));
  const [first] = asking;
  const by = concerns[0]?.by ?? "commands";
  // A rule that allows does not win over one that asks.
  const derived = asking.length > 0 ? [] : deriveRules(call, concerns);
  const exact = asking.length > 0 || derived.length > 0 ? [] : exactRules(call, concerns);
  return {
    decision: "ask",
    reasons: [
      ...asking.map(({ reason }) => reason),
      ...new Set(concerns.flatMap(({ reason }) => reason ?? [])),
      ...(plain.size > 0 ? [`Changes ${listed([...plain], MAX_NAMED)}.`] : []),
      ...remarks,
    ],
    everyTime: asking.length > 0 || concerns.some(({ everyTime }) => everyTime),
    derived,
    ...(exact.length > 0 && { exact }),
    rule: first === undefined ? defaultRule(by) : placedText(first.placed),
    matched,
  };
}

/**
 * Decides in bypass mode, which asks nothing. Tools are still refused files outside the workspace, unless a rule allows
 * them.
 */
function bypassed(
  parts: readonly CallPart[],
  concerns: readonly Concern[],
  matched: readonly PlacedRule[],
  onlyReads: boolean,
): Decision {
  const shown = concerns.filter(({ part }) => part.kind === "secret" && part.shown === true);
  if (shown.length > 0) {
    return {
      decision: "deny",
      error: "denied",
      reasons: clauses(shown),
      hint: "Nobody is asked in mode bypass, and a secret is only shown to a model after a question. Use its handle.",
      rule: defaultRule("handles"),
      matched,
    };
  }
  const outside = concerns.filter((concern) => concern.part.kind === "file" && concern.outside === true);
  if (outside.length > 0) {
    return {
      decision: "deny",
      error: "outside_workspace",
      reasons: clauses(outside),
      hint: "Only a rule of the user that names the place allows it while everything inside the workspace is allowed.",
      rule: defaultRule("outside"),
      matched,
    };
  }
  return {
    decision: "allow",
    reasons: commandReasons(parts),
    rule: matched[0] === undefined ? defaultRule("bypass") : placedText(matched[0]),
    matched,
    onlyReads,
  };
}

/** Returns reasons as a refusal has them, within a sentence: `Reads a.` becomes `it reads a`. */
function clauses(concerns: readonly Concern[]): string[] {
  return concerns.flatMap(({ reason }) =>
    reason === undefined ? [] : [`it ${reason.slice(0, 1).toLowerCase()}${reason.slice(1).replace(/\.$/, "")}`],
  );
}

function allowed(
  parts: readonly CallPart[],
  { mode, typed = false }: Policy,
  matched: readonly PlacedRule[],
  onlyReads: boolean,
  isContained: boolean,
): Decision {
  const containsLine = isContained && !onlyReads;
  const works = containsLine && parts.some((part) => part.kind === "command" && part.of.simple.local === true);
  const byDefault =
    typed && parts.some(isOfCommand)
      ? defaultRule("typed")
      : defaultRule(works ? "contained" : mode !== "plan" && parts.some(changesSomething) ? "undoable" : "reads");
  return {
    decision: "allow",
    reasons: commandReasons(parts, containsLine),
    rule: matched.length === 0 ? byDefault : matched.map(placedText).join("; "),
    matched,
    onlyReads,
    ...(containsLine && { isContained: true }),
  };
}

/** Whether nobody was asked about a call, and no rule allows it: it only reads, or its changes can be undone. */
export function isAllowedByDefault(decision: Decision): boolean {
  return (
    decision.decision === "allow" &&
    (decision.isContained === true ||
      decision.rule === defaultRule("reads") ||
      decision.rule === defaultRule("undoable"))
  );
}

/** Returns what an allowed command does, for a person who asks why it is allowed. */
function commandReasons(parts: readonly CallPart[], containsLine = false): string[] {
  return parts.flatMap((part) =>
    part.kind === "command" ? [`${shownCommand(part.of.simple)} ${whatItDoes(part.of, containsLine)}.`] : [],
  );
}

function whatItDoes(of: GatedSimple, containsLine: boolean): string {
  return of.simple.effect === "reads"
    ? "only reads"
    : changesNamedFiles(of)
      ? "only changes files that it names, which undo takes back"
      : containsLine && of.simple.local === true
        ? "works on the project"
        : "is allowed";
}

/**
 * Returns a rule with its decision and place, as a decision names it: `toolhost.permissions.rules[2]: allow npm test
 * **`.
 */
function placedText({ rule, place }: PlacedRule): string {
  return `${place}: ${rule.decision} ${ruleWords(rule)}`;
}
