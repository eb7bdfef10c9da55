/** Test runners, linters and formatters. */
import { elsewhere, writes } from "../exceptions.js";
import { responseFileFindings } from "../goals.js";
import { valuesOf, type Call } from "../options.js";
import { beyond, each, type Family, type Finding } from "../spec.js";
import { checks, formats, tests, versioned, works } from "./work.js";

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

export const checkers: Family = {
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
  ...each(
    "isort autopep8 rustfmt clang-format",
    formats("it formats files", [
      elsewhere("--config --config-path --settings-path --settings-file --config-file --workers"),
    ]),
  ),
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
