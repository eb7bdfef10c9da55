/**
 * Commands that look into archives and programs, and tell what the machine does. Their flags were read from the --help
 * of: GNU tar 1.34, unzip 6.00, gzip 1.12, binutils 2.40, pkgconf 1.8.1, lsof 4.95.0, iproute2 6.1.0, net-tools 2.10,
 * less 590, util-linux 2.38.1, man-db 2.11.2.
 */
import { beyond, type CommandSpec, type Exception, type Family, type Finding } from "./spec.js";
import type { Call } from "./options.js";

const extracts: CommandSpec = {
  effect: "unknown",
  why: "which files it writes stands in the archive, and flags run programs",
  prefix: 0,
  lenient: true,
  operands: { rest: "write" },
};

/**
 * A word that is no plain name: tar takes `host:file` for another machine's, less and more take `+command` for one to
 * run.
 */
function plainNames(isPlain: RegExp, why: string): (call: Call) => readonly Finding[] {
  return (call) =>
    call.operands.every(({ value, glob }) => isPlain.test(value ?? glob ?? "")) ? [] : [beyond("unknown", why)];
}

/** `tar tf x`, in the orders that people write the letters. */
const lists: CommandSpec = {
  effect: "reads",
  operands: { first: ["read"], rest: "text" },
  check: plainNames(/^(?:[^:*?[]+|[^:*?[]*\/.*)$/u, "it may reach another machine"),
};
const listLetters = ["tf", "tvf", "tzf", "ztf", "tvzf", "tzvf", "ztvf", "tjf", "tvjf", "tjvf", "tJf", "tvJf", "tJvf"];

const contents: CommandSpec = { effect: "reads", operands: { first: ["read"], rest: "text" } };
const packed: CommandSpec = { effect: "reads", operands: { rest: "read" } };

/** GNU binutils take further words from the file of a word `@file`, wherever it stands. */
function binary(plain: string, value = ""): CommandSpec {
  const why = "a word `@file` takes its words from a file";
  const names = plainNames(/^[^@*?[]/u, why);
  const check = (call: Call): readonly Finding[] => [
    ...names(call),
    ...(call.flags.some(({ values }) => values.some((word) => word.startsWith("@"))) ? [beyond("unknown", why)] : []),
  ];
  return { effect: "reads", operands: { rest: "read" }, flags: { plain: `${plain} --help --version`, value }, check };
}

/** A name of a host is looked up in the network. */
const resolves = (call: Call, isHost: (word: string) => boolean): readonly Finding[] =>
  [...call.operands.map(({ value }) => value), ...call.flags.flatMap(({ values }) => values)].some(
    (word) => word === undefined || isHost(word),
  )
    ? [beyond("unknown", "it may look a host up in the network")]
    : [];

/** Words of a filter of ss that name no host: states, ports, and what joins them. */
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
    check: plainNames(/^[^+*?[]/u, "a word with `+` is a command that it carries out"),
  },
  more: {
    effect: "reads",
    operands: { rest: "read" },
    flags: { plain: "-dflpcsu" },
    check: plainNames(/^[^+*?[]/u, "a word with `+` is a command that it carries out"),
  },
  man: {
    effect: "reads",
    operands: { rest: "text" },
    flags: { plain: "-kfwa" },
    check: plainNames(/^[\w][\w.+:-]*$/u, "it may be the path of a page"),
  },
};
