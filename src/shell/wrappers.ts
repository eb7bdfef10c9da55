/** Commands that run a command given in their own words, and how to distinguish their options from it. */

/** How one wrapper's words are read. Sources: the tools' own manuals, in the versions listed in `readFrom.ts`. */
export interface Wrapper {
  /** Short options without a value, one letter each. */
  flags?: string;
  /** Short options with a value, in the same word or the next. */
  valued?: string;
  /** Long options without a value, and with one (after `=` or in the next word). */
  longFlags?: readonly string[];
  longValued?: readonly string[];
  /** Other single options, as whole words. */
  words?: RegExp;
  /** How many words precede the command, such as the time of `timeout`. */
  operands?: number;
  /** Whether `NAME=value` may precede the command. */
  assignments?: true;
  /** Options whose value is a variable that is unset for the command. */
  unsets?: readonly string[];
  /** Options that unset all variables. */
  clears?: RegExp;
  /** Whether the command gets more words, read from elsewhere. */
  input?: true;
  /** Options whose value is a file to read. */
  reads?: readonly string[];
  /** Whether the words are joined and read by a shell, as by `eval`. */
  joined?: true;
  /** Options that make it uncertain which command it runs, by letter or name, with the reason. */
  unsure?: Readonly<Record<string, string>>;
  /** Options that take a number, and the largest at which it still runs few commands in parallel. */
  atMost?: Readonly<Record<string, number>>;
  /** Why the command it runs is never certain: it runs elsewhere, or under another root. */
  doubt?: string;
  /** The privileges it gains besides running the command. None if absent. */
  rights?: string;
  /** The change it makes apart from running the command. None if absent. */
  changes?: string;
}

/** `git-clean`, busybox, uutils and many others behave according to the name they are run by. */
const OTHER_NAME = "gives the program another name, which may change what it does";
/** Number of parallel commands that any computer can handle. For xargs, 0 means as many as possible. */
const AT_ONCE = { P: 8, "max-procs": 8 };
const OTHER_PROGRAMS = "has its own programs, whose flags are unknown";
const OTHER_ROOT = "runs the command under another root or in another namespace";

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    flags: "AbBEeHiKklNnPSsVv",
    valued: "CDghpRrTtUu",
    longFlags: ["askpass", "background", "preserve-env", "set-home", "non-interactive", "stdin", "reset-timestamp"],
    longValued: ["user", "group", "host", "prompt", "command-timeout", "close-from"],
    assignments: true,
    rights: "runs the command as another user",
  },
  doas: { flags: "Lns", valued: "aCu", rights: "runs the command as another user" },
  pkexec: {
    longFlags: ["disable-internal-agent", "keep-cwd"],
    longValued: ["user"],
    rights: "runs the command as another user",
  },
  runuser: { valued: "ugG", rights: "runs the command as another user" },
  env: {
    flags: "i0v",
    valued: "ua",
    longFlags: ["ignore-environment", "null", "debug"],
    longValued: ["unset", "argv0"],
    unsure: { a: OTHER_NAME, argv0: OTHER_NAME },
    words: /^-$/,
    assignments: true,
    unsets: ["u", "unset"],
    clears: /^-$|^--ignore-environment$|^-[i0v]*i/,
  },
  command: { flags: "p" },
  builtin: {},
  exec: {
    flags: "cl",
    valued: "a",
    unsure: { a: OTHER_NAME, l: OTHER_NAME, c: "clears the environment of what it runs" },
  },
  time: { flags: "p" },
  coproc: { doubt: "sets variables, and runs the command alongside the shell" },
  nohup: { changes: "on a terminal it writes the output to `nohup.out`" },
  nice: { valued: "n", longValued: ["adjustment"], words: /^-[0-9]+$/ },
  ionice: { flags: "t", valued: "cn", longFlags: ["ignore"], longValued: ["class", "classdata"] },
  chrt: {
    flags: "bfiordRav",
    valued: "TPD",
    longFlags: ["batch", "fifo", "idle", "other", "rr", "reset-on-fork"],
    operands: 1,
  },
  taskset: { flags: "c", longFlags: ["cpu-list"], operands: 1 },
  timeout: {
    flags: "v",
    valued: "ks",
    longFlags: ["foreground", "preserve-status", "verbose"],
    longValued: ["kill-after", "signal"],
    operands: 1,
  },
  gtimeout: {
    flags: "v",
    valued: "ks",
    longFlags: ["foreground", "preserve-status", "verbose"],
    longValued: ["kill-after", "signal"],
    operands: 1,
  },
  stdbuf: { valued: "ioe", longValued: ["input", "output", "error"] },
  setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
  setarch: { flags: "vRFLXZSTI3B", longFlags: ["addr-no-randomize"], operands: 1 },
  caffeinate: { flags: "dimsu", valued: "tw" },
  chronic: { flags: "ev" },
  rlwrap: { flags: "acirRnmN", valued: "CHSPf", doubt: "keeps a history of what is typed" },
  unbuffer: { flags: "p" },
  "xvfb-run": {
    flags: "al",
    valued: "enfpsw",
    longFlags: ["auto-servernum"],
    longValued: ["server-num", "server-args", "error-file", "auth-file"],
    doubt: "starts a server that writes files",
  },
  "dbus-run-session": { doubt: "starts a server that runs services" },
  "nix-shell": { doubt: "builds and enters another environment" },
  strace: {
    flags: "cCdfFhiqrtTvVwxXyYz",
    valued: "abeEIoOpPsSuU",
    doubt: "can write files and change the command's environment",
  },
  ltrace: { flags: "bcCfhiLrStTV", valued: "aADelnopsuwx", doubt: "can write files" },
  watch: {
    flags: "bcdegtx",
    valued: "nq",
    longFlags: ["beep", "color", "differences", "errexit", "chgexit", "no-title", "exec"],
    longValued: ["interval"],
    joined: true,
  },
  entr: { flags: "acdnprsxz", input: true },
  xargs: {
    flags: "0oprtx",
    valued: "adEILnPs",
    longFlags: ["null", "open-tty", "interactive", "no-run-if-empty", "verbose", "exit"],
    longValued: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars"],
    input: true,
    reads: ["a", "arg-file"],
    atMost: AT_ONCE,
  },
  gxargs: {
    flags: "0oprtx",
    valued: "adEILnPs",
    longFlags: ["null", "no-run-if-empty", "verbose"],
    longValued: ["arg-file", "delimiter", "max-args", "max-procs"],
    input: true,
    reads: ["a", "arg-file"],
    atMost: AT_ONCE,
  },
  parallel: {
    flags: "0kXmqtv",
    valued: "jnaNLIdS",
    longFlags: ["null", "keep-order", "bar", "dry-run"],
    longValued: ["jobs", "arg-file"],
    doubt: "builds commands from its input",
  },
  flock: {
    flags: "eFnosux",
    valued: "Ew",
    longFlags: ["exclusive", "nonblock", "shared", "unlock", "close", "verbose"],
    longValued: ["wait", "timeout", "conflict-exit-code"],
    doubt: "creates a lock file",
  },
  chroot: { longValued: ["userspec", "groups"], operands: 1, doubt: OTHER_ROOT },
  unshare: {
    flags: "imnpuUfrcTC",
    longFlags: ["fork", "map-root-user", "mount", "net", "pid", "user"],
    doubt: OTHER_ROOT,
  },
  nsenter: { flags: "aCFimnpTuUZrwe", valued: "tSG", longFlags: ["all"], longValued: ["target"], doubt: OTHER_ROOT },
  setpriv: { doubt: OTHER_ROOT },
  capsh: { doubt: OTHER_ROOT },
  firejail: { doubt: OTHER_ROOT },
  bwrap: { doubt: OTHER_ROOT },
  "systemd-run": { doubt: "runs the command outside this session" },
  at: { doubt: "runs commands later" },
  batch: { doubt: "runs commands later" },
  ssh: { doubt: "runs the command on another computer" },
  mosh: { doubt: "runs the command on another computer" },
  rsh: { doubt: "runs the command on another computer" },
  dbclient: { doubt: "runs the command on another computer" },
  busybox: { doubt: OTHER_PROGRAMS },
  toybox: { doubt: OTHER_PROGRAMS },
};

