/** Judges what one command does, using the table of known commands (`commands/`). */
import type { Effect, Narrowing, PathUse, SimpleCommand } from "./analysis.js";
import { findCommand, type FoundCommand } from "./commands/lookUp.js";
import { goalFindings } from "./commands/goals.js";
import { given, parseOptions, possiblePaths, type Call } from "./commands/options.js";
import { operandUses } from "./commands/operands.js";
import { beyond, type CommandSpec, type Finding } from "./commands/spec.js";
import type { KnownWord } from "./known.js";
import { NOT_RECORDED } from "./readFrom.js";

/** A word of a command, as the parser passes it. */
export interface ArgWord {
  /** The word after quote removal; undefined if it is only known at run time. A leading unquoted `~` stays in it. */
  value: string | undefined;
  /** The pattern, if the word is an unquoted glob of otherwise literal text. */
  glob?: string;
  /** The value it is known to get, if it is only known at run time. */
  known?: KnownWord;
  /** Whether it may expand to no word, or several. Assumed true if absent for a word only known at run time. */
  splits?: boolean;
  /** The text that a word of unknown text begins with, if it is certainly one word: `src/` in `"src/$x"`. */
  head?: string;
  /** Whether it assigns a list: `x=(a b)`. `head` is then the text before the list. */
  isList?: true;
}

/** A path in a command's words, relative to the folder the command is in. */
export type JudgedPath = Omit<PathUse, "bases">;

/** The table's judgement of a command with exactly these words. */
export type Judgement = Pick<
  SimpleCommand,
  | "effect"
  | "why"
  | "beyondPrefix"
  | "prefix"
  | "closed"
  | "steeredBy"
  | "tracked"
  | "installedAs"
  | "changesNamed"
  | "local"
  | "fetches"
> & { paths: readonly JudgedPath[]; narrowedBy?: Narrowing };

/**
 * Judges a command by its words, its name first. Runs nothing and looks nothing up. `reads` is a proof for exactly
 * these words; a command that is not in the table is `unknown`, and all its words may be paths.
 */
export function judge(all: readonly ArgWord[]): Judgement {
  const words = all.map(alike);
  const found = findCommand(words);
  const judged = found.spec === undefined ? judgeUnknown(words, found) : judgeKnown(words, found);
  return PACKAGE_RUNNERS.has(found.names[0] ?? "") ? judgePackage(words, judged) : judged;
}

/**
 * Returns the word to judge in place of this one, if it is judged the same whatever it becomes. Never changes the
 * command's name.
 */
function alike(word: ArgWord, at: number): ArgWord {
  const { known } = word;
  return at > 0 && known?.known.kind === "alike"
    ? { value: known.before + known.known.text + known.after, known, splits: false }
    : word;
}

/** Commands that run a package of the workspace, or download it if it is missing. */
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx"]);

/** Judges `npx vitest run` like `vitest run`, since the package name determines what is downloaded. */
function judgePackage(words: readonly ArgWord[], judged: Judgement): Judgement {
  const inner = judge(words.slice(1));
  const isTool = PACKAGE_TOOLS.has(words[1]?.value ?? "") && !judged.beyondPrefix;
  return isTool && inner.effect === "changes"
    ? {
        ...inner,
        prefix: inner.prefix === 0 ? 0 : inner.prefix + 1,
        installedAs: `node_modules/.bin/${words[1]?.value ?? ""}`,
      }
    : judged;
}

/** Checkers, test runners and formatters whose packages have the same names as their programs. */
const PACKAGE_TOOLS: ReadonlySet<string> = new Set([
  "tsc",
  "eslint",
  "oxlint",
  "stylelint",
  "prettier",
  "jest",
  "vitest",
  "mocha",
  "ava",
  "playwright",
  "cypress",
  "karma",
]);

/**
 * Returns the words that rules match: the folder is removed from the command's name, and global flags before the
 * subcommand are dropped.
 */
export function commandWords(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const found = findCommand(words.map((value) => ({ value })));
  return [...found.names, ...words.slice(found.end)];
}

