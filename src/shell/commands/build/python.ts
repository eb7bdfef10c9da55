/** Python: its interpreter, test runners and checkers. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs, writes } from "../exceptions.js";
import { responseFileFindings } from "../goals.js";
import { each, type CommandSpec, type Exception, type Family } from "../spec.js";
import { onlyVersion } from "../versions.js";
import { beyondProject, checks, formats, runsCode, runsText, tests, version, works } from "./work.js";

/**
 * Modules that Python imports at startup, from any folder on its path (docs.python.org, "site"): an editable install
 * puts a folder of the workspace there.
 */
export const pythonStart: Steering = {
  files: [{ name: "sitecustomize.py" }, { name: "usercustomize.py" }],
  variables: ["PYTHONPATH", "PYTHONHOME", "PIP_PYTHON", "PIP_CONFIG_FILE"],
  why: "may name code that Python loads at startup",
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

export const pythonCommands: Family = {
  ...each("python python2 python3", {
    effect: "unknown",
    why: "it runs a program",
    bare: runsCode("it runs a program"),
    subcommands: {
      "--version": version,
      "-V": version,
      "-c": runsText("it runs a program"),
      "manage.py": {
        effect: "unknown",
        bare: runsCode("it runs a command of the project"),
        subcommands: {
          test: works(tests, [
            runs("--settings --testrunner", "names code to load"),
            elsewhere("--pythonpath -t --top-level-directory"),
          ]),
        },
      },
      "-m": {
        effect: "unknown",
        bare: runsCode("it runs a module"),
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
  ...each("pytest py.test", { ...pythonTest, prefix: 1 }),
  tox: beyondProject(works(tests, [elsewhere("-c --conf --workdir --root --toxinidir -x --override --installpkg")])),
  nox: beyondProject(works(tests, [elsewhere("-f --noxfile --envdir")])),
  ruff: {
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
  },
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
};
