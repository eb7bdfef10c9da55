/**
 * How a test runner, compiler or linter writes failures. All expressions are tested on single lines, without flags and
 * without groups that are referred to.
 */
export interface OutputForm {
  /** For people and models: `vitest`. */
  name: string;
  /** A line that opens the section in which `begins` counts. Default: it always counts. */
  within?: RegExp;
  /** A line that closes that section. */
  without?: RegExp;
  /** A line that names a failure and begins the lines that belong to it. */
  begins?: RegExp;
  /** The first line that no longer belongs to a failure. Another `begins` also ends it. */
  ends?: RegExp;
  /** Number of lines with text behind `begins` that belong to the name. Default 0. */
  nameLines?: number;
  /** Number of lines with text behind these that are the message. Default 0. */
  messageLines?: number;
  /** Lines of a failure with its message or place. */
  tells?: RegExp;
  /** Number of lines behind each of `tells` that belong to it. Default 0. */
  follows?: number;
  /** A line that is a whole failure: name, message and place. */
  names?: RegExp;
  /** Whether `names` list all failures again at the end: if not everything fits, that list is kept. */
  listsAll?: true;
  /** Names that are counted, if there are any. Default: all of them. */
  counts?: RegExp;
  /** Lines before a failure that belong to it, such as the file's name. */
  leads?: RegExp;
  /** Maximum number of such lines. Default 1. */
  leadLines?: number;
  /** A line at which those are no longer needed. */
  resets?: RegExp;
  /** Whether `begins` counts only right behind one of `leads`. */
  needsLead?: true;
  /** A line that reports a failure that is reported again in full at the end, unless the run was cut off. */
  interim?: RegExp;
  /** Lines of the summary. */
  summary?: RegExp;
}

/**
 * The forms that are recognized, by what the programs print (versions of 2022 to 2026) rather than by the command line.
 * `test/fixtures/output` has recorded outputs.
 */
