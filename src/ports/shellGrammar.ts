/** A node of a shell program's syntax tree: the form tree-sitter gives (docs/rooms/commands.md). */
export interface SyntaxNode {
  /** The grammar's name for it (`command`, `redirected_statement`), or the token itself (`&&`). */
  readonly type: string;
  /** Whether it is a rule of the grammar, and not a token of it. */
  readonly isNamed: boolean;
  /** Whether it, or something in it, does not fit the grammar. */
  readonly hasError: boolean;
  /** Offsets into the text, in UTF-16 code units, the end not included. */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly SyntaxNode[];
}

/** Parses text with the grammar of bash. */
export interface ShellGrammar {
  /**
   * The syntax tree of a program, whatever the text: what does not fit is in it as errors.
   *
   * @returns undefined when the text is too long or too deep to be parsed in time
   * @throws Error when the grammar cannot be loaded
   */
  parse(program: string): Promise<SyntaxNode | undefined>;
}
