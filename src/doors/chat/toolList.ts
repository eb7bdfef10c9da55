import type { Tool } from "../../core/contract.js";
import { GROUP_NAMES } from "../../names/groups.js";
import { PARTICIPANT } from "../../names/contributed.js";
import { codeSpan, escapeMarkdown, sentenceMarkdown } from "../../text/fence.js";
import { commandLink } from "./commandLink.js";

/** What a line of `/tools` opens: the chat with the group's own list. */
export const OPEN_GROUP = "workbench.action.chat.open";

/** Returns the answer to `/tools`: a line for each group, so that it fits into the chat view. */
export function toolList(tools: readonly Tool[]): string {
  if (tools.length === 0) {
    return "All tool groups are turned off. The settings under `toolhost.groups` turn them on.";
  }
  const groups = [...new Set(tools.map(({ group }) => group))];
  // Lists, since a table does not fit in the narrow chat view.
  const rows = groups.map((group) => {
    const query = `@${PARTICIPANT.name} /tools ${group}`;
    const label = commandLink(escapeMarkdown(nameOf(group)), OPEN_GROUP, { query }, "List these tools");
    return `- ${label}: ${tools.filter((tool) => tool.group === group).length}`;
  });
  return [
    ...rows,
    "",
    '`/tools grep` says what a tool does and what it takes. `/run grep {"pattern": "TODO"}` runs it.',
  ].join("\n");
}

/** Returns the answer to `/tools fs`: the tools of a group; undefined if no tool is in a group of that name. */
export function groupList(tools: readonly Tool[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = tools.filter(({ group }) => [group, nameOf(group)].some((each) => each.toLowerCase() === wanted));
  const [first] = found;
  return first === undefined
    ? undefined
    : [
        `**${escapeMarkdown(nameOf(first.group))}**`,
        "",
        ...found.map((tool) => `- ${codeSpan(tool.name)} ${escapeMarkdown(tool.title)}`),
      ].join("\n");
}

function nameOf(group: string): string {
  return GROUP_NAMES[group] ?? group;
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
