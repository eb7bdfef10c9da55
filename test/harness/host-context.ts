// What a test run tells the tests inside the extension host; written into their bundle.

/** The windows that in-host suites run in, each named by a folder in test/integration. */
export const windowKinds = [
  "folder",
  "untrusted",
  "nofolder",
  "multiroot",
  "virtual",
  "mixed",
  "project",
  "web",
] as const;
export type WindowKind = (typeof windowKinds)[number];

export interface HostContext {
  window: WindowKind;
  /**
   * Absolute paths of the folders that the window has open: copies of fixtures in temp folders. Those on no disk are
   * not among them.
   */
  folders: string[];
  /** A temp folder for anything else; deleted after the run. */
  temporary: string;
  /** The checkout. */
  repository: string;
  /** The report for people grows here, a line at a time. */
  reportFile: string;
  /** The result is written here, as {@link HostResult}, when all tests have run. */
  resultFile: string;
  /** Only tests whose full title contains this. */
  grep?: string;
  timeoutMs: number;
}

export interface HostResult {
  passed: number;
  failed: number;
  skipped: number;
  failures: { title: string; message: string }[];
}
