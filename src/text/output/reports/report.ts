/** What a linter or test runner says in its JSON report. */
export interface Report {
  /** For people and models: `eslint`. */
  program: string;
  problems: readonly ReportedProblem[];
  /** `15 failed, 2385 passed` */
  counts: string;
}

export interface ReportedProblem {
  /** One line: the place and the message, or the name of a test. */
  title: string;
  /** Further lines, such as a test's message and trace. */
  details: readonly string[];
  /** Whether it makes the run fail; a warning does not. */
  isFailure: boolean;
}
