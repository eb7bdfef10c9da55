/** Says how much one command does, by the table of commands that are known (`commands/`). */
import type { PathUse, SimpleCommand } from "./analysis.js";

/** A word of a command, as the parser hands it over. */
export interface ArgWord {
  /** The word after quote removal, undefined when it depends on the run. A leading unquoted `~` stays in it. */
  value: string | undefined;
  /** The pattern, when the word is an unquoted glob of otherwise literal text. */
  glob?: string;
}

/** What the table says of a command with exactly these words. Paths are relative to the folder the command is in. */
export type Judgement = Pick<SimpleCommand, "effect" | "why" | "beyondPrefix" | "prefix"> & {
  paths: readonly Omit<PathUse, "bases">[];
};

/** Judges a command by its words, its name first. Runs nothing and looks nothing up. */
export function judge(words: readonly ArgWord[]): Judgement {
  const name = words[0]?.value ?? "";
  return { effect: "unknown", why: `nothing is known of \`${name}\``, beyondPrefix: false, prefix: 0, paths: [] };
}

/** The words by which rules see a command: the folder of its name removed, global flags before the subcommand taken out. */
export function commandWords(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return words;
}
