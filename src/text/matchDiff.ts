/** Differences looked for at most: the memory is this squared, in 4-byte numbers. */
const MAX_DIFFERENCES = 1000;

/**
 * Aligns two sequences by a shortest edit script (Myers, "An O(ND) Difference Algorithm", 1986).
 *
 * @returns for each item of `after` the index of the equal item of `before` that it stays, or -1 when it is new; undefined when
 * the sequences differ in more than a thousand places
 */
export function alignEqual(before: readonly string[], after: readonly string[]): Int32Array | undefined {
  const stays = new Int32Array(after.length).fill(-1);
  const shared = Math.min(before.length, after.length);
  let head = 0;
  while (head < shared && before[head] === after[head]) {
    stays[head] = head;
    head++;
  }
  let tail = 0;
  while (tail < shared - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
    stays[after.length - tail] = before.length - tail;
  }
  const numbers = new Map<string, number>();
  const numbered = (items: readonly string[]): Int32Array =>
    Int32Array.from(items.slice(head, items.length - tail), (item) => {
      const number = numbers.get(item) ?? numbers.size;
      numbers.set(item, number);
      return number;
    });
  return alignMiddle(numbered(before), numbered(after), head, stays) ? stays : undefined;
}

/** Fills in what lies between the common head and tail; false when that differs in too many places. */
function alignMiddle(before: Int32Array, after: Int32Array, head: number, stays: Int32Array): boolean {
  if (before.length === 0 || after.length === 0) {
    return true;
  }
  const most = Math.min(MAX_DIFFERENCES, before.length + after.length);
  // reach[diagonal + most]: how far into `before` the best path on a diagonal gets.
  const reach = new Int32Array(2 * most + 2);
  const steps: Int32Array[] = [];
  for (let differences = 0; differences <= most; differences++) {
    steps.push(reach.slice(most - differences, most + differences + 1));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down = isInsertion(diagonal, differences, (other) => reach[other + most]);
      let x = down ? (reach[diagonal + 1 + most] ?? 0) : (reach[diagonal - 1 + most] ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) {
        x++;
      }
      reach[diagonal + most] = x;
      if (x >= before.length && x - diagonal >= after.length) {
        walkBack(steps, before.length, after.length, head, stays);
        return true;
      }
    }
  }
  return false;
}

/** Whether the best path to a diagonal comes by an inserted item, not by a deleted one. */
function isInsertion(diagonal: number, differences: number, reach: (diagonal: number) => number | undefined): boolean {
  return diagonal === -differences || (diagonal !== differences && (reach(diagonal - 1) ?? 0) < (reach(diagonal + 1) ?? 0));
}

function walkBack(steps: readonly Int32Array[], beforeLength: number, afterLength: number, head: number, stays: Int32Array): void {
  let x = beforeLength;
  let y = afterLength;
  for (let differences = steps.length - 1; differences >= 0; differences--) {
    const reach = (diagonal: number): number | undefined => steps[differences]?.[diagonal + differences];
    const diagonal = x - y;
    const down = isInsertion(diagonal, differences, reach);
    const fromX = differences === 0 ? 0 : (reach(down ? diagonal + 1 : diagonal - 1) ?? 0);
    const runStart = differences === 0 ? 0 : down ? fromX : fromX + 1;
    for (; x > runStart; x--, y--) {
      stays[head + y - 1] = head + x - 1;
    }
    x = fromX;
    y = x - (down ? diagonal + 1 : diagonal - 1);
  }
}
