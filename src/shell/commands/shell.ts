/** Builtins of bash and the commands that run or load code. */
import { BUILTINS, builtinDoubt } from "../builtins.js";
import { given, type Call } from "./options.js";
import { beyond, each, type CommandSpec, type Family, type Finding } from "./spec.js";

const anyText: CommandSpec = { effect: "reads", style: "text", operands: { rest: "text" } };

/**
 * Arithmetic comparison evaluates what it is given: `[[ 'a[$(id)]' -eq 1 ]]` runs `id` (bash manual, "Shell
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

/** What may stand behind a value in a test, for which the value before it cannot have been an operator. */
const AFTER_VALUE = /^(?:=|==|!=|<|>|=~|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o)|[\])])$/u;

/** Names that a glob which begins like this stands for: none of them is an operator of a test. */
const NO_OPERATOR = /^[\w./]/u;

/** `test -v 'a[$(id)]'` runs `id`, also when the `-v` comes from a variable or is the name of a file. */
function testFindings(call: Call): readonly Finding[] {
  if (call.operands.some((word) => word.glob !== undefined && !NO_OPERATOR.test(word.glob))) {
    return [beyond("unknown", "files' names may become operators of the test, and `-v` may run commands")];
  }
  const words = call.operands.map((word) => word.value);
  const refused = words.some((word, at) => {
    const isLast = at === words.length - 1;
    return word === "-v" || word === "-R" || (word === undefined && !isLast && !AFTER_VALUE.test(words[at + 1] ?? ""));
  });
  return refused ? [beyond("unknown", "`-v` may evaluate a word as arithmetic, which can run commands")] : [];
}

/** Without -v it runs the command. */
function commandFindings(call: Call): readonly Finding[] {
  return given(call, "-v -V") ? [] : [beyond("unknown", "it runs another command")];
}

/** What the shell itself makes uncertain. */
function builtinFindings(name: string, call: Call): readonly Finding[] {
  const doubt = builtinDoubt([{ value: name }, ...call.operands]);
  return doubt === undefined ? [] : [beyond("unknown", doubt)];
}

/** Builtins of which all that matters is in their own table (`../builtins.ts`). */
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

/** The parser takes these off and judges what they run (`../wrappers.ts`); what it did not understand is here. */
const running: Family = {
  ...each("sudo doas su pkexec runuser", {
    effect: "destroys",
    why: "it runs a command with the rights of another user",
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
    why: "it runs a text or a file in the shell itself",
    prefix: 0,
    lenient: true,
    operands: { rest: "read" },
    check: () => [beyond("unknown", "it runs a text or a file in the shell itself")],
  }),
  ...each("sh bash zsh dash ksh fish csh tcsh pwsh powershell cmd", {
    effect: "unknown",
    why: "it runs a program of its own, which its words or a file hold",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  }),
};

/** Without a folder it goes to the home folder. */
function home(call: Call): readonly { kind: "read"; path: string }[] {
  return call.operands.length === 0 ? [{ kind: "read", path: "~" }] : [];
}

export const shellCommands: Family = { ...builtins, ...running, ...loading };
