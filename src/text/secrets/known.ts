import { isMade } from "./made.js";
import { findSecrets, secretName } from "./find.js";
import { findPrivateKeys, plainKey } from "./privateKeys.js";

/** A value that is known to be secret, wherever it is found. */
export interface KnownSecret {
  name: string;
  value: string;
}

/** Shorter values are found in too many texts that have nothing to do with them. */
const MIN_VALUE = 8;
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
/**
 * Names of settings in files with secrets whose values are secret however weak they are. Others only speak of one:
 * `TOKEN_ISSUER`, `SESSION_COOKIE_NAME`.
 */
const WEAK_NAME =
  /(?:secret|token|passw(?:or)?d|passphrase|pass|pwd|credentials?|(?:api|access|private|signing|encryption|master|secret|auth|session)[_.-]?key)(?:[_.-]?\d{1,2})?$/i;
/** Fewer characters are found in too many texts that have nothing to do with them: `admin`, a port. */
export const MIN_WEAK = 6;
/** Values that say that they stand for another, and words that most projects have: masking them would mangle results. */
const COMMON =
  /^(?:(?:x+|\*+|\.+|-+|<.*>|\[.*\]|\$\{.*\}|\{\{.*\}\}|\$\w+|%.*%|\(.*\)|.*(?:^|[-_ .])(?:your|my|insert|enter|put|fill|replace|example|sample|dummy|placeholder|todo)(?:[-_ .].*|$))|(?:super|my|top)?[-_]?(?:secret|password|passwd|token|api[-_]?key)(?:[-_]?(?:key|value|here))?|null|none|undefined|default|disabled|enabled|required|optional|localhost|production|development|staging|testing|public|private|string|postgres|postgresql|mysql|mariadb|mongodb|rabbitmq|elastic|docker|github|gitlab|google|bearer|account|session|client|server|manager|develop|master)$/i;
const PATH = /^(?:[A-Za-z]:[\\/]|\.{0,2}\/|~[\\/]|file:)/;
const WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/;
const NUMBER = /^[\d.,:+-]+$/;
const URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
const URL_PASSWORD = /:\/\/[^\s:/@"'`<>]{0,80}:([^\s/@"'`<>]{6,200})@/g;

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

/** Whether a weak value can be looked for in other texts all the same, because its name says that it is secret. */
function isWeakSecret(name: string, value: string): boolean {
  return (
    WEAK_NAME.test(name) &&
    value.length >= MIN_WEAK &&
    value.length <= MAX_VALUE &&
    !/\s/.test(value) &&
    !COMMON.test(value.slice(0, 200)) &&
    !PATH.test(value) &&
    new Set(value.slice(0, 200)).size > 1
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

/** Returns what is secret of a setting in a file that holds secrets: a weak value, too, if the name says so. */
function secretsOfSetting(name: string, value: string): KnownSecret[] {
  const plain = value.trim();
  if (!URL.test(plain)) {
    return isWeakSecret(name, plain) ? [{ name: secretName(name), value: plain }] : secretsIn(name, value, true);
  }
  return [...plain.matchAll(URL_PASSWORD)].flatMap(([, password = ""]) =>
    isTelling(password) || isWeakSecret("password", password)
      ? [{ name: secretName(`${name}_PASSWORD`), value: password }]
      : [],
  );
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
    addLeaves("", json, (name, value) => add(secretsOfSetting(name, value)), 0);
  }
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_VALUE || found.size >= MAX_VALUES) {
      continue;
    }
    const setting = SETTING.exec(line);
    if (setting !== null && !/^[ \t]*(?:#|\/\/)/.test(line)) {
      add(secretsOfSetting(setting[1] ?? "", unquoted((setting[2] ?? "").trim().replace(/[,;]$/, ""))));
    }
    for (const [, word, value, setting = "", set = ""] of line.matchAll(WORDS)) {
      add(secretsOfSetting(word ?? setting, unquoted(value ?? set)));
    }
    add(secretsOfSetting("", line.trim().startsWith("http") ? line.trim() : ""));
  }
  add(privateKeys(text));
  add(
    findSecrets(text).flatMap(({ start, end, name }) =>
      name === "PRIVATE_KEY" ? [] : [{ name, value: text.slice(start, end) }],
    ),
  );
  return [...found.values()];
}

/** Returns the lines of private keys: a search, a diff or a page of a file shows single ones. */
export function privateKeys(text: string): KnownSecret[] {
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
