/** Compilers, builders, test runners, formatters and language interpreters. */
import type { Steering } from "../../analysis.js";
import { goalFindings, INSTALLS, PUBLISHES, publishFindings, responseFileFindings } from "../goals.js";
import { given, possiblePaths, valuesOf, type Call } from "../options.js";
import { beyond, each, type CommandSpec, type Exception, type Family, type Finding, type Flags } from "../spec.js";
import { pythonStart } from "../packages/npm.js";
import { onlyVersion } from "../versions.js";

const runs = (flags: string, why = "names a program to run", takes: "value" | "joined" = "value"): Exception => ({
  flags,
  takes,
  does: "runs",
  why,
});
const elsewhere = (flags: string, why = "uses another folder or configuration"): Exception => ({
  flags,
  takes: "value",
  does: "reaches",
  why,
});
const writes = (flags: string): Exception => ({
  flags,
  takes: "value",
  does: "writes",
  why: "writes to the path it names",
});

/** Builds the entry of ordinary work, which runs the workspace's own code. */
function works(why: string, exceptions: readonly Exception[] = [], prefix?: number): CommandSpec {
  const spec: CommandSpec = {
    effect: "changes",
    why,
    lenient: true,
    here: "always",
    operands: { rest: "read" },
    flags: { exceptions },
  };
  return prefix === undefined ? spec : { ...spec, prefix };
}

function unknown(why: string): CommandSpec {
  return { effect: "unknown", why, prefix: 0, lenient: true, operands: { rest: "write" } };
}

/** A formatter: it may write its operands. */
const formats = (why: string, exceptions: readonly Exception[]): CommandSpec => ({
  ...works(why, exceptions),
  operands: { rest: "write" },
});

/** A checker: it reads its operands, and writes them with some flags. */
const checks = (why: string, writeWith: string, exceptions: readonly Exception[]): CommandSpec => ({
  ...works(why, exceptions),
  writeWith,
  flags: { plain: "-w", exceptions },
});

/**
 * Builds the entry of a tool that reads nothing in the workspace before it prints its version: `make --version` and
 * similar.
 */
function versioned(spec: CommandSpec, check: CommandSpec["check"] = spec.check): CommandSpec {
  return {
    effect: "unknown",
    bare: check === undefined ? spec : { ...spec, check },
    subcommands: { "--version": version },
  };
}

/**
 * Builds the entry of a tool that is harmless if it is only asked for its version, by a flag, and none of the steering
 * files exist.
 */
function tellsVersion(flags: string, spec: CommandSpec, steeredBy: Steering): CommandSpec {
  return { effect: "unknown", bare: spec, subcommands: each(flags, { effect: "reads", operands: {}, steeredBy }) };
}

/** Maven 3.8's script: the nearest folder with `.mvn` holds the JVM's options. */
const mavenOptions: Steering = { files: [{ name: ".mvn" }], why: "may hold Java options, which can load code" };
/** Gradle 8 (docs.gradle.org, "Build Environment"): the JVM that it runs to print its version. */
const gradleJvm: Steering = {
  files: [{ name: "gradle.properties" }, { name: "gradle/gradle-daemon-jvm.properties" }],
  why: "may choose the Java that runs",
};
/**
 * rustup 1.28 (rust-lang.github.io/rustup, "Overrides"): the `cargo` and `rustc` proxies follow these files, even into
 * a folder of the project.
 */
const otherRust: Steering = {
  files: [{ name: "rust-toolchain" }, { name: "rust-toolchain.toml" }],
  why: "may name another toolchain, which runs or is downloaded",
};
/**
 * Go 1.19 to 1.25, cmd/doc: it looks up the folders of all required modules; since 1.21 it downloads the toolchain that
 * go.mod names.
 */
const otherGo: Steering = {
  files: [
    {
      name: "go.mod",
      harmless: /^(?:(?:[ \t]*(?:module[ \t]+[\w./~-]+|go[ \t]+[\d.]+)[ \t\r]*|[ \t\r]*(?:\/\/[^\n]*)?)(?:\n|$))*$/u,
    },
    { name: "go.work" },
  ],
  why: "may name modules or a toolchain to download",
};

