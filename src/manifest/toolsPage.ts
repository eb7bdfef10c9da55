import type { Tool } from "../core/contract.js";
import { commandWords, hasCommand } from "../doors/cli/commandWords.js";
import { lmName } from "../names/tools.js";

/** Returns the text of docs/tools.md. */
export function toolsPage(tools: readonly Tool[]): string {
  return `${["# Tools", "", "Generated from the registry by `npm run manifest`; do not edit.", "", ...tools.flatMap(toolSection)].join("\n").trimEnd()}\n`;
}

function toolSection(tool: Tool): string[] {
  const required = tool.inputSchema.required ?? [];
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
  const facts = [
    readOnly ? "reads only" : destructive ? "changes files" : "adds",
    ...(idempotent ? ["idempotent"] : []),
    ...(openWorld ? ["reaches outside"] : []),
  ];
  const { parent, verb } = commandWords(tool);
  const words = [...(parent === undefined ? [] : [parent]), verb, ...tool.positional.map((field) => `[${field}]`)].join(
    " ",
  );
  const aliases = Object.entries(tool.aliases).flatMap(([alias, meaning]) =>
    typeof meaning === "string"
      ? [`\`${alias}\` for \`${meaning}\``]
      : meaning.says === undefined
        ? []
        : [`\`${alias}\` (${meaning.says})`],
  );
  return [
    `## ${tool.name}`,
    "",
    `${tool.title} · group ${tool.group} · ${facts.join(", ")}${tool.expose === "never" ? "" : ` · \`#${lmName(tool)}\``}${hasCommand(tool) ? ` · \`toolhost ${words}\`` : ""}`,
    "",
    tool.description,
    "",
    "| Field | Type | |",
    "|---|---|---|",
    ...Object.entries(tool.inputSchema.properties).map(([field, property]) => {
      const type = property.enum
        ? property.enum.map((value) => `\`${String(value)}\``).join(" \\| ")
        : [property.type].flat().join(" \\| ");
      return `| \`${field}\`${required.includes(field) ? " (required)" : ""} | ${type} | ${(property.description ?? "").replaceAll("|", "\\|")} |`;
    }),
    "",
    ...(aliases.length > 0 ? [`Also understood: ${aliases.join(", ")}.`, ""] : []),
  ];
}
