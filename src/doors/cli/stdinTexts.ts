import type { Tool } from "../../core/contract.js";
import { coerce } from "../../core/pipeline/coerce.js";

/** Says with `-` that a text comes from standard input. */
const FROM_STDIN = "-";

/** Returns the lines of help on the texts that a tool's command takes from standard input; empty if there are none. */
export function stdinHelp(tool: Tool): string {
  const { texts = [], inputSchema } = tool;
  const shown = texts.map((field) =>
    inputSchema.required?.includes(field) === true && isOnlyRequired(tool, field)
      ? `${field} (also if it is not given)`
      : field,
  );
  return shown.length === 0 ? "" : `\nFrom standard input, with ${FROM_STDIN} as the value: ${shown.join(", ")}.`;
}

/**
 * Returns the text fields that a call takes from standard input: those given as `-`; or, if something is piped and none
 * is, the one required text that is missing.
 */
export function stdinFields(tool: Tool, input: Readonly<Record<string, unknown>>, isPiped: () => boolean): string[] {
  const { texts = [], inputSchema } = tool;
  const asked = texts.filter((field) => [input[field]].flat().join() === FROM_STDIN);
  if (asked.length > 0) {
    return asked;
  }
  const missing = texts.filter(
    (field) => inputSchema.required?.includes(field) === true && !Object.hasOwn(input, field),
  );
  return missing.length === 1 && isPiped() ? missing : [];
}

/** Returns a call's input with a text from standard input. */
export function withStdin(
  { inputSchema }: Tool,
  input: Readonly<Record<string, unknown>>,
  field: string,
  text: string,
): Record<string, unknown> {
  return { ...input, [field]: coerce(text, inputSchema.properties[field] ?? {}) };
}

function isOnlyRequired({ texts = [], inputSchema }: Tool, field: string): boolean {
  return texts.every((other) => other === field || inputSchema.required?.includes(other) !== true);
}
