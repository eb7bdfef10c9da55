import { oneLine, shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { understandInput } from "./input.js";
import { asksPerson, ourToolFor } from "./peerTools.js";

/** Maximum length of an unknown tool's name that is reported or recorded, in characters. */
export const MAX_NAME = 80;

/** The hint where no tool asks a person. */
const NOBODY_ASKED =
  "Nobody can be asked here. Decide yourself if that is safe; otherwise end your turn with the question.";

/**
 * Returns the tool that a call by another system's name means; undefined if there is none, or it does not take the input.
 *
 * @param offered the tools that the caller may use: no name leads to any other
 */
export function meantTool(name: string, input: unknown, offered: readonly Tool[]): Tool | undefined {
  const tool = counterpart(name, input, offered);
  return tool !== undefined && misfit(tool, input) === undefined ? tool : undefined;
}

/** Returns the error of a call by a name that no tool has, and that `meantTool` does not understand. */
export function unknownTool(name: string, input: unknown, offered: readonly Tool[], ifNone: string): ToolError {
  const names = offered.map((tool) => tool.name);
  const tool = counterpart(name, input, offered);
  const why = tool && misfit(tool, input);
  const near = nearestNames(name, names);
  const hint =
    tool !== undefined
      ? `Use ${tool.name}.${why === undefined ? "" : ` ${why.message} ${why.hint ?? ""}`.trimEnd()}`
      : asksPerson(name)
        ? NOBODY_ASKED
        : near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : names.length > 0
            ? `Tools: ${names.join(", ")}.`
            : ifNone;
  return new ToolError("unknown_tool", `${shorten(oneLine(name), MAX_NAME)}: there is no such tool.`, hint);
}

function counterpart(name: string, input: unknown, offered: readonly Tool[]): Tool | undefined {
  const ours = ourToolFor(
    name,
    input,
    offered.map((tool) => tool.name),
  );
  return offered.find((tool) => tool.name === ours);
}

/** Returns why a tool does not take an input; undefined if it does. */
function misfit(tool: Tool, input: unknown): ToolError | undefined {
  try {
    understandInput(tool, input);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) {
      return error;
    }
    throw error;
  }
}
