/** Says how much one command does, by the table of commands that are known (`commands/`). */
import type { Effect, Narrowing, PathUse, SimpleCommand } from "./analysis.js";
import { findCommand, type FoundCommand } from "./commands/lookUp.js";
import { goalFindings } from "./commands/goals.js";
import { given, parseOptions, possiblePaths, type Call } from "./commands/options.js";
import { operandUses } from "./commands/operands.js";
import { beyond, type CommandSpec, type Finding } from "./commands/spec.js";
import type { KnownWord } from "./known.js";
import { NOT_RECORDED } from "./readFrom.js";

/** A word of a command, as the parser hands it over. */
export interface ArgWord {
  /** The word after quote removal, undefined when it depends on the run. A leading unquoted `~` stays in it. */
  value: string | undefined;
  /** The pattern, when the word is an unquoted glob of otherwise literal text. */
  glob?: string;
  /** What it is known to become, when it depends on the run. */
  known?: KnownWord;
  /** Whether it may become no word, or several. Taken as true of a word that depends on the run and does not say. */
  splits?: boolean;
  /** The text that a word of unknown text begins with, where it is one word for sure: `src/` of `"src/$x"`. */
  head?: string;
  /** Whether it is an assignment of a list: `x=(a b)`. Then `head` is what stands before the list. */
  isList?: true;
}

/** A path in a command's words, relative to the folder the command is in. */
export type JudgedPath = Omit<PathUse, "bases">;

/** What the table says of a command with exactly these words. */
export type Judgement = Pick<
  SimpleCommand,
  "effect" | "why" | "beyondPrefix" | "prefix" | "closed" | "steeredBy" | "tracked" | "installedAs"
> & { paths: readonly JudgedPath[]; narrowedBy?: Narrowing };

/**
 * Judges a command by its words, its name first. Runs nothing and looks nothing up. `reads` is a proof for these very
 * words; what is not in the table is `unknown`, and all its words may be paths.
 */
export function judge(all: readonly ArgWord[]): Judgement {
  const words = all.map(alike);
  const found = findCommand(words);
  const judged = found.spec === undefined ? judgeUnknown(words, found) : judgeKnown(words, found);
  return PACKAGE_RUNNERS.has(found.names[0] ?? "") ? judgePackage(words, judged) : judged;
}

/** A word that is judged as another is, whatever it becomes. Its name is none of those. */
function alike(word: ArgWord, at: number): ArgWord {
  const { known } = word;
  return at > 0 && known?.known.kind === "alike"
    ? { value: known.before + known.known.text + known.after, known, splits: false }
    : word;
}

/** They run a package of the workspace, or download it when it is not there. */
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx"]);

/** `npx vitest run` is what `vitest run` is, since its name says what is downloaded. */
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

/** Checkers, test runners and formatters whose packages have the names of their programs. */
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
 * The words by which rules see a command: the folder of its name removed, global flags before the subcommand taken out.
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
      ? summed("changes", "the version of it that its table was read from is not recorded", findings, reached, prefix)
      : proven;
  const tracked = spec.prints?.(call);
  const more = {
    ...(tracked === undefined ? {} : { tracked }),
    ...(spec.goals !== undefined || findings.some(({ closed }) => closed) ? { closed: true as const } : {}),
    ...(spec.steeredBy === undefined ? {} : { steeredBy: spec.steeredBy }),
    ...(isDeep && spec.narrowedBy !== undefined ? { narrowedBy: spec.narrowedBy } : {}),
  };
  return { ...judged, ...more };
}

/** Any word of `uv run --with x rm y` may be the program's name, since not all flags are known. */
function programFindings({ operands }: Call): readonly Finding[] {
  const found = operands.map((_, at) => findCommand(operands.slice(at)));
  const programs = found.filter(
    ({ spec, why }) => spec?.effect === "destroys" || spec?.effect === "unknown" || why !== undefined,
  );
  return programs.map(({ names, spec }) =>
    beyond(spec?.effect ?? "unknown", `\`${names.join(" ")}\` is no program of the project`),
  );
}

/** Whatever git does, it looks for a repository from the folder it is in. */
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
 * How many words a rule may keep: none when one of them is a flag or is not literal, or when a global flag stands
 * between.
 */
function keptPrefix(words: readonly ArgWord[], found: FoundCommand): number {
  const wanted = found.spec?.prefix ?? found.names.length;
  const kept = words.slice(0, wanted);
  const isPlain = kept.every(
    (word, at) => word.value !== undefined && (at === 0 || at < found.names.length || !word.value.startsWith("-")),
  );
  return isPlain && kept.length === wanted && found.end === found.names.length ? wanted : 0;
}

/** Of a command that is not in the table every word may be a path, and every word may be written to. */
function judgeUnknown(words: readonly ArgWord[], found: FoundCommand): Judgement {
  const rest = words.slice(1);
  const paths = rest
    .flatMap((word) => wordPaths(word.glob ?? word.value))
    .map((path): JudgedPath => ({ kind: "write", path }));
  const findings: Finding[] = [...found.findings];
  if (rest.some((word) => word.value === undefined && word.glob === undefined)) {
    findings.push(beyond("unknown", "a word depends on the run"));
  }
  const name = words[0]?.value;
  const why = name === undefined ? "its name depends on the run" : (found.why ?? `nothing is known of \`${name}\``);
  const program: JudgedPath[] = name?.includes("/") === true ? [{ kind: "read", path: name }] : [];
  // Below the folder a program goes by its path; a bare name may be an interpreter, and no prefix of it says what would
  // run.
  const isOwn =
    name !== undefined &&
    /^(?:\.\/)?[^/~-][^/]*(?:\/|$)/u.test(name) &&
    name.includes("/") &&
    !name.split("/").includes("..");
  const here = found.names[0] === "git" ? [HERE] : [];
  return { ...summed("unknown", why, findings, [...program, ...here, ...found.paths, ...paths], isOwn ? 1 : 0), why };
}

/** The paths in a word of which nothing is known: itself, or of a flag what is joined to it. */
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

/** The worst of what was found, and its reason. */
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
  // The flag says more than what the command is for: that is what a rule would have let pass.
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
