/** Splits an awk program into strings, regular expressions, comments and the rest. */

/** Words after which every awk reads a slash as the start of a regular expression. After any other name it divides. */
const BEFORE_EXPRESSION = new Set(["print", "printf", "return", "exit", "in", "else", "do", "getline"]);

/** Keywords in gawk that may be names in other awks. */
const UNSURE = new Set(["case", "switch", "default"]);

const TEXT = /"(?:[^"\\\n]|\\[^])*"/y;
const EXPRESSION = /\/(?:[^/\\\n]|\\.)*\//y;
const COMMENT = /#[^\n]*/y;
const NAME_OR_NUMBER = /\w+/y;

/**
 * Returns the program with its strings and regular expressions emptied and its comments removed; undefined when it is
 * unclear where one ends.
 */
export function awkWithoutTexts(program: string): string | undefined {
  let plain = "";
  // Whether a slash would divide here, because a value precedes it.
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
      // After `)`, `$`, `++` and `--` it may be either.
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

/** Whether every awk ends the expression here: inside brackets some treat a slash as its end, and some do not. */
function endsSurely(expression: string): boolean {
  const plain = expression.replace(/\\./g, "e").replace(/\[:\w+:\]/g, "e");
  return !plain.replace(/\[\^?[^\][^][^\][]*\]/g, "e").includes("[");
}
