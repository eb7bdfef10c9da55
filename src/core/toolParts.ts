// Tools made of several others (`core/combineTools.ts`). Models and lists know only the whole; a call's own fields say
// which part it means. People's rules and command lines also know the parts, by their own names.
import type { Tool, ToolPart } from "./contract.js";
import { isRecord } from "./jsonSchema.js";

/** Returns tools, each followed by its parts. */
export function withParts<Known extends { readonly parts?: readonly { tool: Known }[] | undefined }>(
  tools: readonly Known[],
): Known[] {
  return tools.flatMap((tool) => [tool, ...(tool.parts ?? []).map((part) => part.tool)]);
}

/** A part that a call means, and the call's input for it. */
export interface PartCall {
  part: ToolPart;
  input: Record<string, unknown>;
}

/** Returns the part that a call means; undefined if the tool has none, or the input does not say which. */
export function partCall(tool: Pick<Tool, "parts">, input: unknown): PartCall | undefined {
  if (tool.parts === undefined || !isRecord(input)) {
    return undefined;
  }
  const part = tool.parts.find(({ chosenBy }) =>
    Object.entries(chosenBy).every(([field, value]) => Object.hasOwn(input, field) && input[field] === value),
  );
  return part && { part, input: withoutChoice(part, input) };
}

/** Returns the tool that does what a call asks for: the part it means, or else the tool itself. */
export function actingTool(tool: Tool, input: unknown): Tool {
  return partCall(tool, input)?.part.tool ?? tool;
}

/** Returns a call of a part as one of the whole; undefined if no tool has such a part, or the input says otherwise. */
export function wholeCall(
  name: string,
  input: unknown,
  tools: readonly Tool[],
): { tool: Tool; part: ToolPart; input: unknown } | undefined {
  for (const tool of tools) {
    const part = tool.parts?.find((each) => each.tool.name === name);
    if (part !== undefined) {
      const agrees =
        !isRecord(input) ||
        Object.entries(part.chosenBy).every(([field, value]) => !Object.hasOwn(input, field) || input[field] === value);
      return agrees
        ? { tool, part, input: isRecord(input) ? { ...part.chosenBy, ...input } : (input ?? part.chosenBy) }
        : undefined;
    }
  }
  return undefined;
}

function withoutChoice({ chosenBy }: ToolPart, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([field]) => !Object.hasOwn(chosenBy, field)));
}
