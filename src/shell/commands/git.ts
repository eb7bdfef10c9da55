/** git: which subcommands only read, which are ordinary work, and which lose or publish something. */
import {
  allContents,
  diffContents,
  grepContents,
  logContents,
  objectContents,
  showContents,
  statusContents,
} from "./gitContents.js";
import { diffFlags, formatFindings, lineRangePaths, logFlags } from "./gitFlags.js";
import { gitListings } from "./gitListings.js";
import { given, type Call } from "./options.js";
import { beyond, each, type CommandSpec, type Exception, type Family, type Finding, type Flags } from "./spec.js";

const log: CommandSpec = {
  effect: "reads",
  here: "always",
  operands: { rest: "rev" },
  flags: logFlags,
  check: formatFindings,
  prints: logContents,
  paths: lineRangePaths,
};
const diff: CommandSpec = {
  effect: "reads",
  here: "always",
  operands: { rest: "rev" },
  flags: diffFlags,
  prints: diffContents,
};

/** Builds the entry of a read-only subcommand with its own flags. */
function looks(flags: Flags, rest: "rev" | "read" | "text" = "rev"): CommandSpec {
  return { effect: "reads", here: "always", operands: { rest }, flags };
}

const looking: Family = {
  status: {
    ...looks(
      {
        plain:
          "-s -b -v -z --short --branch --show-stash --long --verbose --null --renames --no-renames --ahead-behind --no-ahead-behind",
        joined: "-u --porcelain --untracked-files --ignore-submodules --ignored --column --find-renames",
      },
      "read",
    ),
    prints: statusContents,
  },
  ...each("log whatchanged", log),
  show: { ...log, prints: showContents },
  ...each("diff diff-tree diff-index diff-files", { ...diff, deepWith: "--no-index" }),
  reflog: {
    ...log,
    bare: log,
    subcommands: {
      show: log,
      list: looks({}),
      exists: looks({}),
      expire: loses("forgets where branches were"),
      delete: loses("forgets where branches were"),
      drop: loses("forgets where branches were"),
    },
  },
  "rev-list": log,
  "show-branch": looks({
    plain: "-a -r --all --remotes --list --topo-order --date-order --sparse --current --no-color --sha1-name --no-name",
    joined: "--color --more --reflog -g",
  }),
  cherry: looks({ plain: "-v", joined: "--abbrev" }),
  "range-diff": { ...looks(diffFlags), prints: allContents },
  ...each("blame annotate", {
    ...looks({
      plain:
        "-b -c -e -f -k -l -n -p -s -t -w --root --show-stats --show-name --show-number --show-email --porcelain --line-porcelain --incremental --progress --no-progress --minimal --score-debug --first-parent --color-lines --color-by-age",
      joined: "-M -C --abbrev",
      value: "-L --date --since --ignore-rev",
      read: "-S --ignore-revs-file --contents",
    }),
    paths: lineRangePaths,
  }),
  shortlog: {
    ...looks({
      plain: "-n -s -e -c --numbered --summary --email --committer --all --no-merges --merges --first-parent",
      joined: "-w --format --branches --tags --remotes",
      value: "--group --since --until --after --before --author --grep",
    }),
    check: formatFindings,
  },
  describe: looks({
    plain: "--all --tags --contains --debug --long --always --exact-match --first-parent",
    joined: "--abbrev --candidates --dirty --broken",
    value: "--match --exclude",
  }),
  "rev-parse": looks({
    plain:
      "-q --verify --quiet --short --symbolic --symbolic-full-name --all --branches --tags --remotes --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --abbrev-ref --revs-only --no-revs --flags --no-flags --local-env-vars --sq --not",
    joined:
      "--short --abbrev-ref --since --until --after --before --path-format --show-object-format --branches --tags --remotes --glob --disambiguate --exclude",
    value: "--default --git-path",
  }),
  "ls-files": looks(
    {
      plain:
        "-c -d -o -i -s -u -k -m -t -v -f -z --cached --deleted --others --ignored --stage --unmerged --killed --modified --directory --no-empty-directory --exclude-standard --error-unmatch --full-name --recurse-submodules --debug --deduplicate --eol --sparse --resolve-undo",
      value: "-x --exclude",
      joined: "--abbrev --format --with-tree",
      read: "-X --exclude-from --exclude-per-directory",
    },
    "read",
  ),
  "ls-tree": looks({
    plain: "-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree",
    joined: "--abbrev --format",
  }),
  "cat-file": {
    ...looks({
      plain: "-t -s -e -p --allow-unknown-type --use-mailmap --no-mailmap",
      exceptions: [
        { flags: "--textconv --filters", does: "runs", why: "runs the configured conversion programs" },
        {
          flags: "--batch --batch-check --batch-command --batch-all-objects",
          takes: "joined",
          does: "reaches",
          why: "reads object names from its input",
        },
        { flags: "--path", takes: "value", does: "reaches", why: "chooses a conversion program" },
      ],
    }),
    prints: objectContents,
  },
  "merge-base": looks({ plain: "-a --all --octopus --independent --is-ancestor --fork-point" }),
  "name-rev": looks({ plain: "--tags --all --name-only --no-undefined --always", value: "--refs --exclude" }),
  grep: {
    effect: "reads",
    here: "always",
    deepWith: "--no-index --untracked --no-exclude-standard",
    prints: grepContents,
    operands: { rest: "rev" },
    flags: {
      plain:
        "-a -i -I -w -v -h -H -E -G -F -P -n -l -L -z -o -c -p -W -q -r --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --no-color --break --heading --show-function --function-context --and --or --not --all-match --quiet --recursive --no-recursive",
      value: "-e -A -B -C --after-context --before-context --context --max-depth --max-count -m --threads",
      joined: "--color",
      read: "-f",
      digits: true,
      exceptions: [
        { flags: "-O --open-files-in-pager", takes: "joined", does: "runs", why: "runs a pager" },
        { flags: "--ext-grep --textconv", does: "runs", why: "runs a program" },
      ],
    },
  },
  "check-ignore": looks({ plain: "-q -v -n -z --quiet --verbose --non-matching --no-index" }, "read"),
  "check-attr": looks({ plain: "-a -z --all --cached" }, "read"),
  "for-each-ref": {
    ...looks(
      {
        plain: "-s -p --shell --perl --python --tcl --ignore-case --omit-empty --include-root-refs",
        value: "--count --sort --points-at --exclude --format",
        joined: "--color --merged --no-merged --contains --no-contains",
      },
      "text",
    ),
    check: formatFindings,
  },
  "show-ref": looks(
    {
      plain: "-q --quiet --head --heads --tags --branches -d --dereference --verify --exists",
      joined: "-s --hash --abbrev",
    },
    "text",
  ),
  "count-objects": looks({ plain: "-v -H --verbose --human-readable" }, "text"),
  version: looks({ plain: "--build-options" }, "text"),
};

