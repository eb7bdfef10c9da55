/** A line for PowerShell, as far as `read.ts` understands it. */

/** A value as written in a line. */
export type Value =
  /** A word without quotes, whose text is its value. */
  | { kind: "word"; text: string }
  /** Quoted text; its value is undefined if PowerShell puts something into it. */
  | { kind: "quoted"; text: string | undefined; runs: readonly Statement[] }
  /** `a,b` */
  | { kind: "list"; items: readonly Value[] }
  /** `$x`, with properties of it. */
  | { kind: "variable"; name: string }
  /** `{ … }`, which may run any number of times. */
  | { kind: "block"; runs: readonly Statement[] }
  /** `(…)`, `$(…)`, or a comparison of values: its value is not known. */
  | { kind: "computed"; runs: readonly Statement[] }
  /** `@{ name = value }` */
  | { kind: "table"; entries: readonly { key: string; value: Value }[] };

/** `> file`; the streams of a redirection that writes no file do not matter. */
export interface FileRedirection {
  target: Value;
}

/** A command with its arguments. */
export interface Command {
  kind: "command";
  name: string;
  args: readonly Value[];
  redirections: readonly FileRedirection[];
  /** As written. */
  text: string;
}

/** A value at the head of a pipe. */
export interface Expression {
  kind: "expression";
  values: readonly Value[];
}

/** What a line does in one go, in source order. */
export type Statement =
  | {
      kind: "pipe";
      elements: readonly (Command | Expression)[];
      /** Whether the one before decides if it runs: after `&&` or `||`. */
      isConditional: boolean;
    }
  /** `$name = …` */
  | { kind: "assignment"; value: readonly Statement[] }
  /** `if (…) { … } else { … }` */
  | { kind: "if"; parts: readonly (readonly Statement[])[] };
