// Measuring several ways of doing the same thing in one run, turn by turn, so that a noisy machine disturbs all alike.

/** One way of doing a thing. */
export interface Contender {
  name: string;
  run: () => PromiseLike<unknown>;
}

/** Milliseconds. */
export interface Measured {
  name: string;
  median: number;
  /** The middle half of the rounds. */
  low: number;
  high: number;
}

/** Runs every contender once a round, in turn, after one round that is not counted. */
export async function measure(contenders: readonly Contender[], rounds: number): Promise<Measured[]> {
  const times = contenders.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const started = performance.now();
      await run();
      if (round >= 0) {
        times[index]?.push(performance.now() - started);
      }
    }
  }
  return contenders.map(({ name }, index) => {
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { name, median: at(0.5), low: at(0.25), high: at(0.75) };
  });
}

/** A Markdown table of one comparison; the ratio is to the contender named `reference`. */
export function table(title: string, measured: readonly Measured[], reference: string): string {
  const base = measured.find(({ name }) => name === reference)?.median ?? Number.NaN;
  const rows = measured.map(
    ({ name, median, low, high }) => `| ${name} | ${median.toFixed(1)} ms | ${low.toFixed(1)}-${high.toFixed(1)} | ${(median / base).toFixed(2)}× |`,
  );
  return [`### ${title}`, "", `| | median | middle half | to ${reference} |`, "|---|---|---|---|", ...rows, ""].join("\n");
}
