/** Works out which program a shell runs for its words. */

/** A program given in the shell's words, in a file, or as its input. */
export type ShellProgram =
  | { kind: "text"; text: string }
  | { kind: "file" }
  | { kind: "input" }
  | { kind: "unknown"; why: string };

/** Single-letter options of bash and sh that do not change a program's meaning; `o` is followed by a name. */
const LETTERS = /^[-+][abefhmuvxlcsonBCEPT]+$/;

/** Long options of bash that only skip files, or print information. */
const LONG = new Set([
  "--login",
  "--norc",
  "--noprofile",
  "--posix",
  "--noediting",
  "--verbose",
  "--version",
  "--help",
]);

const PLAIN_OPTIONS = new Set(["pipefail", "errexit", "nounset", "xtrace", "noglob", "noclobber", "verbose", "noexec"]);

/**
 * Reads a shell's own words.
 * @param words its name first; undefined for a word only known at run time
 */
export function shellProgram(words: readonly (string | undefined)[]): ShellProgram {
  let hasText = false;
  let readsInput = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) {
      return unknown("a word is only known at run time");
    }
    const isOption = /^[-+]./.test(word) && word !== "--";
    if (!isOption) {
      const operand = word === "--" || word === "-" ? words[at + 1] : word;
      const isThere = (word === "--" || word === "-" ? at + 1 : at) < words.length;
      return programOf(hasText, readsInput, isThere, operand);
    }
    if (LONG.has(word)) {
      continue;
    }
    if (!LETTERS.test(word)) {
      return unknown(`its option \`${word.slice(0, 40)}\` is not understood`);
    }
    hasText ||= word.startsWith("-") && word.includes("c");
    readsInput ||= word.startsWith("-") && word.includes("s");
    const names = word.slice(1).split("o").length - 1;
    for (let name = 0; name < names; name++) {
      at += 1;
      if (!PLAIN_OPTIONS.has(words[at] ?? "")) {
        return unknown("its option `-o` is not understood");
      }
    }
  }
  return programOf(hasText, readsInput, false, undefined);
}

function programOf(hasText: boolean, readsInput: boolean, isThere: boolean, operand: string | undefined): ShellProgram {
  if (hasText) {
    return operand === undefined ? unknown("its program is only known at run time") : { kind: "text", text: operand };
  }
  if (readsInput || !isThere) {
    return { kind: "input" };
  }
  return operand === undefined ? unknown("its program is only known at run time") : { kind: "file" };
}

function unknown(why: string): ShellProgram {
  return { kind: "unknown", why };
}
