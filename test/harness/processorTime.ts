/**
 * Milliseconds of processor time that this process spends on `work`. Unlike what a clock shows, it is much the same on
 * a busy machine.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
