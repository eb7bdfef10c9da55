/**
 * Commands that run others in special ways: shells, `eval`, `trap`, `find -exec`, and tools that take a command as
 * text.
 */
import { enteringReally, staying, type Flow } from "./folders.js";
import { foundNames } from "./findExpression.js";
import { judge } from "./judge.js";
import { addInner, type Program } from "./program.js";
import { innerCall, report, reportWrapper, type Call, type CallWord } from "./call.js";
import { shellProgram } from "./shells.js";
import type { Dialect } from "./findings.js";

/** Reports a command and the commands it runs; returns the folders after it. */
type RunCommand = (program: Program, call: Call) => Flow;

/**
 * Reports a call and the commands it runs. Returns the folders after it; undefined if they are unchanged.
 *
 * @param run for a command that it runs in turn
 */
export type Runner = (program: Program, call: Call, name: string, run: RunCommand) => Flow | undefined;

/** By command name. */
export const runners: Readonly<Record<string, Runner>> = {
  bash: shell("bash"),
  sh: shell("sh"),
  dash: shell("sh"),
  ash: shell("sh"),
  ...Object.fromEntries(
    [
      "zsh",
      "fish",
      "ksh",
      "ksh93",
      "mksh",
      "yash",
      "csh",
      "tcsh",
      "rbash",
      "rc",
      "elvish",
      "xonsh",
      "nu",
      "pwsh",
      "powershell",
      "cmd",
      "osh",
    ].map((name) => [name, otherShell]),
  ),
  eval: evaluate,
  trap: setTrap,
  find: runFind,
  gfind: runFind,
  fd: runFd,
  fdfind: runFd,
  su: runSu,
  script: runScript,
  git: runGit,
  npx: withText(["-c", "--call"]),
  npm: withText(["-c", "--call"]),
  pnpx: withText(["-c", "--shell-mode"]),
  pnpm: withText(["-c", "--shell-mode"]),
};

/** Returns the runner of bash, or of a shell that reads its language or a subset. */
function shell(dialect: Dialect): Runner {
  return (program, call, name) => {
    const { findings } = program;
    const found = shellProgram(call.words.map((word) => word.value));
    const [, option, path] = call.words.map((word) => word.value);
    if (
      found.kind === "file" &&
      call.words.length === 3 &&
      option === "-n" &&
      path !== undefined &&
      !path.startsWith("-")
    ) {
      // With -n it is only checked for syntax, not run.
      report(program, call, {
        ...judge(call.words),
        effect: "reads",
        why: "",
        beyondPrefix: false,
        prefix: 0,
        paths: [{ kind: "read", path }],
      });
      return undefined;
    }
    if (found.kind === "file") {
      report(program, call, judge(call.words));
      return undefined;
    }
    reportWrapper(program, call);
    const text = found.kind === "text" ? found.text : found.kind === "input" ? call.input?.program : undefined;
    if (text === undefined) {
      findings.doubt(
        found.kind === "unknown"
          ? `what \`${name}\` runs is not known: ${found.why}`
          : `\`${name}\` runs what it reads from its input`,
      );
      return undefined;
    }
    addInner(program, text, call.folders, [...call.wrappers, name], dialect);
    return undefined;
  };
}

function otherShell(program: Program, call: Call, name: string): undefined {
  report(program, call, judge(call.words));
  program.findings.doubt(`the language of \`${name}\` is not understood`);
}

