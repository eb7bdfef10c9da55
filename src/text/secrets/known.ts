import { isMade } from "./made.js";
import { findSecrets, secretName } from "./find.js";
import { findPrivateKeys, plainKey } from "./privateKeys.js";

/** A value that is known to be secret, wherever it is found. */
export interface KnownSecret {
  name: string;
  value: string;
}

/** Shorter values are found in too many texts that have nothing to do with them. */
export const MIN_VALUE = 8;
/** Maximum characters of a value: keys are not longer. */
const MAX_VALUE = 4_000;
/** A word of one case is found in other texts, too, unless it is long. */
const MIN_WORD = 12;

/** Names of settings and variables whose values are secret. */
const SECRET_NAME =
  /secret|token|passw|passphrase|pass$|pwd|api[_.-]?key|access[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|master[_.-]?key|(?:^|[_.-])key$|credential|(?:^|[_.:-])auth(?:$|[_.-])|cookie|salt$/i;

/** Values of secret files and variables that are not secrets: examples, and words that other texts have. */
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|<.*>|\[.*\]|\$\{.*\}|\{\{.*\}\}|\$\w+|%.*%|\(.*\)|.*change.?(?:me|this|it).*|.*(?:^|[-_ .])(?:your|my|insert|enter|put|fill|replace|example|sample|dummy|placeholder|todo)(?:[-_ .].*|$)|(?:super|my|top)?-?_?(?:secret|password|passwd|token|api-?_?key)(?:-?_?(?:key|value|here|\d{0,4}))?|p[a@]ssw[o0]rd\d{0,4}!?|0+|1?234567890*|abcdef\w*|foobar\w*)$/i;
const PATH = /^(?:[A-Za-z]:[\\/]|\.{0,2}\/|~[\\/]|file:)/;
const WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/;
const NUMBER = /^[\d.,:+-]+$/;
const URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
const URL_PASSWORD = /:\/\/[^\s:/@"'`<>]{0,80}:([^\s/@"'`<>]{8,200})@/g;

/** Whether a setting or variable of this name has a secret value. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a value can be looked for in other texts: it is long enough, and neither a word, a path nor an example. */
function isTelling(value: string): boolean {
  return (
    value.length >= MIN_VALUE &&
    value.length <= MAX_VALUE &&
    !PLACEHOLDER.test(value.slice(0, 200)) &&
    !PATH.test(value) &&
    !NUMBER.test(value) &&
    !(WORD.test(value) && value.length < MIN_WORD) &&
    new Set(value.slice(0, 200)).size >= 4
  );
}

/** Whether a value looks secret by itself: a password with several kinds of characters, or what a generator made. */
function looksSecret(value: string): boolean {
  return (
    isMade(value) ||
    (/^\S{8,80}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && /[!#$%^&*?+~]/.test(value))
  );
}

/**
 * Returns what is secret of a named value.
 *
 * @param isWithSecrets whether it comes from a file that holds secrets: then a value that looks secret is one, whatever
 *   its name
 */
export function secretsIn(name: string, value: string, isWithSecrets: boolean): KnownSecret[] {
  const plain = value.trim();
  if (plain.length < MIN_VALUE) {
    return [];
  }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(plain)) {
    return privateKeys(plain);
  }
  if (URL.test(plain)) {
    return [...plain.matchAll(URL_PASSWORD)].flatMap(([, password = ""]) =>
      isTelling(password) ? [{ name: secretName(`${name}_PASSWORD`), value: password }] : [],
    );
  }
  if (plain.includes("\n")) {
    return isSecretName(name)
      ? plain
          .split(/\r?\n/)
          .flatMap((line) => (line.length >= 16 && isTelling(line) ? [{ name: secretName(name), value: line }] : []))
      : [];
  }
  return isTelling(plain) && (isSecretName(name) || (isWithSecrets && looksSecret(plain)))
    ? [{ name: secretName(name), value: plain }]
    : [];
}

/** Maximum number of values taken from one file; a state of Terraform has thousands. */
const MAX_VALUES = 300;

/** A setting in .env, properties, INI, TOML or YAML, and most others that have one on a line. */
const SETTING = /^[ \t]*(?:export[ \t]+|set[ \t]+|-[ \t]+)?["']?([\w./:@-]{1,100}?)["']?[ \t]*(?:=>|[:=])(.*)$/;
/** Settings of netrc and of npm's registries. */
const WORDS = /\b(password|secret|token)[ \t]+(\S+)|:_(\w{1,40})=(\S+)/gi;

/** Returns the secrets in the text of a file that holds secrets. */
export function secretsOfFile(text: string): KnownSecret[] {
  const found = new Map<string, KnownSecret>();
  const add = (all: readonly KnownSecret[]): void => {
    for (const each of all) {
      if (found.size < MAX_VALUES && !found.has(each.value)) {
        found.set(each.value, each);
      }
    }
  };
  const json = jsonOf(text);
  if (json !== undefined) {
    addLeaves("", json, (name, value) => add(secretsIn(name, value, true)), 0);
  }
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_VALUE || found.size >= MAX_VALUES) {
      continue;
    }
    const setting = SETTING.exec(line);
    if (setting !== null && !/^[ \t]*(?:#|\/\/)/.test(line)) {
      add(secretsIn(setting[1] ?? "", unquoted((setting[2] ?? "").trim().replace(/[,;]$/, "")), true));
    }
    for (const [, word, value, setting = "", set = ""] of line.matchAll(WORDS)) {
      add(secretsIn(word ?? setting, unquoted(value ?? set), true));
    }
    add(secretsIn("", line.trim().startsWith("http") ? line.trim() : "", true));
  }
  add(privateKeys(text));
  add(
    findSecrets(text).flatMap(({ start, end, name }) =>
      name === "PRIVATE_KEY" ? [] : [{ name, value: text.slice(start, end) }],
    ),
  );
  return [...found.values()];
}

/** Returns the lines of private keys: a search or a diff shows single ones. */
function privateKeys(text: string): KnownSecret[] {
  return findPrivateKeys(text).flatMap(({ start, end }) =>
    plainKey(text.slice(start, end))
      .split("\n")
      .filter((line) => /^[A-Za-z0-9+/=]{32,}$/.test(line))
      .map((value) => ({ name: "PRIVATE_KEY", value })),
  );
}

function unquoted(value: string): string {
  const quote = /^["'`]/.exec(value)?.[0];
  if (quote === undefined) {
    const comment = value.indexOf(" #");
    return comment < 0 ? value : value.slice(0, comment);
  }
  const end = value.indexOf(quote, 1);
  return end < 0 ? value.slice(1) : value.slice(1, end);
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function addLeaves(name: string, value: unknown, add: (name: string, value: string) => void, depth: number): void {
  if (typeof value === "string") {
    add(name, value);
  } else if (typeof value === "object" && value !== null && depth < 20) {
    for (const [key, each] of Object.entries(value)) {
      addLeaves(Array.isArray(value) ? name : key, each, add, depth + 1);
    }
  }
}