const version: CommandSpec = { effect: "reads", flags: { plain: "-V --version" } };
const tests = "it runs the project's tests";
const builds = "it builds the project, which runs its own code";

/** Handles `-logger:x.dll`, `/l:x.dll` and similar flags, which make MSBuild load a library. */
function dotnetFindings(call: Call): readonly Finding[] {
  const isJoined = [...call.flags, ...call.operands.map(({ value }) => ({ name: value ?? "" }))].some(({ name }) =>
    /^[-/]+(?:l|logger|dl|distributedlogger|bl|fl|flp)[:\d]/iu.test(name),
  );
  return isJoined || !valuesOf(call, "-l --logger").every((value) => OWN_LOGGER.test(value))
    ? [beyond("unknown", "it loads a logger, or writes a log")]
    : [];
}

/**
 * dotnet test's built-in loggers, which write nothing, or only below the project (learn.microsoft.com, "dotnet test").
 */
const OWN_LOGGER = /^(?:console|trx|html)(?:;verbosity=\w+)?$/iu;

/** `make SHELL=…` and `make CC=…` set what the recipes run. */
const make: CommandSpec = {
  ...works(
    "it runs recipes from the Makefile",
    [
      elsewhere("-C --directory -f --file --makefile -I --include-dir -E --eval"),
      { flags: "-e --environment-overrides", does: "reaches", why: "lets the environment set what recipes run" },
    ],
    2,
  ),
  goals: INSTALLS,
  check: (call) =>
    call.operands
      .filter((word) => word.value?.includes("=") !== false)
      .map((word) => ({
        effect: "unknown",
        why: `\`${word.value ?? "$…"}\` may set what the recipes run`,
        beyond: true,
      })),
};

const pythonTest: CommandSpec = {
  ...works(tests, [
    runs("-p --pdbcls", "loads a plugin"),
    elsewhere("--cov-config"),
    writes("--cov-report --html --json-report-file"),
    elsewhere("-c --config-file --rootdir --confcutdir -o --override-ini --pyargs --import-mode"),
    writes("--basetemp --junitxml --junit-xml --report-log --log-file --debug --pastebin"),
  ]),
  check: responseFileFindings,
};

const cargoExceptions: readonly Exception[] = [
  runs("--config", "sets a configuration value, which can name a program"),
  elsewhere("-C --manifest-path --lockfile-path"),
  writes("--target-dir --artifact-dir --out-dir"),
  elsewhere("-Z", "turns on unstable features"),
];
const cargoWorks = (why: string, exceptions: readonly Exception[] = []): CommandSpec => ({
  ...works(why, [...cargoExceptions, ...exceptions]),
  flags: { value: "--target", exceptions: [...cargoExceptions, ...exceptions] },

  check: (call) =>
    call.flags.some(
      ({ name, values }) =>
        name === "--target" && !values.every((value) => /^[\w.-]+$/u.test(value) && !/\.json$/iu.test(value)),
    )
      ? [beyond("unknown", "`--target` reads a file, which names the linker to run")]
      : [],
});

const cargoAdd: CommandSpec = {
  ...cargoWorks("it may fetch packages over the network", [
    elsewhere("--git --path --registry --index --base", "takes packages from elsewhere"),
  ]),
  check: newCode,
};

/** Finds packages named on the command line, whose code runs at the next build. */
function newCode(call: Call): readonly Finding[] {
  return call.operands.length === 0
    ? []
    : [
        {
          effect: "unknown",
          why: "it downloads packages named in the command, and their code runs",
          beyond: false,
          closed: true,
        },
      ];
}

const goExceptions: readonly Exception[] = [
  runs("-exec -toolexec -vettool -overlay -modfile -ldflags -gcflags -asmflags -gccgoflags -compiler -fmtflag"),
  elsewhere("-C -pkgdir"),
  writes(
    "-o -outputdir -cpuprofile -memprofile -blockprofile -mutexprofile -trace -coverprofile -test.outputdir -test.cpuprofile -test.memprofile -test.blockprofile -test.mutexprofile -test.trace -test.coverprofile -test.testlogfile -test.gocoverdir",
  ),
];
/** Go accepts one dash or two. */
const goFlags: readonly Exception[] = goExceptions.flatMap((exception) => [
  exception,
  { ...exception, flags: exception.flags.replaceAll("-", "--") },
]);
const goWorks = (why: string): CommandSpec => ({ ...works(why, goFlags), style: "single" });