/** A wrapper's words, read up to its command. */
export interface Unwrapped {
  /** Index of the command's name among the wrapper's words; undefined if there is none. */
  command: number | undefined;
  /** Names of variables that it sets or unsets for the command. */
  assignments: readonly string[];
  /** Whether it unsets all variables. */
  isCleared: boolean;
  /** Letters and names of the options given. */
  given: ReadonlySet<string>;
  /** Option values by letter or name. */
  values: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the command in a wrapper's words.
 * @param words the wrapper's name first; undefined for a word only known at run time
 * @returns the words as read; `unknown` is an option or word, as written, that the table does not know
 */
export function unwrap(wrapper: Wrapper, words: readonly (string | undefined)[]): Unwrapped | { unknown: string } {
  const assignments: string[] = [];
  const values: Record<string, string | undefined> = {};
  const given = new Set<string>();
  let operands = wrapper.operands ?? 0;
  let options = true;
  let isCleared = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) {
      return { unknown: "a word only known at run time" };
    }
    if (options && word === "--") {
      options = false;
    } else if (options && word.startsWith("-") && (word.length > 1 || wrapper.words?.test(word) === true)) {
      const option = readOption(wrapper, word);
      if (option === undefined) {
        return { unknown: word };
      }
      const value = option.takesNext ? words[at + 1] : option.value;
      if (option.takesNext && value === undefined) {
        return { unknown: word };
      }
      [...(option.flags ?? "")].forEach((letter) => given.add(letter));
      if (option.letter !== undefined) {
        given.add(option.letter);
        values[option.letter] = value;
        assignments.push(...(wrapper.unsets?.includes(option.letter) === true ? [value ?? ""] : []));
      }
      isCleared ||= wrapper.clears?.test(word) === true;
      at += option.takesNext ? 1 : 0;
    } else if (wrapper.assignments === true && /^[^=]+=/.test(word)) {
      assignments.push(word.slice(0, word.indexOf("=")));
      // Words that begin with a dash are treated as the command's name from here on; no command has such a name.
    } else if (operands > 0) {
      operands -= 1;
      options = false;
    } else {
      return { command: at, assignments, isCleared, given, values };
    }
  }
  return { command: undefined, assignments, isCleared, given, values };
}

/** Reads one option word; returns undefined if it is unknown. */
function readOption(
  wrapper: Wrapper,
  word: string,
): { takesNext: boolean; flags?: string; letter?: string; value?: string } | undefined {
  if (wrapper.words?.test(word) === true) {
    return { takesNext: false };
  }
  if (word.startsWith("--")) {
    const [name = "", ...value] = word.slice(2).split("=");
    if (value.length === 0 && wrapper.longFlags?.includes(name) === true) {
      return { takesNext: false };
    }
    return wrapper.longValued?.includes(name) === true
      ? { takesNext: value.length === 0, letter: name, value: value.join("=") }
      : undefined;
  }
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    if (wrapper.valued?.includes(letter) === true) {
      return { takesNext: at === word.length - 1, flags: word.slice(1, at), letter, value: word.slice(at + 1) };
    }
    if (wrapper.flags?.includes(letter) !== true) {
      return undefined;
    }
  }
  return { takesNext: false, flags: word.slice(1) };
}