export const OUTPUT_FORMS: readonly OutputForm[] = [
  {
    name: "vitest",
    begins: /^ ?(?:FAIL {2}\S|⎯+ (?:Unhandled|Uncaught) )/,
    ends: /^⎯{5,}|^ ?Test Files {2}/,
    messageLines: 2,
    tells: /^ ❯ \S.*:\d+:\d+|^(?:[A-Z]\w*)?Error: |^Caused by: |^[-+] /,
    interim: /^ +× \S/,
    summary: /^ *(?:Test Files|Tests|Type Errors|Errors|Snapshots|Duration) {2}/,
  },
  {
    name: "jest",
    begins: /^ {2}● (?!Console$)\S/,
    ends: /^(?:PASS|FAIL) |^ {2}● Console$|^Test Suites: |^Summary of all failing tests/,
    messageLines: 3,
    tells: /^ +at (?!.*(?:\(?node:|node_modules)).*:\d+:\d+\)?$|^ +(?:Expected|Received)\b|^ +> \d+ \|/,
    interim: /^FAIL \S|^ +✕ /,
    summary: /^(?:Test Suites|Tests|Snapshots|Time): |^Ran all test suites/,
  },
  {
    name: "mocha",
    within: /^ {2}\d+ failing$/,
    begins: /^ {2}\d+\) \S/,
    nameLines: 1,
    messageLines: 3,
    tells: /^ +at (?!.*(?:\(?node:|node_modules)).*:\d+:\d+\)?$|^ +[-+]\S/,
    interim: /^ {4,}\d+\) \S/,
    summary: /^ {2}\d+ (?:passing|failing|pending)\b/,
  },
  {
    name: "node:test",
    within: /^✖ failing tests:/,
    begins: /^test at \S.*:\d+:\d+$/,
    nameLines: 1,
    messageLines: 2,
    tells: /^ +at (?!.*(?:\(?node:|node_modules)).*:\d+:\d+\)?$|^ +(?:expected|actual|code): /,
    interim: /^ *✖ (?!failing tests:|\d+ problems? \()\S/,
    summary: /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /,
  },
  {
    name: "TAP",
    begins: /^ *not ok \d+(?!.*# (?:TODO|SKIP))/,
    ends: /^ *\.\.\.$/,
    tells: /^ +(?:location|error|message|expected|actual|operator|at|file|line|stack): ?/,
    follows: 1,
    summary: /^# (?:tests|suites|pass|fail|failed|ok|cancelled|skipped|todo|duration_ms)\b|^1\.\.\d+$/,
  },
  {
    name: "pytest",
    within: /^=+ (?:FAILURES|ERRORS) =+$/,
    without: /^=+ (?:short test summary|warnings summary|PASSES)/,
    begins: /^_{3,} .+ _{3,}$/,
    ends: /^={3,} /,
    tells: /^E {2,}\S|^> {2,}\S|^\S+:\d+: \w*/,
    names: /^(?:FAILED|ERROR) \S+\.py\b/,
    listsAll: true,
    counts: /^(?:FAILED|ERROR) /,
    interim: /^(?:[A-Za-z]:)?[^\s:]+\.py::.* (?:FAILED|ERROR)\b/,
    summary: /^=+ (?:\d+ [a-z ]+|no tests ran)(?:, \d+ [a-z ]+)* in \d[^=]*=+$/,
  },
  {
    name: "unittest",
    begins: /^(?:FAIL|ERROR): \S+ \(/,
    ends: /^={50,}$|^Ran \d+ tests? in /,
    tells: /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)\b|^ {2}File ".*", line \d+/,
    interim: /^\S+ \(.*\.\.\. (?:FAIL|ERROR)$/,
    summary: /^Ran \d+ tests? in |^FAILED \((?:failures|errors)=/,
  },
  {
    name: "go test",
    begins: /^ *--- FAIL: /,
    ends: /^(?:=== |--- |PASS$|ok |FAIL)/,
    tells: /^ +\S+\.go:\d+: |^panic: /,
    names: /^FAIL\t|^panic: |^--- FAIL: /,
    counts: /^ *--- FAIL: |^panic: |\[(?:build|setup) failed\]$/,
    leads: /^ +\S+\.go:\d+: /,
    leadLines: 10,
    resets: /^=== RUN|^ *--- (?:PASS|FAIL|SKIP)/,
    summary: /^FAIL$/,
  },
  {
    name: "go",
    names: /^\S+\.go:\d+:\d+: (?!warning)/,
    leads: /^# \S+/,
  },
  {
    name: "cargo test",
    within: /^failures:$/,
    without: /^successes:$|^test result: /,
    begins: /^---- .+ std(?:out|err) ----$/,
    ends: /^failures:$|^successes:$/,
    tells: / panicked at |^(?:error|Error): /,
    follows: 3,
    interim: /^test .* \.\.\. FAILED$/,
    summary: /^test result: /,
  },
  {
    name: "rustc",
    begins: /^error(?:\[E\d+\])?: /,
    ends: /^\s*$/,
    tells: /^ *--> .*:\d+:\d+$|^[ \d]*\| .*\^/,
    summary: /^error: (?:could not compile|aborting due to|test failed)/,
  },
  {
    name: "tsc",
    begins: /^(?:\S.*\(\d+,\d+\): |\S.*:\d+:\d+ - )?error TS\d+: /,
    ends: /^\S/,
    messageLines: 2,
    summary: /^Found \d+ errors?\b/,
  },
  {
    name: "eslint",
    names: /^ +\d+:\d+ +error {2,}\S/,
    leads: /^(?:\/|[A-Za-z]:\\|\.{0,2}\/?[\w@])\S.*\.\w{1,5}$/,
    summary: /^✖ \d+ problems? \(/,
  },
  {
    name: "mypy",
    names: /^(?:[A-Za-z]:)?[^\s:][^:]*:\d+(?::\d+)?: error: .* {2}\[[\w-]+\]$/,
    summary: /^Found \d+ errors? in \d+ files?\b/,
  },
  {
    name: "ruff",
    names: /^(?:\S+|\S.*\.(?:pyi?|ipynb)(?::cell \d+)?):\d+:\d+: (?:[A-Z]{1,6}\d{2,5}|SyntaxError|invalid-syntax)\b/,
    leads: /^(?:[A-Z]{1,6}\d{2,5}|invalid-syntax:?) \S/,
    begins: /^ *--> \S.*:\d+:\d+$/,
    needsLead: true,
    ends: /^\s*$/,
    summary: /^Found \d+ errors?\./,
  },
  {
    name: "gcc or clang",
    begins:
      /^\S.*:\d+(?::\d+)?: (?:fatal )?error: |: undefined reference to |^collect2: error|\bld: (?!warning)|^(?:clang|cc1\w*|gcc): (?:fatal )?error|^make(?:\[\d+\])?: \*\*\* |^ninja: build stopped/,
    ends: /^\S/,
    tells: /\^/,
    counts: /: (?:fatal )?error: |: undefined reference to /,
    summary: /^\d+ (?:warnings?|errors?)(?: and \d+ errors?)? generated\.$/,
  },
  {
    name: "maven",
    begins: /^\[ERROR\] \S/,
    counts: /<<< (?:FAILURE|ERROR)!$|\.(?:java|kt|scala):\[?\d/,
    ends: /^\[/,
    tells:
      /^[\w.$]+(?:Error|Exception|Failure)\b|^\s+at (?!org\.junit|org\.apache\.maven|java\.|jdk\.)\S*\(\w+\.(?:java|kt|scala|groovy):\d+\)/,
    summary: /^\[\w+\] (?:Tests run: .*|BUILD \w+|Total time: .*)$/,
  },
  {
    name: "gradle",
    begins: /^\S[^>]* > \S.* FAILED$|^> Task \S+ FAILED$|^\* What went wrong:$|^[ew]: file:\/\/\S+ /,
    counts: /^\S[^>]* > \S.* FAILED$|^e: /,
    ends: /^\s*$/,
    messageLines: 3,
    tells: /^ +at (?!org\.junit|junit\.|org\.gradle|java\.|jdk\.)\S*\(\w+\.(?:java|kt|scala|groovy):\d+\)/,
    summary: /^BUILD (?:FAILED|SUCCESSFUL) in |^\d+ tests? completed/,
  },
  {
    name: "dotnet",
    begins:
      /^\s+Failed \S.*\[[^[\]]+\]$|^\s*\S.*\(\d+,\d+\): error [A-Z]+\d+: |^\s*(?:CSC|MSBUILD) : error [A-Z]+\d+: /,
    ends: /^\s+(?:Passed|Skipped) \S|^\s*$/,
    tells: /^\s+(?:Error Message|Stack Trace):$|:line \d+$/,
    follows: 2,
    summary: /^(?:Failed|Passed)! {2}- |^\s+\d+ (?:Error|Warning)\(s\)$|^Total tests: /,
  },
  {
    name: "ctest",
    names:
      /^ *\d+\/\d+ Test +#\d+: .*\*\*\*|^\t *\d+ - \S.* \((?:Failed|Timeout|SEGFAULT|Not Run|[^()]{0,100}Exception[^()]{0,100})\)/,
    counts: /^\t/,
    leads: /^\d+: \S/,
    leadLines: 10,
    resets: /^ *\d+\/\d+ Test +#|^test \d+$/,
    summary: /^\d+% tests passed, /,
  },
  {
    name: "rspec",
    within: /^Failures:$/,
    without: /^Finished in /,
    begins: /^ {2}\d+\) \S/,
    ends: /^Finished in /,
    messageLines: 3,
    tells: /^ +# \.\/\S.*:\d+|^ +(?:Failure\/Error:|expected|got)/,
    names: /^rspec \.\/\S.*:\d+ #/,
    listsAll: true,
    counts: /^rspec /,
    interim: / \(FAILED - \d+\)$/,
    summary: /^\d+ examples?, \d+ failures?/,
  },
  {
    name: "phpunit",
    within: /^There (?:was|were) \d+ (?:failure|error)s?:$/,
    without: /^(?:FAILURES|ERRORS|WARNINGS)!$/,
    begins: /^\d+\) \S+::\S/,
    ends: /^(?:FAILURES|ERRORS|WARNINGS)!$|^--$/,
    messageLines: 2,
    tells: /^\S.*\.php:\d+$/,
    summary: /^Tests: \d+, |^OK \(\d+ tests?/,
  },
  {
    // What `reports/expandReports.ts` makes of JSON reports.
    name: "JSON report",
    begins: /^» \S/,
    ends: /^\S/,
    messageLines: 3,
    tells:
      /^ +at (?!.*(?:\(?node:|node_modules)).*:\d+:\d+\)?$|^ +(?:Expected|Received|expected|got)\b|^ {4}(?:E {2,}\S|\S+:\d+: )/,
    summary: /^\[JSON report of /,
  },
  {
    name: "JUnit XML",
    begins: /^\s*<(?:failure|error)[ >]/,
    ends: /^\s*<\/(?:testcase|testsuite)>/,
    messageLines: 3,
    tells: /:\d+:\d+\)?$/,
    leads: /^\s*<testcase /,
    summary: /^\s*<testsuites? /,
  },
];
