/** What one simple command runs: itself, or, through a wrapper, others. */
import type { SimpleCommand } from "./analysis.js";
import { builtinDoubt, declaresUnknown, makesArray, variablesSet } from "./builtins.js";
import { entering, sameFolders, staying, type Flow, type Folders } from "./folders.js";
import type { Heredoc } from "./words/heredocs.js";
import { NOT_RECORDED } from "./readFrom.js";
import { parted, unquoted, type KnownWord, type Printed } from "./known.js";
import { judge, type ArgWord, type Judgement } from "./judge.js";
import { addInner, type Program } from "./program.js";
import { runners } from "./runners.js";
import { unwrap, WRAPPERS, type Unwrapped, type Wrapper } from "./wrappers.js";

/** A command to be looked at. */
export interface Call {
  /** Its words, the name first. */
  words: readonly CallWord[];
  /** As it is written. */
  text: string;
  /** Names of the commands that run it, the outermost first. */
  wrappers: readonly string[];
  folders: Folders;
  /** The text the shell gives it to read. */
  input?: Heredoc | undefined;
  /** What the command before it in a pipe prints, where that is known. */
  stdin?: Printed | undefined;
}

/** A word; `raw` as it is written, which tells keywords from quoted words. */
export interface CallWord extends ArgWord {
  raw: string;
  /** Whether it may become no word, or several; it may when absent. */
  splits?: boolean;
  /** The offset behind it in its program's text; none of a word that stands nowhere. */
  end?: number;
}

/** Words that open or part constructs of the shell when they stand first and unquoted. */
const KEYWORDS = new Set([
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "do",
  "done",
  "case",
  "esac",
  "while",
  "until",
  "for",
  "select",
  "function",
  "{",
  "}",
  "!",
  "[[",
  "in",
  "]]",
]);

/** Wrappers within which a builtin still acts on the shell. */
const TRANSPARENT = new Set(["command", "builtin", "time"]);

/** Deepest `sudo env nice …`. */
const MAX_WRAPPERS = 12;

/** Longest text of a command that is told. */
const MAX_TEXT = 200;

/** Where programs of the system lie: one of these by its path is the one its name means. */
const SYSTEM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/**
 * Calls that print a version or the usage and end, before anything else is read: of tools that do more with every other
 * word.
 */
const TELLS_OF_ITSELF: ReadonlySet<string> = new Set([
  "ssh -V",
  "bash --version",
  "openssl version",
  "gcc -v",
  "g++ -v",
  "clang -v",
  "javac -version",
  "node --help",
]);

const NOTHING: Judgement = { effect: "reads", why: "", beyondPrefix: false, prefix: 0, paths: [] };

/** Reports a command and what it runs; gives the folders after it. */
export function runCommand(program: Program, call: Call): Flow {
  const { findings } = program;
  const first = call.words[0];
  const name = first?.value;
  if (first === undefined || name === undefined || name === "") {
    findings.doubt(`the name of the command \`${shownText(call.text).slice(0, 60)}\` depends on the run`);
    report(program, call, judge(call.words));
    return staying(call.folders);
  }
  if (KEYWORDS.has(name) && first.raw === name) {
    findings.doubt(`\`${name}\` does not stand where it means something`);
  }
  if (call.wrappers.length > MAX_WRAPPERS) {
    findings.doubt("commands run each other too deep");
    return staying(call.folders);
  }
  if (call.words.length === 2 && TELLS_OF_ITSELF.has(`${name} ${call.words[1]?.value ?? ""}`)) {
    report(program, call, NOTHING);
    return staying(call.folders);
  }
  const plainName = commandName(name);
  const runner = Object.hasOwn(runners, plainName) ? runners[plainName] : undefined;
  if (runner !== undefined) {
    return runner(program, call, plainName) ?? staying(call.folders);
  }
  const wrapper = Object.hasOwn(WRAPPERS, plainName) ? WRAPPERS[plainName] : undefined;
  if (wrapper !== undefined) {
    return runWrapped(program, call, plainName, wrapper);
  }
  return runPlain(program, call, name);
}

/** The name by which a command is known: `env` for `/usr/bin/env` and `\env.exe`. */
function commandName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

/** A call of the command whose name is at `at` among a wrapper's words. */
export function innerCall(call: Call, at: number, extra: readonly CallWord[] = []): Call {
  const wrapper = commandName(call.words[0]?.value ?? "");
  return {
    ...call,
    words: [...call.words.slice(at), ...extra],
    wrappers: [...call.wrappers, wrapper],
    text: call.words
      .slice(at)
      .map((word) => word.raw)
      .join(" "),
    input: undefined,
    stdin: undefined,
  };
}