/** Builds the entry of a subcommand that loses something irrecoverable, or shows it to others. */
function loses(what: string): CommandSpec {
  return { effect: "destroys", why: `it ${what}`, prefix: 0, lenient: true, here: "always", operands: { rest: "rev" } };
}

/** Builds the entry of ordinary work: every flag is allowed except the given ones. */
function works(why: string, rest: "rev" | "text" | "write", exceptions: readonly Exception[] = []): CommandSpec {
  return {
    effect: "changes",
    why,
    lenient: true,
    here: "always",
    operands: { rest },
    flags: { plain: "-a -q -v -s -u -A", value: "-m --message", anyText: "-m --message", exceptions },
  };
}

const loseFlags = (flags: string, why: string): Exception => ({ flags, does: "destroys", why });
const runFlags = (flags: string, takes?: "value"): Exception =>
  takes === undefined
    ? { flags, does: "runs", why: "runs a program" }
    : { flags, takes, does: "runs", why: "runs a program" };
const editor: Exception = {
  flags: "-e --edit -i --interactive",
  does: "runs",
  why: "opens an editor that no one can use",
};
const strategy: Exception = {
  flags: "-s --strategy",
  takes: "value",
  does: "runs",
  why: "runs the strategy's own program",
};

/**
 * Reports a remote that is not a plain name: it may be an address that runs a program (`ext::sh -c …`), or another
 * folder.
 */
