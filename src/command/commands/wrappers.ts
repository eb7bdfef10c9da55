/** Commands that run another one, which the rest of their words names: they do what that one does. */
import type { ArgWord } from "../judge.js";
import { flagIndex } from "./options.js";
import { beyond, type Finding, type Flags } from "./spec.js";

interface Wrapper {
  flags?: Flags;
  /** Words between the flags and the command: the duration of `timeout`. */
  skip?: number;
  /** `NAME=value` may stand before the command. */
  assignments?: true;
  /** What it does of its own. */
  always?: Finding;
  /** It adds words that are not known. */
  adds?: true;
}

const rights = (): Finding => beyond("destroys", "it runs a command with the rights of another user");

const wrappers: Readonly<Record<string, Wrapper>> = {
  timeout: { flags: { plain: "-vfp --verbose --foreground --preserve-status", value: "-sk --signal --kill-after" }, skip: 1 },
  nice: { flags: { value: "-n --adjustment", digits: true } },
  ionice: { flags: { plain: "-t --ignore", value: "-cn --class --classdata" } },
  nohup: { flags: {}, always: { effect: "changes", why: "it writes `nohup.out` when its output goes to a terminal", beyond: false } },
  time: {
    flags: {
      plain: "-pvV --portability --verbose",
      value: "-f --format",
      exceptions: [{ flags: "-o --output", takes: "value", does: "writes", why: "writes the figures to a file" }],
    },
  },
  stdbuf: { flags: { value: "-ioe --input --output --error" } },
  setsid: { flags: { plain: "-w --wait" } },
  chronic: { flags: { plain: "-ev" } },
  command: { flags: { plain: "-p" } },
  builtin: { flags: {} },
  exec: { flags: { plain: "-cl", value: "-a" } },
  env: {
    flags: {
      plain: "-i0v --ignore-environment --null --debug",
      value: "-u --unset",
      exceptions: [
        { flags: "-S --split-string", takes: "value", does: "runs", why: "makes words of a text" },
        { flags: "-C --chdir", takes: "value", does: "reaches", why: "goes to another folder" },
      ],
    },
    assignments: true,
  },
  xargs: {
    flags: {
      plain: "-0rtx --null --no-run-if-empty --verbose --exit",
      value: "-dEILnPs --delimiter --eof --replace --max-lines --max-args --max-procs --max-chars",
      exceptions: [
        { flags: "-a --arg-file", takes: "value", does: "reaches", why: "reads the words from a file" },
        { flags: "-po --interactive --open-tty", does: "reaches", why: "asks at the terminal" },
      ],
    },
    adds: true,
  },
  sudo: { always: rights() },
  doas: { always: rights() },
  su: { always: rights() },
  pkexec: { always: rights() },
  runuser: { always: rights() },
};

/**
 * Variables that no program takes for code, a folder or a file to load. Any other in front of a command makes it another one: `PATH`,
 * `LD_PRELOAD`, `GIT_EXTERNAL_DIFF`, `NODE_OPTIONS`, `BASH_ENV`.
 */
const HARMLESS_VARIABLE = /^(?:LANG|LC_[A-Z]+|TZ|TERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CI|COLUMNS|LINES|NODE_ENV|DEBUG|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT)$/u;

/** Whether a variable set for a command cannot change what it runs. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLE.test(name);
}

/** The words of the command that a wrapper runs, and what the wrapper does beside it; undefined when the words are no wrapper's. */
export function unwrapped(words: readonly ArgWord[]): { inner: readonly ArgWord[]; findings: readonly Finding[] } | undefined {
  const name = words[0]?.value?.replace(/^\/(?:usr\/)?bin\//u, "");
  const wrapper = name !== undefined && Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper === undefined || (name === "command" && /^-[pvV]*[vV]/u.test(words[1]?.value ?? ""))) {
    return undefined;
  }
  const findings: Finding[] = wrapper.always === undefined ? [] : [wrapper.always];
  let at = flagsEnd(words, wrapper, findings);
  for (let value = words[at]?.value; wrapper.assignments === true && value?.includes("=") === true; value = words[at]?.value) {
    findings.push(...assigned(value));
    at += 1;
  }
  at += wrapper.skip ?? 0;
  const inner = words.slice(at);
  if (name === "env" && inner.length === 0) {
    return undefined;
  }
  if (inner.length === 0 && wrapper.always === undefined && name !== "exec") {
    findings.push(beyond("unknown", "which command it runs is not said"));
  }
  return { inner: wrapper.adds === true && inner.length > 0 ? [...inner, { value: undefined }] : inner, findings };
}

function assigned(word: string): readonly Finding[] {
  const name = word.slice(0, word.indexOf("="));
  return isHarmlessVariable(name) ? [] : [beyond("unknown", `the variable \`${name}\` may change what the command runs`)];
}

/** Where the flags of the wrapper end: at the first word that is none. */
function flagsEnd(words: readonly ArgWord[], wrapper: Wrapper, findings: Finding[]): number {
  const index = flagIndex(wrapper.flags ?? {}, "gnu");
  let at = 1;
  for (let value = words[at]?.value; value?.startsWith("-") === true && value !== "-"; value = words[at]?.value) {
    at += 1;
    if (value === "--") {
      break;
    }
    const equals = value.indexOf("=");
    const name = value.startsWith("--") ? value.slice(0, equals === -1 ? undefined : equals) : value.slice(0, 2);
    const known = index.get(name);
    const isWhole = value.startsWith("--") ? equals === -1 : value.length === 2;
    if (known === undefined || (!isWhole && known.takes === "none" && !isBundle(value, index))) {
      findings.push(beyond("unknown", `nothing is known of the flag \`${value}\``));
    } else if (known.exception !== undefined) {
      findings.push(beyond("unknown", `\`${name}\` ${known.exception.why}`));
    }
    at += known?.takes === "value" && isWhole ? 1 : 0;
  }
  return at;
}

/** Whether short flags without values stand in one word: `-0r`. */
function isBundle(value: string, index: ReturnType<typeof flagIndex>): boolean {
  return [...value.slice(1)].every((letter) => {
    const known = index.get(`-${letter}`);
    return known?.takes === "none" && known.exception === undefined;
  });
}
