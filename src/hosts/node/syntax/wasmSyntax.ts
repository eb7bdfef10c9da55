import type { Parser } from "web-tree-sitter";
import type { Syntax, SyntaxScan } from "../../../ports/syntax.js";
import { LANGUAGES, type SyntaxLanguage } from "./languages.js";
import { scanTree } from "./scan.js";

/** Maximum length of a text that is parsed, in code units: a longer one is generated. */
const MAX_LENGTH = 2_000_000;
/** Time limit for parsing one text, in ms. */
const MAX_MILLISECONDS = 5_000;

/** tree-sitter's grammars as WebAssembly, each loaded for the first text of its language. */
export class WasmSyntax implements Syntax {
  readonly #load: (grammar: string) => Promise<Parser>;
  readonly #parsers = new Map<string, Promise<Parser>>();

  /** @param load makes a parser of a grammar, by the grammar's name */
  constructor(load: (grammar: string) => Promise<Parser>) {
    this.#load = load;
  }

  languageOf(path: string): string | undefined {
    return languageFor(path)?.name;
  }

  async scan(path: string, text: string, name?: string): Promise<SyntaxScan | undefined> {
    const language = languageFor(path);
    if (language === undefined || text.length > MAX_LENGTH) {
      return undefined;
    }
    const parser = await this.#parserOf(language);
    const end = performance.now() + MAX_MILLISECONDS;
    try {
      // Returning true stops the parser, whatever the declared type says (web-tree-sitter, `ProgressCallback`).
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
      if (tree === null) {
        parser.reset();
        return undefined;
      }
      try {
        return scanTree(tree, text, language, name);
      } finally {
        tree.delete();
      }
    } catch (error) {
      // One that crashed half-way would go on with this text when given the next one.
      this.#parsers.delete(language.grammar);
      throw error;
    }
  }

  #parserOf({ grammar }: SyntaxLanguage): Promise<Parser> {
    const known = this.#parsers.get(grammar);
    if (known !== undefined) {
      return known;
    }
    const made = this.#load(grammar);
    this.#parsers.set(grammar, made);
    // A file that could not be read is tried again.
    made.catch(() => this.#parsers.delete(grammar));
    return made;
  }
}

function languageFor(path: string): SyntaxLanguage | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}
