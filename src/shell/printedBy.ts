/**
 * Works out what a command prints, for the few commands whose output becomes words of another: file names, numbers, and
 * commit names.
 */
import type { Listed } from "./analysis.js";
import { foundNames } from "./findExpression.js";
import type { ArgWord } from "./judge.js";
import type { Folders } from "./folders.js";
import type { NamedUse, Printed } from "./known.js";
import { ORDINARY_NAMES } from "./ordinaryEndings.js";
import { findCommand } from "./commands/lookUp.js";
import type { CommandSpec } from "./commands/spec.js";
import { given, parseOptions, valuesOf, type Call as Parsed } from "./commands/options.js";

/** A simple command and its input. */
interface Call {
  words: readonly ArgWord[];
  folders: Folders;
  stdin?: Printed | undefined;
}

/** Returns what a command prints with exactly these words; undefined if unknown. */
export function printedBy(call: Call): Printed | undefined {
  const name = call.words[0]?.value;
  if (name === "find" || name === "gfind") {
    const found = foundNames(call.words);
    return found === undefined ? undefined : { kind: "names", folders: call.folders, ...found };
  }
  const { spec, names, end, findings } = findCommand(call.words);
  const printer = PRINTERS[names.join(" ")];
  if (spec === undefined || printer === undefined || findings.length > 0) {
    return undefined;
  }
  const parsed = parseOptions(call.words.slice(end), spec);
  return parsed.findings.length > 0 ? undefined : printer(parsed, call, spec);
}

type Printer = (parsed: Parsed, call: Call, spec: CommandSpec) => Printed | undefined;

const PRINTERS: Readonly<Record<string, Printer | undefined>> = {
  // These print whole lines of their input, and nothing else.
  ...Object.fromEntries(
    Object.entries({
      head: "-n --lines -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
      tail: "-n --lines -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
      sort: "-r -u -n -f -V -h -k -t --unique --reverse",
      uniq: "-u -d",
      cat: "",
      tac: "",
    }).map(([name, flags]) => [name, linesOf(flags, 0)]),
  ),
  wc: (parsed, { words }) =>
    words.length === 2 &&
    parsed.operands.length === 0 &&
    onlyFlags(parsed, "-l -c -m -w --lines --bytes --chars --words")
      ? { kind: "alike", text: "1" }
      : undefined,
  seq: ({ operands }) =>
    operands.every(({ value }) => /^[0-9]+$/.test(value ?? "")) ? { kind: "alike", text: "1" } : undefined,
  ls: listedByLs,
  rg: listedByRg,
  ...Object.fromEntries(
    ["grep", "egrep", "fgrep"].map((name) => [
      name,
      (parsed: Parsed, call: Call, spec: CommandSpec) =>
        given(parsed, "-l --files-with-matches")
          ? listedByGrep(parsed, call, spec)
          : linesOf(GREP_LINES, 1)(parsed, call, spec),
    ]),
  ),
  "git ls-files": listedByGit,
  "git grep": (parsed, call) =>
    given(parsed, "-l --files-with-matches --name-only") &&
    onlyFlags(parsed, "-l --files-with-matches --name-only -i -w -E -F -P -n -I --cached -e")
      ? everything(call, parsed.operandsBeforeDashes > (given(parsed, "-e") ? 0 : 1) ? "commits" : "index")
      : undefined,
  "git diff": (parsed, call) =>
    given(parsed, "--name-only") && onlyFlags(parsed, "--name-only -z --cached --staged --diff-filter --merge-base")
      ? everything(call, ofCommits(parsed) ? "commits" : "index", given(parsed, "-z"))
      : undefined,
  "git rev-parse": (parsed) =>
    onlyFlags(parsed, "-q --quiet --verify --short --abbrev-ref") ? revisions(parsed) : undefined,
  // This never prints a branch or tag.
  "git merge-base": (parsed) => (onlyFlags(parsed, "") ? { kind: "ref", words: [] } : undefined),
  "git describe": (parsed) =>
    onlyFlags(parsed, "--tags --all --always --abbrev --long --exact-match --first-parent")
      ? { kind: "ref", words: [], isName: true, isTag: true }
      : undefined,
  "git branch": (parsed) =>
    given(parsed, "--show-current") && onlyFlags(parsed, "--show-current") && parsed.operands.length === 0
      ? { kind: "ref", words: [], isName: true }
      : undefined,
};

const GREP_LINES =
  "-v -i -E -F -P -w -x -e -m --invert-match --ignore-case --extended-regexp --fixed-strings --perl-regexp";

/** Whether only flags in the list were given. */
function onlyFlags({ flags }: Parsed, list: string): boolean {
  const names = list.split(" ");
  return flags.every(({ name }) => names.includes(name));
}

