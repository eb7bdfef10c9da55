import type { Tool } from "../../core/contract.js";
import { otherSystems } from "../../core/pipeline/unknownTool.js";
import { withParts } from "../../core/toolParts.js";
import { TOOL_LIST } from "./absentTools.js";
import { bareName } from "../../names/tools.js";
import { nearestNames } from "../../text/nearest.js";

/**
 * Reads the values of `--tools`: names, groups or `all`, separated by commas.
 *
 * @throws the error of `door.usage` for a name that no tool has
 */
export function readChosenTools(
  words: readonly string[],
  door: { tools: readonly Tool[]; usage: (message: string) => Error },
): (tool: Tool) => boolean {
  const wanted = words.flatMap((word) => word.split(",")).flatMap((name) => bareName(name.trim()) || []);
  const known = ["all", ...withParts<Tool>(door.tools).flatMap(({ name, group }) => [name, group])];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearestNames(unknown, [...new Set(known)]);
    const hint =
      otherSystems(unknown, door.tools) ?? (near.length > 0 ? `Did you mean ${near.join(" or ")}?` : TOOL_LIST);
    throw door.usage(`--tools ${unknown}: there is no such tool or group. ${hint}`);
  }
  // A tool behind search is chosen by its own name alone: there may be a thousand of them.
  return ({ name, group, expose, parts = [] }) =>
    [name, ...(expose === "search" ? [] : ["all", group]), ...parts.map(({ tool }) => tool.name)].some((word) =>
      wanted.includes(word),
    );
}
