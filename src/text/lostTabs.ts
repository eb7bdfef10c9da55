import { splitLines } from "./splitLines.js";
import { count, namedLines } from "./words.js";

/** Maximum number of lines that a remark names. */
const MAX_NAMED = 5;
const MAKEFILE = /(?:^|\/)(?:(?:GNU)?[Mm]akefile|[^/]+\.(?:mk|make))$/;
const TAB_SEPARATED = /\.(?:tsv|tab)$/i;
/** A rule of make; its recipe follows. */
const RULE = /^[^\s#=:][^=:]*::?(?![:=])/;
/** Lines between recipe lines that make reads itself, however they are indented. */
const NO_RECIPE =
  /^ *(?:#|(?:ifn?(?:eq|def)|else|endif|-?include|sinclude|export|unexport|override|vpath)\b|[\w.-]+ *[?+!:]{0,3}=)/;

/**
 * Returns what to tell a model about tabs that its text lacks: new recipe lines of a makefile that begin with spaces,
 * and a file whose tabs are all gone. Models write spaces for tabs, and make or a reader of columns then fails. Undefined if
 * there is nothing to tell.
 *
 * @param before the file's text until now; undefined for a new file
 */
export function lostTabs(path: string, before: string | undefined, after: string): string | undefined {
  if (MAKEFILE.test(path)) {
    const old = new Set(spacedRecipes(before ?? "").map(({ line }) => line));
    const recipes = /^\.RECIPEPREFIX\b/m.test(after) ? [] : spacedRecipes(after).filter(({ line }) => !old.has(line));
    const numbers = recipes.map(({ number }) => number);
    return numbers.length === 0
      ? undefined
      : `make needs a tab where recipe lines begin with spaces: ${namedLines(numbers, MAX_NAMED)}.`;
  }
  const tabs = TAB_SEPARATED.test(path) ? /\t/ : /^\t/;
  const had = before === undefined ? 0 : splitLines(before).filter((line) => tabs.test(line)).length;
  const lines = had === 0 ? [] : splitLines(after);
  if (lines.some((line) => tabs.test(line)) || !lines.some((line) => / {2}/.test(line))) {
    return undefined;
  }
  return `The file had tabs in ${count(had, "line")}; the new text has spaces instead.`;
}

/** Returns the recipe lines that begin with spaces, with their numbers, 1-based. */
function spacedRecipes(text: string): { number: number; line: string }[] {
  const found: { number: number; line: string }[] = [];
  let isRecipe = false;
  let isContinued = false;
  for (const [index, line] of splitLines(text).entries()) {
    const wasContinued = isContinued;
    isContinued = line.trimEnd().endsWith("\\");
    if (wasContinued || line.trim() === "" || NO_RECIPE.test(line) || line.startsWith("\t")) {
      continue;
    }
    if (!line.startsWith(" ")) {
      isRecipe = RULE.test(line);
    } else if (isRecipe) {
      found.push({ number: index + 1, line });
    }
  }
  return found;
}
