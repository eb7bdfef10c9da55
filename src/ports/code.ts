import type { GatedPath } from "./files.js";

/** A place in a text, 1-based; the column counts code units. */
export interface CodePosition {
  line: number;
  column: number;
}

/** A part of a text; the end is exclusive. */
export interface CodeRange {
  start: CodePosition;
  end: CodePosition;
}

/** A class, function, variable, … as it is declared in a file. */
export interface CodeSymbol {
  name: string;
  /** In lower case: `class`, `method`, `variable`. */
  kind: string;
  /** Names of the symbols around it, outermost first. */
  container: readonly string[];
  /** Where its name is. */
  nameAt: CodePosition;
  /** All of it, with its body; a server may count comments and decorators before it. */
  range: CodeRange;
}

/** A symbol of the workspace. */
export interface FoundSymbol extends CodeSymbol {
  /** The file's workspace path; absolute if it is outside. */
  path: string;
}

/** A place in a file. */
export interface CodePlace {
  /** Workspace path; absolute if it is outside. */
  path: string;
  range: CodeRange;
}

/** A function that calls another one, and where. */
export interface CodeCaller {
  caller: FoundSymbol;
  calls: readonly CodePosition[];
}

/** Who answered: a language server, or a parser that knows one file at a time and nothing of types. */
export type CodeSource = "server" | "syntax";

/**
 * An answer about code. Three kinds of having nothing are kept apart: an empty `value` means there is none, `not_ready`
 * that the server has not answered yet, `no_server` that nothing here knows the language.
 */
export type CodeAnswer<T> =
  | {
      state: "answered";
      by: CodeSource;
      value: T;
      /** Why there may be more, as a sentence. */
      partial?: string;
    }
  | {
      state: "not_ready" | "no_server";
      /** A sentence. */
      why: string;
    };

/** Symbols to find in the workspace. */
export interface SymbolQuery {
  /** A name, or a part of it. */
  name: string;
  /** Whether the whole name must be this. */
  exact: boolean;
  /** The folder or file that has them. */
  within: GatedPath;
}

export type PlaceKind = "references" | "definition" | "implementations";

/** What is known of the code in the workspace's files. */
export interface Code {
  /** Returns a file's symbols, in the order of the text. */
  outline(at: GatedPath, signal: AbortSignal): Promise<CodeAnswer<CodeSymbol[]>>;
  /** Returns symbols of the workspace by name, in no special order. */
  find(query: SymbolQuery, signal: AbortSignal): Promise<CodeAnswer<FoundSymbol[]>>;
  /**
   * Returns places that have to do with a symbol, declarations among the references.
   *
   * @param name the symbol's own name, at `position`
   */
  places(
    kind: PlaceKind,
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodePlace[]>>;
  /** Returns the functions that call the one at a place. */
  callers(at: GatedPath, position: CodePosition, name: string, signal: AbortSignal): Promise<CodeAnswer<CodeCaller[]>>;
  /** Returns what an editor shows when the pointer rests on a place, in Markdown; undefined if nothing is known. */
  hover(at: GatedPath, position: CodePosition, signal: AbortSignal): Promise<string | undefined>;
}
