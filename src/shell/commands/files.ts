/** Commands that list, find, create, move and delete files. */
import { given, valuesOf, type Call } from "./options.js";
import { beyond, each, type Exception, type CommandSpec, type Family, type Finding } from "./spec.js";

const namedByFile: Exception = {
  flags: "--files0-from",
  takes: "value",
  does: "reaches",
  why: "reads file names from a file",
};

const followsLinks = { does: "reaches", why: "follows links, wherever they lead" } as const;

const fdRuns: Exception = { flags: "-xX --exec --exec-batch", does: "runs", why: "runs a program on its matches" };

/** Read-only commands. None of them prints file contents. */
const listing: Family = {
  ls: {
    effect: "reads",
    here: "else",
    operands: { rest: "read" },
    check: linkedFolders,
    flags: {
      plain:
        "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOWeP --all --almost-all --author --escape --ignore-backups --directory --dired --file-type --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero --help --version",
      value:
        "--block-size --format --hide --indicator-style --ignore --quoting-style --sort --time --time-style --tabsize --width",
      // BSD takes no value after these letters.
      joined: "-ITw --color --classify --hyperlink",
    },
  },
  // The output may go to a file, and with -R tree changes folder and runs itself again.
  tree: {
    effect: "reads",
    here: "else",
    operands: { rest: "read" },
    flags: {
      plain:
        "-adfxiAqNQpugshDFvtcUrJXCnS --dirsfirst --filesfirst --prune --noreport --matchdirs --ignore-case --gitignore --du --si --inodes --device --nolinks --help --version",
      value: "-LPIT --sort --filelimit --charset --timefmt",
      exceptions: [
        { flags: "-l", ...followsLinks },
        { flags: "-oR --output", takes: "value", does: "writes", why: "writes to a file" },
        {
          flags: "--fromfile --fromtabfile --gitfile --infofile --info",
          does: "reaches",
          why: "reads paths or patterns from a file",
        },
      ],
    },
  },
  stat: {
    effect: "reads",
    operands: { rest: "read" },
    // BSD takes a format after -f and -t: the format then counts as a path, which does no harm.
    flags: {
      plain: "-LftxnqrsF --dereference --file-system --terse --help --version",
      value: "-c --format --printf --cached",
    },
  },
  du: {
    effect: "reads",
    here: "else",
    operands: { rest: "read" },
    flags: {
      plain:
        "-0abcDHhklmPSsx --null --all --apparent-size --bytes --total --dereference-args --human-readable --inodes --count-links --no-dereference --separate-dirs --si --summarize --one-file-system --help --version",
      value: "-Bdt --block-size --max-depth --threshold --exclude --time-style",
      joined: "--time",
      read: "-X --exclude-from",
      exceptions: [{ flags: "-L --dereference", ...followsLinks }, namedByFile],
    },
  },
  file: {
    effect: "reads",
    operands: { rest: "read" },
    flags: {
      plain:
        "-bihkLlnNr0 --brief --mime --mime-type --mime-encoding --apple --extension --keep-going --dereference --no-dereference --no-buffer --no-pad --raw --print0 --help --version",
      value: "-F --separator",
      exceptions: [
        { flags: "-C --compile", does: "writes", why: "writes a compiled magic file" },
        { flags: "-p --preserve-date", does: "writes", why: "sets a file's times" },
        { flags: "-f --files-from", takes: "value", does: "reaches", why: "reads file names from a file" },
        { flags: "-zZ --uncompress --uncompress-noreport", does: "runs", why: "runs decompression programs" },
        { flags: "-S --no-sandbox", does: "reaches", why: "turns off its sandbox" },
      ],
    },
  },
  basename: {
    effect: "reads",
    anyFlag: true,
    operands: { rest: "text" },
    flags: { plain: "-az --multiple --zero", value: "-s --suffix" },
  },
  dirname: { effect: "reads", anyFlag: true, operands: { rest: "text" }, flags: { plain: "-z --zero" } },
  realpath: {
    effect: "reads",
    operands: { rest: "read" },
    flags: {
      plain:
        "-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero",
      read: "--relative-to --relative-base",
    },
  },
  readlink: {
    effect: "reads",
    operands: { rest: "read" },
    flags: {
      plain:
        "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero",
    },
  },
  find: {
    effect: "reads",
    // `find \( -name x \)` names no folder either.
    here: "always",
    style: "single",
    operands: { rest: "read" },
    flags: {
      plain:
        "-print -print0 -depth -d -mount -xdev -H -P -daystart -empty -not -a -and -o -or -true -false -prune -quit -readable -writable -executable -nouser -nogroup -noleaf -warn -nowarn -ls -ignore_readdir_race -noignore_readdir_race -O0 -O1 -O2 -O3 -help --help -version --version",
      value:
        "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -uid -gid -inum -links -fstype -lname -ilname -printf -used -newermt -newerct -newerat",
      read: "-newer -anewer -cnewer -samefile -newermm -newercm",
      exceptions: [
        { flags: "-exec -execdir -ok -okdir", does: "runs", why: "runs a program on its matches" },
        { flags: "-delete", does: "destroys", why: "deletes what it finds" },
        { flags: "-L -follow", ...followsLinks },
        { flags: "-fprint -fprint0 -fls", takes: "value", does: "writes", why: "writes to a file" },
        { flags: "-fprintf", takes: "two", does: "writes", why: "writes to a file" },
        { flags: "-files0-from", takes: "value", does: "reaches", why: "reads the folders from a file" },
      ],
    },
  },
  ...each("fd fdfind", {
    effect: "reads",
    here: "else",
    operands: { first: ["text"], rest: "read" },
    flags: {
      plain:
        "-HIsigap0FqV1u --hidden --no-ignore --no-ignore-vcs --case-sensitive --ignore-case --glob --regex --absolute-path --full-path --print0 --fixed-strings --quiet --unrestricted --no-require-git --one-file-system --help --version -h",
      value:
        "-tedEScjo --type --extension --max-depth --min-depth --exact-depth --exclude --size --changed-within --changed-before --color --threads --owner --max-results --path-separator",
      read: "--search-path --ignore-file",
      exceptions: [
        fdRuns,
        { flags: "-L --follow", ...followsLinks },
        { flags: "-l --list-details", does: "runs", why: "runs `ls`" },
        { flags: "-C --base-directory", takes: "value", does: "reaches", why: "uses another folder" },
      ],
    },
  }),
};

