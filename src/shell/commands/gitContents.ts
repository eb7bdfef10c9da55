/** Finds which tracked files' contents, current or past, a git subcommand prints. */
import type { TrackedUse } from "../analysis.js";
import { given, type Call } from "./options.js";

/**
 * With one of these flags only names and counts of changed files are printed, unless another flag asks for more
 * (git-diff(1)).
 */
const SUMMARIES =
  "-s --no-patch --raw --stat --compact-summary --numstat --shortstat --dirstat --cumulative --summary --name-only --name-status -q --quiet";

/** Flags of git diff and git log that print nothing from a file, and nothing that depends on a file's contents. */
const SILENT = new Set(
  `${SUMMARIES} -z -R -a -b -w -M -C -B -i -E -F -P -t -r -n -l -X -g --minimal --patience --histogram --no-color --no-color-moved --color --color-moved --no-renames --rename-empty --no-rename-empty --find-renames --find-copies --find-copies-harder --break-rewrites --text --exit-code --no-ext-diff --no-textconv --no-prefix --default-prefix --src-prefix --dst-prefix --line-prefix --full-index --abbrev --abbrev-commit --no-abbrev --no-abbrev-commit --no-relative --relative --diff-algorithm --diff-filter --stat-width --stat-name-width --stat-count --stat-graph-width --ignore-submodules --oneline --graph --no-graph --all --decorate --no-decorate --follow --merges --no-merges --first-parent --reverse --date-order --topo-order --author-date-order --left-right --left-only --right-only --cherry-mark --cherry-pick --cherry --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --reflog --no-notes --use-mailmap --mailmap --no-mailmap --source --log-size --full-diff --walk-reflogs --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --basic-regexp --all-match --invert-grep --no-expand-tabs --expand-tabs --parents --children --relative-date --not --clear-decorations --remove-empty --bisect --objects --timestamp --no-commit-header --commit-header --no-walk --branches --tags --remotes --pretty --format --notes --show-notes --encoding --ancestry-path --max-parents --min-parents --since-as-filter --max-count --skip --since --until --after --before --author --committer --grep --grep-reflog --date --decorate-refs --decorate-refs-exclude --glob --exclude --count --cached --staged --merge-base -0 -1 -2 -3 -4 -5 -6 -7 -8 -9`.split(
    " ",
  ),
);

/** A word that names a commit: not an object's own name, which may be a file's, and not a file in a commit. */
const COMMIT = /^(?![\da-f]{4,}(?:$|[~^]))[\w./-]+(?:@\{[\w.-]*\})?(?:[~^]\d*)*(?:\.\.\.?[\w./-]*(?:[~^]\d*)*)?$/u;

/** A file in a commit. */
const FILE_IN_COMMIT = /^[\w./~^-]*:(?<path>[^:]+)$/u;

/** For git log and related commands, which print no changes unless a flag asks for them. */
export function logContents(call: Call): TrackedUse | undefined {
  return hasMore(call) ? within(call) : undefined;
}

/** For git diff, which prints changes unless a flag asks for a summary. */
export function diffContents(call: Call): TrackedUse | undefined {
  if (given(call, "--no-index") || (given(call, SUMMARIES) && !hasMore(call))) {
    return undefined;
  }
  return { ...within(call), ...(given(call, "--cached --staged --merge-base") ? {} : { unstaged: true as const }) };
}

/** For git show: commits with their changes, and file contents. */
export function showContents(call: Call): TrackedUse | undefined {
  const isOfCommits = call.operands.every(({ value }) => value !== undefined && COMMIT.test(value));
  if (given(call, SUMMARIES) && !hasMore(call) && isOfCommits) {
    return undefined;
  }
  const known = call.operands
    .slice(0, call.operandsBeforeDashes)
    .every(({ value }) => value !== undefined && (COMMIT.test(value) || FILE_IN_COMMIT.test(value)));
  // An object given by its own name is printed whatever paths are named.
  return known ? within(call) : EVERYTHING;
}

/** For git cat-file -p, whose object may be a file. */
export function objectContents(call: Call): TrackedUse | undefined {
  if (
    given(call, "-t -s -e") ||
    (given(call, "-p") && call.operands.every(({ value }) => value !== undefined && COMMIT.test(value)))
  ) {
    return undefined;
  }
  return call.operands.every(({ value }) => value !== undefined && FILE_IN_COMMIT.test(value))
    ? within(call)
    : EVERYTHING;
}

/** For git grep, which also shows which files contain a text. */
export function grepContents(call: Call): TrackedUse | undefined {
  const hasPattern = given(call, "-e -f");
  if (given(call, "--no-index") || (!hasPattern && call.operandsBeforeDashes === 0)) {
    return EVERYTHING;
  }
  return within({
    ...call,
    operands: call.operands.slice(hasPattern ? 0 : 1),
    operandsBeforeDashes: call.operandsBeforeDashes - (hasPattern ? 0 : 1),
  });
}

/** For git stash list and show. */
export function stashContents(call: Call): TrackedUse | undefined {
  return given(call, "--stat --name-only --numstat") && !given(call, "-p -u --patch") ? undefined : EVERYTHING;
}

/** For git status, which with -v prints the staged changes. */
export function statusContents(call: Call): TrackedUse | undefined {
  return given(call, "-v --verbose") ? EVERYTHING : undefined;
}

/** For commands that print changes to everything. */
export function allContents(): TrackedUse {
  return EVERYTHING;
}

const EVERYTHING: TrackedUse = { words: [], paths: [], atTop: [], except: [] };

/** Whether a flag may print more than a summary. */
function hasMore(call: Call): boolean {
  return call.flags.some(({ name }) => !SILENT.has(name));
}

/** Sorts a call's words by what they may name. */
function within(call: Call): TrackedUse {
  const texts = call.operands.map(({ value, glob, known }) => (known === undefined ? (value ?? glob) : undefined));
  const first = texts.slice(0, call.operandsBeforeDashes);
  const last = texts.slice(call.operandsBeforeDashes);
  const excludes = texts.flatMap((text) => /^:(?:[!^]|\(exclude\))(.+)$/u.exec(text ?? "")?.[1] ?? []);
  const isPlain = (text: string | undefined): boolean => text?.startsWith(":") !== true;
  return {
    words: [
      ...first
        .filter((text) => text === undefined || (isPlain(text) && !FILE_IN_COMMIT.test(text)))
        .map((text) => text ?? ""),
      ...(last.includes(undefined) ? [""] : []),
    ],
    paths: last.filter((text) => text !== undefined).filter(isPlain),
    atTop: first.flatMap((text) => FILE_IN_COMMIT.exec(text ?? "")?.groups?.["path"] ?? []),
    except: excludes,
  };
}
