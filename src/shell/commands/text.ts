/** Commands that print, search and reshape text. */
import type { LeftOut } from "../analysis.js";
import { isOrdinaryEnding } from "../ordinaryEndings.js";
import { awkFindings } from "./awk.js";
import { jqFindings, yqFindings } from "./jq.js";
import { bsdSedPaths } from "./bsdSed.js";
import { sedFindings } from "./sed.js";
import { given, valuesOf, type Call } from "./options.js";
import { beyond, each, type CommandSpec, type Exception, type Family, type Finding } from "./spec.js";

const help = "--help --version";

/** Builds the entry of a command that only prints the contents of its files. */
function printer(plain: string, value = "", joined = "", exceptions?: readonly Exception[]): CommandSpec {
  const flags = { plain: `${plain} ${help}`.trim(), value, joined };
  return {
    effect: "reads",
    operands: { rest: "read" },
    flags: exceptions === undefined ? flags : { ...flags, exceptions },
  };
}

const files0: Exception = {
  flags: "--files0-from",
  takes: "value",
  does: "reaches",
  why: "reads file names from a file",
};

const checksums = printer(
  "-btczwq --binary --text --check --zero --tag --ignore-missing --quiet --status --strict --warn",
  "-a --algorithm",
);

const grepFlags = {
  plain: `-EFGPivwxyscbHhoqlLnTZzaIrRUu --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --byte-offset --with-filename --no-filename --only-matching --quiet --silent --files-with-matches --files-without-match --line-number --initial-tab --null --null-data --text --recursive --dereference-recursive --no-messages --line-buffered --binary ${help}`,
  value:
    "-emABCdD --regexp --max-count --after-context --before-context --context --directories --devices --include --exclude --exclude-dir --label --binary-files",
  joined: "--color --colour",
  read: "-f --file --exclude-from",
  digits: true as const,
};

/** Returns the globs that ripgrep includes, which bring hidden files back (ripgrep 15, GUIDE, "Manual filtering"). */
function searchedGlobs(call: Call): readonly string[] {
  return valuesOf(call, "-g --glob --iglob").filter((glob) => !glob.startsWith("!"));
}

/**
 * Returns the globs that can bring hidden files back; undefined if a type or another flag does. A type brings them back
 * as a glob does: `.env.md` is one of `-t md`.
 */
function hiddenGlobs(call: Call): readonly string[] | undefined {
  return given(call, "-. --hidden -u --unrestricted --no-ignore --no-ignore-dot --no-ignore-vcs -t --type")
    ? undefined
    : searchedGlobs(call);
}

/** Whether a glob only matches files with the extensions of sources and documents, in upper or lower case. */
function namesOrdinaryFiles(glob: string): boolean {
  const [, endings = ""] = /^[^[\]{}\\]*\.(\w+|\{\w+(?:,\w+)*\})$/u.exec(glob) ?? [];
  const isHidden = glob.split("/").some((name) => name.startsWith("."));
  return !isHidden && endings.replace(/[{}]/gu, "").split(",").every(isOrdinaryEnding);
}

/** ripgrep types (13–15) that select source files, by extension alone. */
const SOURCE_TYPES = new Set(
  "ts typescript js py rust go c cpp cs md markdown html css less sass swift kotlin scala sql vue svelte lua".split(
    " ",
  ),
);

/** Whether all globs and types of a ripgrep search select ordinary files. */
function searchesSources(call: Call): boolean {
  const globs = searchedGlobs(call);
  const types = valuesOf(call, "-t --type");
  return globs.length > 0
    ? globs.every(namesOrdinaryFiles)
    : types.length > 0 && types.every((type) => SOURCE_TYPES.has(type));
}

/** Whether grep is limited to ordinary files. */
function includesSources(call: Call): boolean {
  const globs = valuesOf(call, "--include");
  return globs.length > 0 && globs.every(namesOrdinaryFiles);
}

/**
 * A name pattern that grep and ripgrep read alike: it also matches a leading dot (GNU grep 3.8, BSD grep 2.6, ripgrep
 * 13–15).
 */
const PLAIN_NAMES = /^[\w.@+*-]+$/u;

/** Returns the values of flags after the last of the other flags, which may undo some of the earlier ones. */
function lastValues(call: Call, flags: string, others: string): readonly string[] {
  const last = call.flags.findLastIndex(
    ({ name, values }) => others.split(" ").includes(name) && !values.every((value) => value.startsWith("!")),
  );
  return valuesOf({ ...call, flags: call.flags.slice(last + 1) }, flags);
}