function judgeKnown(words: readonly ArgWord[], found: FoundCommand): Judgement {
  const { spec: listed } = found;
  if (listed === undefined) {
    return judgeUnknown(words, found);
  }
  const spec = words.length === found.end ? (listed.alone ?? listed) : listed;
  const call = parseOptions(words.slice(found.end), spec);
  const uses = operandUses(call, spec);
  const operands = given(call, spec.writeWith)
    ? uses.paths.map((use) => ({ ...use, kind: "write" as const }))
    : uses.paths;
  const paths: JudgedPath[] = [...found.paths, ...call.paths, ...operands, ...(spec.paths?.(call) ?? [])];
  const isDeep = given(call, spec.deepWith) && !given(call, spec.namesWith);
  if (worksHere(spec.here, paths, isDeep) || spec.steeredBy !== undefined || found.names[0] === "git") {
    paths.push(HERE);
  }
  const findings = [
    ...found.findings,
    ...call.findings,
    ...uses.findings,
    ...(spec.check?.(call) ?? []),
    ...(spec.goals === undefined ? [] : goalFindings(call, spec.goals)),
    ...(spec.runs === true ? programFindings(call) : []),
  ];
  const prefix = keptPrefix(words, found);
  const reached = isDeep ? paths.map((path) => deepened(path, spec, call)) : paths;
  const proven = summed(spec.effect, spec.why ?? "", findings, reached, prefix);
  const judged =
    proven.effect === "reads" && NOT_RECORDED.has(found.names[0] ?? "")
      ? summed("changes", "its table entry records no source version", findings, reached, prefix)
      : proven;
  const tracked = spec.prints?.(call);
  const more = {
    ...(tracked === undefined ? {} : { tracked }),
    ...(spec.goals !== undefined || findings.some(({ closed }) => closed) ? { closed: true as const } : {}),
    ...(spec.steeredBy === undefined ? {} : { steeredBy: spec.steeredBy }),
    ...(judged.effect === "changes" && changesNamed(spec, call, findings) ? { changesNamed: true as const } : {}),
    ...(isLocal(spec, findings) && judged.effect !== "destroys" ? { local: true as const } : {}),
    ...(spec.fetches !== undefined && judged.effect === "changes" && !judged.beyondPrefix
      ? { fetches: spec.fetches }
      : {}),
    ...(isDeep && spec.narrowedBy !== undefined ? { narrowedBy: spec.narrowedBy } : {}),
  };
  return { ...judged, ...more };
}

/** Whether a call is one of those that change nothing but the files they name, and nothing in it goes beyond that. */
function changesNamed(
  { changesNamed: isListed, changesMoreWith }: CommandSpec,
  call: Call,
  findings: readonly Finding[],
): boolean {
  return (
    (isListed === true || findings.some(({ inPlace }) => inPlace)) &&
    !given(call, changesMoreWith) &&
    findings.every(({ inPlace }) => inPlace === true)
  );
}

/**
 * Reports programs that the words may name: in `uv run --with x rm y` any word may be the program's name, since not all
 * flags are known.
 */
function programFindings({ operands }: Call): readonly Finding[] {
  const found = operands.map((_, at) => findCommand(operands.slice(at)));
  const programs = found.filter(
    ({ spec, why }) => spec?.effect === "destroys" || spec?.effect === "unknown" || why !== undefined,
  );
  return programs.map(({ names, spec }) =>
    beyond(spec?.effect ?? "unknown", `\`${names.join(" ")}\` is not a program of the project`),
  );
}

/** Every git command looks for a repository starting from its working folder. */
const HERE: JudgedPath = { kind: "read", path: "." };

function worksHere(
  here: "always" | "else" | "deep" | undefined,
  paths: readonly JudgedPath[],
  isDeep: boolean,
): boolean {
  return here === "always" || (paths.length === 0 && (here === "else" || (here === "deep" && isDeep)));
}

function deepened(path: JudgedPath, spec: CommandSpec, call: Call): JudgedPath {
  const globs = spec.shownOnly?.(call);
  const shownOnly = globs === undefined ? {} : { shownOnly: globs };
  const ordinaryOnly = spec.ordinaryOnly?.(call) === true ? { ordinaryOnly: true } : {};
  const links = given(call, spec.linksWith) ? { links: true } : {};
  const leftOut = spec.leavesOut === undefined ? {} : { leftOut: spec.leavesOut(call) };
  return path.kind === "read" ? { ...path, deep: true, ...shownOnly, ...ordinaryOnly, ...leftOut, ...links } : path;
}

/**
 * Returns how many words a rule may keep: none if one of them is a flag or not literal, or if a global flag is between
 * them.
 */
