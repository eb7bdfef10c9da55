import type { Recovered } from "./types.js";

/** What became of changes whose process ended in the middle, for people. */
export function describeRecovered(recovered: readonly Recovered[]): string {
  const lines = recovered.flatMap(({ call, files }) =>
    files.map(({ path, to, state }) => `${call.tool} ${to === undefined ? path : `${path} to ${to}`}: ${WORDS[state]}`),
  );
  return `Changes were under way when Toolhost last ended. ${lines.join("; ")}.`;
}

const WORDS = {
  applied: "was made",
  not_applied: "was not made",
  unknown: "the file is neither as before nor as planned",
} as const;
