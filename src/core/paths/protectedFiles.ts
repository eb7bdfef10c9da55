import { Minimatch } from "minimatch";
import type { FileRule } from "./fileRules.js";
import { PROTECTED } from "./protectedNames.js";
import { SECRET } from "./secretNames.js";

/** Compiling the globs would add ten milliseconds to a window's start, so it waits for the first path. */
const compiled = new Map<readonly FileRule[], CompiledRule[]>();

/**
 * Returns why a change to a file always needs approval, or undefined if it is an ordinary file.
 * @param path relative to the workspace, with `/`
 */
export function protectedReason(path: string): string | undefined {
  return firstMatch(PROTECTED, path);
}

/**
 * Matches a part, in lower case, that every path in SECRET has. A search checks every file it covers: 20,000 names
 * against the globs take 43 ms, half of the search.
 */
const MAY_BE_SECRET =
  /\.(?:env|flaskenv|dev\.vars|npm|pyp|pgp|pem|key|p8|p12|pfx|pk8|jks|jceks|bks|kdb|ppk|ovpn|agekey|asc|gpg|ssh|aws|gnupg|azure|kube|docker|git[-/]|htpass|authinfo|my\.cnf|mylogin|s3cfg|boto|vault|terraform|tf|yarnrc|cargo\/cred|gem\/cred|config\/|zhistory|histfile)|netrc|pgpass|rclone|wp-config|local\.settings|secret|credentials|service[-_]?account|firebase|keystore|keytab|kubeconfig|_history|\/toolhost\/|workspaces\/|(?:^|\/)id_/;

/** What editors and people append to the name of a copy. */
const BACKUP = /(?:~|\.(?:bak|backup|old|orig|save|copy|tmp|sw[a-p]))+$/i;

/** Returns why reading a file needs approval, or undefined if it is an ordinary file. */
export function secretReason(path: string): string | undefined {
  if (!MAY_BE_SECRET.test(path.toLowerCase())) {
    return undefined;
  }
  return firstMatch(SECRET, path) ?? (BACKUP.test(path) ? firstMatch(SECRET, path.replace(BACKUP, "")) : undefined);
}

interface CompiledRule {
  why: string;
  matchers: Minimatch[];
  exceptions: Minimatch[];
}

function compile(rules: readonly FileRule[]): CompiledRule[] {
  // Without `dot`, `**` misses .vscode; without `nocase`, .GIT/hooks slips through on macOS and Windows.
  const matcher = (glob: string): Minimatch =>
    new Minimatch(glob, { dot: true, nocase: true, nocomment: true, nonegate: true });
  return rules.map(({ why, globs, but = [] }) => ({ why, matchers: globs.map(matcher), exceptions: but.map(matcher) }));
}

/** The answers for the latest paths: a call asks about a path several times, and the next call about the same one. */
const answers = new Map<readonly FileRule[], Map<string, string | undefined>>();
const MAX_ANSWERS = 1_000;

function firstMatch(rules: readonly FileRule[], path: string): string | undefined {
  const known = answers.get(rules) ?? new Map<string, string | undefined>();
  answers.set(rules, known);
  if (!known.has(path)) {
    if (known.size >= MAX_ANSWERS) {
      known.clear();
    }
    known.set(path, findMatch(rules, path));
  }
  return known.get(path);
}

function findMatch(rules: readonly FileRule[], path: string): string | undefined {
  let ready = compiled.get(rules);
  if (ready === undefined) {
    ready = compile(rules);
    compiled.set(rules, ready);
  }
  return ready.find(
    ({ matchers, exceptions }) =>
      matchers.some((each) => each.match(path)) && !exceptions.some((each) => each.match(path)),
  )?.why;
}
