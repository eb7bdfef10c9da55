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

/** A median is at most `share` of the sum of others. */
export interface Bar {
  name: string;
  share: number;
  of: readonly string[];
}

/** Runs every contender once a round, in turn, after two rounds that are not counted. */
export async function measure(contenders: readonly Contender[], rounds: number): Promise<Measured[]> {
  const times = contenders.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
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

/** How much of a bar a comparison takes: its `share` or less holds it. */
export function reached(measured: readonly Measured[], { name, of }: Pick<Bar, "name" | "of">): number {
  const median = (wanted: string): number =>
    measured.find((contender) => contender.name === wanted)?.median ?? Number.NaN;
  return median(name) / of.reduce((sum, other) => sum + median(other), 0);
}

/** A Markdown section of one comparison; the ratio is to the contender named `reference`. */
export function table(title: string, measured: readonly Measured[], reference: string, bars: readonly Bar[]): string {
  const base = measured.find(({ name }) => name === reference)?.median ?? Number.NaN;
  const rows = measured.map(
    ({ name, median, low, high }) =>
      `| ${name} | ${median.toFixed(1)} ms | ${low.toFixed(1)}-${high.toFixed(1)} | ${(median / base).toFixed(2)}× |`,
  );
  const verdicts = bars.map((bar) => {
    const share = reached(measured, bar);
    return `${share <= bar.share ? "Held" : "**Missed**"}: at most ${bar.share}× ${bar.of.join(" + ")}; it is ${share.toFixed(2)}×.`;
  });
  return [
    `### ${title}`,
    "",
    `| | median | middle half | to ${reference} |`,
    "|---|---|---|---|",
    ...rows,
    "",
    ...verdicts.flatMap((line) => [line, ""]),
  ].join("\n");
}
