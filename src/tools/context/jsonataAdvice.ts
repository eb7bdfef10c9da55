/**
 * Advice on errors of JSONata, by its messages: the sentence that most likely makes the next expression right. The whole
 * syntax reference, which is long, is only sent when asked for.
 */
const ADVICE: readonly { error: RegExp; advice: string }[] = [
  {
    error:
      /must be of the same data type|must evaluate to numeric or string values|Type mismatch when comparing|order-by/,
    advice: "Texts and numbers do not compare: convert with $number(field) or $string(field).",
  },
  {
    error: /does not match function signature|must be an array of/,
    advice:
      "Convert each value: $sum($map(price, $number)). $number and $string take one value; $sum, $max and $average take numbers.",
  },
  {
    error: /side of the .{1,20} operator must evaluate to a number/,
    advice:
      "Both sides must be one number: calculate for each entry, as $sum($.(price*quantity)) does in a group too, and convert texts with $number(field).",
  },
  { error: /Expected "\]", got "\.\."/, advice: "Take a range of entries with two brackets: $^(>size)[[0..2]]." },
  { error: /Unable to cast value to a number/, advice: 'Filter first: $[price ~> /^[0-9.]+$/]; "" is not a number.' },
  { error: /invoke a non-function/, advice: "Functions begin with $: $count($), $sum(amount)." },
  {
    error: /"=" cannot be used as a unary operator/,
    advice: "Compare with = instead of ==.",
  },
  { error: /"&" cannot be used as a unary operator/, advice: "Combine with and instead of &&." },
  { error: /Unknown operator: "\|"|"\|" cannot be used/, advice: "Combine with or instead of ||." },
  {
    error: /Expected "\]" before end|Expected "\)" before end|Expected "}" before end|before end of expression/,
    advice: "Close every bracket and quote.",
  },
];

/** Advice on expressions of other query languages that do not compile. */
const OTHER_LANGUAGES: readonly { expression: RegExp; advice: string }[] = [
  {
    expression: /^\s*select\b/i,
    advice:
      'This is SQL. JSONata filters with [status="paid"], groups with {country: $sum(price)}, sorts with ^(>price).',
  },
  {
    expression: /^\s*\.(?:[\w"[|]|\s*$)|\|\s*(?:length|keys|map|select|sort_by|group_by|add|first|last|unique)\b/,
    advice: "This is jq. In JSONata, $ is the document and calls replace pipes: $count(orders), $[a > 1].name.",
  },
];

/**
 * Returns what to do about an error of an expression.
 *
 * @param unread the expression, if it does not compile
 */
export function adviceOn(message: string, unread = ""): string {
  const known =
    OTHER_LANGUAGES.find(({ expression }) => expression.test(unread))?.advice ??
    ADVICE.find(({ error }) => error.test(message))?.advice;
  return `${known === undefined ? "" : `${known} `}The expression ? returns the syntax reference.`;
}

/** What other languages write and JSONata reads as a filter, which then leaves nothing. */
const READ_AS_FILTERS: readonly { expression: RegExp; advice: string }[] = [
  {
    expression: /\[\s*(?:"[^"]*"|'[^']*')\s*\]/,
    advice:
      "A name in brackets is a filter. Write a name with other characters in backquotes: packages.`node_modules/a`.version.",
  },
  {
    expression: /\[\s*\*\s*\]/,
    advice:
      "[*] is JSONPath. In JSONata, items.name goes through a list by itself, and packages.*.name through all fields.",
  },
];

/** Returns why an expression may have selected nothing; undefined if nothing is known. */
export function whyNothing(expression: string): string | undefined {
  return READ_AS_FILTERS.find((each) => each.expression.test(expression))?.advice;
}
