// Models that were trained with other systems type these into a shell: there, tools are commands, or are installed.

/** What to use in place of a program that is not installed. */
const INSTEAD: Readonly<Record<string, string>> = {
  rg: "The tool grep searches as it does.",
  ag: "The tool grep searches as it does.",
  ack: "The tool grep searches as it does.",
  fd: "The tool glob finds files.",
  fdfind: "The tool glob finds files.",
};
const NOT_FOUND = new RegExp(
  `^\\S*sh: (?:line )?\\d+: (${Object.keys(INSTEAD).join("|")}): (?:command )?not found$`,
  "gm",
);

/** Codex does this, sometimes after a `cd` to the folder to work in. */
const PATCH = /^\s*(?:cd\s+[^\s;&|]+\s*(?:&&|;)\s*)?apply_?patch\s[^]*\*\*\* Begin Patch/;

/** What to answer to a patch that is typed as a command. */
export const PATCH_AS_COMMAND =
  "apply_patch is a tool, not a command: call it with the lines from *** Begin Patch to *** End Patch as patch, and with paths from the workspace";

/** Whether a command hands a patch to `apply_patch`, which no shell has. */
export function isPatchAsCommand(command: string): boolean {
  return PATCH.test(command);
}

/** Returns which tools to use in place of programs that a command did not find; undefined if it found all. */
export function toolsInstead(command: string, output: string): string | undefined {
  const names = [...output.matchAll(NOT_FOUND)].flatMap(([, name = ""]) => (command.includes(name) ? [name] : []));
  const said = [...new Set(names)].map((name) => `${name} is not installed. ${INSTEAD[name] ?? ""}`);
  return said.length === 0 ? undefined : said.join(" ");
}
