import type { Tool } from "../../core/contract.js";
import { isRecord } from "../../core/jsonSchema.js";
import { describeValue, fromZodIssues, tellIssues } from "../../core/pipeline/issues.js";
import { openApiEntry, type OpenApiEntry } from "../../features/openapi/entry.js";
import type { loadOpenApiTools, OpenApiHost, OpenApiTools } from "../../features/openapi/load.js";
import type { Http } from "../../ports/http.js";

/** More tools than any description has: the caller chooses which to register. */
const MAX_TOOLS = 1_000_000;

/** What makes tools of descriptions. It is large, so a host loads it with the first description. */
export interface OpenApiEngine {
  loadOpenApiTools: typeof loadOpenApiTools;
  /** Calls services. */
  http: Http;
}

/**
 * Makes the tools of a description that another extension or program gives, with the options of an entry in a file of
 * tools.
 *
 * @throws TypeError that names the problem
 */
export function openApiToolsOf(
  description: unknown,
  options: unknown,
  { openApi, taken }: { openApi: () => OpenApiEngine } & Pick<OpenApiHost, "taken">,
): OpenApiTools & { tools: Tool[] } {
  const { entry, secret } = readOptions(options);
  const text = textOf(description);
  const { loadOpenApiTools, http } = openApi();
  return loadOpenApiTools(entry, {
    ...{ text, http, taken },
    // The program has it, wherever it came from.
    address: undefined,
    secret: async (name) => {
      const value: unknown = await secret?.(name);
      return typeof value === "string" ? value : undefined;
    },
    secretAdvice: (name) => `The program that made this tool can give ${name}, in its option secret.`,
    maxTools: MAX_TOOLS,
    now: Date.now,
  });
}

function textOf(description: unknown): string {
  if (typeof description === "string") {
    return description;
  }
  if (!isRecord(description)) {
    throw wrong(`expected a description as text or object, got ${describeValue(description)}`);
  }
  try {
    return JSON.stringify(description);
  } catch {
    throw wrong("the description is not JSON: it refers to itself. Give it with $ref, or as text");
  }
}

function readOptions(options: unknown): { entry: OpenApiEntry; secret: ((name: string) => unknown) | undefined } {
  if (!isRecord(options)) {
    throw wrong(`options: expected an object, got ${describeValue(options)}`);
  }
  const { secret, ...rest } = options;
  if (secret !== undefined && typeof secret !== "function") {
    throw wrong(`secret: expected a function, got ${describeValue(secret)}`);
  }
  // Where the description is does not matter here.
  const { spec: _, ...shape } = openApiEntry().shape;
  const read = openApiEntry().omit({ spec: true }).safeParse(rest);
  if (!read.success) {
    throw wrong(tellIssues(fromZodIssues(read.error, rest, [...Object.keys(shape), "secret"])));
  }
  return { entry: { ...read.data, spec: "-" }, secret: secret as ((name: string) => unknown) | undefined };
}

function wrong(problem: string): TypeError {
  return new TypeError(`Toolhost createOpenApiTools: ${problem}.`);
}
