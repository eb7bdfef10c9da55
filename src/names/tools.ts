/** Names of language model tools are global in VS Code, so ours carry this prefix there. */
const PREFIX = "toolhost_";

/** The name of a tool in `vscode.lm.tools`, and what a user types after #. */
export function lmName(tool: { name: string }): string {
  return PREFIX + tool.name;
}

/** The tool that a name in `vscode.lm.tools` means; undefined if it is not one of ours. */
export function toolName(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** A tool's own name, however it is called: models that know our tools through VS Code give the prefix back. */
export function bareName(name: string): string {
  return toolName(name) ?? name;
}