/** Reports a command as it is judged. */
export function report(program: Program, call: Call, judgement: Judgement): void {
  const { findings } = program;
  if (call.folders === undefined) {
    findings.doubt("the folder it runs in is not known");
  }
  const bases = call.folders ?? ["."];
  const command: SimpleCommand = {
    text: shownText(call.text),
    words: call.words.map((word) => word.value),
    wrappers: call.wrappers,
    effect: judgement.effect,
    why: judgement.why,
    beyondPrefix: judgement.beyondPrefix,
    prefix: judgement.prefix,
    ...(judgement.closed === true ? { closed: true } : {}),
    bases,
    paths: judgement.paths.map(({ kind, path, ...more }) => ({ ...more, kind, path, bases })),
    ...(judgement.steeredBy === undefined ? {} : { steeredBy: judgement.steeredBy }),
    ...(judgement.tracked === undefined ? {} : { tracked: judgement.tracked }),
    ...(judgement.installedAs === undefined ? {} : { installedAs: judgement.installedAs }),
    // Only of the line itself is it known where in it a word ends.
    ...(judgement.narrowedBy === undefined || call.words[0]?.end === undefined || program.level > 0
      ? {}
      : { narrowable: { at: call.words[0].end, by: judgement.narrowedBy } }),
  };
  findings.command(program.place, command);
}

/** Reports a wrapper itself: beside what it runs, it does nothing, or takes rights. */
export function reportWrapper(program: Program, call: Call, rights?: string): void {
  const name = call.words[0]?.value ?? "";
  if (name.includes("/") && !SYSTEM_FOLDER.test(name)) {
    // Somebody's own program of that name.
    report(program, call, judge(call.words));
    return;
  }
  report(program, call, rights === undefined ? NOTHING : { ...NOTHING, effect: "destroys", why: rights });
}

/** Reports a command that is no wrapper, and follows a change of folder. */
function runPlain(program: Program, call: Call, name: string): Flow {
  report(program, call, judge(call.words));
  const doubt = builtinDoubt(call.words);
  if (doubt !== undefined) {
    program.findings.doubt(doubt);
  }
  if (makesArray(call.words)) {
    program.findings.makesArray();
  }
  if (declaresUnknown(call.words)) {
    program.findings.declaresUnknown();
  }
  noteVariables(program, call, name);
  if (
    !["cd", "pushd", "popd"].includes(name) ||
    call.wrappers.slice(program.wrappers.length).some((wrapper) => !TRANSPARENT.has(wrapper))
  ) {
    return staying(call.folders);
  }
  program.findings.entersFolder();
  return { ok: folderAfter(call, name), fail: call.folders };
}

/** Variables that hold parts of the line, or names of folders, which anybody may have chosen. */
const OF_THE_SHELL = /^(?:_|BASH\w*|PWD|OLDPWD|DIRSTACK|FUNCNAME)$/;

/**
 * `[ $a = b ]` with a variable that the line itself sets: its value may be several words, `-v` and a subscript among them, which is
 * evaluated. Those that are set outside are the user's own, but for those that the shell makes of the line.
 */
