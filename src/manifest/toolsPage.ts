import type { Tool, ToolPart } from "../core/contract.js";
import type { JsonSchemaProperty } from "../core/jsonSchema.js";
import { hasCommand } from "../doors/cli/absentTools.js";
import { commandWords } from "../doors/cli/commandWords.js";
import { lmName } from "../names/tools.js";

/** What answers say of problems is the same for all tools that change files. */
const PROBLEMS =
  "After a change in VS Code, the answer has the new problems of the changed files. For TypeScript and JavaScript it also has those of files that import them, " +
  "and says when there are none and what was not checked. For other languages nothing can be asked about files that import a changed one, and no answer says that there are no new problems: " +
  "it has what their servers and linters report by themselves within a second, of files that an editor shows. Call `diagnostics` for the rest. Without a window, no problems are reported.";

/** Returns the text of docs/tools.md. */
export function toolsPage(tools: readonly Tool[]): string {
  return `${["# Tools", "", "Generated from the registry by `npm run manifest`; do not edit.", "", PROBLEMS, "", ...tools.flatMap(toolSection)].join("\n").trimEnd()}\n`;
}

function toolSection(tool: Tool): string[] {
  const required = tool.inputSchema.required ?? [];
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
  const facts = [
    readOnly ? "reads only" : destructive ? "changes files" : "adds",
    ...(idempotent ? ["idempotent"] : []),
    ...(openWorld ? ["reaches outside"] : []),
  ];
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
    `${tool.title} · group ${tool.group} · ${facts.join(", ")}${tool.expose === "never" ? "" : ` · \`#${lmName(tool)}\``}${hasCommand(tool) ? ` · \`toolhost ${wordsOf(tool)}\`` : ""}`,
    "",
    tool.description,
    "",
    "| Field | Type | |",
    "|---|---|---|",
    ...Object.entries(tool.inputSchema.properties).map(([field, property]) => {
      const type = property.enum
        ? property.enum.map((value) => `\`${String(value)}\``).join(" \\| ")
        : typesOf(property).join(" \\| ");
      return `| \`${field}\`${required.includes(field) ? " (required)" : ""} | ${type} | ${(property.description ?? "").replaceAll("|", "\\|")} |`;
    }),
    "",
    ...(aliases.length > 0 ? [`Also understood: ${aliases.join(", ")}.`, ""] : []),
    ...(tool.parts === undefined ? [] : [...partTable(tool, tool.parts), ""]),
  ];
}

/** Lists what a tool does, with the names by which rules and command lines know it, and the fields of each. */
function partTable(whole: Tool, parts: readonly ToolPart[]): string[] {
  const choosing = whole.positional.map((field) => `\`${field}\``).join(" | ");
  return [
    `| ${choosing} | In rules | On the command line | Fields |`,
    `|${"---|".repeat(whole.positional.length + 3)}`,
    ...parts.map(({ tool, chosenBy }) => {
      const required = tool.inputSchema.required ?? [];
      const fields = Object.keys(tool.inputSchema.properties).map((field) =>
        required.includes(field) ? `**${field}**` : field,
      );
      const chosen = whole.positional.map((field) => chosenBy[field] ?? "").join(" | ");
      return `| ${chosen} | \`${tool.name}\` | \`toolhost ${wordsOf(tool)}\` | ${fields.join(", ")} |`;
    }),
  ];
}

/** Returns the words of a tool's command. */
function wordsOf(tool: Tool): string {
  const { parent, verb } = commandWords(tool);
  return [...(parent === undefined ? [] : [parent]), verb, ...tool.positional.map((field) => `[${field}]`)].join(" ");
}

function typesOf({ type, anyOf }: JsonSchemaProperty): string[] {
  const alternatives = Array.isArray(anyOf) ? (anyOf as JsonSchemaProperty[]).flatMap(typesOf) : [];
  return type === undefined ? alternatives : [type].flat();
}
