import type { Tool } from "../../core/contract.js";
import { GROUP_WORDS } from "../../names/groups.js";
import { codeSpan, escapeMarkdown, sentenceMarkdown } from "../../text/fence.js";

/** Returns the answer to `/tools`: the names of all tools, by what they are for. */
export function toolList(tools: readonly Tool[]): string {
  if (tools.length === 0) {
    return "All tool groups are turned off. The settings under `toolhost.groups` turn them on.";
  }
  const groups = [...new Set(tools.map(({ group }) => group))];
  // Lists, since a table does not fit in the narrow chat view.
  const rows = groups.map((group) => {
    const names = tools.filter((tool) => tool.group === group).map(({ name }) => codeSpan(name));
    return `- **${escapeMarkdown(GROUP_WORDS[group] ?? group)}**: ${names.join(", ")}`;
  });
  return [
    ...rows,
    "",
    '`/tools grep` says what a tool does and what it takes. `/run grep {"pattern": "TODO"}` runs it.',
  ].join("\n");
}

/** Returns the answer to `/tools grep`: what a tool does, and the fields of its input. */
export function toolHelp({ name, title, description, inputSchema }: Tool): string {
  const required = new Set(inputSchema.required ?? []);
  const fields = Object.entries(inputSchema.properties).map(([field, property]) => {
    const choices = (property.enum ?? []).map((choice) => codeSpan(String(choice)));
    const facts = [...(required.has(field) ? ["required"] : []), ...(choices.length > 0 ? [choices.join(", ")] : [])];
    const about = property.description === undefined ? "" : `: ${sentenceMarkdown(property.description)}`;
    return `- ${codeSpan(field)}${facts.length > 0 ? ` (${facts.join("; ")})` : ""}${about}`;
  });
  return [
    `**${escapeMarkdown(title)}** (${codeSpan(name)})`,
    sentenceMarkdown(description),
    ...(fields.length > 0 ? [fields.join("\n")] : []),
    `${codeSpan(`/run ${name} {…}`)} runs it, with these fields as JSON.`,
  ].join("\n\n");
}
