/** What tools do that are given no subcommand. */
import { given, type Call } from "./options.js";
import { beyond, type CommandSpec, type Finding } from "./spec.js";

/**
 * What a tool does without a subcommand: nothing but to tell its version, and only where a flag asks for it. Most
 * install when they are given nothing (`bundle`), or load plugins of the project (`composer`).
 *
 * @param flags those that print the version and end, of the tool's own: `-V` is `--verbose` to bundler
 */
export function onlyVersion(flags: string): CommandSpec {
  const asks = (call: Call): readonly Finding[] =>
    given(call, flags)
      ? []
      : [beyond("unknown", "without a subcommand it may install, or load plugins of the project")];
  return { effect: "reads", prefix: 0, flags: { plain: flags }, check: asks };
}