function remoteFindings(call: Call): readonly Finding[] {
  const [remote, ...refspecs] = call.operands;
  const isRemote = remote === undefined || /^\w[\w.-]*$/u.test(remote.value ?? "");
  const areRefspecs = refspecs.every((word) => /^\+?\w[\w./-]*(?::\w[\w./-]*)?$/u.test(word.value ?? ""));
  return !isRemote || !areRefspecs
    ? [beyond("unknown", "it uses a remote's address, which can also run a program (`ext::`)")]
    : [];
}

/** Reports `git fetch origin x:main`, which moves a branch of this repository, and `+`, which forces that. */
function fetchFindings(call: Call): readonly Finding[] {
  const moves = call.operands.slice(1).some(({ value }) => value === undefined || /[+:]/u.test(value));
  return [
    ...remoteFindings(call),
    ...(moves ? [beyond("destroys", "a refspec with `:` or `+` moves this repository's branches")] : []),
  ];
}

/** Reports `git checkout x`, which discards changes if x is a file; the words do not show whether it is. */
function checkoutFindings(call: Call): readonly Finding[] {
  const makesBranch = given(call, "-b --orphan -t --track") && !call.hasDashes;
  return makesBranch
    ? []
    : [beyond("destroys", "it discards changes if an argument is a file's name; `git switch` never does")];
}

const network: readonly Exception[] = [
  {
    flags: "--upload-pack -u --receive-pack --exec",
    takes: "value",
    does: "runs",
    why: "runs a program on the remote, which may be this machine",
  },
  {
    flags: "--server-option -o --negotiation-tip",
    takes: "value",
    does: "reaches",
    why: "sends options to the server",
  },
];

const fetching: readonly Exception[] = [
  ...network,
  loseFlags("-f --force", "moves branches by force"),
  { flags: "--refmap", takes: "value", does: "reaches", why: "chooses which branches move" },
  { flags: "--stdin", does: "reaches", why: "reads refspecs from its input" },
];

const working: Family = {
  // Staging changes no file, and `git reset` takes it back.
  add: {
    ...works("it stages changes", "rev", [
      editor,
      { flags: "-p --patch", does: "runs", why: "waits for input" },
      { flags: "--pathspec-from-file", takes: "value", does: "reaches", why: "reads paths from a file" },
    ]),
    changesNamed: true,
  },
  commit: works("it makes a commit, for which hooks run", "rev", [
    loseFlags("--amend", "replaces the last commit"),
    editor,
    {
      flags: "-F --file -t --template --pathspec-from-file",
      takes: "value",
      does: "reaches",
      why: "reads text from a file",
    },
    { flags: "-n --no-verify", does: "reaches", why: "skips the hooks" },
  ]),
  switch: works("it switches the working tree to another branch", "text", [
    loseFlags("-f --force --discard-changes", "discards changes"),
    loseFlags("-C --force-create", "moves an existing branch"),
  ]),
  checkout: {
    ...works("it creates a branch", "rev", [
      loseFlags("-f --force", "discards changes"),
      loseFlags("-B", "moves an existing branch"),
      { flags: "-p --patch", does: "runs", why: "waits for input" },
    ]),
    check: checkoutFindings,
    prefix: 0,
    flags: {
      plain: "-b -t -q",
      exceptions: [loseFlags("-f --force", "discards changes"), loseFlags("-B", "moves an existing branch")],
    },
  },
  merge: works("it merges another branch", "text", [
    strategy,
    editor,
    { flags: "-F --file", takes: "value", does: "reaches", why: "reads text from a file" },
  ]),
  rebase: works("it rewrites commits", "text", [runFlags("-x --exec", "value"), editor, strategy]),
  "cherry-pick": works("it makes commits", "text", [editor, strategy]),
  revert: works("it makes commits", "text", [editor, strategy]),
  fetch: { ...works("it fetches commits over the network", "text", fetching), check: fetchFindings },
  pull: {
    ...works("it fetches and merges commits over the network", "text", [...fetching, strategy]),
    check: fetchFindings,
  },
  mv: works("it moves files", "write", [loseFlags("-f --force", "overwrites files")]),
  init: {
    ...works("it creates a repository", "write", [
      { flags: "--template", takes: "value", does: "runs", why: "copies hooks from a folder" },
    ]),
    prefix: 0,
  },
  clone: {
    ...works("it fetches a repository over the network", "write", [
      { flags: "-c --config --template -u --upload-pack", takes: "value", does: "runs", why: "may run a program" },
    ]),
    prefix: 0,
    check: remoteFindings,
  },
  "ls-remote": {
    ...works("it queries the network", "text", network),
    effect: "unknown",
    prefix: 0,
    check: remoteFindings,
  },
  ...each("am apply", {
    ...works("the patch decides which files it changes", "write"),
    effect: "unknown",
    prefix: 0,
  }),
  // git 2.39, `git help -h`: -w and -i start other programs.
  help: {
    effect: "reads",
    operands: { rest: "text" },
    flags: { plain: "-a --all -g --guides -c --config -m --man" },
    check: helpFindings,
  },
  submodule: {
    ...works("it can run programs or reach other places", "write"),
    effect: "unknown",
    prefix: 0,
    bare: {
      ...works("it can run programs or reach other places", "write"),
      effect: "unknown",
      prefix: 0,
      check: () => [beyond("unknown", "it can run programs or reach other places")],
    },
    subcommands: { status: looks({ plain: "--recursive --cached" }, "read") },
  },
  ...each("bisect difftool mergetool archive bundle lfs svn daemon instaweb send-email request-pull hook maintenance", {
    ...works("it can run programs or reach other places", "write"),
    effect: "unknown",
    prefix: 0,
    check: () => [beyond("unknown", "it can run programs or reach other places")],
  }),
};

