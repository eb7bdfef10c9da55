import * as z from "zod";
import type { Aliases } from "./aliases.js";
import type { Tool, ToolDefinition, ToolPart } from "./contract.js";
import { inputJsonSchema } from "./jsonSchema.js";
import { once } from "./once.js";
import { fromZodIssues, tellIssues } from "./pipeline/issues.js";
import { partCall, type PartCall } from "./toolParts.js";

interface CombinedDefinition<Input extends z.ZodObject> extends Pick<
  ToolDefinition<Input, z.ZodType, never, never>,
  "name" | "group" | "title" | "description" | "expose"
> {
  /** For models: the fields that choose a part, and those of all parts. Each part validates its own. */
  input: () => Input;
  /** The fields that choose a part, each an enum, in their order on the command line. */
  chosenBy: readonly (keyof z.output<Input> & string)[];
  /** Other words for the values of these fields. */
  aliases: Aliases;
  parts: readonly ToolPart[];
}

/**
 * Makes one tool of several, whose definitions would cost more in every list: a call is validated, decided, shown and run
 * as a call of the part that it means.
 */
export function combineTools<const Input extends z.ZodObject>({
  name,
  group,
  title,
  description,
  expose = "optional",
  input: fields,
  chosenBy,
  aliases,
  parts,
}: CombinedDefinition<Input>): Tool {
  const tools = parts.map(({ tool }) => tool);
  const choice = once(() =>
    z.object(Object.fromEntries(chosenBy.map((field) => [field, fields().shape[field] as z.ZodType]))),
  );
  const inputSchema = once(() => inputJsonSchema(fields()));
  const meant = (input: unknown): PartCall => {
    const call = partCall({ parts }, input);
    if (call === undefined) {
      throw new Error(`${name}: the input was not parsed`);
    }
    return call;
  };
  return {
    name,
    group,
    title,
    description,
    get inputSchema() {
      return inputSchema();
    },
    aliases,
    needs: [...new Set(tools.flatMap(({ needs }) => needs))],
    annotations: {
      readOnly: tools.every(({ annotations }) => annotations.readOnly),
      destructive: tools.some(({ annotations }) => annotations.destructive),
      idempotent: tools.every(({ annotations }) => annotations.idempotent),
      openWorld: tools.some(({ annotations }) => annotations.openWorld),
    },
    positional: chosenBy,
    texts: [...new Set(tools.flatMap(({ texts = [] }) => texts))],
    terminal: false,
    paged: false,
    expose,
    parts,
    parse: (raw) => {
      const call = partCall({ parts }, raw);
      if (call === undefined) {
        const chosen = choice().safeParse(raw);
        const issues = chosen.success
          ? [{ path: "", message: `${chosenBy.join(" and ")} do not go together` }]
          : fromZodIssues(chosen.error, raw, []);
        return { ok: false, issues };
      }
      const parsed = call.part.tool.parse(call.input);
      return parsed.ok ? { ok: true, input: { ...call.part.chosenBy, ...parsed.input } } : parsed;
    },
    // A call of a part that cannot say what it reaches asks, and so does every other.
    touches: tools.every(({ touches }) => touches !== undefined)
      ? (given) => {
          const { part, input } = meant(given);
          return part.tool.touches?.(input) ?? [];
        }
      : undefined,
    summary: (given) => {
      const { part, input } = meant(given);
      return part.tool.summary(input);
    },
    preview: async (given, context) => {
      const { part, input } = meant(given);
      return part.tool.preview?.(input, context);
    },
    execute: async (given, context, plan) => {
      const { part, input } = meant(given);
      const result = await part.tool.execute(input, context, plan);
      const issues = part.tool.checkData(result.data);
      if (issues.length > 0) {
        throw new Error(`its result does not have the promised shape (${tellIssues(issues)})`);
      }
      return result;
    },
    timeout: (given) => {
      const { part, input } = meant(given);
      return part.tool.timeout(input);
    },
    grace: undefined,
    get outputSchema() {
      return { anyOf: tools.flatMap(({ outputSchema }) => (outputSchema === undefined ? [] : [outputSchema])) };
    },
    // `execute` knows the part, and has checked it.
    checkData: () => [],
  };
}