/** Ordinary changes to files. A rule by prefix also covers only ordinary paths. */
const changing: Family = {
  mkdir: {
    effect: "changes",
    why: "it creates folders",
    changesNamed: true,
    operands: { rest: "write" },
    flags: { plain: "-pv --parents --verbose", value: "-m --mode" },
  },
  rmdir: {
    effect: "changes",
    why: "it removes empty folders",
    changesNamed: true,
    operands: { rest: "write" },
    flags: { plain: "-pv --parents --verbose --ignore-fail-on-non-empty" },
  },
  touch: {
    effect: "changes",
    why: "it creates files or sets their times",
    changesNamed: true,
    operands: { rest: "write" },
    flags: { plain: "-acfmh --no-create --no-dereference", value: "-dt --date --time", read: "-r --reference" },
  },
  cp: {
    effect: "changes",
    why: "it overwrites the target",
    changesNamed: true,
    prefix: 0,
    operands: { rest: "read", last: "write" },
    // A copied link leads elsewhere, and a backup has a name of its own.
    changesMoreWith: "-b -d -P -S --no-dereference --backup --suffix",
    paths: targets,
    // Whatever it writes is below the target.
    check: (call) => leavesTarget(call).map((finding) => ({ ...finding, local: true })),
    flags: {
      plain:
        "-finuvTdPLHpx --force --interactive --no-clobber --update --verbose --no-target-directory --no-dereference --dereference --one-file-system",
      value: "-tS --target-directory --suffix",
      joined: "--preserve --backup --reflink --sparse",
      exceptions: [
        {
          flags: "-rRa --recursive --archive",
          does: "writes",
          why: "copies a whole folder, whatever it holds",
          local: true,
        },
        { flags: "-sl --symbolic-link --link", does: "reaches", why: "makes links" },
      ],
    },
  },
  mv: {
    effect: "changes",
    why: "it overwrites the target",
    changesNamed: true,
    prefix: 0,
    changesMoreWith: "-b -S --backup --suffix",
    operands: { rest: "write" },
    paths: (call) => [
      ...targets(call),
      ...sources(call).map((path) => ({ kind: "write" as const, path, moved: true as const })),
    ],
    check: leavesTarget,
    flags: {
      plain: "-finuvT --force --interactive --no-clobber --update --verbose --no-target-directory",
      value: "-tS --target-directory --suffix",
      joined: "--backup",
    },
  },
  tee: {
    effect: "changes",
    why: "it overwrites files",
    changesNamed: true,
    prefix: 0,
    operands: { rest: "write" },
    flags: { plain: "-aip --append --ignore-interrupts", joined: "--output-error" },
  },
  install: {
    effect: "changes",
    why: "it overwrites files and sets their permissions",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  },
  patch: {
    effect: "unknown",
    why: "the patch decides which files are changed",
    prefix: 0,
    local: true,
    lenient: true,
    operands: { rest: "write" },
  },
  ...each("bsdtar zip cpio 7z gunzip bunzip2 bzip2 xz unxz zstd", {
    effect: "unknown",
    why: "the archive decides which files are written, and flags can run programs",
    prefix: 0,
    local: true,
    lenient: true,
    operands: { rest: "write" },
  }),
  // A link makes one path lead to another: earlier checks no longer hold for later commands of the line.
  ...each("ln link", {
    effect: "unknown",
    why: "a link makes one path lead to another",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
    check: () => [beyond("unknown", "a link makes one path lead to another")],
  }),
};