function keptPrefix(words: readonly ArgWord[], found: FoundCommand): number {
  const wanted = found.spec?.prefix ?? found.names.length;
  const kept = words.slice(0, wanted);
  const isPlain = kept.every(
    (word, at) => word.value !== undefined && (at === 0 || at < found.names.length || !word.value.startsWith("-")),
  );
  return isPlain && kept.length === wanted && found.end === found.names.length ? wanted : 0;
}

/** Whether a call is work on the project: by its entry, or by its flags. A rule's prefix may cover less. */
function isLocal(spec: CommandSpec, findings: readonly Finding[]): boolean {
  return (
    (spec.local === true || findings.some(({ local }) => local)) &&
    findings.every(({ beyond: isBeyond, local }) => !isBeyond || local === true)
  );
}

/** Judges a command that is not in the table: every word may be a path, and may be written to. */
function judgeUnknown(words: readonly ArgWord[], found: FoundCommand): Judgement {
  const rest = words.slice(1);
  const paths = rest
    .flatMap((word) => wordPaths(word.glob ?? word.value))
    .map((path): JudgedPath => ({ kind: "write", path }));
  const findings: Finding[] = [...found.findings];
  if (rest.some((word) => word.value === undefined && word.glob === undefined)) {
    findings.push(beyond("unknown", "a word is only known at run time"));
  }
  const name = words[0]?.value;
  const why = name === undefined ? "its name is only known at run time" : (found.why ?? `unknown command \`${name}\``);
  const program: JudgedPath[] = name?.includes("/") === true ? [{ kind: "read", path: name }] : [];
  // A program in a subfolder is identified by its path; a bare name may be an interpreter, and no prefix of it says
  // what would run.
  const isOwn =
    name !== undefined &&
    /^(?:\.\/)?[^/~-][^/]*(?:\/|$)/u.test(name) &&
    name.includes("/") &&
    !name.split("/").includes("..");
  const here = found.names[0] === "git" ? [HERE] : [];
  const judged = summed("unknown", why, findings, [...program, ...here, ...found.paths, ...paths], isOwn ? 1 : 0);
  return { ...judged, why, ...(isOwn && judged.effect === "unknown" && !judged.beyondPrefix ? { local: true } : {}) };
}

/** Returns the paths in a word about which nothing is known: the word itself, or a flag's joined value. */
function wordPaths(text: string | undefined): readonly string[] {
  if (text === undefined || !text.startsWith("-")) {
    return possiblePaths(text);
  }
  const joined = text.includes("=") ? possiblePaths(text.slice(text.indexOf("=") + 1)) : [];
  const short = /^-[^-]/u.test(text)
    ? [text.slice(2), /(?:\.\.\/|[/~]).*$/su.exec(text)?.[0]].flatMap((part) => possiblePaths(part))
    : [];
  return [...joined, ...short];
}

const weights: Readonly<Record<Effect, number>> = { reads: 0, changes: 1, unknown: 2, destroys: 3 };

/** Returns the worst finding and its reason. */
function summed(
  effect: Effect,
  why: string,
  findings: readonly Finding[],
  paths: readonly JudgedPath[],
  prefix: number,
): Judgement {
  let worst = { effect, why };
  for (const finding of findings) {
    if (weights[finding.effect] > weights[worst.effect]) {
      worst = { effect: finding.effect, why: finding.why };
    }
  }
  const beyondFinding = findings.find((finding) => finding.beyond);
  // The flag's reason is more specific than the command's: it names what a rule would have allowed unnoticed.
  const shown =
    beyondFinding !== undefined && worst.effect === effect && effect !== "destroys" ? beyondFinding.why : worst.why;
  const beyondPrefix = beyondFinding !== undefined;
  return { effect: worst.effect, why: shown, beyondPrefix, prefix: beyondPrefix ? 0 : prefix, paths: distinct(paths) };
}

function distinct(paths: readonly JudgedPath[]): readonly JudgedPath[] {
  const seen = new Map(
    paths.map((path) => [
      `${path.kind} ${path.deep === true ? "deep" : ""} ${path.flagLike === true ? "flag" : ""} ${path.listed === undefined ? "" : JSON.stringify(path.listed)} ${path.path}`,
      path,
    ]),
  );
  return [...seen.values()];
}
