/** Recognizes the expansions whose text alone shows that they run nothing. */

/** A variable's name, or one of the shell's parameters: arguments, the last status, the process ID. */
const NAME = String.raw`(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?#$!@*-])`;

/** Text that cannot run or hide anything, in an expansion that may also cut off the start or end of the value. */
const PLAIN_WORD = String.raw`[A-Za-z0-9_./*?,:+ -]*`;
const IN_BRACES = new RegExp(
  [
    String.raw`^\$\{${NAME}\}`,
    String.raw`^\$\{#[A-Za-z_][A-Za-z0-9_]*\}`,
    String.raw`^\$\{[A-Za-z_][A-Za-z0-9_]*(?:%%?|##?|:?-)${PLAIN_WORD}\}`,
  ].join("|"),
);

const WITHOUT_BRACES = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9?#$!@*-])/;

/**
 * Matches only digits, names and operators: bash evaluates a variable's text, and a subscript in it may run a command.
 */
const ARITHMETIC = /^\$\(\(([\w\s+\-*/%()<>&|^!~?:,]*)\)\)|^\$\[([\w\s+\-*/%()<>&|^!~?:,]*)\]/;

/** Returns the parameter expansion at the start of a text, if it only yields a value. */
export function matchParameter(text: string): string | undefined {
  return (text.startsWith("${") ? IN_BRACES : WITHOUT_BRACES).exec(text)?.[0];
}

/**
 * Returns the arithmetic expansion at the start of a text, if it consists only of numbers.
 * @param isNumber whether a variable certainly holds a number. No variable is assigned here: the only operators with
 * `=` are `==` and similar ones, which are not accepted
 */
export function matchArithmetic(text: string, isNumber: (name: string) => boolean): string | undefined {
  const found = ARITHMETIC.exec(text);
  const inside = found?.[1] ?? found?.[2];
  if (inside === undefined || !isBalanced(inside) || /\+\+|--/.test(inside)) {
    return undefined;
  }
  const terms = inside.match(/\w+/g) ?? [];
  return terms.every((term) => /^[0-9]+$/.test(term) || (/^[A-Za-z_]/.test(term) && isNumber(term)))
    ? found?.[0]
    : undefined;
}

/** Whether an arithmetic expression has only numbers, operators, `$#` and `$?`. */
export function isPlainArithmetic(expression: string): boolean {
  return /^(?:[0-9\s+\-*/%()<>=&|^!~?:,]|\$[#?])*$/.test(expression) && isBalanced(expression);
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    open += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (open < 0) {
      return false;
    }
  }
  return open === 0;
}
