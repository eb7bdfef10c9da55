/**
 * Makes random command lines that try what the proof of reading leans on: builtins, variables, names of files,
 * wrappers.
 */
import { BUILTINS } from "../../../src/shell/builtins.js";
import { Random } from "./programs.js";

/** The program that leaves a mark when it runs; nothing else that the lines hide does anything. */
export const MARKER = "m0";

const NAMES = [
  "x",
  "x",
  "y",
  "z",
  "PATH",
  "HOME",
  "IFS",
  "BASH_ENV",
  "ENV",
  "OPTIND",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "PIPESTATUS",
  "GROUPS",
  "MAPFILE",
  "REPLY",
  "HISTFILE",
  "HISTFILESIZE",
  "HISTSIZE",
  "PYENV_HOOK_PATH",
  "GIT_DIR",
  "PS4",
  "PROMPT_COMMAND",
  "LANG",
  "TZ",
  "NO_COLOR",
  "FOO",
  "histchars",
  "MAILPATH",
  "EUID",
  "BASH_ARGV0",
  `'x[$(${MARKER})]'`,
  `'x[$(${MARKER})0]'`,
  "-v",
  "'x y'",
];

/**
 * Texts that run the marker where something evaluates or expands them, and places where other programs and settings
 * lie.
 */
const VALUES = [
  `'($(${MARKER}))'`,
  `'([$(${MARKER})]=1)'`,
  `\\(\\$\\(${MARKER}\\)\\)`,
  `'x[$(${MARKER})]'`,
  `'x[$(${MARKER})0]'`,
  `'-v x[$(${MARKER})]'`,
  `'$(${MARKER})'`,
  `'\`${MARKER}\`'`,
  "evil",
  "./evil",
  "3",
  "evil/env.sh",
  "1",
  "0",
  "''",
  "a",
  "$y",
  '"$y"',
  "$x",
  '"$x"',
  "$v",
  '"$(cat in)"',
  "$(cat in)",
  "x=1",
  "-n",
  "-a",
  "-r",
  "--",
  "(1)",
  "%n",
];

const GLOBS = [".env*", "*", "?r", "./*", "*.txt", "--o*", "-*", "in", "sub/*", "[!a]*", "in*"];
const FORMATS = [
  "'%s\\n'",
  "'%n'",
  "'xxx%n'",
  "'xxx%-5n'",
  "'xxx%hn'",
  "'xxx%.1n'",
  "'%d'",
  "'%b'",
  "'%(%s)T'",
  "'\\x25n'",
  '"$v"',
  '"xxx%$z"',
  "'xxx\\n'",
  "'%q'",
  "'%*d'",
];
const READERS = [
  "cat",
  "ls",
  "wc -l",
  "sort",
  "grep ''",
  "grep x",
  "grep -c x",
  "head -1",
  "git log",
  "git status",
  "git shortlog HEAD",
  "git blame",
  "git diff",
  "git ls-files",
  "git stash list",
  "sed -n 1p",
  "cut -c1",
  "du -s",
  "stat",
  "uniq",
  "file",
  "rg ''",
  "rg -g '*.local' ''",
  "diff in",
  "tr a",
  "basename",
  "date",
  "jq .",
  "awk 1",
  "nl",
];
const LETTERS = "aAcCdefFgiIklLnNoprPstuvx";

/** One line; `seed` decides all of it. */
export function effectProgram(seed: number): string {
  const random = new Random(seed);
  const parts = Array.from({ length: random.below(2) }, () => setup(random));
  parts.push(...Array.from({ length: 1 + random.below(2) }, () => statement(random)));
  if (random.chance(55)) {
    parts.push(
      random.pick([
        "ls",
        "git status",
        "cat in",
        "python3 --version",
        "[ $x ]",
        "test $y",
        "bash -c ls",
        "env ls",
        `[ -n "$x" ]`,
        "git log",
      ]),
    );
  }
  return parts.join(random.pick(["; ", "; ", "; ", "\n", " && "]));
}

function setup(random: Random): string {
  return random.pick([
    () => "x=(1)",
    () => `y='($(${MARKER}))'`,
    () => `v='1 PATH=evil'`,
    () => "z=n",
    () => "read -a x <<< '1 2'",
    () => "mapfile x < in",
    () => "[[ ab =~ (a) ]]",
    () => "declare -a x",
    () => `x='-v x[$(${MARKER})]'`,
    () => "cd sub",
  ])();
}

