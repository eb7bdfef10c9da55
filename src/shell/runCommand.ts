/** Works out what one simple command runs: only itself or, if it is a wrapper, other commands. */
import { builtinDoubt, declaresUnknown, makesArray, variablesSet } from "./builtins.js";
import { entering, sameFolders, staying, type Flow, type Folders } from "./folders.js";
import { NOT_RECORDED } from "./readFrom.js";
import { parted, unquoted, type KnownWord } from "./known.js";
import { judge } from "./judge.js";
import { commandName, innerCall, NOTHING, report, reportWrapper, shownText, type Call, type CallWord } from "./call.js";
import { addInner, type Program } from "./program.js";
import { runners } from "./runners.js";
import { unwrap, WRAPPERS, type Unwrapped, type Wrapper } from "./wrappers.js";

/** Words that open or divide shell constructs if they come first and are unquoted. */
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

/** Wrappers in which a builtin still acts on the shell. */
const TRANSPARENT = new Set(["command", "builtin", "time"]);

/** Maximum nesting of wrappers, such as `sudo env nice …`. */
const MAX_WRAPPERS = 12;

/**
 * Calls that print a version or usage and exit before they read anything else, of tools that do more with any other
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

/** Reports a command and the commands it runs; returns the folders after it. */
export function runCommand(program: Program, call: Call): Flow {
  const { findings } = program;
  const first = call.words[0];
  const name = first?.value;
  if (first === undefined || name === undefined || name === "") {
    findings.doubt(`the name of the command \`${shownText(call.text).slice(0, 60)}\` is only known at run time`);
    report(program, call, judge(call.words));
    return staying(call.folders);
  }
  if (KEYWORDS.has(name) && first.raw === name) {
    findings.doubt(`\`${name}\` is out of place`);
  }
  if (call.wrappers.length > MAX_WRAPPERS) {
    findings.doubt("commands are nested too deeply");
    return staying(call.folders);
  }
  if (call.words.length === 2 && TELLS_OF_ITSELF.has(`${name} ${call.words[1]?.value ?? ""}`)) {
    report(program, call, NOTHING);
    return staying(call.folders);
  }
  const plainName = commandName(name);
  const runner = Object.hasOwn(runners, plainName) ? runners[plainName] : undefined;
  if (runner !== undefined) {
    return runner(program, call, plainName, runCommand) ?? staying(call.folders);
  }
  const wrapper = Object.hasOwn(WRAPPERS, plainName) ? WRAPPERS[plainName] : undefined;
  if (wrapper !== undefined) {
    return runWrapped(program, call, plainName, wrapper);
  }
  return runPlain(program, call, name);
}

/** Reports a command that is not a wrapper, and follows a change of folder. */
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

/** Variables whose values are parts of the line, or names of folders, which anybody may have chosen. */
const OF_THE_SHELL = /^(?:_|BASH\w*|PWD|OLDPWD|DIRSTACK|FUNCNAME)$/;

/**
 * Handles `[ $a = b ]` with a variable that the line itself sets: its value may be several words, including `-v` and a
 * subscript, which is evaluated. Variables set outside are the user's own, except those that the shell derives from the
 * line.
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

/** Reports a wrapper, and continues with the command that it runs. */
function runWrapped(program: Program, call: Call, name: string, wrapper: Wrapper): Flow {
  const { findings } = program;
  const values = call.words.map((word) => word.value);
  if (wrapper.changes === undefined) {
    reportWrapper(program, call, wrapper.rights);
  } else {
    report(program, call, { ...NOTHING, effect: "changes", why: wrapper.changes });
  }
  if (NOT_RECORDED.has(name)) {
    findings.doubt(`the table entry of \`${name}\` records no source version`);
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
        `\`${name} ${option.length === 1 ? "-" : "--"}${option}\` runs more than ${most} commands at the same time`,
      );
    }
  }
  if (found.isCleared) {
    findings.doubt(`\`${name}\` clears the environment of the command it runs`);
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
  // Only the shell's own keyword `time` runs in the shell: /usr/bin/time is a separate process.
  return TRANSPARENT.has(name) && values[0] === name ? flow : staying(call.folders);
}

/** Joins words into a program for `sh`, as watch does. */
function runJoined(program: Program, inner: Call, name: string): void {
  const words = inner.words.map((word) => word.value);
  if (words.includes(undefined)) {
    program.findings.doubt(`what \`${name}\` runs is only known at run time`);
  } else {
    addInner(program, words.join(" "), inner.folders, inner.wrappers, "sh");
  }
}

/** Reports files that a wrapper itself reads and passes to the command: `xargs -a list`. */
function noteFiles(program: Program, call: Call, files: readonly string[]): void {
  const paths = files.map((path) => ({ kind: "read" as const, path }));
  if (paths.length > 0) {
    report(program, call, { ...NOTHING, paths });
  }
}

/**
 * Returns the word that the command gets from its input: xargs splits lines at whitespace and removes quotes, except
 * with -0, -d and -I (xargs(1), GNU findutils 4.9).
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
 * Whether xargs only substitutes names for a mark, and adds none after the words: of -I and -n or -L, the last one
 * counts.
 */
function replacesOnly(values: Readonly<Record<string, string | undefined>>): boolean {
  return values.I !== undefined && ["n", "L", "s", "max-args", "max-lines"].every((name) => values[name] === undefined);
}

/**
 * Handles a wrapper without a command: `env` prints, `exec > f` only redirects, `xargs` echoes; a shell that it opens
 * is never understood.
 */
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

/** Returns the words, with those that contain xargs's mark made unknown. */
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
