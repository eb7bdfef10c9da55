// Questions in plain words about a real project: what its authors say a symbol does, in a comment that is then taken out.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarationLines } from "../../src/text/symbolEdits.js";
import { syntax } from "./grammars.js";

export interface SearchQuestion {
  /** The first sentence of the symbol's comment. */
  query: string;
  path: string;
  /** With the names around it. */
  symbol: string;
}

interface Commented extends SearchQuestion {
  /** Lines of the comment, 1-based, inclusive. */
  first: number;
  last: number;
}

const KINDS = /^(?:class|interface|function|method)$/;

/**
 * Copies a project without the comments of some symbols, and returns what these comments say. The symbols are spread over
 * all that have a sentence of 6 to 20 words which is not another symbol's, too.
 */
export async function copyWithQuestions(project: string, copy: string, count: number): Promise<SearchQuestion[]> {
  cpSync(project, copy, { recursive: true });
  const all: Commented[] = [];
  for (const path of readdirSync(join(copy, "src"), { recursive: true }).map(String).sort()) {
    if (/\.tsx?$/.test(path) && !/\.(?:spec|d)\.tsx?$/.test(path)) {
      all.push(...(await commentedSymbols(join(copy, "src"), path)));
    }
  }
  const times = new Map<string, number>();
  all.forEach(({ query }) => times.set(query, (times.get(query) ?? 0) + 1));
  const usable = all.filter(({ query }) => times.get(query) === 1);
  const chosen = Array.from(
    { length: count },
    (_, index) => usable[Math.floor((index * usable.length) / count)],
  ).filter((each) => each !== undefined);
  for (const path of new Set(chosen.map((each) => each.path))) {
    const lines = readFileSync(join(copy, path), "utf8").split("\n");
    for (const { first, last } of chosen.filter((each) => each.path === path)) {
      lines.fill("", first - 1, last);
    }
    writeFileSync(join(copy, path), lines.join("\n"));
  }
  return chosen.map(({ query, path, symbol }) => ({ query, path, symbol }));
}

async function commentedSymbols(folder: string, path: string): Promise<Commented[]> {
  const text = readFileSync(join(folder, path), "utf8");
  const lines = text.split("\n");
  const scan = await syntax.scan(path, text);
  return (scan?.symbols ?? [])
    .filter(({ kind }) => KINDS.test(kind))
    .flatMap((symbol) => {
      const { top, first } = declarationLines(text, symbol.range, symbol.nameAt.line, path);
      const comment = lines.slice(top - 1, first - 1).join("\n");
      const end = comment.indexOf("*/");
      const said = /^\s*\/\*\*/.test(comment) && end > 0 ? sentenceOf(comment.slice(0, end)) : undefined;
      const last = top + comment.slice(0, end).split("\n").length - 1;
      return said === undefined
        ? []
        : [
            {
              query: said,
              path: `src/${path}`,
              symbol: [...symbol.container, symbol.name].join("."),
              first: top,
              last,
            },
          ];
    });
}

function sentenceOf(comment: string): string | undefined {
  const said = comment
    .replace(/^\s*\/\*\*/, "")
    .replace(/^\s*\* ?/gm, " ")
    .replace(/@\w+[^]*$/, "")
    .replace(/\{@\w+ ([^}]*)\}/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const [sentence = ""] = said.split(/(?<=\.) /);
  const words = sentence.split(" ").length;
  return words >= 6 && words <= 20 ? sentence : undefined;
}