/**
 * Builds the entry of ordinary work whose operands are goals, so that a rule for `test` does not cover a `deploy` after
 * it.
 */
function goalWorks(
  why: string,
  exceptions: readonly Exception[] = [],
  flags: Flags = {},
  goals: RegExp = PUBLISHES,
): CommandSpec {
  return { ...works(why, exceptions, 2), flags: { ...flags, exceptions }, goals };
}

/** Maven's flags of one dash and several letters, which are not bundles. */
const mavenFlags: Flags = {
  whole: "-am -amd -ntp -fae -ff -fn -nsu -cpu -npu -npr -itr",
  wholeValue: "-pl -rf -T",
  value: "--projects --resume-from --threads --color -P --activate-profiles",
};

/** `cmake --build build --target test deploy`: targets follow a flag, and words after `--` belong to the build tool. */
const cmake: CommandSpec = {
  ...works(builds),
  flags: {
    read: "--build --install",
    value: "-t --target --config -j --parallel --component",
    exceptions: [
      elsewhere("-C -P -S -B --toolchain --install-prefix --prefix"),
      runs("-E", "runs one of its tools"),
      elsewhere("-D", "sets a variable, which can name a program"),
    ],
  },
  check: (call) => {
    const targets = valuesOf(call, "-t --target");
    const isNamed = targets.length > 0 || call.hasDashes;
    const others = isNamed ? call.operands.length : 0;
    return [
      ...publishFindings([...targets, ...call.operands.map(({ value }) => value)], INSTALLS).map((finding) => ({
        ...finding,
        beyond: true,
      })),
      ...(given(call, "--install") ? [beyond("destroys", "`--install` installs outside the workspace")] : []),
      ...(targets.length > 1 || others > 0
        ? [beyond("changes", "it names more targets, or options for the build tool")]
        : []),
      { effect: "changes", why: builds, beyond: false, closed: true },
    ];
  },
};

/** Reports `-Dx=y`, which sets a property that may name a program. */
function antFindings(call: Call): readonly Finding[] {
  return call.flags.some(({ name }) => name.startsWith("-D"))
    ? [beyond("unknown", "`-D` sets a property, which can name a program")]
    : [];
}

/** Treats `-t test deploy`, `-t test,deploy` and `-t test -t deploy` as several targets. */
function nxFindings(call: Call): readonly Finding[] {
  const targets = [
    ...valuesOf(call, "-t --target --targets").flatMap((value) => value.split(",")),
    ...call.operands.map(({ value }) => value),
  ];
  return goalFindings({ ...call, operands: targets.map((value) => ({ value })) }, PUBLISHES);
}

/** Compiler flags that load or run something, or that write a file whose name is joined to them. */
const COMPILER_RUNS =
  /^--?(?:o.|fplugin|wrapper|B|specs|Xclang|Xlinker|Xassembler|Xpreprocessor|W[alp],|load|plugin|processor|J|C|analyzer|linker|fprofile|ivfsoverlay|config)/u;

function compilerFindings(call: Call): readonly Finding[] {
  const flag = call.flags.find(({ name }) => COMPILER_RUNS.test(name));
  return [
    ...responseFileFindings(call),
    ...(flag === undefined ? [] : [beyond("unknown", `\`${flag.name}\` can load a program, or write to any path`)]),
  ];
}

/** Accepts module and package names only: a file system path may lead to any folder. */
function goNames({ operands }: Call): readonly Finding[] {
  return operands.every(({ value }) => value !== undefined && /^[A-Za-z][\w-]*(?:[./][\w-]+)*$/u.test(value))
    ? []
    : [beyond("changes", "it may read another folder")];
}

const maven = goalWorks(
  builds,
  [
    elsewhere(
      "-f --file -s --settings -gs --global-settings -t --toolchains -gt --global-toolchains -D --define --builder",
    ),
    writes("-l --log-file"),
  ],
  mavenFlags,
);
const gradle = goalWorks(
  builds,
  [
    elsewhere(
      "-p --project-dir -b --build-file -c --settings-file -I --init-script -g --gradle-user-home --include-build -P -D --project-cache-dir",
    ),
  ],
  { value: "--tests -x --exclude-task --max-workers --console --warning-mode" },
);

