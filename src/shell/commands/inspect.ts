/**
 * Commands that look into archives and programs, and show what the machine is doing. Their flags come from the --help
 * of GNU tar 1.34, unzip 6.00, gzip 1.12, binutils 2.40, pkgconf 1.8.1, lsof 4.95.0, iproute2 6.1.0, net-tools 2.10,
 * less 590, util-linux 2.38.1, man-db 2.11.2.
 */
import { beyond, type CommandSpec, type Exception, type Family, type Finding } from "./spec.js";
import type { Call } from "./options.js";

const extracts: CommandSpec = {
  effect: "unknown",
  why: "the archive decides which files are written, and flags can run programs",
  prefix: 0,
  local: true,
  lenient: true,
  operands: { rest: "write" },
};

/**
 * Reports a word that is not a plain name: tar reads `host:file` as a file on another machine, less and more run
 * `+command`.
 */
function plainNames(isPlain: RegExp, why: string): (call: Call) => readonly Finding[] {
  return (call) =>
    call.operands.every(({ value, glob }) => isPlain.test(value ?? glob ?? "")) ? [] : [beyond("unknown", why)];
}

/** `tar tf x`, with the letters in the orders that people write. */
const lists: CommandSpec = {
  effect: "reads",
  operands: { first: ["read"], rest: "text" },
  check: plainNames(/^(?:[^:*?[]+|[^:*?[]*\/.*)$/u, "it may reach another machine"),
};
const listLetters = ["tf", "tvf", "tzf", "ztf", "tvzf", "tzvf", "ztvf", "tjf", "tvjf", "tjvf", "tJf", "tvJf", "tJvf"];

const contents: CommandSpec = { effect: "reads", operands: { first: ["read"], rest: "text" } };
const packed: CommandSpec = { effect: "reads", operands: { rest: "read" } };

/** Builds the entry of GNU binutils, which read more words from the file in `@file`, wherever that word is. */
function binary(plain: string, value = ""): CommandSpec {
  const why = "`@file` reads words from a file";
  const names = plainNames(/^[^@*?[]/u, why);
  const check = (call: Call): readonly Finding[] => [
    ...names(call),
    ...(call.flags.some(({ values }) => values.some((word) => word.startsWith("@"))) ? [beyond("unknown", why)] : []),
  ];
  return { effect: "reads", operands: { rest: "read" }, flags: { plain: `${plain} --help --version`, value }, check };
}

/** Reports host names, which are looked up over the network. */
const resolves = (call: Call, isHost: (word: string) => boolean): readonly Finding[] =>
  [...call.operands.map(({ value }) => value), ...call.flags.flatMap(({ values }) => values)].some(
    (word) => word === undefined || isHost(word),
  )
    ? [beyond("unknown", "it may look up a host over the network")]
    : [];

/** Words of an ss filter that name no host: states, ports, and operators. */
const PORTS_AND_STATES =
  /^(?:[()=<>!&|]+|:\w+|state|exclude|sport|dport|eq|ne|and|or|not|all|connected|synchronized|bucket|big|established|listening|closed|closing|time-wait|close-wait|last-ack|syn-sent|syn-recv|fin-wait-[12])$/u;

const kills: Exception = { flags: "-K --kill", does: "destroys", why: "closes connections" };

export const inspectCommands: Family = {
  tar: {
    effect: "unknown",
    bare: extracts,
    subcommands: Object.fromEntries(
      listLetters.flatMap((letters) => [
        [letters, lists],
        [`-${letters}`, lists],
      ]),
    ),
  },
  unzip: { effect: "unknown", bare: extracts, subcommands: { "-l": contents, "-lv": contents, "-Z1": contents } },
  gzip: { effect: "unknown", bare: extracts, subcommands: { "-l": packed, "--list": packed } },
  ...Object.fromEntries(["zcat", "bzcat", "xzcat"].map((name) => [name, packed])),
  nm: binary(
    "-aACDgnrSu --debug-syms --defined-only --demangle --dynamic --extern-only --numeric-sort --print-size --reverse-sort --undefined-only --size-sort",
  ),
  objdump: binary(
    "-dfhpDtTrRxsCw --disassemble --disassemble-all --file-headers --section-headers --headers --private-headers --syms --dynamic-syms --reloc --all-headers --full-contents --demangle --no-show-raw-insn",
    "-Mj --section --disassembler-options --start-address --stop-address",
  ),
  readelf: binary(
    "-hlSsenrdVAWg --file-header --program-headers --section-headers --sections --symbols --syms --headers --notes --relocs --dynamic --version-info --wide",
  ),
  size: binary("-ABtdox --totals", "--format --radix"),
  ...Object.fromEntries(
    ["pkg-config", "pkgconf"].map((name): [string, CommandSpec] => [
      name,
      {
        effect: "reads",
        operands: { rest: "read" },
        flags: {
          plain:
            "--libs --libs-only-l --libs-only-L --cflags --cflags-only-I --modversion --exists --list-all --static --print-requires --version",
          value: "--atleast-version --variable",
        },
      },
    ]),
  ),
  lsof: {
    effect: "reads",
    operands: { rest: "text" },
    flags: { plain: "-nPtlUa", joined: "-isp" },
    check: (call) => resolves(call, (word) => word.includes("@")),
  },
  ss: {
    effect: "reads",
    operands: { rest: "text" },
    flags: {
      plain: "-tulnpaxw46seoiHO --tcp --udp --listening --numeric --processes --all --summary --no-header",
      exceptions: [kills],
    },
    check: (call) => resolves(call, (word) => !PORTS_AND_STATES.test(word)),
  },
  netstat: { effect: "reads", flags: { plain: "-tulnparisevW46 --tcp --udp --listening --numeric --programs --all" } },
  less: {
    effect: "reads",
    operands: { rest: "read" },
    flags: { plain: "-NSRFXnsi" },
    check: plainNames(/^[^+*?[]/u, "a word with `+` is a command it runs"),
  },
  more: {
    effect: "reads",
    operands: { rest: "read" },
    flags: { plain: "-dflpcsu" },
    check: plainNames(/^[^+*?[]/u, "a word with `+` is a command it runs"),
  },
  man: {
    effect: "reads",
    operands: { rest: "text" },
    flags: { plain: "-kfwa" },
    check: plainNames(/^[\w][\w.+:-]*$/u, "it may be the path of a page"),
  },
};
