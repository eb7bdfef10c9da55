/** Builders and task runners. */
import { elsewhere, runs, writes } from "../exceptions.js";
import { goalFindings, INSTALLS, PUBLISHES, publishFindings, responseFileFindings } from "../goals.js";
import { given, valuesOf, type Call } from "../options.js";
import { beyond, destroys, each, type CommandSpec, type Family, type Finding } from "../spec.js";
import { onlyVersion } from "../versions.js";
import { beyondProject, builds, goalWorks, tests, versioned, works } from "./work.js";

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

/** Treats `-t test deploy`, `-t test,deploy` and `-t test -t deploy` as several targets. */
function nxFindings(call: Call): readonly Finding[] {
  const targets = [
    ...valuesOf(call, "-t --target --targets").flatMap((value) => value.split(",")),
    ...call.operands.map(({ value }) => value),
  ];
  return goalFindings({ ...call, operands: targets.map((value) => ({ value })) }, PUBLISHES);
}

export const builders: Family = {
  ...each("make gmake", versioned(make)),
  ninja: goalWorks(builds, [elsewhere("-C -f -t")], {}, INSTALLS),
  cmake: versioned(cmake),
  ctest: works(tests, [elsewhere("-S -D --build-and-test --test-dir --script")]),
  ...each("bazel bazelisk", {
    effect: "unknown",
    subcommands: each("build test", {
      ...beyondProject(goalWorks(builds, [runs("--run_under --action_env --script_path --override_repository")])),
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
  dotnet: {
    effect: "unknown",
    bare: { effect: "reads", style: "single", flags: { plain: "--version --info --list-sdks --list-runtimes" } },
    subcommands: {
      ...each("build test restore format", {
        ...beyondProject(works(builds)),
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
      run: beyondProject(works("it builds and runs the project's program", [elsewhere("--project --launch-profile")])),
      nuget: destroys("it can publish"),
    },
  },
  // Without a flag it runs a program read from standard input.
  swift: {
    effect: "unknown",
    bare: onlyVersion("--version"),
    subcommands: each(
      "build test",
      beyondProject(works(builds, [elsewhere("--package-path --scratch-path -X --toolchain")])),
    ),
  },
};
