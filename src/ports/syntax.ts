import type { CodeRange, CodeSymbol } from "./code.js";

/** A symbol as its syntax shows it. */
export interface SyntaxSymbol extends CodeSymbol {
  /** Names of what it extends or implements. */
  bases: readonly string[];
}

/** A name in a text. */
export interface NameUse {
  range: CodeRange;
  isCall: boolean;
  /** Whether it is the name in a declaration. */
  isDeclaration: boolean;
}

/** What a parser sees in one file. */
export interface SyntaxScan {
  /** In the order of the text. */
  symbols: SyntaxSymbol[];
  /** The places of the wanted name, comments and strings excepted. */
  uses: NameUse[];
  /** Whether parts of the text do not fit the language's grammar. */
  hasErrors: boolean;
  /** Whether most of it does not, or all that could be a symbol: what was read was guessed. */
  isBroken: boolean;
}

/** Parses source texts. */
export interface Syntax {
  /** The name of a file's language, by the file's name; undefined if it is not known. */
  languageOf(path: string): string | undefined;
  /**
   * Parses a text of a language that is known.
   *
   * @param name the name whose uses are wanted
   * @returns undefined if the text is too long, or could not be parsed in time
   * @throws Error if the grammar cannot be loaded
   */
  scan(path: string, text: string, name?: string): Promise<SyntaxScan | undefined>;
}
