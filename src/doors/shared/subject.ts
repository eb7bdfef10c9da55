import type { Tool } from "../../core/contract.js";

/** Returns what a call is about, for the name of its result: its first positional field. */
export function subjectOf(tool: Pick<Tool, "positional">, input: object): string {
  const fields = input as Readonly<Record<string, unknown>>;
  return tool.positional.map((field) => fields[field]).find((value) => typeof value === "string") ?? "";
}
