/** bash builtins, and commands that run or load code. */
import { BUILTINS, builtinDoubt } from "../builtins.js";
import { given, type Call } from "./options.js";
import { beyond, each, type CommandSpec, type Family, type Finding } from "./spec.js";

const anyText: CommandSpec = { effect: "reads", style: "text", operands: { rest: "text" } };

/**
 * Reports arithmetic comparison, which evaluates its operands: `[[ 'a[$(id)]' -eq 1 ]]` runs `id` (bash manual, "Shell
 * Arithmetic").
 */
function comparisonFindings(call: Call): readonly Finding[] {
  const words = call.operands.map((word) => word.value);
  const isNumber = (value: string | undefined): boolean => /^-?\d+$/u.test(value ?? "");
  const refused = words.some((word, at) => {
    if (word === "-v" || word === "-R") {
      return true;
    }
    return /^-(?:eq|ne|lt|le|gt|ge)$/u.test(word ?? "") && !(isNumber(words[at - 1]) && isNumber(words[at + 1]));
  });
  return refused ? [beyond("unknown", "it may evaluate a word as arithmetic, which can run commands")] : [];
}

/** Words that may follow a value in a test, which show that the word before them is not an operator. */
const AFTER_VALUE = /^(?:=|==|!=|<|>|=~|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o)|[\])])$/u;

/** The start of a glob that cannot match a test operator. */
const NO_OPERATOR = /^[\w./]/u;

/**
 * Reports tests that may run commands: `test -v 'a[$(id)]'` runs `id`, even when the `-v` comes from a variable or is a
 * file's name.
 */
function testFindings(call: Call): readonly Finding[] {
  if (call.operands.some((word) => word.glob !== undefined && !NO_OPERATOR.test(word.glob))) {
    return [beyond("unknown", "file names may become the test's operators, and `-v` may run commands")];
  }
  const words = call.operands.map((word) => word.value);
  const refused = words.some((word, at) => {
    const isLast = at === words.length - 1;
    return word === "-v" || word === "-R" || (word === undefined && !isLast && !AFTER_VALUE.test(words[at + 1] ?? ""));
  });
  return refused ? [beyond("unknown", "`-v` may evaluate a word as arithmetic, which can run commands")] : [];
}

/** Reports `command` without -v, which runs its operands. */
function commandFindings(call: Call): readonly Finding[] {
  return given(call, "-v -V") ? [] : [beyond("unknown", "it runs another command")];
}

/** Reports what the shell itself makes uncertain. */
function builtinFindings(name: string, call: Call): readonly Finding[] {
  const doubt = builtinDoubt([{ value: name }, ...call.operands]);
  return doubt === undefined ? [] : [beyond("unknown", doubt)];
}

/** Builtins that their own table fully describes (`../builtins.ts`). */
const listed: Family = Object.fromEntries(
  Object.keys(BUILTINS).map((name) => [name, { ...anyText, check: (call: Call) => builtinFindings(name, call) }]),
);

const builtins: Family = {
  ...listed,
  ...each("test [", { ...anyText, check: testFindings }),
  "[[": { ...anyText, check: comparisonFindings },
  pwd: { effect: "reads", flags: { plain: "-LP --logical --physical" } },
  cd: { effect: "reads", flags: { plain: "-LPe@" }, operands: { first: ["read"] }, paths: home },
  pushd: { effect: "reads", flags: { plain: "-n", digits: true }, operands: { first: ["read"] } },
  popd: { effect: "reads", flags: { plain: "-n", digits: true } },
  dirs: { effect: "reads", flags: { plain: "-lpv" } },
  ...each("which whereis", {
    effect: "reads",
    anyFlag: true,
    flags: { plain: "-aps --all" },
    operands: { rest: "text" },
  }),
  command: { effect: "reads", flags: { plain: "-pvV" }, operands: { rest: "text" }, check: commandFindings },
  sleep: { effect: "reads", anyFlag: true, operands: { rest: "text" } },
  seq: { effect: "reads", style: "text", operands: { rest: "text" } },
  yes: anyText,
};

/**
 * The parser removes these and judges the commands they run (`../wrappers.ts`); this covers the ones it did not
 * understand.
 */
const running: Family = {
  ...each("sudo doas su pkexec runuser", {
    effect: "destroys",
    why: "it runs a command as another user",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  }),
  ...each("timeout gtimeout nice ionice nohup time stdbuf setsid chronic builtin exec xargs gxargs busybox toybox", {
    effect: "unknown",
    why: "it runs another command",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
    check: () => [beyond("unknown", "it runs another command")],
  }),
};

const loading: Family = {
  ...each("eval source .", {
    effect: "unknown",
    why: "it runs a string or file in the shell itself",
    prefix: 0,
    lenient: true,
    operands: { rest: "read" },
    check: () => [beyond("unknown", "it runs a string or file in the shell itself")],
  }),
  ...each("sh bash zsh dash ksh fish csh tcsh pwsh powershell cmd", {
    effect: "unknown",
    why: "it runs a program given in its arguments or in a file",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  }),
};

/** Returns the home folder if no folder is given. */
function home(call: Call): readonly { kind: "read"; path: string }[] {
  return call.operands.length === 0 ? [{ kind: "read", path: "~" }] : [];
}

export const shellCommands: Family = { ...builtins, ...running, ...loading };
