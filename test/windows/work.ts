// What the command and the program that runs tests on Windows tell each other, in files.

/** What the program is to do. Paths are those of Windows, but for those of tests. */
export interface Work {
  /** The checkout. */
  readonly root: string;
  /** The folder of the bundled tests. */
  readonly bundles: string;
  /** The bundle of each file of tests, by the file's path in the checkout. */
  readonly files: Readonly<Record<string, string>>;
  /** Tests that are not to run, by the file and a regular expression for their titles. */
  readonly untried: readonly { readonly file: string; readonly titles: string }[];
  /** The file for what became of the tests: an `Outcome` a line. */
  readonly outcomes: string;
  /** A regular expression for the titles of the tests that are wanted, as Vitest's `-t`. */
  readonly name?: string | undefined;
  /** Milliseconds that a test may take. */
  readonly patience: number;
}

export interface Outcome {
  /**
   * `begun` names what runs if nothing follows: a test, or a file without a title. `finished` is said of files; `ended`
   * once, when all have run: without it the program broke off.
   */
  readonly state: "begun" | "passed" | "failed" | "skipped" | "finished" | "ended";
  readonly file: string;
  /** With those of the groups around it, outermost first, ` > ` between. Empty for a whole file. */
  readonly title: string;
  readonly message: string;
}
