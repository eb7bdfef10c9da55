import { reachesBeyond } from "./beyond.js";
import { commandWords } from "../../../shell/judge.js";
import { baseName } from "../commands/kinds.js";
import { matchesWords, type Certainty, type CommandPattern } from "./commandPattern.js";
import { fieldMatches, type CompiledRule } from "./compiledRule.js";
import { namedCalls, type Call } from "../commands/parts.js";
import { matchesUrl, type PathPattern } from "./patterns.js";
import { isFileTouch, type CommandTouch, type CommandUse, type GatedSimple } from "../touches.js";

/**
 * Whether a rule that denies or asks applies to a call: each of its params matches some part. `maybe`: this cannot be
 * determined, since what would run is uncertain, or a folder is included that may contain such a file.
 */
export function ruleHits(rule: CompiledRule, call: Call): Certainty {
  return any(namedCalls(call).map((named) => hitsNamed(rule, named)));
}

function hitsNamed(rule: CompiledRule, call: Call): Certainty {
  if (!rule.isFor(call.tool.name)) {
    return "no";
  }
  return all([
    ...rule.fields.map((field) => sure(fieldMatches(call.input, field))),
    ...(rule.command === undefined ? [] : [commandHits(rule.command, call)]),
    ...(rule.path === undefined ? [] : [pathHits(rule.path, call, rule.placed.rule.params?.["path"] ?? "")]),
    ...(rule.beyond === undefined ? [] : [reachesBeyond(rule.beyond, call.touches)]),
    ...(rule.url === undefined ? [] : [urlHits(rule.url, call)]),
  ]);
}

function commandHits(pattern: CommandPattern, { touches, input }: Call): Certainty {
  if (touches === undefined) {
    return sure(fieldMatches(input, ["command", pattern.line]));
  }
  return any(touches.flatMap((touch) => (touch.kind === "command" ? [lineHits(pattern, touch)] : [])));
}

function lineHits(pattern: CommandPattern, { command, as, doubts, commands }: CommandTouch): Certainty {
  if (as !== undefined) {
    return "maybe";
  }
  return any([
    sure(command.trim() === pattern.line),
    sure(false, doubts.length > 0),
    ...commands.map((each) => simpleHits(pattern, each)),
  ]);
}

/** Returns a pattern with the canonical names of subcommands: `npm i **` also means `npm install x`. */
function usualPattern(pattern: CommandPattern): readonly CommandPattern[] {
  const magic = pattern.words.findIndex((parts) => parts.length > 1);
  const end = magic < 0 ? pattern.words.length : magic;
  const literal = pattern.words.slice(0, end).map((parts) => parts.join(""));
  const usual = commandWords(literal);
  return usual.every((word, index) => word === literal[index])
    ? []
    : [{ ...pattern, words: [...usual.map((word) => [word ?? ""]), ...pattern.words.slice(end)] }];
}

/** Programs that run a program named in their words, after flags of which not all are known. */
const RUNNERS: ReadonlySet<string> = new Set([
  "npx",
  "bunx",
  "pnpx",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "poetry",
  "uv",
  "uvx",
  "pipenv",
  "pdm",
  "bundle",
  "docker",
  "podman",
  "kubectl",
]);

/** Maximum number of such a program's words that are checked. */
const MAX_RUNNER_WORDS = 20;

/** Returns what a command may run because of its further words. */
function mayRun(words: readonly (string | undefined)[]): readonly (readonly (string | undefined)[])[] {
  return RUNNERS.has(baseName(words[0]))
    ? words.slice(1, MAX_RUNNER_WORDS).map((_, index) => words.slice(index + 1))
    : [];
}

function simpleHits(pattern: CommandPattern, { simple: { words, wrappers } }: GatedSimple): Certainty {
  const [name, ...rest] = words;
  const plain = [name === undefined ? undefined : baseName(name), ...rest];
  // `sudo -n rm x` also counts as `sudo rm x`.
  const wrapped = wrappers.map((_, index) => [...wrappers.slice(index).map(baseName), ...plain]);
  const seen = [words, plain, commandWords(words), ...wrapped];
  const around = wrappers.map((wrapper) => sure(matchesWords(pattern, [baseName(wrapper)]) === "yes"));
  const behind = mayRun(words).map((each) => sure(false, matchesWords(pattern, each) !== "no"));
  return any(
    [pattern, ...usualPattern(pattern)].flatMap((each) => [
      ...seen.map((one) => matchesWords(each, one)),
      ...around,
      ...behind,
    ]),
  );
}

function pathHits(pattern: PathPattern, { touches, input }: Call, glob: string): Certainty {
  if (touches === undefined) {
    return sure(fieldMatches(input, ["path", glob]));
  }
  return any(
    touches.flatMap((touch): Certainty[] => {
      if (isFileTouch(touch)) {
        return [placeHits(pattern, touch.at, touch.deep === true, false)];
      }
      if (touch.kind !== "command") {
        return [];
      }
      const uses = [...touch.commands.flatMap((each) => each.uses), ...touch.redirections];
      return [
        sure(false, touch.as !== undefined || touch.doubts.length > 0),
        ...uses.map((use) => useHits(pattern, use)),
      ];
    }),
  );
}

function useHits(pattern: PathPattern, { kind, files, deep, problem }: CommandUse): Certainty {
  return any([
    sure(false, problem !== undefined),
    ...files.map((file) => placeHits(pattern, file, deep, kind === "write")),
  ]);
}

/**
 * @param deep whether it also reaches what is below
 * @param whole whether the call affects everything below along with it
 */
function placeHits(
  pattern: PathPattern,
  { path, realPath, absolute }: { path: string; realPath: string; absolute: string },
  deep: boolean,
  whole: boolean,
): Certainty {
  // A rule may name a file inside by its absolute path: this has no effect in a rule that allows, but it does in one
  // that denies.
  if (pattern.isElsewhere === true) {
    return "no";
  }
  const names = [path, realPath, absolute];
  const mayHold = names.some((name) => isBelow(pattern.base, name));
  const mayMatchBelow = !pattern.literal && names.some((name) => isBelow(name, pattern.base));
  return sure(
    names.some((name) => pattern.matches(name, true)),
    ((deep || whole) && mayHold) || (deep && mayMatchBelow),
  );
}

/** Whether a path is below a folder, whatever their case and however accents are composed: a rule that denies holds then. */
function isBelow(path: string, folder: string): boolean {
  const [inner, outer] = [path, folder].map((each) => each.normalize("NFC").toLowerCase()) as [string, string];
  return outer === "." || inner === outer || inner.startsWith(`${outer}/`);
}

function urlHits(pattern: string, { touches, input }: Call): Certainty {
  if (touches === undefined || !touches.some(({ kind }) => kind === "network")) {
    return sure(fieldMatches(input, ["url", pattern]));
  }
  return sure(touches.some((touch) => touch.kind === "network" && matchesUrl(pattern, touch.url)));
}

function sure(yes: boolean, orMaybe = false): Certainty {
  return yes ? "yes" : orMaybe ? "maybe" : "no";
}

function any(found: readonly Certainty[]): Certainty {
  return found.includes("yes") ? "yes" : found.includes("maybe") ? "maybe" : "no";
}

function all(found: readonly Certainty[]): Certainty {
  return found.includes("no") ? "no" : found.includes("maybe") ? "maybe" : "yes";
}