function noteVariables(program: Program, call: Call, name: string): void {
  const { findings } = program;
  for (const word of call.words.slice(1)) {
    if (
      (name === "[" || name === "test") &&
      word.value === undefined &&
      word.splits !== false &&
      !/^\$[?#!$]$/.test(word.raw)
    ) {
      const variable = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(word.raw)?.[1];
      findings.tests(variable !== undefined && OF_THE_SHELL.test(variable) ? undefined : variable);
    }
  }
  const { names, isExported } = variablesSet(call.words);
  names.forEach((variable) => findings.sets(variable, isExported));
}

function folderAfter(call: Call, name: string): Folders {
  const words = call.words.slice(1).filter((word) => word.value !== "--");
  const target = words[0];
  const isTold = name !== "popd" && words.length === 1 && target !== undefined && target.value !== undefined;
  return isTold ? entering(call.folders, target.value ?? "") : undefined;
}

/** Takes one wrapper off and goes on with what it runs. */
function runWrapped(program: Program, call: Call, name: string, wrapper: Wrapper): Flow {
  const { findings } = program;
  const values = call.words.map((word) => word.value);
  if (wrapper.changes === undefined) {
    reportWrapper(program, call, wrapper.rights);
  } else {
    report(program, call, { ...NOTHING, effect: "changes", why: wrapper.changes });
  }
  if (NOT_RECORDED.has(name)) {
    findings.doubt(`which version of \`${name}\` its table was read from is not recorded`);
  }
  if (wrapper.doubt !== undefined) {
    findings.doubt(`\`${name}\` ${wrapper.doubt}`);
  }
  if (name === "command" && /^-p?[vV]+$/.test(values[1] ?? "")) {
    return staying(call.folders);
  }
  const found = unwrap(wrapper, values);
  if ("unknown" in found) {
    findings.doubt(`what \`${name}\` runs is not known: \`${found.unknown.slice(0, 60)}\` is not understood`);
    return staying(call.folders);
  }
  for (const [option, why] of Object.entries(wrapper.unsure ?? {})) {
    if (found.given.has(option)) {
      findings.doubt(`\`${name} ${option.length === 1 ? "-" : "--"}${option}\` ${why}`);
    }
  }
  for (const [option, most] of Object.entries(wrapper.atMost ?? {})) {
    const value = found.values[option];
    if (value !== undefined && !(/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= most)) {
      findings.doubt(
        `\`${name} ${option.length === 1 ? "-" : "--"}${option}\` runs more than ${most} commands at once`,
      );
    }
  }
  if (found.isCleared) {
    findings.doubt(`\`${name}\` takes the environment away from what it runs`);
  }
  noteFiles(program, call, wrapper.reads?.flatMap((option) => found.values[option] ?? []) ?? []);
  found.assignments.forEach((assignment) => findings.sets(assignment, true));
  if (found.command === undefined) {
    return withoutCommand(program, call, name, found.values);
  }
  const given = wrapper.input === true ? inputWord(name, call, found) : undefined;
  const inner =
    given === undefined
      ? { ...innerCall(call, found.command), stdin: call.stdin }
      : innerCall(replaced(call, found, given), found.command, replacesOnly(found.values) ? [] : [given]);
  if (wrapper.joined === true) {
    runJoined(program, inner, name);
    return staying(call.folders);
  }
  const flow = runCommand(program, inner);
  // Only the shell's own words: /usr/bin/time is a process of its own.
  return TRANSPARENT.has(name) && values[0] === name ? flow : staying(call.folders);
}

/** Joins words into a program for `sh`, as watch does. */
function runJoined(program: Program, inner: Call, name: string): void {
  const words = inner.words.map((word) => word.value);
  if (words.includes(undefined)) {
    program.findings.doubt(`what \`${name}\` runs depends on the run`);
  } else {
    addInner(program, words.join(" "), inner.folders, inner.wrappers, "sh");
  }
}

/** Files that a wrapper itself reads, and hands to the command: `xargs -a list`. */
function noteFiles(program: Program, call: Call, files: readonly string[]): void {
  const paths = files.map((path) => ({ kind: "read" as const, path }));
  if (paths.length > 0) {
    report(program, call, { ...NOTHING, paths });
  }
}

/**
 * What the command gets from its input: xargs takes lines apart at blanks, and quotes off, but with -0, -d and -I
 * (xargs(1), GNU findutils 4.9).
 */
function inputWord(
  name: string,
  { stdin, folders }: Call,
  { values, given }: Pick<Unwrapped, "values" | "given">,
): CallWord {
  const unknown: CallWord = { value: undefined, raw: "…" };
  const takesNul = given.has("0") || given.has("null");
  const isFile = values.a !== undefined || values["arg-file"] !== undefined;
  const delimiter = values.d ?? values.delimiter;
  if (
    !name.endsWith("xargs") ||
    stdin?.kind !== "names" ||
    isFile ||
    !sameFolders(stdin.folders, folders) ||
    takesNul !== (stdin.ends === "nul")
  ) {
    return unknown;
  }
  const isParted = !takesNul && delimiter === undefined;
  const known: KnownWord = {
    known: { ...stdin, uses: isParted ? parted(stdin.uses.map(unquoted), "blanks") : stdin.uses },
    before: "",
    after: "",
  };
  return delimiter === undefined || delimiter === "\\n"
    ? { ...unknown, known, splits: !replacesOnly(values) }
    : unknown;
}

/**
 * Whether xargs puts names in the place of a mark, and none behind the words: with -n or -L the last of the two counts.
 */
function replacesOnly(values: Readonly<Record<string, string | undefined>>): boolean {
  return values.I !== undefined && ["n", "L", "s", "max-args", "max-lines"].every((name) => values[name] === undefined);
}

/** A wrapper alone: `env` prints, `exec > f` only redirects, `xargs` echoes; a shell that opens is never sure. */
function withoutCommand(
  program: Program,
  call: Call,
  name: string,
  values: Readonly<Record<string, string | undefined>>,
): Flow {
  if (
    name === "sudo" ||
    name === "doas" ||
    name === "nix-shell" ||
    name === "coproc" ||
    name === "entr" ||
    Object.keys(values).length > 5
  ) {
    program.findings.doubt(`what \`${name}\` runs is not known`);
  }
  return staying(call.folders);
}

/** The words with those that hold xargs's mark made unknown. */
function replaced(
  call: Call,
  found: { command: number | undefined; values: Readonly<Record<string, string | undefined>> },
  given: CallWord,
): Call {
  const mark = found.values.I;
  if (mark === undefined || found.command === undefined) {
    return call;
  }
  const first = found.command;
  return {
    ...call,
    words: call.words.map((word, index) =>
      index < first || word.value?.includes(mark) !== true
        ? word
        : word.value === mark
          ? { ...given, raw: word.raw }
          : { value: undefined, raw: word.raw },
    ),
  };
}

function shownText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