/**
 * Returns the names that grep excludes. Of `--include` and `--exclude`, the last that matches a file counts. A folder
 * is excluded regardless of them.
 */
function excluded(call: Call): LeftOut {
  return {
    files: lastValues(call, "--exclude", "--include").filter((name) => PLAIN_NAMES.test(name)),
    folders: valuesOf(call, "--exclude-dir").filter((name) => PLAIN_NAMES.test(name)),
  };
}

/**
 * Returns the names that ripgrep's globs exclude. Globs take precedence over types, ignore files and `--hidden`; among
 * globs the last that matches wins. ripgrep puts all `--iglob` after those of `--glob`, wherever they are.
 */
function excludedByGlob(call: Call): LeftOut {
  const inOrder = {
    ...call,
    flags: [
      ...call.flags.filter(({ name }) => name !== "--iglob"),
      ...call.flags.filter(({ name }) => name === "--iglob"),
    ],
  };
  const globs = lastValues(inOrder, "-g --glob --iglob", "-g --glob --iglob").flatMap((glob) =>
    glob.startsWith("!") ? [glob.slice(1)] : [],
  );
  const names = globs.filter((name) => PLAIN_NAMES.test(name));
  return { files: names, folders: names };
}

const searching: Family = {
  ...each("grep egrep fgrep", {
    effect: "reads",
    here: "deep",
    deepWith: "-r -R --recursive --dereference-recursive -d --directories",
    linksWith: "-R --dereference-recursive",
    ordinaryOnly: includesSources,
    leavesOut: excluded,
    narrowedBy: "exclude",
    operands: { first: ["text"], rest: "read", firstGivenBy: "-e --regexp -f --file" },
    flags: grepFlags,
  }),
  rg: {
    effect: "reads",
    here: "else",
    deepWith: "always",
    linksWith: "-L --follow",
    namesWith: "--files --type-list",
    shownOnly: hiddenGlobs,
    ordinaryOnly: searchesSources,
    leavesOut: excludedByGlob,
    narrowedBy: "glob",
    operands: { first: ["text"], rest: "read", firstGivenBy: "-e --regexp -f --file --files --type-list" },
    flags: {
      plain: `-.abcFHhilLnNoPpqsSuUvVwx0I --hidden --no-hidden --text --byte-offset --count --count-matches --fixed-strings --with-filename --no-filename --ignore-case --files-with-matches --files-without-match --follow --line-number --no-line-number --only-matching --pcre2 --pretty --quiet --case-sensitive --smart-case --unrestricted --multiline --multiline-dotall --invert-match --word-regexp --line-regexp --null --null-data --files --type-list --json --stats --trim --column --heading --no-heading --no-ignore --no-ignore-vcs --no-ignore-global --no-ignore-parent --no-ignore-dot --no-messages --vimgrep --passthru --crlf --no-config --block-buffered --line-buffered --glob-case-insensitive --one-file-system --include-zero --max-columns-preview --no-require-git --no-unicode --binary ${help}`,
      value:
        "-ABCegjmMtTdEr --after-context --before-context --context --regexp --glob --iglob --threads --max-count --max-columns --type --type-not --max-depth --encoding --replace --sort --sortr --color --colors --engine --max-filesize --path-separator --context-separator --field-match-separator --field-context-separator",
      exceptions: [
        { flags: "--pre", takes: "value", does: "runs", why: "runs a program on every file" },
        { flags: "--hostname-bin", takes: "value", does: "runs", why: "runs a program" },
        { flags: "-z --search-zip", does: "runs", why: "runs decompression programs" },
        { flags: "--ignore-file", takes: "value", does: "reaches", why: "reads rules from a file" },
      ],
      read: "-f --file",
    },
  },
};

