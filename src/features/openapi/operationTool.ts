// An operation as a tool.
import * as z from "zod";
import { once } from "../../core/once.js";
import type { InputIssue, Preview, Tool, ToolContext, Touch } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { isRecord, normalise, outputJsonSchema, type JsonSchema } from "../../core/jsonSchema.js";
import { fromZodIssues } from "../../core/pipeline/issues.js";
import type { CapabilityName } from "../../ports/capabilities.js";
import type { Http } from "../../ports/http.js";
import { oneLine, shorten } from "../../text/clip.js";
import { resultOf } from "./answer.js";
import type { Authentication } from "./auth.js";
import { takesFiles, type PlainBody } from "./body.js";
import { describeFile, isFile, MAX_FILES, pathsIn, withFiles } from "./bodyFiles.js";
import type { Description } from "./description.js";
import type { OpenApiEntry } from "./entry.js";
import { inputSchemaOf } from "./inputSchema.js";
import { Mask } from "./mask.js";
import { OperationError } from "./problem.js";
import { requestOf, type Callable, type PlainRequest } from "./request.js";
import { words } from "./schema.js";

const DEFAULT_TIMEOUT = 30;
const DEFAULT_MAX_BYTES = 10_000_000;
/** Code units of a body that a person is shown. */
const MAX_PREVIEW = 5_000;
const MAX_DESCRIPTION = 1_000;
const MAX_TITLE = 80;
/** Code units of an error, most of which are the server's. */
const MAX_ERROR = 5_000;
const READS = ["GET", "HEAD"];

/** What all tools of one entry share. */
export interface Service {
  entry: OpenApiEntry;
  description: Description;
  http: Http;
  authentication: Authentication;
  /** The origin that gets the credentials. */
  trusted: string | undefined;
  /** The origin that the description came from; undefined for a file. */
  source: string | undefined;
}

const answerData = once(() =>
  z.object({
    status: z.int(),
    type: z.string(),
    body: z.unknown(),
    result_id: z.string().optional(),
  }),
);
const answerSchema = once(() => outputJsonSchema(answerData()));

/** Returns the tool of an operation. Its schema is made when it is first asked for. */
export function operationTool(name: string, callable: Callable, service: Service, expose: Tool["expose"]): Tool {
  const { operation } = callable;
  const { entry } = service;
  const reads = READS.includes(operation.method);
  const { summary: short, description: long } = operation.node;
  const what = `${operation.method} ${shorten(operation.path, 200)}`;
  const timeout = (entry.timeout ?? DEFAULT_TIMEOUT) * 1_000;
  let schema: JsonSchema | undefined;
  let checker: z.ZodType | undefined;
  const inputSchema = (): JsonSchema => (schema ??= normalise(inputSchemaOf(callable, service.description)));
  const title = typeof short === "string" ? short : (operation.id ?? what);
  return {
    name,
    group: "openapi",
    title: shorten(oneLine(title.slice(0, 500)), MAX_TITLE),
    description: describe(short, long, what, operation.node["deprecated"] === true),
    get inputSchema() {
      return inputSchema();
    },
    aliases: {},
    needs: takesFiles(callable.body, service.description) ? ["results", "files"] : ["results"],
    annotations: {
      readOnly: reads,
      destructive: !reads,
      idempotent: reads || ["PUT", "DELETE"].includes(operation.method),
      openWorld: true,
    },
    positional: [],
    terminal: false,
    paged: true,
    expose,
    parse: (raw) => {
      checker ??= checkerOf(inputSchema());
      const issues = issuesOf(checker, raw, inputSchema());
      return issues.length === 0 ? { ok: true, input: raw } : { ok: false, issues };
    },
    // To approve the description is to approve the server.
    touches: (input) => [
      { kind: "network", url: addressOf(callable, input, service), by: [] },
      ...pathsOf(callable, input, service).map((path): Touch => ({ kind: "read", path })),
    ],
    summary: (input) =>
      shorten(`${operation.method} ${addressOf(callable, input, service)}${cautions(callable, service)}`, 500),
    preview: (input, context) => previewOf(built(callable, input, service), callable, service, context),
    execute: (input, context) => call(callable, input, service, timeout, context),
    // Getting a token comes on top.
    timeout: () => 2 * timeout + 5_000,
    grace: undefined,
    get outputSchema() {
      return answerSchema();
    },
    checkData: (data) => {
      const result = answerData().safeParse(data);
      return result.success ? [] : fromZodIssues(result.error, data, []);
    },
  };
}

function describe(short: unknown, long: unknown, what: string, isDeprecated: boolean): string {
  const first = words(short);
  const second = typeof long === "string" && long !== short ? oneLine(long.slice(0, 2 * MAX_DESCRIPTION)) : "";
  const said = [first.replace(/[^.!?…]$/, "$&."), second].filter((each) => each !== "").join(" ");
  return `${isDeprecated ? "Deprecated. " : ""}${shorten(said, 600)}${said === "" ? "" : " "}(${what})`;
}

/** What a person should know before a call, as the end of its summary, which heads every question. */
function cautions({ server }: Callable, { source }: Service): string {
  const foreign =
    source !== undefined && source !== server.origin ? `, another origin than the description's, ${source}` : "";
  return `${server.isPrivate ? ", on this machine or a private network" : ""}${foreign}`;
}

