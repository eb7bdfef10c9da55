/** Finds a command's entry in the table: its name, global flags and subcommands. */
import type { ArgWord, JudgedPath } from "../judge.js";
import { table } from "./index.js";
import { flagIndex } from "./options.js";
import { beyond, type CommandSpec, type Finding, type Flags } from "./spec.js";

/** The entry found for a command's words, if any. */
export interface FoundCommand {
  spec: CommandSpec | undefined;
  /** The words that name it, in canonical form: `["git", "push"]`. */
  names: readonly (string | undefined)[];
  /** Index of the first word after them. */
  end: number;
  /** Findings from global flags. */
  findings: readonly Finding[];
  paths: readonly JudgedPath[];
  /** Why the command has no entry. */
  why?: string;
}

/** System folders, in which a file is the command of the same name. Other folders may hold anything. */
const SYSTEM_FOLDER = /^\/(?:usr\/)?bin\/(?=[^/]+$)/u;

/** Looks a command up by its words. */
export function findCommand(words: readonly ArgWord[]): FoundCommand {
  const written = words[0]?.value;
  const name = written?.replace(SYSTEM_FOLDER, "");
  const spec = name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  if (spec === undefined) {
    return {
      spec,
      names: words.length === 0 ? [] : [name?.replace(/^\/.*\//u, "")],
      end: Math.min(1, words.length),
      findings: [],
      paths: [],
    };
  }
  return descend(words, { spec, names: [name], end: 1, findings: [], paths: [] });
}

function descend(words: readonly ArgWord[], found: FoundCommand): FoundCommand {
  const spec = found.spec;
  if (spec?.subcommands === undefined) {
    return found;
  }
  const skipped = skipGlobals(words, found.end, spec);
  const word = words[skipped.end]?.value;
  const subName = word === undefined ? undefined : subcommandName(word, spec);
  const findings = [...found.findings, ...skipped.findings];
  const paths = [...found.paths, ...skipped.paths];
  if (subName !== undefined) {
    const next = {
      spec: spec.subcommands[subName],
      names: [...found.names, subName],
      end: skipped.end + 1,
      findings,
      paths,
    };
    return descend(words, next);
  }
  if (spec.globals !== undefined && skipped.end < words.length) {
    const shown = word ?? "$…";
    const why = `unknown subcommand \`${[...found.names, shown].join(" ")}\``;
    return { spec: undefined, names: [...found.names, word], end: skipped.end + 1, findings, paths, why };
  }
  return { ...found, spec: spec.bare ?? nothingKnown };
}

const nothingKnown: CommandSpec = {
  effect: "unknown",
  why: "its effect without a subcommand is unknown",
  prefix: 0,
  lenient: true,
  operands: { rest: "write" },
};

/** Returns the table's name for a subcommand: the word itself, or the name that it is an alias or abbreviation of. */
function subcommandName(word: string, spec: CommandSpec): string | undefined {
  const names = Object.keys(spec.subcommands ?? {});
  if (names.includes(word)) {
    return word;
  }
  if (spec.aliases !== undefined && Object.hasOwn(spec.aliases, word)) {
    return spec.aliases[word];
  }
  if (spec.abbreviated !== true || word.length < 2) {
    return undefined;
  }
  const meant = names.filter((name) => name.startsWith(word));
  return meant.length === 1 ? meant[0] : undefined;
}

/** Skips the flags before a subcommand. */
function skipGlobals(
  words: readonly ArgWord[],
  start: number,
  spec: CommandSpec,
): Pick<FoundCommand, "end" | "findings" | "paths"> {
  const findings: Finding[] = [];
  const paths: JudgedPath[] = [];
  let end = start;
  for (let value = words[end]?.value; value?.startsWith("-") === true; value = words[end]?.value) {
    if (spec.globals === undefined || subcommandName(value, spec) !== undefined) {
      break;
    }
    end += globalFlag(value, words[end + 1], spec, findings, paths);
  }
  return { end, findings, paths };
}

/** @returns how many words the flag takes up */
function globalFlag(
  text: string,
  next: ArgWord | undefined,
  spec: CommandSpec,
  findings: Finding[],
  paths: JudgedPath[],
): number {
  const dashed = spec.anyDashes === true && /^-[A-Za-z]{2}/u.test(text) ? `-${text}` : text;
  const equals = dashed.startsWith("--") ? dashed.indexOf("=") : -1;
  const name = equals === -1 ? dashed : dashed.slice(0, equals);
  const found = lookUp(name, spec.globals ?? {}, spec.abbreviated === true);
  const takesNext = found !== undefined && found.joined === undefined && found.takes === "value" && equals === -1;
  const value =
    equals !== -1 ? dashed.slice(equals + 1) : (found?.joined ?? (takesNext ? (next?.value ?? next?.glob) : undefined));
  if (found === undefined) {
    findings.push(beyond("unknown", `unknown flag \`${name}\``));
  } else if (found.why !== undefined) {
    findings.push(beyond(found.does === "destroys" ? "destroys" : "unknown", `\`${name}\` ${found.why}`));
  }
  if (value !== undefined && found?.why !== undefined) {
    paths.push({ kind: "read", path: value.replace(/^[^=/]*=/u, "") });
  }
  if (takesNext && next?.value === undefined) {
    findings.push(beyond("unknown", "a flag's value is only known at run time"));
  }
  return takesNext ? 2 : 1;
}

interface GlobalFlag {
  takes: string;
  why: string | undefined;
  does: string | undefined;
  joined: string | undefined;
}

function lookUp(name: string, globals: Flags, mayAbbreviate: boolean): GlobalFlag | undefined {
  const index = flagIndex(globals, "gnu");
  const exact = index.get(name);
  if (exact !== undefined) {
    return { takes: exact.takes, why: exact.exception?.why, does: exact.exception?.does, joined: undefined };
  }
  const short = /^-[^-]./su.test(name) ? index.get(name.slice(0, 2)) : undefined;
  if (short !== undefined && short.takes !== "none") {
    return { takes: short.takes, why: short.exception?.why, does: short.exception?.does, joined: name.slice(2) };
  }
  const long = mayAbbreviate && name.length > 3 ? [...index].find(([flag]) => flag.startsWith(name)) : undefined;
  const known = long?.[1];
  return known === undefined
    ? undefined
    : { takes: known.takes, why: known.exception?.why, does: known.exception?.does, joined: undefined };
}
