// Weak values of settings that are secret by their names: passwords such as `changeme`, which are words of other texts, too.

/** Fewer characters are found in too many texts that have nothing to do with them: `admin`, a port. */
export const MIN_WEAK = 6;
/** Maximum characters of a value: keys are not longer. */
export const MAX_VALUE = 4_000;
/** Characters on each side of a value that decide whether it is in a path. */
const MAX_AROUND = 200;

/**
 * Names of settings in files with secrets whose values are secret however weak they are. Others only speak of one:
 * `TOKEN_ISSUER`, `SESSION_COOKIE_NAME`.
 */
const NAME =
  /(?:secret|token|passw(?:or)?d|passphrase|credentials?|(?:api|access|private|signing|encryption|master|secret|auth|session)[_.-]?key)(?:[_.-]?\d{1,2})?$/i;
/** As the last word of a name alone: `DB_PASS`, `dbPass`, not `BYPASS`. */
const NAME_WORD = /^(?:PASS|PWD)\d{0,2}$/;
/** Words of a name that make a number a limit: `MAX_TOKEN=128000`. */
const LIMITS = new Set(["MAX", "MAXIMUM", "LIMIT", "COUNT", "LENGTH"]);

/** Values that say that they stand for another, and words that most projects have: masking them would mangle results. */
const COMMON =
  /^(?:(?:x+|\*+|\.+|-+|<.*>|\[.*\]|\$\{.*\}|\$\(.*\)|\{\{.*\}\}|\$\w+|@(?:file\b.*|.*[\\/.].*)|%.*%|\(.*\)|.*(?:^|[-_ .])(?:your|my|insert|enter|put|fill|replace|example|sample|dummy|placeholder|todo)(?:[-_ .].*|$))|(?:super|my|top)?[-_]?(?:secret|password|passwd|token|api[-_]?key)(?:[-_]?(?:key|value|here))?|null|none|true|false|undefined|default|disabled|enabled|required|optional|always|include|same-origin|return|cookie|number|boolean|string|localhost|production|development|staging|testing|public|private|postgres|postgresql|mysql|mariadb|mongodb|rabbitmq|elastic|docker|github|gitlab|google|bearer|account|session|client|server|manager|develop|master)$/i;
export const PATH = /^(?:[A-Za-z]:[\\/]|\.{0,2}\/|~[\\/]|file:)/;

/** Whether a weak value can be looked for in other texts all the same, because its name says that it is secret. */
export function isWeakSecret(name: string, value: string): boolean {
  const isLimit = /^\d+$/.test(value) && wordsOf(name).some((word) => LIMITS.has(word));
  return (
    tellsSecret(name) &&
    value.length >= MIN_WEAK &&
    value.length <= MAX_VALUE &&
    !/\s/.test(value) &&
    !isLimit &&
    !COMMON.test(value.slice(0, 200)) &&
    !PATH.test(value) &&
    new Set(value.slice(0, 200)).size > 1
  );
}

/** Whether a setting of this name has a value that is secret however weak it is. */
export function tellsSecret(name: string): boolean {
  const last = wordsOf(name).findLast((word) => !/^\d{1,2}$/.test(word)) ?? "";
  return NAME.test(name) || NAME_WORD.test(last);
}

/** Returns the words of a setting's name, in capitals: `dbPass`, `db.pass` and `DB_PASS` have two. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z\d]+/);
}

/**
 * Whether a place of a text is a name in a path, or a part of a longer name: `wp/wordpress/x.php`, `wordpress-seo`. A
 * weak value there is shown, since a handle would make the path one that no call could give. Addresses are no paths:
 * they have passwords.
 */
export function isInPath(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_AROUND), start);
  const after = text.slice(end, end + MAX_AROUND);
  if (/:\/\/[^\s"'`<>]*$/.test(before) || /^[\p{L}\p{N}_.~+-]*@/u.test(after)) {
    return false;
  }
  const isLonger = /\p{L}[-._]$/u.test(before) || /^[-._][\p{L}\p{N}]/u.test(after);
  const isSegment = /\/[\p{L}\p{N}_.~+@-]*$/u.test(before) || /^[\p{L}\p{N}_.~+@-]*\//u.test(after);
  return isLonger || isSegment;
}

/** Whether a place of a text is all that its line says, as in a list of files: of `ls`, of Git's status. */
export function isListed(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  return /(?:^|\n)(?:[ MTADRCU?!]{2} )?$/.test(before) && /^(?:\r?\n|$| {2}\()/.test(text.slice(end, end + 3));
}
