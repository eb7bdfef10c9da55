import type { ExternalTool } from "../../ports/externalTools.js";
import { isRecord } from "../../core/jsonSchema.js";
import { clipStart, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { count, listed } from "../../text/words.js";

/** Maximum number of tools of a server. */
export const MAX_TOOLS = 2_000;
/** Maximum characters kept of a description; what is not kept, no model sees. */
const MAX_DESCRIPTION = 20_000;
/** Maximum characters of a schema as JSON. */
const MAX_SCHEMA = 100_000;
/** Maximum characters kept of all descriptions and schemas of a server. */
const MAX_TOTAL = 4_000_000;
/** Names that look like what they are: they are shown in questions and used in rules. */
const NAME = /^[A-Za-z0-9_.:/-]{1,128}$/;
/** Maximum number of names in a remark. */
const MAX_NAMED = 5;

/** A tool of a server, as it is called and shown. */
export interface McpTool extends ExternalTool {
  /** JSON Schema of the data that it promises. */
  outputSchema: object | undefined;
}

/**
 * Reads what a server says its tools are. One that cannot be used is left out, which a remark says.
 *
 * @param isCut whether the server has more
 */
export function readTools(
  server: string,
  given: readonly unknown[],
  isCut: boolean,
): { tools: McpTool[]; remarks: string[] } {
  const tools = new Map<string, McpTool>();
  const leftOut = new Map<string, string[]>();
  const leave = (why: string, name: unknown): void => {
    const named = typeof name === "string" ? JSON.stringify(shorten(visibleLine(name), 60)) : "one without a name";
    leftOut.set(why, [...(leftOut.get(why) ?? []), named]);
  };
  let total = 0;
  for (const each of given.slice(0, MAX_TOOLS)) {
    const { name, description, inputSchema, outputSchema }: Readonly<Record<string, unknown>> = isRecord(each)
      ? each
      : {};
    const schema = inputSchema === undefined ? undefined : JSON.stringify(inputSchema);
    const output =
      isRecord(outputSchema) && JSON.stringify(outputSchema).length <= MAX_SCHEMA ? outputSchema : undefined;
    if (typeof name !== "string" || !NAME.test(name)) {
      leave("its name is not made of letters, digits and _ . - / : (at most 128)", name);
    } else if (tools.has(name)) {
      leave("an earlier one has the same name", name);
    } else if (
      inputSchema !== undefined &&
      (!isRecord(inputSchema) || (inputSchema["type"] ?? "object") !== "object")
    ) {
      leave("its input schema is not that of an object", name);
    } else if (schema !== undefined && schema.length > MAX_SCHEMA) {
      leave(`its input schema is larger than ${MAX_SCHEMA / 1_000} kB`, name);
    } else {
      const said = typeof description === "string" ? clipStart(description, MAX_DESCRIPTION) : "";
      total += said.length + (schema?.length ?? 0);
      if (total > MAX_TOTAL) {
        leave(`the descriptions before it have ${MAX_TOTAL / 1e6} MB, which is all that is kept`, name);
        continue;
      }
      tools.set(name, {
        ...{ server, tool: name, description: said, isMcp: true, outputSchema: output },
        inputSchema: inputSchema,
      });
    }
  }
  const remarks = [...leftOut].map(
    ([why, names]) => `${server}: ${count(names.length, "tool")} left out (${listed(names, MAX_NAMED)}): ${why}.`,
  );
  if (given.length > MAX_TOOLS || isCut) {
    remarks.push(`${server}: it has more than ${Math.min(given.length, MAX_TOOLS)} tools; the rest is left out.`);
  }
  return { tools: [...tools.values()], remarks };
}

/** Returns a tool's definition as a text, the same for the same definition: what a model reads of it. */
export function toolText({ tool, description, inputSchema }: ExternalTool): string {
  return [`tool: ${tool}`, `description:`, description, "input:", JSON.stringify(inputSchema, undefined, 2)].join("\n");
}