const takesRights: CommandSpec = {
  effect: "destroys",
  why: "it changes files' owners or permissions",
  prefix: 0,
  lenient: true,
  operands: { first: ["text"], rest: "write" },
};

/** Commands whose effect cannot be undone. */
const destroying: Family = {
  rm: { effect: "destroys", why: "it deletes files", prefix: 0, lenient: true, operands: { rest: "write" } },
  unlink: {
    effect: "destroys",
    why: "it deletes a file",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  },
  ...each("shred wipe srm", {
    effect: "destroys",
    why: "it destroys files' contents",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  }),
  truncate: {
    effect: "destroys",
    why: "it cuts off files' contents",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
  },
  dd: {
    effect: "destroys",
    why: "it overwrites files and disks",
    prefix: 0,
    lenient: true,
    operands: { rest: "write" },
    paths: ddPaths,
  },
  ...each("chown chgrp chattr setfacl", takesRights),
  chmod: {
    ...takesRights,
    bare: takesRights,
    subcommands: each("+x u+x a+x", {
      effect: "changes",
      why: "it makes a file executable",
      local: true,
      operands: { rest: "write" },
    }),
  },
};

/** Reports `ls -LR`, which enters the folders that links lead to. */
function linkedFolders(call: Call): readonly Finding[] {
  return given(call, "-R --recursive") && given(call, "-L --dereference")
    ? [beyond("unknown", "with `-R`, `-L` follows links, wherever they lead")]
    : [];
}

/** Returns what `cp` and `mv` copy or move. */
function sources(call: Call): readonly string[] {
  const words = call.operands.map((word) => word.value ?? word.glob ?? "");
  return given(call, "-t --target-directory") ? words : words.slice(0, -1);
}

/** Returns the files that `cp a b/` and `mv a b/` create when the target is a folder. */
function targets(call: Call): readonly { kind: "read" | "write"; path: string }[] {
  const folder =
    valuesOf(call, "-t --target-directory").at(-1) ?? call.operands.map((word) => word.value ?? word.glob ?? "").at(-1);
  if (folder === undefined) {
    return [];
  }
  const within = sources(call).map((source) => ({
    kind: "write" as const,
    path: `${folder.replace(/(?<!\/)\/+$/u, "")}/${lastName(source)}`,
  }));
  return [{ kind: "write", path: folder }, ...within];
}

function lastName(path: string): string {
  return path.replace(/(?<!\/)\/+$/u, "").replace(/^.*\//su, "");
}

/** Reports `.` or `..` as a source: the target names are then not in the words. */
function leavesTarget(call: Call): readonly Finding[] {
  const isUnclear = call.operands
    .slice(0, given(call, "-t --target-directory") ? undefined : -1)
    .some((word) => /(?:^|\/)\.{1,2}\/*$/u.test(word.value ?? ""));
  return isUnclear
    ? [beyond("unknown", "with `.` or `..` as a source, the command does not show which files it writes")]
    : [];
}

function ddPaths(call: Call): readonly { kind: "read" | "write"; path: string }[] {
  return call.operands.flatMap((word) => {
    const path = /^(?:if|of)=(.+)$/su.exec(word.value ?? "")?.[1];
    return path === undefined ? [] : [{ kind: "write" as const, path }];
  });
}

export const fileCommands: Family = { ...listing, ...changing, ...destroying };
