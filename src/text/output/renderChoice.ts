import { shorten } from "../clip.js";
import { count } from "../words.js";
import type { Choice } from "./lineChooser.js";
import type { Shared } from "./sharedTraces.js";

/** Maximum characters of a failure's name where another refers to it. */
const MAX_REFERENCE = 60;

/**
 * Writes the lines of a choice in their order, with a note wherever lines are omitted.
 *
 * @param lines number of all lines of the output
 */
export function renderChoice({ shown, folds }: Choice, lines: number, likes: Shared["likes"]): string {
  const parts: string[] = [];
  let next = 0;
  // Lines whose names are further up.
  const covered = [...folds.values()].flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
  let before = 0;
  let lastLike = "";
  const gapTo = (number: number, like = likes.get(next - 1)): void => {
    let omitted = number - next;
    for (; before < covered.length && (covered[before] ?? 0) < number; before++) {
      omitted -= (covered[before] ?? 0) >= next ? 1 : 0;
    }
    if (omitted > 0) {
      const as = like === lastLike ? ", the same" : `, as of ${shorten(like?.trim() ?? "", MAX_REFERENCE)}`;
      lastLike = like ?? lastLike;
      parts.push(`[… ${count(omitted, "line")}${like === undefined ? "" : as} …]`);
    }
  };
  for (const [number, text] of [...shown].sort(([a], [b]) => a - b)) {
    gapTo(number, folds.get(next - 1)?.like);
    parts.push(text);
    next = number + 1;
  }
  gapTo(lines, folds.get(next - 1)?.like);
  return parts.join("\n");
}
