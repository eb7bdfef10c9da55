import { isMade } from "./made.js";
import { findSecrets, secretName } from "./find.js";
import { findPrivateKeys, plainKey } from "./privateKeys.js";
import { isWeakSecret, MAX_VALUE, PATH, tellsSecret } from "./weak.js";

/** A value that is known to be secret, wherever it is found. */
export interface KnownSecret {
  name: string;
  value: string;
  /** Whether its setting's name alone makes it a secret: it may be a word of paths, where it is shown. */
  isWeak?: true;
  /** Whether a file or folder at the top of the workspace has this name: a list shows it. */
  isFileName?: true;
}

/** Shorter values are found in too many texts that have nothing to do with them. */
const MIN_VALUE = 8;
/** A word of one case is found in other texts, too, unless it is long. */
const MIN_WORD = 12;

/** Names of settings and variables whose values are secret. */
const SECRET_NAME =
  /secret|token|passw|passphrase|(?<!by|com)pass$|pwd|api[_.-]?key|access[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|master[_.-]?key|(?:^|[_.-])key$|credential|(?:^|[_.:-])auth(?:$|[_.-])|cookie|salt$/i;

/** Values of secret files and variables that are not secrets: examples, and words that other texts have. */
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|<.*>|\[.*\]|\$\{.*\}|\$\(.*\)|same-origin|\{\{.*\}\}|\$\w+|%.*%|\(.*\)|.*change.?(?:me|this|it).*|.*(?:^|[-_ .])(?:your|my|insert|enter|put|fill|replace|example|sample|dummy|placeholder|todo)(?:[-_ .].*|$)|(?:super|my|top)?-?_?(?:secret|password|passwd|token|api-?_?key)(?:-?_?(?:key|value|here|\d{0,4}))?|p[a@]ssw[o0]rd\d{0,4}!?|0+|1?234567890*|abcdef\w*|foobar\w*)$/i;
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
    const found = secretsIn(name, value, true);
    return found.length === 0 && isWeakSecret(name, plain)
      ? [{ name: secretName(name), value: plain, isWeak: true }]
      : found;
  }
  return [...plain.matchAll(URL_PASSWORD)].flatMap(([, password = ""]): KnownSecret[] => {
    const found = { name: secretName(`${name}_PASSWORD`), value: password };
    return isTelling(password) ? [found] : isWeakSecret("password", password) ? [{ ...found, isWeak: true }] : [];
  });
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
  /** Values of settings that are not secret by their names: `DB_NAME`, `DB_USER`. */
  const open = new Set<string>();
  const add = (all: readonly KnownSecret[]): void => {
    for (const each of all) {
      const known = found.get(each.value);
      if (known === undefined ? found.size < MAX_VALUES : known.isWeak === true && each.isWeak !== true) {
        found.set(each.value, each);
      }
    }
  };
  const addSetting = (name: string, value: string): void => {
    add(secretsOfSetting(name, value));
    if (name !== "" && !isSecretName(name) && !tellsSecret(name)) {
      open.add(value.trim());
    }
  };
  const json = jsonOf(text);
  if (json !== undefined) {
    addLeaves("", json, addSetting, 0);
  }
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_VALUE || found.size >= MAX_VALUES) {
      continue;
    }
    const setting = SETTING.exec(line);
    if (setting !== null && !/^[ \t]*(?:#|\/\/)/.test(line)) {
      addSetting(setting[1] ?? "", unquoted((setting[2] ?? "").trim().replace(/[,;]$/, "")));
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
  return [...found.values()].filter(({ value, isWeak }) => isWeak !== true || !open.has(value));
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