const builders: Family = {
  ...each("make gmake", versioned(make)),
  ninja: goalWorks(builds, [elsewhere("-C -f -t")], {}, INSTALLS),
  cmake: versioned(cmake),
  ctest: works(tests, [elsewhere("-S -D --build-and-test --test-dir --script")]),
  "./mvnw": maven,
  mvn: tellsVersion("-v --version", maven, mavenOptions),
  "./gradlew": gradle,
  gradle: tellsVersion("-v --version", gradle, gradleJvm),
  ...each("bazel bazelisk", {
    effect: "unknown",
    subcommands: each("build test", {
      ...goalWorks(builds, [runs("--run_under --action_env --script_path --override_repository")]),
      operands: { rest: "text" },
      prefix: 3,
    }),
  }),
  rake: goalWorks(
    "it runs a task from the Rakefile",
    [elsewhere("-f --rakefile -r --require -e --execute -I --libdir -R -C --directory -p -E")],
    {},
    INSTALLS,
  ),
  just: goalWorks("it runs a recipe from the justfile", [
    elsewhere("-f --justfile -d --working-directory --shell --shell-arg -c --command --set"),
  ]),
  task: goalWorks("it runs a task from the Taskfile", [elsewhere("-t --taskfile -d --dir -g --global -i --init")]),
  ant: {
    ...goalWorks(builds, [
      elsewhere("-f -file -buildfile -s -find -lib -propertyfile -inputhandler -main -autoproxy"),
      runs("-logger -listener"),
      writes("-l -logfile"),
    ]),
    style: "single",
    check: antFindings,
  },
  sbt: goalWorks(builds, [elsewhere("-D -J -S --sbt-dir --sbt-boot --ivy --java-home --addPluginSbtFile")]),
  ...each(
    "npm-run-all npm-run-all2 run-s run-p",
    goalWorks("it runs scripts from package.json", [runs("--npm-path"), elsewhere("--config")]),
  ),
  turbo: {
    effect: "unknown",
    subcommands: {
      run: {
        ...goalWorks(
          "it runs scripts of the workspace's packages",
          [
            elsewhere("--cwd --cache-dir --api --token --team --login --root-turbo-json"),
            writes("--profile --anon-profile --graph"),
          ],
          { value: "--filter -F --concurrency --log-order --output-logs" },
        ),
        prefix: 3,
      },
    },
  },
  nx: {
    effect: "unknown",
    subcommands: {
      "run-many": {
        ...works("it runs targets of the workspace's projects", [runs("--runner")]),
        flags: {
          value: "-t --target --targets -p --projects --exclude --parallel --configuration -c",
          exceptions: [runs("--runner"), writes("--graph --file")],
        },
        prefix: 2,
        check: nxFindings,
        goals: PUBLISHES,
      },
    },
  },
  gulp: goalWorks("it runs a task from the gulpfile", [
    elsewhere("-f --gulpfile --cwd"),
    runs("-r --require --preload"),
  ]),
  grunt: goalWorks("it runs a task from the Gruntfile", [elsewhere("-b --base --gruntfile --tasks --npm -w --write")]),
  cargo: {
    effect: "unknown",
    globals: {
      plain: "-q --quiet -v --verbose --offline --locked --frozen --version -V",
      exceptions: cargoExceptions,
      value: "--color",
    },
    bare: { ...onlyVersion("-V --version"), steeredBy: otherRust },
    subcommands: {
      ...each("build test check bench doc nextest", cargoWorks(builds)),
      clippy: cargoWorks(builds, [{ flags: "--fix", does: "writes", why: "changes the sources" }]),
      fmt: cargoWorks("it formats the sources"),
      run: { ...cargoWorks("it builds and runs the project's program"), prefix: 2 },
      add: cargoAdd,
      ...each(
        "remove update fetch tree metadata vendor generate-lockfile",
        cargoWorks("it may fetch packages over the network"),
      ),
      clean: { ...cargoWorks("it deletes build output"), prefix: 0 },
      fix: cargoWorks("it changes the sources"),
      ...each("publish yank login logout owner", {
        effect: "destroys",
        why: "it publishes, or changes accounts",
        prefix: 0,
        lenient: true,
        operands: { rest: "text" },
      }),
      install: unknown("it installs a program for the user"),
    },
    aliases: { b: "build", t: "test", c: "check", r: "run", d: "doc" },
  },
  go: {
    effect: "unknown",
    subcommands: {
      ...each("build test vet fmt", goWorks(builds)),
      run: { ...goWorks("it builds and runs a program"), prefix: 0 },
      get: { ...goWorks("it may fetch packages over the network"), check: newCode },
      ...each("mod work", goWorks("it may fetch packages over the network")),
      // Go 1.16 to 1.25: to list modules it reads only go.mod; a module that is not required is an error.
      list: {
        effect: "unknown",
        bare: goWorks("it may fetch packages over the network"),
        subcommands: {
          "-m": {
            effect: "reads",
            style: "single",
            operands: { rest: "text" },
            flags: { plain: "-json" },
            steeredBy: otherGo,
            check: goNames,
          },
        },
      },
      // go 1.25, `go help doc`: -http starts a server.
      doc: {
        effect: "reads",
        style: "single",
        operands: { rest: "text" },
        flags: { plain: "-all -c -cmd -short -src -u" },
        steeredBy: otherGo,
        check: goNames,
      },
      version: { effect: "reads", operands: {} },
      ...each("generate tool", unknown("it runs programs that the sources name")),
      install: unknown("it installs a program for the user"),
      // go 1.25, `go help env`: -w and -u change the user's configuration.
      env: {
        effect: "reads",
        style: "single",
        operands: { rest: "text" },
        flags: {
          plain: "-json -changed",
          exceptions: [writes("-w"), { flags: "-u", does: "destroys", why: "unsets a user setting" }],
        },
      },
    },
    globals: { exceptions: [elsewhere("-C")] },
  },
  dotnet: {
    effect: "unknown",
    bare: { effect: "reads", style: "single", flags: { plain: "--version --info --list-sdks --list-runtimes" } },
    subcommands: {
      ...each("build test restore format", {
        ...works(builds),
        flags: {
          value: "-l --logger",
          exceptions: [
            elsewhere("-o --output --configfile -s --source --settings --artifacts-path -p --property"),
            runs("-a --test-adapter-path -d --diag --collect"),
            writes("-r --results-directory"),
            elsewhere("-e --environment", "sets a variable, which can load code"),
          ],
        },
        check: (call) => [...responseFileFindings(call), ...dotnetFindings(call)],
      }),
      run: works("it builds and runs the project's program", [elsewhere("--project --launch-profile")]),
      nuget: { ...unknown("it can publish"), effect: "destroys" },
    },
  },
  // Without a flag it runs a program read from standard input.
  swift: {
    effect: "unknown",
    bare: onlyVersion("--version"),
    subcommands: each("build test", works(builds, [elsewhere("--package-path --scratch-path -X --toolchain")])),
  },
};

