/** What a bench in plain Node came to: each bar is a test. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: { title: string; message: string }[];
}