/**
 * Returns the printer of commands that print some of the lines they read, if they are given only certain flags, this
 * many words, and no files.
 */
function linesOf(flags: string, words: number): Printer {
  return (parsed, { stdin }) => {
    const operands = given(parsed, "-e") ? 0 : words;
    return stdin?.kind === "names" &&
      stdin.ends === "line" &&
      parsed.operands.length === operands &&
      onlyFlags(parsed, flags)
      ? stdin
      : undefined;
  };
}

function names(call: Call, uses: readonly NamedUse[], isNul = false): Printed {
  return { kind: "names", folders: call.folders, uses, ends: isNul ? "nul" : "line" };
}

/** Returns any file below its folder, and those that git knows. */
function everything(call: Call, from: "index" | "commits", isNul = false): Printed {
  return names(call, [{ path: ".", listed: { bare: true, byGit: true, ...gitNames(from, isNul) } }], isNul);
}

function gitNames(from: "index" | "commits", isNul: boolean): Listed {
  return isNul ? { from } : { from, quoted: true };
}

/** Whether a diff may name files that exist only in a commit. */
function ofCommits(parsed: Parsed): boolean {
  return given(parsed, "--cached --staged --merge-base") || parsed.operandsBeforeDashes > 0;
}

/**
 * Returns the names that `ls` prints. For a folder it prints only names, without the folder: they are read as names in
 * the current folder.
 */
function listedByLs(parsed: Parsed, call: Call): Printed | undefined {
  const paths = literalPaths(parsed);
  if (paths === undefined || !onlyFlags(parsed, "-1 -d -t -r -S")) {
    return undefined;
  }
  const inside: NamedUse[] =
    given(parsed, "-d") && paths.length > 0 ? [] : [{ path: ".", listed: { depth: 0, bare: true, shownOnly: true } }];
  // With several folders, each listing has a heading `name:`.
  const heads = inside.length === 0 ? [] : paths.map((path): NamedUse => ({ path: `${path}:` }));
  return names(call, [...paths.map((path): NamedUse => ({ path, listed: { depth: 0 } })), ...heads, ...inside]);
}

/**
 * Returns the names that ripgrep prints: with -l, files that it has read, and with --files, those that it would read.
 */
function listedByRg(parsed: Parsed, call: Call, spec: CommandSpec): Printed | undefined {
  const isList = given(parsed, "--files");
  const quiet =
    "-l --files-with-matches --files -i -w -F -s -S -t --type -g --glob -e --regexp --sort -0 --null -U --no-messages --case-sensitive --ignore-case --smart-case --fixed-strings --word-regexp";
  if ((!isList && !given(parsed, "-l --files-with-matches")) || !onlyFlags(parsed, quiet)) {
    return undefined;
  }
  const skipped = isList || given(parsed, "-e --regexp") ? 0 : 1;
  const paths = literalPaths({ ...parsed, operands: parsed.operands.slice(skipped) });
  const globs = valuesOf(parsed, "-g --glob").filter((glob) => !glob.startsWith("!"));
  const ofTypes = globs.length === 0 && spec.ordinaryOnly?.(parsed) === true ? { names: ORDINARY_NAMES } : {};
  const patterns = globs.length > 0 && globs.every((glob) => /^\*\.\w+$/.test(glob)) ? { names: globs } : ofTypes;
  // With -l it has read the files that it prints; whether it may was judged separately.
  const shownOnly = !isList && spec.shownOnly?.(parsed)?.length === 0 ? { shownOnly: true as const } : {};
  const listed: Listed = { ...patterns, ...shownOnly, ...leftOut(parsed, spec), byGit: true, regular: true };
  return paths === undefined
    ? undefined
    : names(
        call,
        paths.length === 0
          ? [{ path: ".", listed: { ...listed, bare: true } }]
          : paths.map((path) => ({ path, listed })),
        given(parsed, "-0 --null"),
      );
}

/** Returns the names that a search excludes, and so does not print. */
function leftOut(parsed: Parsed, spec: CommandSpec): Pick<Listed, "except"> {
  const { files = [], folders = [] } = spec.leavesOut?.(parsed) ?? {};
  const except = [
    ...files.map((pattern) => ({ of: "name" as const, pattern })),
    ...folders.map((pattern) => ({ of: "below" as const, pattern })),
  ];
  return except.length === 0 ? {} : { except };
}

