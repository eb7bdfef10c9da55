import type { Recovered } from "./types.js";

/** Describes, for people, the outcome of changes whose process ended half-way. */
export function describeRecovered(recovered: readonly Recovered[]): string {
  return recovered.map(describe).join(" ");
}

function describe({ call, files }: Recovered): string {
  const names = files.map(({ path, to }) => (to === undefined ? path : `${path} to ${to}`));
  if (files.every(({ state }) => state === "not_applied")) {
    return `Toolhost ended in the middle of a change (${call.tool}), which was rolled back: ${names.join(", ")}.`;
  }
  const told = files.map(({ state }, index) => `${names[index]} ${WORDS[state]}`);
  return `Toolhost ended in the middle of a change (${call.tool}), which could not be rolled back completely: ${told.join("; ")}. The undo journal has what was there before.`;
}

const WORDS = {
  applied: "has the new text",
  not_applied: "is as it was",
  unknown: "has been changed since and was left alone",
} as const;
