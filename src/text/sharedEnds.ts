/** Counts the items that two sequences share at their start, and of the rest those they share at their end. */
export function sharedEnds<T>(one: ArrayLike<T>, other: ArrayLike<T>): { head: number; tail: number } {
  const shared = Math.min(one.length, other.length);
  let head = 0;
  while (head < shared && one[head] === other[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shared - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) {
    tail++;
  }
  return { head, tail };
}
