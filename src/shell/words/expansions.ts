/** The expansions whose text alone shows that they run nothing. */

/** A variable's name, or what the shell keeps: arguments, the last status, the process. */
const NAME = String.raw`(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?#$!@*-])`;

/** `${#x}`, and the value or an end of it taken off, with text that cannot run or hide anything. */
const PLAIN_WORD = String.raw`[A-Za-z0-9_./*?,:+ -]*`;
const IN_BRACES = new RegExp(
  [
    String.raw`^\$\{${NAME}\}`,
    String.raw`^\$\{#[A-Za-z_][A-Za-z0-9_]*\}`,
    String.raw`^\$\{[A-Za-z_][A-Za-z0-9_]*(?:%%?|##?|:?-)${PLAIN_WORD}\}`,
  ].join("|"),
);

const WITHOUT_BRACES = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9?#$!@*-])/;

/** Digits, names and operators: bash evaluates a variable's text, and a subscript in it may run a command. */
const ARITHMETIC = /^\$\(\(([\w\s+\-*/%()<>&|^!~?:,]*)\)\)|^\$\[([\w\s+\-*/%()<>&|^!~?:,]*)\]/;

/** The parameter expansion at the start of a text, when it gives a value and does nothing else. */
export function matchParameter(text: string): string | undefined {
  return (text.startsWith("${") ? IN_BRACES : WITHOUT_BRACES).exec(text)?.[0];
}

/**
 * The arithmetic expansion at the start of a text, when it is of numbers alone.
 *
 * @param isNumber whether a variable is sure to hold one. Nothing assigns one here: `=` is not among the operators but
 * in `==` and its kin, which are not taken
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

/** Whether an arithmetic expression is of numbers, operators and `$#`, `$?` alone. */
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