/** Accepts the name of a subcommand or a guide, whose manual page it shows. */
function helpFindings({ operands }: Call): readonly Finding[] {
  return operands.every(({ value }) => value !== undefined && /^[a-z][a-z-]*$/u.test(value))
    ? []
    : [beyond("unknown", "it may show another page")];
}

const losing: Family = {
  push: { ...loses("publishes"), operands: { rest: "text" } },
  reset: loses("moves the branch, and with --hard discards changes"),
  clean: loses("deletes untracked files"),
  restore: loses("discards changes"),
  rm: loses("deletes files"),
  ...each("filter-branch filter-repo replace", loses("rewrites history")),
  ...each("gc prune repack", loses("deletes unreferenced objects")),
  ...each(
    "update-ref update-index symbolic-ref read-tree checkout-index",
    loses("changes branches or the index by force"),
  ),
  ...each("credential credential-store credential-cache", loses("shows or keeps passwords")),
};

const globalExceptions: readonly Exception[] = [
  {
    flags: "-c --config-env",
    takes: "value",
    does: "runs",
    why: "sets a configuration value, which can name a program",
  },
  { flags: "-C --git-dir --work-tree", takes: "value", does: "reaches", why: "uses another repository" },
  { flags: "--exec-path", takes: "joined", does: "runs", why: "loads git's programs from a folder" },
  {
    flags: "--namespace --super-prefix --attr-source --list-cmds",
    takes: "value",
    does: "reaches",
    why: "reaches another part of the repository",
  },
  {
    flags: "--bare",
    does: "reaches",
    why: "treats the folder itself as a bare repository, whose configuration can make git run programs",
  },
  { flags: "-p --paginate", does: "runs", why: "runs a pager" },
];

const git: CommandSpec = {
  effect: "unknown",
  globals: {
    plain:
      "-P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects --no-lazy-fetch --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --html-path --man-path --info-path -v",
    exceptions: globalExceptions,
  },
  bare: {
    effect: "reads",
    prefix: 0,
    flags: { plain: "--version -v --html-path --man-path --info-path", exceptions: globalExceptions },
  },
  subcommands: { ...looking, ...gitListings(loses, works), ...working, ...losing },
};

export const gitCommand: Family = { git };
