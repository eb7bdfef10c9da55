import type { UnaskedLimits } from "./limits.js";
import type { ProcessUse } from "./spawner.js";

/** Returns the limit a command exceeds, as a clause; undefined if it is within its limits. */
export function tooMuch({ processes, memory, disk = 0 }: ProcessUse, limits: UnaskedLimits): string | undefined {
  if (processes > limits.processes) {
    return `it ran ${processes} processes at the same time, and a command that nobody was asked about may run ${limits.processes}`;
  }
  if (disk > limits.disk) {
    return `the disk has ${megabytes(disk)} MB less space than before, and a command that nobody was asked about may take ${megabytes(limits.disk)}`;
  }
  return memory > limits.memory
    ? `it took ${megabytes(memory)} MB of memory, and a command that nobody was asked about may take ${megabytes(limits.memory)}`
    : undefined;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