function statement(random: Random): string {
  const name = (): string => random.pick(NAMES);
  const value = (): string => random.pick(VALUES);
  return random.pick([
    () => builtin(random),
    () => builtin(random),
    () =>
      `${random.pick(["declare", "typeset", "export", "readonly", "\\declare", "command declare", "builtin typeset"])} ${options(random)}${name()}${random.pick(["=", "=", "=", "+=", ""])}${value()}`,
    () =>
      `${random.pick(["x=(1)", "read -a x <<< '1 2'", "mapfile x < in"])}; ${random.pick(["declare", "typeset", "local", "readonly"])} x${random.pick(["=", "+="])}${random.pick(VALUES.slice(0, 3))}`,
    () =>
      `${random.pick(["", "env ", "export "])}${random.pick(["PYENV_HOOK_PATH", "PYENV_HOOK_PATH", "HOME", "PATH", "BASH_ENV"])}=${random.pick(["evil", "evil", "3", "evil/env.sh"])}${random.pick([" ", "; "])}${random.pick(["python3 --version", "git status", "ls", "bash -c ls"])}`,
    () => `f() { ${random.chance(50) ? "local x=(1); " : ""}local ${options(random)}${name()}=${value()}; }; f`,
    () =>
      `printf ${random.pick(["", "", "-- ", "-v x "])}${random.pick(FORMATS)} ${name()} ${random.pick(["", value()])}`,
    () => `read ${options(random)}${name()} <<< ${value()}`,
    () => `for ${name()} in ${value()} ${value()}; do ${random.pick([":", "ls", "[ $x ]"])}; done`,
    () => `${name()}=${value()}`,
    () => `${name()}=${value()} ${random.pick(["ls", "git status", "python3 --version", "bash -c ls", "cat in"])}`,
    () => `[[ ${random.pick(["-v ", "-n ", "", "1 -eq ", "-\\\nv ", "-R ", "! -v "])}${value()} ]]`,
    () =>
      `${random.pick(["[", "test"])} ${random.pick(["-v ", "-n ", "", "1 -eq ", "-f "])}${random.pick([value(), random.pick(GLOBS)])} ${random.chance(50) ? "]" : ""}`,
    () => reader(random),
    () => reader(random),
    ...Array.from({ length: 7 }, () => () => composed(random)),
    () => `${wrapper(random)} ${reader(random)}`,
    () => `${wrapper(random)} git ${random.pick(["log", "ls-files -fd .", "status", "ls-files x"])}`,
    () => `coproc ${random.chance(50) ? `${name()} ` : ""}{ ls; }`,
    () => `select ${name()} in ${value()}; do [ $REPLY ]; break; done <<< 1`,
    () => `wait ${options(random)}${name()}`,
    () =>
      `echo ${value()} ${random.pick([">&", ">", "2>"])} ${random.pick(["/dev/null", "1", `'x$(${MARKER})'`, "'$v'"])}`,
    () => `: ${random.pick(["${x:=", "${x:-", "${!", "${x@", "${x%"])}${random.pick(["y", "P", "a", `$(${MARKER})`])}}`,
    () => `echo $((${random.pick(["1 + 2", "x", `x[$(${MARKER})]`, "RANDOM", "x = 5", "PATH = 3"])}))`,
    () =>
      `bash -c ${random.pick([`'ls'`, `'[ $0 ]' ${value()}`, `'declare x=$0' ${value()}`, `'printf xxx%n HOME; git status'`])}`,
  ])();
}

const LISTERS = [
  "find .",
  "find . -type f",
  "find . -name '*.txt'",
  "find sub -name '*'",
  "find . -not -path './sub/*'",
  "find . -name '.env*' -prune -o -print",
  "git ls-files",
  "git ls-files -o",
  "git ls-files '*.txt'",
  "ls",
  "ls sub",
  "grep -rl l .",
  "grep -rl --exclude='.env*' '' .",
  "rg -l ''",
  "rg --files",
  "rg -l --hidden b",
  "rg --files -uu",
  "git diff --name-only",
  "find . -print0",
  "rg -l '' -0",
  "git ls-files -z",
];
const LOOKERS = [
  "cat",
  "head -1",
  "wc -l",
  "grep ''",
  "grep -r ''",
  "sed -n 1p",
  "ls -d",
  "git log --",
  "stat",
  "tail -1",
  "sort",
  "cut -c1-9",
  "diff in",
  "xargs cat",
  "bash",
  "rm",
];
const INSPECTORS = [
  "tar tf",
  "tar -tf",
  "tar tvf",
  "unzip -l",
  "zcat",
  "gzip -l",
  "nm",
  "objdump -d",
  "objdump -s",
  "readelf -h",
  "size",
  "strings",
  "less",
  "more",
  "man",
  "lsof -i",
  "ss -tln",
  "ss -t sport =",
  "pkg-config --list-all",
  "gofmt -l",
  "black --check",
  "bash -n",
  "file",
];
const VERSIONS = [
  "python3",
  "node",
  "git",
  "bash",
  "cargo",
  "go",
  "yarn",
  "pnpm",
  "pip",
  "gcc",
  "tsc",
  "ruby",
  "java",
  "mvn",
  "openssl",
  "ssh",
];
const SEARCHES = [
  "grep -r '' .",
  "grep -rn CANARY .",
  "grep -rh KEY sub",
  "rg --hidden ''",
  "rg -uu KEY",
  "rg -t md ''",
  "rg -t sh KEY",
  "rg -g '*' KEY",
  "rg -g '!.env' --hidden KEY",
  "grep -r KEY . --exclude=.env",
  "grep -r --exclude='.env*' --include='.env*' KEY .",
  "grep -r --include='.e*' --exclude=.env KEY .",
  "rg --iglob '!.ENV*' --hidden KEY",
  "rg -g '!.env*' -g '.env' KEY",
];