function listedByGrep(parsed: Parsed, call: Call, spec: CommandSpec): Printed | undefined {
  const isDeep = given(parsed, "-r --recursive");
  const paths = literalPaths({ ...parsed, operands: given(parsed, "-e") ? parsed.operands : parsed.operands.slice(1) });
  if (
    paths === undefined ||
    !onlyFlags(
      parsed,
      "-r -l -i -w -E -F -P -I -s -Z -e --recursive --files-with-matches --include --exclude --exclude-dir --ignore-case",
    )
  ) {
    return undefined;
  }
  const includes = valuesOf(parsed, "--include");
  if (includes.some((glob) => glob.includes("/"))) {
    return undefined;
  }
  const listed: Listed = {
    ...(includes.length > 0 && !given(parsed, "--exclude") ? { names: includes } : {}),
    ...leftOut(parsed, spec),
    regular: true,
    ...(isDeep ? {} : { depth: 0 }),
  };
  return names(
    call,
    paths.length === 0 ? [{ path: ".", listed: { ...listed, bare: true } }] : paths.map((path) => ({ path, listed })),
    given(parsed, "-Z"),
  );
}

function listedByGit(parsed: Parsed, call: Call): Printed | undefined {
  const flags = "-c -o -m -d -z --cached --others --modified --deleted --exclude-standard --deduplicate";
  const isNul = given(parsed, "-z");
  const ordinary: Listed = {
    ...(given(parsed, "-o --others") && !given(parsed, "--exclude-standard") ? {} : { byGit: true }),
    ...gitNames("index", isNul),
  };
  const uses = parsed.operands.map(({ value = "" }): NamedUse | undefined => {
    // In these globs, `*` matches across folders.
    const [, folder = "", name] = /^((?:[\w-]+\/)*)(?:\*\*\/)?(\*\.\w+)$/.exec(value) ?? [];
    if (name !== undefined) {
      return folder === ""
        ? { path: ".", listed: { ...ordinary, bare: true, names: [name] } }
        : { path: folder, listed: { ...ordinary, names: [name] } };
    }
    return /^\w[\w./-]*$/.test(value) && !value.includes("..") ? { path: value, listed: ordinary } : undefined;
  });
  if (!onlyFlags(parsed, flags) || uses.includes(undefined)) {
    return undefined;
  }
  return names(
    call,
    uses.length === 0 ? [{ path: ".", listed: { ...ordinary, bare: true } }] : uses.flatMap((use) => use ?? []),
    isNul,
  );
}

/** Returns names of commits. A word that is not a commit's name is printed unchanged. */
function revisions(parsed: Parsed): Printed | undefined {
  const { operands, hasDashes } = parsed;
  const isName = given(parsed, "--abbrev-ref") ? { isName: true as const } : {};
  const words = operands.map(({ value }) => value ?? "");
  return !hasDashes && words.length > 0 && words.every((word) => /^[\w@][\w./@{}~^-]*$/.test(word))
    ? { kind: "ref", words, ...isName }
    : undefined;
}

function literalPaths({ operands }: Pick<Parsed, "operands">): readonly string[] | undefined {
  const paths = operands.map(
    ({ value, glob }) => value ?? (glob !== undefined && /^[A-Za-z0-9_./]/.test(glob) ? glob : undefined),
  );
  return paths.every((path) => path !== undefined && path !== "-") ? paths.flatMap((path) => path ?? []) : undefined;
}

/** Commands that never read standard input. */
const NEVER_READ: ReadonlySet<string> = new Set([
  "echo",
  "printf",
  "basename",
  "dirname",
  "[",
  "test",
  "true",
  "false",
  ":",
  "pwd",
  "ls",
  "stat",
  "du",
  "file",
  "find",
  "sleep",
  "break",
  "continue",
  "return",
  "exit",
  "git log",
  "git show",
  "git diff",
  "git blame",
  "git status",
  "git ls-files",
  "git rev-parse",
  "git grep",
  "git rev-list",
]);

/** Commands that read standard input if they are given no file. */
const READ_ELSE: ReadonlySet<string> = new Set([
  "cat",
  "head",
  "tail",
  "wc",
  "grep",
  "egrep",
  "fgrep",
  "sed",
  "nl",
  "cut",
  "sort",
  "uniq",
  "strings",
  "md5sum",
  "sha256sum",
  "jq",
]);

/** Whether a command may read the standard input it inherits. */
export function mayReadInput(words: readonly ArgWord[]): boolean {
  const { spec, names: named, end } = findCommand(words);
  const name = named.join(" ");
  if (NEVER_READ.has(name)) {
    return false;
  }
  if (spec === undefined || !READ_ELSE.has(name)) {
    return true;
  }
  const parsed = parseOptions(words.slice(end), spec);
  const before = given(parsed, spec.operands?.firstGivenBy) ? 0 : (spec.operands?.first?.length ?? 0);
  const files = parsed.operands.slice(before);
  const isInput = (text: string | undefined): boolean => text === "-" || text?.startsWith("/dev/") === true;
  return (
    files.length === 0 ||
    files.some(({ value, glob, known }) => (value ?? glob ?? known) === undefined || isInput(value)) ||
    parsed.flags.some(({ values }) => values.some(isInput))
  );
}