const printing: Family = {
  cat: printer(
    "-AbeEnstTuvl --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
  ),
  tac: printer("-br --before --regex", "-s --separator"),
  rev: printer("-hV"),
  ...each("head tail", {
    effect: "reads",
    operands: { rest: "read" },
    flags: {
      plain: `-qvzfFr --quiet --silent --verbose --zero-terminated --retry ${help}`,
      value: "-cns --bytes --lines --sleep-interval --pid --max-unchanged-stats",
      joined: "--follow",
      digits: true,
    },
  }),
  wc: printer("-clmwL --bytes --chars --lines --words --max-line-length", "", "--total", [files0]),
  nl: printer(
    "-p --no-renumber",
    "-bdfhilnsvw --body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width",
  ),
  od: printer(
    "-abcdfilosxv --output-duplicates --traditional",
    "-AjNtS --address-radix --skip-bytes --read-bytes --format --endian",
    "-w --width",
  ),
  ...each("hexdump hd", {
    effect: "reads",
    operands: { rest: "read" },
    flags: { plain: "-bcCdovx", value: "-ens", read: "-f" },
  }),
  xxd: {
    effect: "reads",
    style: "single",
    // The second file is written.
    operands: { first: ["read", "write"] },
    flags: {
      plain: "-a -b -C -E -e -h -i -ps -p -d -u -v",
      value: "-c -g -l -n -o -s",
      exceptions: [{ flags: "-r", does: "writes", why: "writes bytes back" }],
    },
  },
  strings: {
    ...printer(
      "-afhovVw --all --print-file-name --data --include-all-whitespace",
      "-ntesTU --bytes --radix --encoding --output-separator --unicode",
    ),
    check: responseFiles,
  },
  column: printer(
    "-txnedLJ --table --fillrows --json --keep-empty-lines --table-noheadings",
    "-socNRTH --separator --output-separator --output-width --table-columns --table-right --table-truncate --table-hide --table-name",
  ),
  fold: printer("-bs --bytes --spaces", "-w --width"),
  fmt: printer(
    "-cstu --crown-margin --split-only --tagged-paragraph --uniform-spacing",
    "-pwg --prefix --width --goal",
  ),
  expand: printer("-i --initial", "-t --tabs"),
  unexpand: printer("-a --all --first-only", "-t --tabs"),
  base64: printer("-di --decode --ignore-garbage", "-w --wrap"),
  base32: printer("-di --decode --ignore-garbage", "-w --wrap"),
  ...each("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum", {
    ...checksums,
    check: (call) => checked(call),
  }),
  cksum: { ...checksums, check: (call) => checked(call) },
};

const reshaping: Family = {
  sort: printer(
    "-bdfgiMhnRrVcCmsuz --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --merge --stable --unique --zero-terminated --debug",
    "-ktS --key --field-separator --buffer-size --batch-size --parallel",
    "--check --sort",
    [
      { flags: "-o --output", takes: "value", does: "writes", why: "writes to a file" },
      { flags: "-T --temporary-directory", takes: "value", does: "writes", why: "writes temporary files to a folder" },
      { flags: "--compress-program", takes: "value", does: "runs", why: "runs a program" },
      { flags: "--random-source", takes: "value", does: "reaches", why: "reads another file" },
      files0,
    ],
  ),
  uniq: {
    effect: "reads",
    // The second file is written.
    operands: { first: ["read", "write"] },
    flags: {
      plain: `-cdDiuz --count --repeated --ignore-case --unique --zero-terminated ${help}`,
      value: "-fsw --skip-fields --skip-chars --check-chars",
      joined: "--all-repeated --group",
    },
  },
  cut: printer(
    "-nsz --complement --only-delimited --zero-terminated",
    "-bcdf --bytes --characters --delimiter --fields --output-delimiter",
  ),
  tr: {
    effect: "reads",
    anyFlag: true,
    operands: { rest: "text" },
    flags: { plain: `-cCdst --complement --delete --squeeze-repeats --truncate-set1 ${help}` },
  },
  paste: printer("-sz --serial --zero-terminated", "-d --delimiters"),
  join: printer("-iz --ignore-case --check-order --nocheck-order --header --zero-terminated", "-aejotv12"),
  comm: printer("-123z --check-order --nocheck-order --total --zero-terminated", "--output-delimiter"),
  diff: {
    effect: "reads",
    operands: { rest: "read" },
    // Given two folders, diff prints the contents of their files, even without -r.
    deepWith: "always",
    linksWith: "always",
    flags: {
      plain: `-abBdeEfHinNpPqrstTuwyZc --normal --brief --report-identical-files --ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function --expand-tabs --initial-tab --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --text --strip-trailing-cr --minimal --speed-large-files ${help}`,
      value:
        "-CUFILWxS --label --width --exclude --starting-file --ignore-matching-lines --show-function-line --tabsize --ifdef --horizon-lines --line-format --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format --changed-group-format --unchanged-group-format -D",
      joined: "--color --palette --context --unified",
      read: "-X --exclude-from --from-file --to-file",
      digits: true,
      exceptions: [{ flags: "-l --paginate", does: "runs", why: "runs `pr`" }],
    },
  },
  cmp: printer("-bls --print-bytes --verbose --quiet --silent", "-in --ignore-initial --bytes"),
};