/**
 * Reports parsers that are not built in: Prettier 1 and 2 load a parser by path or package name; Prettier 3 accepts
 * built-in names only.
 */
function prettierFindings(call: Call): readonly Finding[] {
  return valuesOf(call, "--parser").every((parser) => PARSERS.has(parser))
    ? []
    : [beyond("unknown", "`--parser` may load a program")];
}

/** Prettier's built-in parsers (prettier.io/docs/options, "Parser"). */
const PARSERS = new Set(
  "babel babel-flow babel-ts flow typescript espree meriyah acorn css less scss json json5 jsonc json-stringify graphql markdown mdx vue yaml html angular lwc mjml glimmer oxc oxc-ts".split(
    " ",
  ),
);

const ruffExceptions: readonly Exception[] = [elsewhere("--config --cache-dir"), writes("-o --output-file")];

/**
 * Black 22 to 25 with a first flag that makes it write nothing: it remembers well-formatted files in the user's cache.
 * It prints a line of any file that it cannot parse, so it matters which files the project makes it read.
 */
const blackChecks: CommandSpec = {
  effect: "reads",
  here: "else",
  deepWith: "always",
  linksWith: "always",
  ordinaryOnly: () => true,
  operands: { rest: "read" },
  flags: {
    plain: "--check --diff -q --quiet -v --verbose --color --no-color --fast --safe -S --skip-string-normalization",
    value: "-l --line-length -t --target-version",
  },
  steeredBy: {
    ...pythonStart,
    files: [...pythonStart.files, { name: "pyproject.toml", harmless: /^(?![^]*(?:include|\\[uU]))/u }],
    why: "may name other files to read, or code for Python to load",
  },
};

