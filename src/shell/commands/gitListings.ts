/** git subcommands that list when run without further words, and change something otherwise. */
import { logContents, stashContents } from "./gitContents.js";
import { formatFindings } from "./gitFlags.js";
import { given, type Call } from "./options.js";
import { beyond, type CommandSpec, type Family, type Finding } from "./spec.js";

type Loses = (what: string) => CommandSpec;
type Works = (why: string, rest: "rev" | "text" | "write") => CommandSpec;

/** Flags that make names patterns for a list, rather than a branch or a tag to create. */
const LISTS = "-l --list --contains --no-contains --merged --no-merged --points-at";

const lists = (plain: string, rest?: "text"): CommandSpec => ({
  effect: "reads",
  here: "always",
  operands: rest === undefined ? {} : { rest },
  flags: { plain },
});

function branchFindings(call: Call): readonly Finding[] {
  const isList = call.operands.length === 0 || given(call, LISTS);
  return isList ? formatFindings(call) : [{ effect: "changes", why: "it creates a branch", beyond: false }];
}

function tagFindings(call: Call): readonly Finding[] {
  const isList = call.operands.length === 0 || given(call, `${LISTS} -n`);
  return isList ? formatFindings(call) : [{ effect: "changes", why: "it creates a tag", beyond: false }];
}

/**
 * Settings known to hold no secret. Others may hold a password: `http.<address>.extraheader`,
 * `url.<password>.insteadOf`.
 */
const PLAIN_VALUE =
  /^(?:user\.(?:name|email)|core\.\w+|init\.\w+|branch\.[\w./-]+|merge\.\w+|diff\.\w+|pull\.\w+|push\.\w+|commit\.\w+|color\.\w+|alias\.[\w-]+|remote\.[\w./-]+\.(?:fetch|url)|rebase\.\w+|fetch\.\w+)$/iu;

/** Reports `git config` unless it only reads: it sets a value unless a flag says that it reads one. */
function configFindings(call: Call): readonly Finding[] {
  const names = call.operands.map((word) => word.value).filter((value) => value !== "get");
  // A name alone is also a read; flags that change something are not known.
  const isName =
    call.operands.length === 1 &&
    call.operands[0]?.value?.includes(".") === true &&
    !given(call, "-l --list --get-regexp --get-urlmatch");
  const isGet = isName || given(call, "--get --get-all") || call.operands[0]?.value === "get";
  const isNames = given(call, "-l --list") && given(call, "--name-only") && call.operands.length === 0;
  if (isNames || (isGet && names.length === 1 && PLAIN_VALUE.test(names[0] ?? ""))) {
    return [];
  }
  const reads = isGet || given(call, "-l --list --get-regexp --get-urlmatch") || call.operands[0]?.value === "list";
  return [
    reads
      ? beyond("unknown", "a configuration value may be a password")
      : beyond("destroys", "it changes git's configuration, which can name programs"),
  ];
}

/** Returns the subcommands, given the functions that build the changing ones. */
export function gitListings(loses: Loses, works: Works): Family {
  const stash = works("it stashes changes", "text");
  const remoteChange = {
    ...works("it changes or contacts remotes", "text"),
    effect: "unknown" as const,
    prefix: 0,
  };
  return {
    branch: {
      effect: "reads",
      here: "always",
      operands: { rest: "text" },
      check: branchFindings,
      flags: {
        plain:
          "-a -r -v -l -i -q --all --remotes --verbose --list --show-current --ignore-case --no-color --no-column --no-abbrev --omit-empty --quiet",
        value: "--format --sort --points-at",
        joined: "--color --column --abbrev --merged --no-merged --contains --no-contains",
        exceptions: [
          { flags: "-d -D --delete", does: "destroys", why: "deletes a branch" },
          { flags: "-f --force -M -C", does: "destroys", why: "moves an existing branch" },
          {
            flags: "-m --move -c --copy -u -t --set-upstream-to --track --unset-upstream --create-reflog",
            does: "writes",
            why: "changes a branch",
          },
          { flags: "--edit-description", does: "runs", why: "opens an editor" },
        ],
      },
    },
    tag: {
      effect: "reads",
      here: "always",
      operands: { rest: "text" },
      check: tagFindings,
      flags: {
        plain: "-l -i --list --ignore-case --no-column --omit-empty",
        value: "--format --sort --points-at",
        joined: "-n --color --column --merged --no-merged --contains --no-contains",
        exceptions: [
          { flags: "-d --delete", does: "destroys", why: "deletes a tag" },
          { flags: "-f --force", does: "destroys", why: "moves an existing tag" },
          { flags: "-a -m --annotate --message", does: "writes", why: "creates a tag" },
          { flags: "-s -u -v --sign --local-user --verify", does: "runs", why: "runs gpg" },
          { flags: "-F --file", takes: "value", does: "reaches", why: "reads text from a file" },
        ],
      },
    },
    stash: {
      effect: "changes",
      bare: stash,
      subcommands: {
        list: {
          ...lists("--oneline --stat -p", "text"),
          flags: { plain: "--oneline --stat -p --patch", joined: "--format --pretty --date", digits: true },
          check: formatFindings,
          prints: logContents,
        },
        show: {
          ...lists(
            "-p -u --patch --stat --name-only --name-status --include-untracked --only-untracked --numstat",
            "text",
          ),
          prints: stashContents,
        },
        push: works("it stashes changes", "write"),
        save: stash,
        pop: works("it restores stashed changes", "text"),
        apply: works("it restores stashed changes", "text"),
        branch: works("it restores stashed changes", "text"),
        drop: loses("deletes stashed changes"),
        clear: loses("deletes stashed changes"),
      },
    },
    remote: {
      effect: "reads",
      bare: lists("-v --verbose"),
      subcommands: {
        "get-url": lists("--all --push", "text"),
        ...Object.fromEntries(
          ["add", "set-url", "rename", "remove", "rm", "prune", "update", "set-head", "set-branches", "show"].map(
            (name) => [name, remoteChange],
          ),
        ),
      },
    },
    worktree: {
      effect: "reads",
      bare: lists(""),
      subcommands: {
        list: lists("-v -z --verbose --porcelain"),
        add: { ...works("it creates a working tree", "write"), prefix: 0 },
        remove: loses("deletes a working tree"),
        prune: loses("forgets working trees"),
        move: { ...works("it moves a working tree", "write"), prefix: 0 },
      },
    },
    notes: { effect: "reads", bare: lists(""), subcommands: { list: lists("", "text"), show: lists("", "text") } },
    config: {
      effect: "reads",
      here: "always",
      operands: { rest: "text" },
      check: configFindings,
      flags: {
        plain:
          "-l -z --get --get-all --get-regexp --get-urlmatch --list --global --local --system --worktree --name-only --show-origin --show-scope --null --bool --int --path --includes --no-includes",
        value: "--type --default",
        read: "-f --file --blob",
      },
    },
  };
}
