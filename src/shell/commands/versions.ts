/** The entry of tools that are run without a subcommand. */
import { given, type Call } from "./options.js";
import { beyond, type CommandSpec, type Finding } from "./spec.js";

/**
 * Returns the entry of a tool without a subcommand: harmless only with a flag that prints the version. Without any,
 * most install (`bundle`), or load the project's plugins (`composer`).
 * @param flags this tool's flags that print the version and exit: bundler reads `-V` as `--verbose`
 */
export function onlyVersion(flags: string): CommandSpec {
  const asks = (call: Call): readonly Finding[] =>
    given(call, flags) ? [] : [beyond("unknown", "without a subcommand it may install, or load the project's plugins")];
  return { effect: "reads", prefix: 0, flags: { plain: flags }, check: asks };
}
