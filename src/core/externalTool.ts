import { Validator, type SchemaDraft } from "@cfworker/json-schema";
import type { CapabilityName } from "../ports/capabilities.js";
import type { Annotations, CallContext, InputIssue, Tool } from "./contract.js";
import { formatPath } from "./pipeline/issues.js";
import { isRecord, normalise } from "./jsonSchema.js";
import type { ToolResult } from "./outcome.js";

/** A tool from outside (a command, an OpenAPI operation, an MCP tool, another extension) with a raw JSON Schema. */
export interface ExternalToolDefinition {
  name: string;
  group: string;
  title?: string;
  description: string;
  /** JSON Schema of the input, 2020-12 or older; validated by a library. Fields it does not name pass. */
  inputSchema: Record<string, unknown>;
  annotations?: Partial<Annotations>;
  timeout?: number;
  /** Gets the input as it came, validated. */
  execute(input: Record<string, unknown>, context: CallContext): Promise<ToolResult>;
}

/**
 * A tool with no `touches`: it always asks, since nothing is known of what it reaches. Hints it does not
 * give take MCP's pessimistic defaults.
 */
export function defineExternalTool(definition: ExternalToolDefinition): Tool {
  const inputSchema = normalise(definition.inputSchema);
  // No shortcircuit: all problems at once. cfworker's validator needs no eval, which web hosts forbid.
  const validator = new Validator(definition.inputSchema, draftOf(definition.inputSchema), false);
  return {
    name: definition.name,
    group: definition.group,
    title: definition.title ?? definition.name,
    description: definition.description,
    inputSchema,
    aliases: {},
    needs: [] as readonly CapabilityName[],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true, ...definition.annotations },
    positional: [],
    terminal: false,
    paged: false,
    expose: "optional",
    external: true,
    parse: (raw) => {
      const result = validator.validate(raw);
      return result.valid ? { ok: true, input: raw } : { ok: false, issues: describeErrors(result.errors) };
    },
    touches: undefined,
    summary: () => `Call ${definition.title ?? definition.name}`,
    preview: undefined,
    execute: (input, context) => definition.execute(isRecord(input) ? input : {}, context),
    grace: undefined,
    timeout: () => definition.timeout,
    checkData: () => [],
  };
}

/** The draft a schema names: a bound that is `true` and a list of `items` mean something else in older ones. */
function draftOf({ $schema }: Record<string, unknown>): SchemaDraft {
  const [draft] = /draft-0[467]|2019-09/.exec(typeof $schema === "string" ? $schema : "") ?? [];
  return draft === "draft-04" ? "4" : draft === "2019-09" ? "2019-09" : draft === undefined ? "2020-12" : "7";
}

interface SchemaError {
  instanceLocation: string;
  keyword: string;
  error: string;
}

/** The innermost errors: cfworker also lists each enclosing `properties` keyword, which says nothing new. */
function describeErrors(errors: readonly SchemaError[]): InputIssue[] {
  const telling = errors.filter((error) => !["properties", "items", "allOf", "$ref"].includes(error.keyword));
  return (telling.length > 0 ? telling : errors).map((error) => ({
    path: formatPath(error.instanceLocation.split("/").slice(1).map(pointerStep)),
    // The issues are made one sentence, which has a full stop of its own.
    message: error.error.replace(/\.$/, ""),
  }));
}

/** A step of a JSON pointer (RFC 6901) in an address: `a~1b` is `a/b`. */
function pointerStep(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : decodeURI(step).replaceAll("~1", "/").replaceAll("~0", "~");
}
