/**
 * Lines that say that all is well, by what programs print (versions of 2022 to 2026): a test that passed, a step of a
 * build or an installation. Each is tested on single lines, without flags; a failure's lines are never left out for these.
 */
const CALM: readonly RegExp[] = [
  // vitest, jest, mocha, node:test
  /^ *[✓✔] /,
  // the line behind each failure of vitest
  /^⎯+\[\d+\/\d+\]⎯+$/,
  /^PASS \S/,
  // pytest: a line a test, the same in its list and in a parallel run, a line a file, dots alone
  /^[^\s:]+::.* PASSED(?: +\[ *\d+%\])?$/,
  /^(?:\[gw\d+\] \[ *\d+%\] )?PASSED [^\s:]+::\S/,
  /^(?:\S+\.py )?[.FEsxXRr]+ +\[ *\d+%\]$/,
  // unittest
  /^\S+ \([^()]*\)[^()]*\.\.\. ok$/,
  // go test
  /^=== (?:RUN|PAUSE|CONT) /,
  /^ *--- PASS: /,
  // cargo
  /^test .* \.\.\. ok$/,
  /^ +(?:Compiling|Checking|Downloaded|Downloading|Fresh|Adding|Locking) \S+ v\d/,
  // TAP
  /^ *ok \d+ (?!.*# (?:TODO|SKIP))/,
  // ctest
  /^ *Start +\d+: /,
  /^ *\d+\/\d+ Test +#\d+: .* Passed +[\d.]+ sec$/,
  // maven, gradle
  /^\[INFO\] (?:Running \S|Download(?:ing|ed) from |Tests run: \d+, Failures: 0, Errors: 0, .*Time elapsed)/,
  /^[^\s>]+ > \S.* PASSED$/,
  /^> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE))?$/,
  // phpunit
  /^[.SI]+ +\d+ \/ \d+ \( *\d+%\)$/,
  // cmake, make, ninja
  /^-- (?:Performing Test|Detecting|Looking for|Check for working|Check size of) (?!.*(?:Failed|failed|not found)$)/,
  /^\[ *\d+%\] (?:Building|Linking|Built target|Generating) /,
  /^\[\d+\/\d+\] (?:Building|Linking|Compiling|Generating) /,
  /^make(?:\[\d+\])?: (?:Entering|Leaving) directory /,
  // pip, apt, docker
  /^ *(?:Collecting|Requirement already satisfied:|Using cached|Downloading) \S/,
  /^(?:Get|Hit|Ign):\d+ \S/,
  /^(?:Selecting previously unselected package|Preparing to unpack|Unpacking|Setting up) \S/,
];

const CALM_ANY = new RegExp(CALM.map(({ source }) => source).join("|"));

/** Whether a line of output says that a test passed or a step was done, and nothing else. */
export function isCalm(line: string): boolean {
  return CALM_ANY.test(line);
}
