/** A node of a shell program's syntax tree, as produced by tree-sitter (docs/rooms/commands.md). */
export interface SyntaxNode {
  /** Its name in the grammar (`command`, `redirected_statement`), or the token itself (`&&`). */
  readonly type: string;
  /** Whether it is a grammar rule rather than a token. */
  readonly isNamed: boolean;
  /** Whether it or a descendant does not fit the grammar. */
  readonly hasError: boolean;
  /** Offset into the text, in UTF-16 code units; the end is exclusive. */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly SyntaxNode[];
}

/** Parses text with the bash grammar. */
export interface ShellGrammar {
  /**
   * Returns the syntax tree of any text: parts that do not fit the grammar become error nodes.
   *
   * @returns undefined if the text is too long or too deep to be parsed in time
   * @throws Error if the grammar cannot be loaded
   */
  parse(program: string): Promise<SyntaxNode | undefined>;
}
