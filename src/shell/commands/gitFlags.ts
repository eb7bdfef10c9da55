/** git flags that several subcommands share. */
import { valuesOf, type Call } from "./options.js";
import { checksSignatures } from "../gitConfig.js";
import { beyond, type Exception, type Finding, type Flags } from "./spec.js";

/**
 * The other flags of git-diff(1), "OPTIONS". A flag whose value git did not always take from the next word is in
 * `joined`.
 */
const diffPlain =
  "-p -u -s -z -R -a -b -w -W -D -c -m -M -C -B --patch --no-patch --raw --patch-with-raw --minimal --patience --histogram --compact-summary --numstat --shortstat --summary --patch-with-stat --name-only --name-status --no-color --no-color-moved --no-renames --rename-empty --no-rename-empty --check --full-index --binary --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --function-context --exit-code --quiet --no-ext-diff --no-textconv --no-prefix --default-prefix --ita-invisible-in-index --indent-heuristic --no-indent-heuristic --pickaxe-all --pickaxe-regex --irreversible-delete --cc --combined-all-paths --no-relative --find-copies-harder --cumulative --cached --staged --merge-base --no-index --base --ours --theirs";
const diffJoined =
  "-U -l -X --unified --stat --dirstat --color --color-moved --color-moved-ws --submodule --word-diff --color-words --abbrev --ignore-submodules --relative --ws-error-highlight --find-renames --find-copies --break-rewrites --diff-algorithm --inter-hunk-context --anchored --ignore-matching-lines --stat-width --stat-name-width --stat-count --stat-graph-width --output-indicator-new --output-indicator-old --output-indicator-context --diff-merges";
const diffValue = "-S -G --diff-filter --src-prefix --dst-prefix --line-prefix --word-diff-regex --find-object";

const diffExceptions: readonly Exception[] = [
  { flags: "--output", takes: "value", does: "writes", why: "writes to a file" },
  { flags: "--ext-diff", does: "runs", why: "runs the configured diff program" },
  { flags: "--textconv", does: "runs", why: "runs the configured conversion programs" },
];

/** For git diff and its plumbing commands. */
export const diffFlags: Flags = {
  plain: diffPlain,
  joined: diffJoined,
  value: diffValue,
  read: "-O",
  digits: true,
  exceptions: diffExceptions,
};

/** For git log, show, whatchanged and reflog: the flags of git diff and of git rev-list. */
export const logFlags: Flags = {
  plain: `${diffPlain} -g -i -E -F -P -t -r --oneline --graph --no-graph --all --no-decorate --follow --merges --no-merges --first-parent --reverse --date-order --topo-order --author-date-order --left-right --left-only --right-only --cherry-mark --cherry-pick --cherry --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --reflog --no-abbrev --abbrev-commit --no-abbrev-commit --no-notes --use-mailmap --mailmap --no-mailmap --source --log-size --full-diff --walk-reflogs --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --basic-regexp --all-match --invert-grep --no-expand-tabs --parents --children --relative-date --not --clear-decorations --remove-empty --merge --bisect --root --count --objects --timestamp --quiet --no-commit-header --commit-header`,
  joined: `${diffJoined} --decorate --no-walk --branches --tags --remotes --pretty --format --notes --show-notes --expand-tabs --encoding --ancestry-path --max-parents --min-parents --since-as-filter`,
  value: `${diffValue} -n -L --max-count --skip --since --until --after --before --author --committer --grep --grep-reflog --date --decorate-refs --decorate-refs-exclude --glob --exclude`,
  read: "-O",
  digits: true,
  exceptions: [...diffExceptions, { flags: "--show-signature", does: "runs", why: "runs gpg" }],
};

/**
 * Reports `%G?`, `%+G?`, `%(signature)` and similar in a format, and `--sort=signature` (git 2.43): they verify
 * signatures, which runs a program named in the configuration.
 */
export function formatFindings(call: Call): readonly Finding[] {
  const formats = valuesOf(call, "--format --pretty --group");
  const sorts = valuesOf(call, "--sort");
  return formats.some(checksSignatures) || sorts.some((key) => /signature/iu.test(key))
    ? [beyond("unknown", "its format or sort order checks signatures, which runs gpg")]
    : [];
}

/** Returns the files in `-L 1,5:src/a.ts`. */
export function lineRangePaths(call: Call): readonly { kind: "read"; path: string }[] {
  return valuesOf(call, "-L").flatMap((range) => {
    const path = range.slice(range.lastIndexOf(":") + 1);
    return range.includes(":") && path !== "" ? [{ kind: "read" as const, path }] : [];
  });
}