/**
 * gofmt has no configuration. In a folder it reads the Go sources, including links to files; -l and -d only print (go
 * 1.25, cmd/gofmt).
 */
const gofmt: CommandSpec = {
  effect: "reads",
  style: "single",
  deepWith: "always",
  linksWith: "always",
  ordinaryOnly: () => true,
  operands: { rest: "read" },
  writeWith: "-w",
  flags: {
    plain: "-d -e -l -s -w",
    exceptions: [elsewhere("-r", "rewrites the sources that it prints"), writes("-cpuprofile")],
  },
  check: (call) => (given(call, "-w") ? [{ effect: "changes", why: "it formats files", beyond: false }] : []),
};

const checkers: Family = {
  tsc: versioned(
    works(
      "it runs the project's compiler, and without --noEmit writes its output",
      [
        writes("--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile"),
        elsewhere("-p --project -b --build --plugins --rootDir"),
      ],
      1,
    ),
    responseFileFindings,
  ),
  ...each(
    "eslint oxlint stylelint",
    checks(
      "it runs the project's rules, and with --fix changes files",
      "--fix --fix-dry-run --fix-suggestions --fix-dangerously",
      [
        elsewhere(
          "-c --config --rulesdir --resolve-plugins-relative-to --plugin --parser --custom-formatter -f --format --customSyntax --config-path",
        ),
        writes("-o --output-file --cache-file --cache-location"),
      ],
    ),
  ),
  biome: formats("it runs the project's rules, and with --write changes files", [elsewhere("--config-path")]),
  prettier: {
    ...checks("it checks the format of files, and with --write changes them", "-w --write", []),
    flags: {
      plain: "-w",
      value: "--parser",
      exceptions: [elsewhere("--config --plugin --plugins --plugin-search-dir --ignore-path --cache-location")],
    },
    check: prettierFindings,
  },
  ...each(
    "jest vitest mocha ava tap playwright cypress karma",
    works(
      tests,
      [
        elsewhere(
          "-c --config --rootDir --root --dir -r --require --import --loader --globalSetup --setupFiles --testRunner --transform --resolver --runner --reporters --spec-reporter --reporter --env --environment --package --opts --ui --globalTeardown --setupFilesAfterEnv --testEnvironment --testResultsProcessor --testSequencer --snapshotResolver --snapshotSerializers --snapshotEnvironment --preset --moduleNameMapper --moduleDirectories --modulePaths --projects --watchPlugins --filter --execArgv --workspace --coverage.customProviderModule --coverageProvider --prettierPath --dependencyExtractor",
        ),
        writes("--outputFile --outputDirectory --coverageDirectory --cacheDirectory --coverage.reportsDirectory"),
      ],
      1,
    ),
  ),
  ...each("pytest py.test", { ...pythonTest, prefix: 1 }),
  tox: works(tests, [elsewhere("-c --conf --workdir --root --toxinidir -x --override --installpkg")]),
  nox: works(tests, [elsewhere("-f --noxfile --envdir")]),
  ...each("ruff", {
    effect: "unknown",
    bare: onlyVersion("-V --version"),
    subcommands: {
      check: checks(
        "it checks the sources, and with --fix changes them",
        "--fix --fix-only --unsafe-fixes --add-noqa",
        ruffExceptions,
      ),
      format: formats("it formats the sources", ruffExceptions),
    },
  }),
  ...each(
    "mypy pyright flake8 pylint",
    works("it checks the sources", [
      elsewhere(
        "--config-file --config --rcfile --python-executable --pythonpath --load-plugins --plugins --init-hook --append-config -p --project --cache-dir --shadow-file",
      ),
      writes("--output-file --output --junit-xml --html-report --txt-report --xml-report"),
    ]),
  ),
  black: {
    effect: "unknown",
    bare: formats("it formats files", [elsewhere("--config --workers")]),
    subcommands: each("--check --diff", blackChecks),
  },
  ...each(
    "isort autopep8 rustfmt clang-format",
    formats("it formats files", [
      elsewhere("--config --config-path --settings-path --settings-file --config-file --workers"),
    ]),
  ),
  gofmt,
  ...each(
    "phpunit vendor/bin/phpunit",
    works(tests, [
      elsewhere("-c --configuration --bootstrap --include-path -d --extension"),
      writes("--log-junit --coverage-html --coverage-clover --cache-directory"),
    ]),
  ),
  ...each(
    "rspec rubocop",
    works("it runs the project's own code", [
      elsewhere("-r --require -c --config -O --options -I --format -f"),
      writes("-o --out"),
    ]),
  ),
  shellcheck: works("it checks scripts", []),
};

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

