import type { Tool } from "../core/contract.js";
import { parseInput } from "../core/pipeline/input.js";
import { oneLine, shorten } from "../text/clip.js";

/** Returns what a call does, as a line for people. */
export function summaryOf(tool: Tool, input: object): string {
  try {
    return shorten(oneLine(tool.summary(parseInput(tool, input))), 200);
  } catch {
    return `Call ${tool.name}`;
  }
}
