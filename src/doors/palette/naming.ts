import type { Tool } from "../../core/contract.js";

/** The command that asks for the tool first. */
export const RUN_TOOL_COMMAND = "toolhost.runTool";

/** The command of one tool. */
export function toolCommand(tool: Pick<Tool, "name">): string {
  return `toolhost.run.${tool.name}`;
}