/** Returns the address of a call, without its query; that of the server if the input has none. */
function addressOf(callable: Callable, input: unknown, service: Service): string {
  try {
    const { url } = requestOf(callable, isRecord(input) ? input : {}, service.description);
    return url.origin + url.pathname;
  } catch {
    return callable.server.base;
  }
}

/** Returns the paths of the files that a call sends. */
function pathsOf(callable: Callable, input: unknown, { description }: Service): string[] {
  try {
    return pathsIn(requestOf(callable, isRecord(input) ? input : {}, description).body).slice(0, MAX_FILES + 1);
  } catch {
    // The call will fail for it.
    return [];
  }
}

function built(callable: Callable, input: unknown, { description }: Service): PlainRequest {
  try {
    return requestOf(callable, isRecord(input) ? input : {}, description);
  } catch (error) {
    if (error instanceof OperationError) {
      throw new ToolError("invalid_input", error.message, "Correct the value.");
    }
    throw error;
  }
}

async function previewOf(
  request: PlainRequest,
  callable: Callable,
  service: Service,
  context: ToolContext<CapabilityName>,
): Promise<Preview<undefined>> {
  const { names } = service.authentication;
  const withSecrets = names.length > 0 && isTrusted(callable, service) ? `\nCredentials: ${names.join(", ")}` : "";
  const headers = [...request.headers]
    .filter(([name]) => name !== "accept")
    .map(([name, value]) => `\n${name}: ${value}`);
  const body = request.body === undefined ? "" : `\n\n${shorten(await bodyText(request.body, context), MAX_PREVIEW)}`;
  return {
    language: "http",
    text: `${request.method} ${request.url.href}${headers.join("")}${withSecrets}${body}`,
    plan: undefined,
  };
}

async function bodyText(body: PlainBody, context: ToolContext<CapabilityName>): Promise<string> {
  // The capability that it named in `needs`, if it takes files.
  const { files } = context as ToolContext<"files">;
  if (body.kind === "text") {
    return body.text;
  }
  if (body.kind === "file") {
    return describeFile(body, files);
  }
  const parts = body.parts.map(async (part) =>
    isFile(part)
      ? `${part.name}: ${await describeFile(part, files)}`
      : `${part.name}: ${shorten(String(part.value), 1_000)}`,
  );
  return (await Promise.all(parts)).join("\n");
}

/** Whether credentials go to an operation's server: the entry's own, and no other that the description names. */
function isTrusted({ server, operation }: Callable, { trusted }: Service): boolean {
  const { security } = operation.node;
  return server.origin === trusted && !(Array.isArray(security) && security.length === 0);
}

async function call(
  callable: Callable,
  input: unknown,
  service: Service,
  timeout: number,
  context: ToolContext<CapabilityName>,
): ReturnType<Tool["execute"]> {
  const { entry, http, authentication } = service;
  const { method, url, headers, cookies, body } = built(callable, input, service);
  const mask = new Mask();
  const fixed = Object.entries(entry.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    value,
  ]);
  try {
    // Capabilities that it named in `needs`.
    const { results, files } = context as ToolContext<"results" | "files">;
    const sent = body && (await withFiles(body, files));
    const credentials = isTrusted(callable, service)
      ? await authentication.credentials(mask, context.signal)
      : { headers: new Map<string, string>(), query: [], cookies: [] };
    const allCookies = [...cookies, ...credentials.cookies].join("; ");
    const target =
      credentials.query.length === 0
        ? url.href
        : `${url.href}${url.search === "" ? "?" : "&"}${credentials.query.join("&")}`;
    const answer = await http.send(
      {
        url: target,
        method,
        headers: new Map([...headers, ...fixed]),
        credentials: new Map([...credentials.headers, ...(allCookies === "" ? [] : [["cookie", allCookies] as const])]),
        ...(sent === undefined ? {} : { body: sent }),
        timeout,
        maxBytes: entry.maxBytes ?? DEFAULT_MAX_BYTES,
        mayBePrivate: callable.server.isPrivate || entry.allowPrivate === true,
      },
      context.signal,
    );
    if (answer.status === 401) {
      authentication.forgetTokens();
    }
    const { operation, server } = callable;
    return await resultOf({
      ...{ answer, mask, results },
      origin: server.origin,
      operation: `${method} ${operation.path}`,
      reads: READS.includes(method),
    });
  } catch (error) {
    throw error instanceof ToolError
      ? new ToolError(error.type, shorten(mask.hide(error.message), MAX_ERROR), error.hint)
      : error;
  }
}

/** Returns a check of inputs. Unknown fields are wrong at the root, where all are known. */
function checkerOf(schema: JsonSchema): z.ZodType {
  try {
    return z.fromJSONSchema({ ...schema, additionalProperties: false } as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    // A schema that contradicts itself: the server checks.
    return z.record(z.string(), z.unknown());
  }
}

function issuesOf(checker: z.ZodType, raw: Record<string, unknown>, schema: JsonSchema): InputIssue[] {
  try {
    const result = checker.safeParse(raw);
    return result.success ? [] : fromZodIssues(result.error, raw, Object.keys(schema.properties));
  } catch {
    return [{ path: "", message: "input cannot be read" }];
  }
}
