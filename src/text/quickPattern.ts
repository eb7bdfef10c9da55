/** Maximum ways in which the bounded repetitions of a pattern can match: they count for each character of the text. */
const MAX_WAYS = 1_000;

const ESCAPED = /\\[^1-9k]/gu;
const CLASS = /\[[^\]]*\]/gu;
/** What can make a match depend on the rest of the pattern: a look around, a name, a reference back. */
const SPECIAL = /\(\?(?!:)|\\/u;
const REPEATED_GROUP = /\)(?:[*+]|\{)/u;
const UNBOUNDED = /[*+]|\{\d+,\}/gu;
const BOUNDED = /\{(?:(\d+),)?(\d+)\}|\?/gu;

/**
 * Whether a pattern from outside takes time linear in the text for certain: it has no repetition, or begins with `^` and
 * repeats one thing without bound and others a few times. No groups are repeated. Many that are quick, too, are not
 * recognized.
 */
export function isQuickPattern(pattern: string): boolean {
  const plain = pattern.replace(ESCAPED, "x").replace(CLASS, "x");
  if (SPECIAL.test(plain) || REPEATED_GROUP.test(plain)) {
    return false;
  }
  const repeated = [...plain.matchAll(BOUNDED)].map(([all, least, most]) => {
    const choices = all === "?" ? 2 : least === undefined ? 1 : Number(most) - Number(least) + 1;
    return Number(most ?? 1) > MAX_WAYS ? Infinity : choices;
  });
  // A group's alternatives end where it does.
  const alternatives = plain.split(")").map((part) => part.split("|").length);
  const ways = [...repeated, ...alternatives].reduce((product, each) => product * each, 1);
  const unbounded = plain.match(UNBOUNDED)?.length ?? 0;
  const isAnchored = plain.startsWith("^") && !plain.includes("|");
  return ways <= MAX_WAYS && (unbounded === 0 || (unbounded === 1 && isAnchored));
}
