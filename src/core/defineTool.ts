import * as z from "zod";
import type { CapabilityName } from "../ports/capabilities.js";
import { ignored, type Aliases } from "./aliases.js";
import type { Tool, ToolContext, ToolDefinition } from "./contract.js";
import { fromZodIssues } from "./pipeline/issues.js";
import { inputJsonSchema, outputJsonSchema } from "./jsonSchema.js";
import { once } from "./once.js";

/**
 * Makes a tool from its definition: the one place where the typed definition becomes the shape that the registry and
 * every door use.
 */
export function defineTool<
  const Input extends z.ZodObject,
  Output extends z.ZodType,
  const Needs extends CapabilityName,
  Plan = never,
>(definition: ToolDefinition<Input, Output, Needs, Plan>): Tool {
  const { touches, reaches, withCommand, withSecrets, preview, timeout } = definition;
  const input = once(definition.input);
  const output = once(definition.output);
  // looseObject and catchall() set a catchall: the definition accepts unknown fields.
  const isStrict = (): boolean => input().def.catchall === undefined;
  const schema = once(() => (isStrict() ? input().strict() : input()));
  const aliases = once(() => ({ ...(isStrict() ? explaining(input()) : {}), ...definition.aliases }));
  type Typed = z.output<Input>;
  // The pipeline passes these functions only what `parse` below returned, and the capabilities in `needs`.
  const typed = (input: unknown): Typed => input as Typed;
  const context = (given: ToolContext<CapabilityName>): ToolContext<Needs> => given;
  const inputSchema = once(() => inputJsonSchema(input()));
  const outputSchema = once(() => outputJsonSchema(output()));
  return {
    name: definition.name,
    group: definition.group,
    title: definition.title,
    description: definition.description,
    get inputSchema() {
      return inputSchema();
    },
    get aliases() {
      return aliases();
    },
    needs: definition.needs,
    canLack: definition.canLack ?? [],
    annotations: definition.annotations,
    positional: definition.positional ?? [],
    texts: definition.texts,
    terminal: definition.terminal ?? false,
    paged: definition.paged ?? false,
    expose: definition.expose ?? "optional",
    instead: definition.instead,
    parse: (raw) => {
      try {
        const result = schema().safeParse(raw);
        return result.success
          ? { ok: true, input: result.data }
          : { ok: false, issues: fromZodIssues(result.error, raw, Object.keys(input().shape)) };
      } catch {
        // Zod reads the `length` of any value that has one, and throws for `{"length": {"valueOf": 1, "toString": 1}}`.
        return { ok: false, issues: [{ path: "", message: "input cannot be read" }] };
      }
    },
    touches: touches ? (input) => touches(typed(input)) : undefined,
    reaches: reaches ? (input, given) => reaches(typed(input), context(given)) : undefined,
    withCommand: withCommand ? (input, command) => withCommand(typed(input), command) : undefined,
    withSecrets: withSecrets ? (input, put) => withSecrets(typed(input), put) : undefined,
    showsSecrets: definition.showsSecrets,
    summary: (input) => definition.summary(typed(input)),
    preview: preview ? (input, given) => preview(typed(input), context(given)) : undefined,
    execute: (input, given, plan) => definition.execute(typed(input), context(given), plan as Plan | undefined),
    grace: definition.grace,
    timeout: (input) => (typeof timeout === "function" ? timeout(typed(input)) : timeout),
    get outputSchema() {
      return outputSchema();
    },
    checkData: (data) => {
      const result = output().safeParse(data);
      return result.success ? [] : fromZodIssues(result.error, data, []);
    },
  };
}

/** Fields in which other systems have a model explain its call, to people. */
const EXPLAINING = ["description", "explanation", "goal", "task_progress"];

/** Ignores fields that only explain, of the call and of the objects in its lists, where the tool has no such fields. */
function explaining({ shape }: z.ZodObject): Aliases {
  const lists = Object.entries(shape).flatMap(([name, field]) => {
    const list: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    const entry = list instanceof z.ZodArray ? list.element : undefined;
    return entry instanceof z.ZodObject ? [{ prefix: `${name}[].`, fields: entry.shape }] : [];
  });
  return Object.fromEntries(
    [{ prefix: "", fields: shape }, ...lists].flatMap(({ prefix, fields }) =>
      EXPLAINING.filter((word) => !Object.hasOwn(fields, word)).map((word) => [`${prefix}${word}`, ignored]),
    ),
  );
}
