import type { Tool } from "../../core/contract.js";
import { isUsual } from "../shared/usualTools.js";

/** Reads what other tools have stored, so it comes with any of them. */
const READER = "read_result";

/**
 * Returns the tools that an outside agent is offered, out of all.
 *
 * @param isWanted whether the user chose a tool; the usual ones if absent
 */
export function offeredTools(all: readonly Tool[], isWanted?: (tool: Tool) => boolean): Tool[] {
  const offered = all.filter((tool) => !tool.terminal && (isWanted ?? isUsual)(tool));
  return offered.length === 0 ? [] : all.filter((tool) => offered.includes(tool) || tool.name === READER);
}