/** Handles `eval`, which joins its words with spaces and reads them as a program. */
function evaluate(program: Program, call: Call, name: string): Flow | undefined {
  reportWrapper(program, call);
  const values = call.words.slice(1).map((word) => word.value);
  const words = values[0] === "--" ? values.slice(1) : values;
  if (words.some((word) => word === undefined)) {
    program.findings.doubt(`what \`${name}\` runs is only known at run time`);
    return staying(undefined);
  }
  const text = words.join(" ");
  if (text.trim() !== "") {
    addInner(program, text, call.folders, [...call.wrappers, name], program.dialect);
  }
  // The program may change the folder of later commands.
  return /\b(?:cd|pushd|popd)\b/.test(text) || text.includes("\\") || /["']/.test(text)
    ? staying(undefined)
    : undefined;
}

/** Handles `trap 'program' SIGNAL…`: the program runs at some later time. */
function setTrap(program: Program, call: Call, name: string): undefined {
  reportWrapper(program, call);
  const values = call.words.slice(1).map((word) => word.value);
  const words = values[0] === "--" ? values.slice(1) : values;
  const text = words[0];
  if (words.length === 0 || text === "-" || text === "-l" || text === "-p") {
    return;
  }
  if (text === undefined || text.startsWith("-")) {
    program.findings.doubt(`what \`${name}\` runs is only known at run time`);
    return;
  }
  // The program runs when the shell may be in any folder.
  program.findings.runsLater();
  addInner(program, text, call.folders, [...call.wrappers, name], program.dialect);
}

/** find's actions that run a command, up to `;` or `+`. */
const EXEC = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** Handles `find … -exec cmd {} \;`: the command is judged separately from `find`. */
function runFind(program: Program, call: Call, name: string, run: RunCommand): undefined {
  // A word only known at run time may be `-exec`; so may a file's name.
  if (
    call.words.some(
      (word, index) =>
        word.value === undefined &&
        word.known?.known.kind !== "names" &&
        !/^[A-Za-z0-9_./]/.test(word.glob ?? "") &&
        !isTested(call.words[index - 1]?.value),
    )
  ) {
    program.findings.doubt(`what \`${name}\` runs is only known at run time`);
  }
  const rest: CallWord[] = [];
  const inner: Call[] = [];
  const found = foundNames(call.words, true);
  for (let at = 0; at < call.words.length; at++) {
    const word = call.words[at];
    if (word === undefined) {
      continue;
    }
    if (!EXEC.has(word.value ?? "")) {
      rest.push(word);
      continue;
    }
    const end = endOfExec(call.words, at + 1);
    const command = innerCall({ ...call, words: [call.words[0] ?? word, ...call.words.slice(at + 1, end)] }, 1);
    const splits = call.words[end]?.value === "+";
    const given =
      word.value === "-exec" && found !== undefined
        ? {
            splits,
            known: {
              known: { kind: "names", uses: found.uses, folders: call.folders },
              before: "",
              after: "",
            } as const,
          }
        : undefined;
    inner.push({
      ...command,
      words: command.words.map((each) =>
        each.value === "{}" && given !== undefined ? { ...unknownPlace(each), ...given } : unknownPlace(each),
      ),
      folders: word.value?.endsWith("dir") === true ? undefined : call.folders,
    });
    at = end;
  }
  report(program, call, judge(rest));
  runEach(program, inner, run);
}

/** Whether a word is a find test that takes the next word, or is in an action. */
function isTested(word: string | undefined): boolean {
  return (
    word !== undefined &&
    /^-(?:i?name|i?path|i?wholename|i?regex|newer[a-zA-Z]*|user|group|size|[acm](?:time|min)|maxdepth|mindepth|type|perm)$/.test(
      word,
    )
  );
}

/** Returns where an action's words end; the end of the command if it is not terminated. */
function endOfExec(words: readonly CallWord[], from: number): number {
  const end = words.findIndex(
    (word, index) => index >= from && (word.value === ";" || (word.value === "+" && words[index - 1]?.value === "{}")),
  );
  return end === -1 ? words.length : end;
}

/** Makes a word with `{}` unknown: it is replaced by a found file. */
function unknownPlace(word: CallWord): CallWord {
  return word.value === undefined || !/\{[^{}]?[^{}]?\}|\{\}/.test(word.value)
    ? word
    : { value: undefined, raw: word.raw };
}

function runEach(program: Program, calls: readonly Call[], run: RunCommand): void {
  for (const inner of calls) {
    if (inner.words.length === 0) {
      program.findings.doubt("a command to run for each file is missing");
    } else {
      run(program, inner);
    }
  }
}

/** Handles `fd pattern -x cmd`: everything after `-x` is the command, up to `;`. */
function runFd(program: Program, call: Call, name: string, run: RunCommand): undefined {
  const at = call.words.findIndex((word) => /^-[A-Za-z]*[xX]|^--exec/.test(word.value ?? ""));
  const first = call.words[0];
  if (
    call.words
      .slice(0, at === -1 ? undefined : at)
      .some((word) => word.value === undefined && !/^[A-Za-z0-9_./]/.test(word.glob ?? ""))
  ) {
    program.findings.doubt(`what \`${name}\` runs is only known at run time`);
  }
  if (at === -1 || first === undefined) {
    report(program, call, judge(call.words));
    return;
  }
  report(program, call, judge(call.words.slice(0, at)));
  if (!/^(?:-[xX]|--exec|--exec-batch)$/.test(call.words[at]?.value ?? "")) {
    program.findings.doubt(`what \`${name}\` runs is not known`);
    return;
  }
  const end = endOfExec(call.words, at + 1);
  if (end < call.words.length) {
    program.findings.doubt(`what \`${name}\` runs is not known`);
  }
  const inner = innerCall({ ...call, words: [first, ...call.words.slice(at + 1, end)] }, 1, [
    { value: undefined, raw: "…" },
  ]);
  runEach(program, [{ ...inner, words: inner.words.length === 1 ? [] : inner.words.map(unknownPlace) }], run);
}

/** Handles `su -c 'program' user`, which runs the program in that user's shell. */
function runSu(program: Program, call: Call, name: string): undefined {
  reportWrapper(program, call, "runs the command as another user");
  program.findings.doubt(`\`${name}\` runs another user's shell`);
  addText(program, call, name, ["-c", "--command", "-lc"]);
}

/** Handles `script -c 'program' file`, which writes everything that is displayed to the file. */
function runScript(program: Program, call: Call, name: string): undefined {
  report(program, call, judge(call.words));
  program.findings.doubt(`\`${name}\` records a shell session`);
  addText(program, call, name, ["-c", "--command", "-qc", "-qec", "-qfc"]);
}

/** Returns the runner of tools that take a program as an option's value, apart from what else they do. */
function withText(options: readonly string[]): Runner {
  return (program, call, name) => {
    report(program, call, judge(call.words));
    addText(program, call, name, options);
    return undefined;
  };
}

/** Queues the program given as the value of one of some options. */
function addText(program: Program, call: Call, name: string, options: readonly string[]): void {
  const values = call.words.map((word) => word.value);
  for (const [index, value] of values.entries()) {
    const attached = options.find((option) => option.startsWith("--") && value?.startsWith(`${option}=`));
    if (attached === undefined && (value === undefined || !options.includes(value))) {
      continue;
    }
    const text = attached === undefined ? values[index + 1] : value?.slice(attached.length + 1);
    if (text === undefined) {
      program.findings.doubt(`what \`${name}\` runs is only known at run time`);
    } else {
      addInner(program, text, call.folders, [...call.wrappers, name], "sh");
    }
  }
}

/** Handles git's subcommands that run a command: `bisect run`, `submodule foreach`, `rebase -x`. */
function runGit(program: Program, call: Call, name: string, run: RunCommand): undefined {
  const plain = withoutPlainGlobals(call);
  const judged = plain === undefined ? undefined : judge(plain.words);
  if (plain !== undefined && judged?.effect === "reads") {
    report(program, { ...call, folders: plain.folders }, judged);
    return;
  }
  report(program, call, judge(call.words));
  const values = call.words.map((word) => word.value);
  const at = values.findIndex(
    (value, index) =>
      (value === "run" && values[index - 1] === "bisect") || (value === "foreach" && values.includes("submodule")),
  );
  if (at !== -1) {
    const first = values.findIndex(
      (value, index) => index > at && value !== "--recursive" && value !== "--quiet" && value !== "-q",
    );
    if (first !== -1) {
      runGitCommand(program, call, first, values[at] === "foreach" ? "text" : run);
    }
  }
  if (values.includes("rebase")) {
    addText(program, call, name, ["-x", "--exec"]);
  }
}

/** Handles `foreach`, which joins its words into a program for a shell in each submodule's folder. */
function runGitCommand(program: Program, call: Call, first: number, run: RunCommand | "text"): void {
  if (run !== "text") {
    run(program, innerCall(call, first));
    return;
  }
  const words = call.words.slice(first).map((word) => word.value);
  if (words.some((word) => word === undefined)) {
    program.findings.doubt("what `git submodule foreach` runs is only known at run time");
  } else {
    addInner(program, words.join(" "), undefined, [...call.wrappers, "git"], "sh");
  }
}

/** Settings that only change what is displayed. */
const PLAIN_SETTING =
  /^(?:color\.[a-z]+(?:\.[a-z]+)?=[\w ]+|core\.quotepath=(?:true|false)|core\.pager=cat|log\.date=[\w-]+|column\.ui=\w+)$/i;

/**
 * Returns the call without `-C folder` and without `-c` for settings that only change what is displayed; undefined if
 * it has none of them.
 */
function withoutPlainGlobals(call: Call): Pick<Call, "words" | "folders"> | undefined {
  let { folders } = call;
  let at = 1;
  for (let flag = call.words[at]?.value; flag === "-C" || flag === "-c"; flag = call.words[at]?.value) {
    const value = call.words[at + 1]?.value;
    if (value === undefined || (flag === "-c" && !PLAIN_SETTING.test(value))) {
      return undefined;
    }
    folders = flag === "-C" ? enteringReally(folders, value) : folders;
    at += 2;
  }
  return at === 1 || folders === undefined
    ? undefined
    : { words: [...call.words.slice(0, 1), ...call.words.slice(at)], folders };
}