/** Interpreters: the program they run is in their words or in a file, so no prefix describes it. */
const interpreters: Family = {
  ...each("python python2 python3", {
    effect: "unknown",
    why: "it runs a program",
    bare: unknown("it runs a program"),
    subcommands: {
      "--version": version,
      "-V": version,
      "manage.py": {
        effect: "unknown",
        bare: unknown("it runs a command of the project"),
        subcommands: {
          test: works(tests, [
            runs("--settings --testrunner", "names code to load"),
            elsewhere("--pythonpath -t --top-level-directory"),
          ]),
        },
      },
      "-m": {
        effect: "unknown",
        bare: unknown("it runs a module"),
        subcommands: {
          pytest: pythonTest,
          unittest: works(tests, [elsewhere("-s --start-directory -t --top-level-directory")]),
          ...each(
            "mypy ruff black flake8 isort",
            works("it checks or formats the sources", [
              elsewhere("--config --config-file --plugins --python-executable"),
            ]),
          ),
        },
      },
    },
  }),
  ...each("node nodejs", {
    effect: "unknown",
    why: "it runs a program",
    bare: scripts(/\.[cm]?[jt]s$/u),
    subcommands: { ...each("--version -v -version", version), "--test": nodeTest },
  }),
  deno: {
    effect: "unknown",
    why: "it runs a program",
    bare: unknown("it runs a program"),
    subcommands: { ...each("--version -v -version", version), test: denoTest },
  },
  php: {
    effect: "unknown",
    why: "it runs a program",
    bare: unknown("it runs a program"),
    subcommands: {
      ...each("--version -v -version", version),
      artisan: {
        effect: "unknown",
        bare: unknown("it runs a command of the project"),
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
    bare: unknown("it runs a command of the project"),
    subcommands: { test: works(tests, [elsewhere("-e --environment"), runs("-r --require", "loads further code")]) },
  },
  ...each("ruby perl lua Rscript java", {
    effect: "unknown",
    why: "it runs a program",
    bare: unknown("it runs a program"),
    subcommands: each("--version -v -version", version),
  }),
  // `perl -v x` and `ruby -v x` print the version and then run x: `version` accepts no word after it.
  ...each(
    "gcc g++ cc c++ clang clang++ javac csc ld as",
    versioned({
      ...works("compiling can load plugins and write to any path", []),
      style: "single",
      operands: { rest: "write" },
      prefix: 0,
      check: compilerFindings,
    }),
  ),
  rustc: {
    ...versioned({
      ...works("compiling can load plugins and write to any path", []),
      style: "single",
      operands: { rest: "write" },
      prefix: 0,
      check: compilerFindings,
    }),
    subcommands: { "--version": { ...version, steeredBy: otherRust } },
  },
  rustup: {
    effect: "unknown",
    bare: unknown("it installs or removes toolchains"),
    subcommands: { show: { effect: "reads", operands: {}, flags: { plain: "-v --verbose" }, steeredBy: otherRust } },
  },
  ...each(
    "ts-node tsx osascript expect tclsh R julia ghci erl elixir iex irb pry ipython sqlite3 psql mysql mongo redis-cli gdb lldb strace ltrace vim vi nano emacs ed ex",
    unknown("it can run programs, or waits for input"),
  ),
};

export const buildCommands: Family = { ...builders, ...checkers, ...interpreters };