const programmed: Family = {
  ...each("sed gsed", {
    effect: "reads",
    operands: { first: ["text"], rest: "read", firstGivenBy: "-e --expression -f --file" },
    check: sedFindings,
    paths: bsdSedPaths,
    writeWith: "-i --in-place",
    flags: {
      plain: `-nErszu --quiet --silent --regexp-extended --separate --null-data --unbuffered --posix --sandbox --debug ${help}`,
      // BSD takes no value after -l, so a script may follow it: the flag is not listed.
      value: "-e --expression",
      joined: "--line-length",
      exceptions: [
        { flags: "-i --in-place", takes: "joined", does: "writes", why: "edits files in place", inPlace: true },
        { flags: "-f --file", takes: "value", does: "runs", why: "reads its script from a file" },
      ],
    },
  }),
  ...each("awk gawk mawk nawk", {
    effect: "reads",
    operands: { first: ["text"], rest: "read" },
    check: awkFindings,
    flags: {
      value: "-F --field-separator -v --assign",
      exceptions: [
        {
          flags: "-f --file -E --exec -i --include -l --load",
          takes: "value",
          does: "runs",
          why: "loads code from a file",
        },
        {
          flags: "-o --pretty-print -p --profile -d --dump-variables",
          takes: "joined",
          does: "writes",
          why: "writes a file",
        },
      ],
    },
  }),
  jq: {
    effect: "reads",
    operands: { first: ["text"], rest: "read", firstGivenBy: "-f --from-file" },
    check: jqFindings,
    flags: {
      plain: `-cnesrRCMSaj --compact-output --null-input --exit-status --slurp --raw-input --raw-output --raw-output0 --color-output --monochrome-output --sort-keys --tab --ascii-output --join-output --seq --stream --args --jsonargs -h ${help} -V`,
      value: "--indent",
      two: "--arg --argjson",
      nameAndRead: "--slurpfile --rawfile --argfile",
      exceptions: [
        { flags: "-f --from-file", takes: "value", does: "runs", why: "reads its program from a file" },
        { flags: "-L --library-path", takes: "value", does: "runs", why: "loads modules from a folder" },
      ],
    },
  },
  yq: {
    effect: "reads",
    operands: { rest: "read" },
    check: yqFindings,
    writeWith: "-i -I --inplace --in-place",
    flags: {
      plain: `-rPCMncSN --raw-output --unwrapScalar --prettyPrint --colors --no-colors --null-input --no-doc --compact-output --sort-keys ${help}`,
      exceptions: [
        { flags: "-iI --inplace --in-place", does: "writes", why: "edits files in place" },
        { flags: "-s --split-exp", takes: "value", does: "writes", why: "writes a file for each result" },
        {
          flags: "-f --from-file --split-exp-file",
          takes: "value",
          does: "runs",
          why: "reads its program from a file",
        },
      ],
    },
  },
};

/** Reports `@file`, from which GNU binutils read more words, and which may also be a flag's value, or match a glob. */
function responseFiles(call: Call): readonly Finding[] {
  const isValue = call.flags.some(({ values }) => values.some((value) => value.startsWith("@")));
  const mayBe =
    isValue ||
    call.operands.some((word) => (word.value ?? word.glob ?? "@").startsWith("@") || /^[*?[]/u.test(word.glob ?? ""));
  return mayBe ? [beyond("unknown", "`@file` reads words from a file")] : [];
}

/** Reports `--check`, which reads the files that a list names. */
function checked(call: {
  flags: readonly { name: string }[];
}): readonly { effect: "unknown"; why: string; beyond: true }[] {
  const isCheck = call.flags.some((flag) => flag.name === "-c" || flag.name === "--check");
  return isCheck ? [{ effect: "unknown", why: "`--check` reads file names from a file", beyond: true }] : [];
}

export const textCommands: Family = { ...searching, ...printing, ...reshaping, ...programmed };
