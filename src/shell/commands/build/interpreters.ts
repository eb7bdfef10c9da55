/** Language interpreters: the program they run is in their words or in a file, so no prefix describes it. */
import { elsewhere, runs, writes } from "../exceptions.js";
import { possiblePaths } from "../options.js";
import { beyond, each, unknown, type CommandSpec, type Family } from "../spec.js";
import { runsCode, runsText, tests, version, works } from "./work.js";

/** Builds the entry of a project script, run by its path: the words after it belong to the script. */
function scripts(endings: RegExp): CommandSpec {
  const isScript = (text: string | undefined): boolean =>
    text !== undefined && /^(?:\.\/)?(?:[\w@][\w.@-]*\/)*[\w@][\w.@-]*$/u.test(text) && endings.test(text);
  return {
    ...works("it runs a project script"),
    prefix: 2,
    style: "text",
    operands: { first: ["read"], rest: "text" },
    // The script's own flags may be followed by files that it writes.
    paths: ({ operands }) =>
      operands
        .slice(1)
        .flatMap(({ value = "" }) => possiblePaths(value.startsWith("-") ? /=(.+)$/su.exec(value)?.[1] : value))
        .map((path) => ({ kind: "write", path })),
    check: ({ operands }) => [
      ...(isScript(operands[0]?.value) ? [] : [beyond("unknown", "it runs a program")]),
      ...(operands.some(({ value }) => value === undefined)
        ? [beyond("unknown", "a word is only known at run time")]
        : []),
    ],
  };
}

/** Runs tests, and flags can give it permissions or tests from elsewhere. */
const denoTest: CommandSpec = {
  ...works(tests, [
    elsewhere("-c --config --import-map --lock --cert --env-file --preload --location -r --reload"),
    writes("--coverage --junit-path --v8-flags"),
    { flags: "--inspect --inspect-brk --inspect-wait", does: "reaches", why: "opens a debugger port" },
  ]),
  check: ({ operands }) =>
    operands.every(({ value }) => value !== undefined && !/^(?:[a-z]+:|@)/iu.test(value))
      ? []
      : [beyond("unknown", "it may run downloaded code")],
};

/** Node 24 (nodejs.org/api/cli.html): flags that load more code or write elsewhere. */
const nodeTest = works(tests, [
  runs(
    "-r --require --import --loader --experimental-loader -e --eval -p --print --test-reporter --test-global-setup",
    "loads or runs further code",
  ),
  elsewhere(
    "-C --conditions --env-file --env-file-if-exists --experimental-config-file --icu-data-dir --openssl-config --inspect --inspect-brk --inspect-wait --inspect-port",
  ),
  writes(
    "--test-reporter-destination --cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-dir --report-directory --redirect-warnings --trace-event-file-pattern --build-sea --build-snapshot",
  ),
]);

export const interpreters: Family = {
  ...each("node nodejs", {
    effect: "unknown",
    why: "it runs a program",
    bare: scripts(/\.[cm]?[jt]s$/u),
    subcommands: {
      ...each("--version -v -version", version),
      ...each("-e --eval -p --print", runsText("it runs a program")),
      "--test": nodeTest,
    },
  }),
  deno: {
    effect: "unknown",
    why: "it runs a program",
    bare: runsCode("it runs a program"),
    subcommands: { ...each("--version -v -version", version), test: denoTest },
  },
  php: {
    effect: "unknown",
    why: "it runs a program",
    bare: runsCode("it runs a program"),
    subcommands: {
      ...each("--version -v -version", version),
      artisan: {
        effect: "unknown",
        bare: runsCode("it runs a command of the project"),
        subcommands: {
          test: works(tests, [
            elsewhere("-c --configuration --env"),
            writes("--log-junit --coverage-html --coverage-clover"),
          ]),
        },
      },
    },
  },
  "bin/rails": {
    effect: "unknown",
    bare: runsCode("it runs a command of the project"),
    subcommands: { test: works(tests, [elsewhere("-e --environment"), runs("-r --require", "loads further code")]) },
  },
  // `perl -v x` and `ruby -v x` print the version and then run x: `version` accepts no word after it.
  ...each("ruby perl lua Rscript java", {
    effect: "unknown",
    why: "it runs a program",
    bare: runsCode("it runs a program"),
    subcommands: each("--version -v -version", version),
  }),
  ...each(
    "ts-node tsx osascript expect tclsh R julia ghci erl elixir iex irb pry ipython sqlite3 psql mysql mongo redis-cli gdb lldb strace ltrace vim vi nano emacs ed ex",
    unknown("it can run programs, or waits for input"),
  ),
};
