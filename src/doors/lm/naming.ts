import type { Tool } from "../../core/contract.js";

/** Language model tool names are global in VS Code: ours carry our name. */
const PREFIX = "toolhost_";

/** The name of a tool in `vscode.lm.tools`, and what a user types after #. */
export function lmName(tool: Pick<Tool, "name">): string {
  return PREFIX + tool.name;
}

/** The tool a name in `vscode.lm.tools` stands for, undefined when it is not one of ours. */
export function toolName(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}
