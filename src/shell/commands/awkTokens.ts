/** Splits an awk program into strings, regular expressions, comments and the rest. */

/** Words behind which a slash begins an expression, to every awk. Behind any other name it divides. */
const BEFORE_EXPRESSION = new Set(["print", "printf", "return", "exit", "in", "else", "do", "getline"]);

/** Words of gawk that may be names to others. */
const UNSURE = new Set(["case", "switch", "default"]);

const TEXT = /"(?:[^"\\\n]|\\[^])*"/y;
const EXPRESSION = /\/(?:[^/\\\n]|\\.)*\//y;
const COMMENT = /#[^\n]*/y;
const NAME_OR_NUMBER = /\w+/y;

/**
 * The program with its strings and regular expressions emptied and its comments removed; undefined when it is not clear
 * where one ends.
 */
export function awkWithoutTexts(program: string): string | undefined {
  let plain = "";
  // Whether a slash would divide: a value stands before it.
  let isValue = false;
  for (let at = 0; at < program.length;) {
    const match = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      return pattern.exec(program)?.[0];
    };
    const character = program.charAt(at);
    const part: string | undefined =
      character === '"'
        ? match(TEXT)
        : character === "#"
          ? match(COMMENT)
          : character === "/" && !isValue
            ? match(EXPRESSION)
            : (match(NAME_OR_NUMBER) ?? character);
    if (part === undefined) {
      return undefined;
    }
    at += part.length;
    if (part.startsWith("#")) {
      continue;
    }
    if (part.startsWith('"')) {
      plain += '""';
      isValue = true;
    } else if (character === "/" && !isValue) {
      if (!endsSurely(part)) {
        return undefined;
      }
      plain += '""';
      isValue = true;
    } else {
      plain += part;
      // Behind `)`, `$`, `++` and `--` it may be either.
      if (
        UNSURE.has(part) ||
        (/^[)$+-]$/.test(part) &&
          /^[ \t]*\//.test(program.slice(at)) &&
          (/^[)$]$/.test(part) || program.charAt(at - 2) === part))
      ) {
        return undefined;
      }
      isValue = /^[ \t\r]$/.test(part) ? isValue : /^\w/.test(part) ? !BEFORE_EXPRESSION.has(part) : part === "]";
    }
  }
  return plain;
}

/** Whether an expression ends there for all: within brackets some take a slash for its end, and some do not. */
function endsSurely(expression: string): boolean {
  const plain = expression.replace(/\\./g, "e").replace(/\[:\w+:\]/g, "e");
  return !plain.replace(/\[\^?[^\][^][^\][]*\]/g, "e").includes("[");
}
