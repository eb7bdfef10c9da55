/** Works out which of a call's operands are files. */
import type { ArgWord, JudgedPath } from "../judge.js";
import type { KnownWord } from "../known.js";
import { given, type Call } from "./options.js";
import { revisionPaths } from "./revisions.js";
import { beyond, type CommandSpec, type Finding, type Kind, type Operands } from "./spec.js";

/** Returns the operands that are files, and any problems with the operands. */
export function operandUses(
  call: Call,
  spec: CommandSpec,
): { paths: readonly JudgedPath[]; findings: readonly Finding[] } {
  const paths: JudgedPath[] = [];
  const findings: Finding[] = [];
  const kinds = operandKinds(call, spec);
  call.operands.forEach((word, at) => {
    const kind = kinds[at];
    if (kind === undefined) {
      findings.push(beyond("unknown", `unexpected word \`${word.value ?? word.glob ?? "$…"}\``));
    } else if (word.known !== undefined) {
      const isPath = (call.hasDashes && at >= call.operandsBeforeDashes) || given(call, spec.deepWith);
      const used = knownUses(word, word.known, kind, { at, isPath }, spec);
      paths.push(...used.paths);
      findings.push(...used.findings);
    } else if (word.value !== undefined) {
      const isBeforeDashes = at < call.operandsBeforeDashes || !call.hasDashes;
      const used = wordUses(word.value, kind, isBeforeDashes);
      paths.push(...used.paths);
      findings.push(...used.findings);
      if (kind === "write" && spec.effect === "reads") {
        findings.push(beyond("changes", `it writes \`${word.value}\``));
      }
    } else {
      paths.push(...globUses(word, kind, call.flagLike.has(word)));
      findings.push(...unknownWord(word, kind, spec.operands));
    }
  });
  return { paths, findings };
}

/** Returns what a word may reach if part of it is known, although its value is only known at run time. */
function knownUses(
  word: ArgWord,
  { known, before, after }: KnownWord,
  kind: Kind,
  { at, isPath }: { at: number; isPath: boolean },
  spec: CommandSpec,
): { paths: readonly JudgedPath[]; findings: readonly Finding[] } {
  const isOne = word.splits === false;
  const first = spec.operands?.first?.length ?? 0;
  // It may become several words, or none, so all operands at its position must be of one kind.
  const isSure = isOne
    ? spec.check === undefined || kind !== "text"
    : at >= first && spec.operands?.last === undefined && spec.operands?.rest === kind;
  const isWhole = before === "" && after === "";
  const unproven = { paths: [], findings: unknownWord({ value: undefined }, kind, spec.operands) };
  if (!isSure) {
    return unproven;
  }
  if (kind === "text") {
    return known.kind === "names" && !isOne ? unproven : { paths: [], findings: [] };
  }
  const isRead = kind === "read" || kind === "rev";
  switch (known.kind) {
    case "alike":
      // Any number: `file$n.txt`.
      return isRead && !isWhole && !/[*?[\\]/u.test(before + after)
        ? { paths: [{ kind: "read", path: `${before}*${after}` }], findings: [] }
        : unproven;
    case "ref":
      // Where no revision is expected, a branch's name may be a file's.
      return kind === "rev" &&
        !(known.isName === true && isPath) &&
        /^(?:[\w./@{}~^-]*\.\.\.?)?$/u.test(before) &&
        /^(?:[~^][\w~^{}]*)?(?:\.\.\.?[\w./@{}~^-]*)?$/u.test(after)
        ? { paths: known.words.map((path) => ({ kind: "read", path })), findings: [] }
        : unproven;
    case "pipe":
      return isRead && isWhole ? { paths: [], findings: [] } : unproven;
    case "names":
      return isRead && isWhole
        ? {
            paths: known.uses.map((use) => ({
              kind: "read",
              ...use,
              ...(kind === "rev" ? { listed: { ...use.listed, colons: true as const } } : {}),
            })),
            findings: [],
          }
        : unproven;
  }
}

function operandKinds(call: Call, spec: CommandSpec): readonly (Kind | undefined)[] {
  const operands = spec.operands ?? {};
  const first = given(call, operands.firstGivenBy) ? [] : (operands.first ?? []);
  return call.operands.map((_, at) => {
    if (operands.last !== undefined && at > 0 && at === call.operands.length - 1) {
      return operands.last;
    }
    return first[at] ?? operands.rest;
  });
}

function wordUses(
  value: string,
  kind: Kind,
  isBeforeDashes: boolean,
): { paths: readonly JudgedPath[]; findings: readonly Finding[] } {
  if (kind === "text" || value === "-" || value === "") {
    return { paths: [], findings: [] };
  }
  if (kind === "rev") {
    return revisionPaths(value, isBeforeDashes);
  }
  return { paths: [{ kind, path: value }], findings: [] };
}

/** Returns a glob's files. In the place of a text it may become several words, the later of which are files. */
function globUses(word: ArgWord, kind: Kind, isFlagLike: boolean): readonly JudgedPath[] {
  return word.glob === undefined
    ? []
    : [{ kind: kind === "write" ? "write" : "read", path: word.glob, ...(isFlagLike ? { flagLike: true } : {}) }];
}

/**
 * Reports a word that is only known at run time, which can be any file. A glob is fine if all words after it are files
 * too.
 */
function unknownWord(word: ArgWord, kind: Kind, operands: Operands | undefined): readonly Finding[] {
  const isTextOnly =
    kind === "text" && operands?.rest === "text" && (operands.first ?? []).every((each) => each === "text");
  if (isTextOnly) {
    return [];
  }
  if (word.glob === undefined) {
    return [beyond("unknown", "a file name is only known at run time")];
  }
  const mayShift = operands?.rest === undefined || (operands.last !== undefined && operands.last !== operands.rest);
  return mayShift ? [beyond("unknown", `\`${word.glob}\` may expand to any number of words`)] : [];
}