/** Names that one command tells and another reads, searches of folders with secrets, and tools that only look. */
function composed(random: Random): string {
  const lister = (): string => random.pick(LISTERS);
  const looker = (): string => random.pick(LOOKERS);
  const search = (): string =>
    `${random.pick(["", "", "timeout 2 ", "cd sub; "])}${random.pick(SEARCHES)}${random.pick(["", "", " | head -3", ` ${random.pick(GLOBS)}`])}`;
  return random.pick([
    () =>
      `${lister()} | ${random.pick(["", "", "sort | ", "grep -v sub | ", "head -5 | "])}xargs ${random.pick(["", "", "-0 ", "-n1 ", "-I{} ", "-d '\\n' ", "-P 2 "])}${looker()}${random.pick(["", "", " {}"])}`,
    () =>
      `find ${random.pick([".", "sub", "*", "./"])} ${random.pick(["", "-type f", "-name '*.txt'", "-maxdepth 1", "-not -name '.env*'"])} -exec${random.pick(["", "", "dir"])} ${looker()} {} ${random.pick(["+", "\\;"])}`,
    () =>
      `for f in ${random.pick([random.pick(GLOBS), random.pick(GLOBS), `$(${lister()})`, "a.txt in"])}; do ${looker()} ${random.pick(["$f", '"$f"'])}; done`,
    () =>
      `${lister()} | while ${random.pick(["read f", "read -r f", "IFS= read -r f"])}; do ${looker()} ${random.pick(["$f", '"$f"'])}; done`,
    () =>
      `${looker()} ${random.pick([`$(${lister()})`, `"$(${lister()})"`, `<(${looker()} ${random.pick(GLOBS)})`, `<(${lister()})`])}`,
    () =>
      `git ${random.pick(["-C .", "-C sub", "-C evil", "-C 3", "-C ..", "-c color.ui=false", `-c core.fsmonitor=${MARKER}`, `-c core.pager=${MARKER}`, "-C sub -C .."])} ${random.pick(["status", "log -1", "ls-files", "diff", "show HEAD:in"])}`,
    () =>
      `${random.pick(INSPECTORS)} ${random.pick([random.pick(GLOBS), "a.txt", "sub", ".", "@in", "+!" + MARKER, ":80"])}`,
    () =>
      `${random.pick(VERSIONS)} ${random.pick(["--version", "-v", "-V", "version", "--help"])}${random.pick(["", "", "", " in"])}`,
    search,
    search,
    search,
  ])();
}

/** Any builtin with any letters for options and any words. */
function builtin(random: Random): string {
  const name = random.pick([...Object.keys(BUILTINS), "exec", "command", "builtin", "eval", "trap"]);
  const words = Array.from({ length: random.below(3) }, () =>
    random.pick([
      random.pick(NAMES),
      random.pick(VALUES),
      random.pick(GLOBS),
      `${random.pick(NAMES)}=${random.pick(VALUES)}`,
    ]),
  );
  return [name, options(random).trim(), ...words].filter((word) => word !== "").join(" ");
}

function options(random: Random): string {
  return random.chance(35)
    ? `-${Array.from({ length: 1 + random.below(2) }, () => LETTERS.charAt(random.below(LETTERS.length))).join("")} `
    : "";
}

function reader(random: Random): string {
  return [
    random.pick(READERS),
    ...Array.from({ length: random.below(3) }, () =>
      random.pick([random.pick(GLOBS), random.pick(GLOBS), random.pick(VALUES)]),
    ),
  ].join(" ");
}

function wrapper(random: Random): string {
  return random.pick([
    () => `exec -a ${random.pick(["git-init", "git-clean", "git-tag", "x"])}`,
    () => `(exec -la git-init git log); env -a git-init`,
    () => "command exec -agit-clean",
    () => `env ${random.pick(NAMES)}=${random.pick(VALUES)}`,
    () => "timeout 2",
    () => "nice -n 1",
    () => "command",
    () => "time",
    () => "exec",
  ])();
}
