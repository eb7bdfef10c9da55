import { shorten } from "./clip.js";
import { visibleLine } from "./showHidden.js";

/** Splits a name as people write it: `Router.match`, `Router::match`, `Router#match`, `Router/match()`. */
export function nameParts(name: string): string[] {
  return (
    name
      .trim()
      // The brackets in the name of C++'s operator() are no parameters.
      .replace(/(?<!operator\s*)\(.*$/s, "")
      .replace(/(operator\s*\(\)).*$/s, "$1")
      .split(/\.|::|(?<!operator)(?:->|\/)|(?<=[\w$])#/)
      .map((part) => part.trim())
      .filter((part) => part !== "")
  );
}

/** Maximum characters of a name that is shown. */
const MAX_SHOWN = 200;

/** Returns a symbol's name for a list, with the names around it, on one line and not endless: it can be any text. */
export function shownSymbol({ container, name }: { container: readonly string[]; name: string }): string {
  return shownText([...container, name].join("."));
}

/** Returns a name as a call gave it, for a message. */
export function shownText(name: string): string {
  return visibleLine(shorten(name, MAX_SHOWN).replace(/[\r\n]+/g, " "));
}

/** Whether a symbol is meant by a name: it is its own, with any number of the names around it. */
export function isNamed(parts: readonly string[], symbol: { name: string; container: readonly string[] }): boolean {
  const names = [...symbol.container.flatMap((each) => nameParts(each)), symbol.name];
  return (
    parts.length > 0 && parts.length <= names.length && parts.every((part, at) => names.at(at - parts.length) === part)
  );
}

/** The longest name that is looked for in a line. */
const NAME = /[\p{L}\p{N}_$#]+/gu;

/**
 * Returns the columns, 1-based, at which the last name of a text is in a line.
 *
 * @param text a name, or a piece of the line, such as `router.match(`
 */
export function placesInLine(line: string, text: string): number[] {
  const last = [...text.matchAll(NAME)].at(-1);
  if (last === undefined) {
    return [];
  }
  const columns: number[] = [];
  for (let from = line.indexOf(text); from >= 0; from = line.indexOf(text, from + 1)) {
    const start = from + last.index;
    const end = start + last[0].length;
    const isWhole = !isNameCharacter(line[end]) && (last.index > 0 || !isNameCharacter(line[start - 1]));
    if (isWhole) {
      columns.push(start + 1);
    }
  }
  return columns;
}

/** Returns the name that a place of a line is in; undefined if it is in none. */
export function nameAt(line: string, column: number): string | undefined {
  for (const { 0: name, index } of line.matchAll(NAME)) {
    if (index < column && column <= index + name.length) {
      return name;
    }
  }
  return undefined;
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
