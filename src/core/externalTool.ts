import type { SchemaDraft } from "@cfworker/json-schema";
import { EXTENSIONS_GROUP } from "../names/settings.js";
import { shorten } from "../text/clip.js";
import { showHidden } from "../text/showHidden.js";
import { messageOf } from "../text/words.js";
import type { CallContext, InputIssue, Tool } from "./contract.js";
import { ERROR_TYPES, ToolError } from "./errors.js";
import { isRecord, normalise } from "./jsonSchema.js";
import type { Media, ToolResult } from "./outcome.js";
import { hasNames, isData, schemaCheck } from "./schemaCheck.js";
import { isQuickPattern } from "../text/quickPattern.js";
import { describeValue, formatPath, tellIssues } from "./pipeline/issues.js";

/** Names of input fields that every model API accepts. */
const FIELD_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Members that every object has; `hasOwnProperty` as a field would mislead code that reads inputs. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));
const MAX_TITLE = 80;
/** Maximum size of a schema as JSON, in characters. Models pay for each one. */
const MAX_SCHEMA = 100_000;
/** Maximum nesting of a schema, as of an input. */
const MAX_DEPTH = 64;
/** Maximum size of a result's text, and of its data as JSON, in characters. */
const MAX_RESULT = 20_000_000;
/** Maximum time limit that a tool may set, in milliseconds: a day. */
const MAX_TIMEOUT = 86_400_000;
/** Maximum characters of an error message written by others. */
const MAX_ERROR = 2_000;
const FIELDS = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "timeout", "execute"];
const HINTS = ["readOnly", "destructive", "idempotent", "openWorld"];
/** Keywords below which a pattern that is not checked would refuse what it allows. */
const EXACT_KEYWORDS = ["not", "if", "oneOf", "contains"];

/** What a tool from outside gets with its input. */
interface ExternalContext {
  signal: AbortSignal;
  session: string;
  callId: string;
  readonly report: (message: string) => void;
}

/** Checks a value. */
type Check = (value: unknown) => { ok: true; value: unknown } | { ok: false; issues: InputIssue[] };

/**
 * Makes a tool of what another extension or program gives, which may be written in JavaScript. Nothing is known about what
 * it reaches, so it asks, whatever its annotations say. VS Code learns nothing of it: package.json cannot contribute it.
 *
 * @throws TypeError that names the problem
 */
export function defineExternalTool(given: unknown): Tool {
  if (!isRecord(given)) {
    throw new TypeError(`expected an object {name, description, inputSchema, execute}, got ${describeValue(given)}`);
  }
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new TypeError(`${shorten(unknown, MAX_TITLE)}: there is no such field; the fields are ${FIELDS.join(", ")}`);
  }
  const { execute, timeout } = given;
  const name = readText(given, "name");
  const description = readText(given, "description");
  const title = given["title"] === undefined ? titleOf(name) : readText(given, "title");
  if (title.length > MAX_TITLE || title.includes("\n")) {
    throw new TypeError(`title: must be one line of at most ${MAX_TITLE} characters`);
  }
  if (typeof execute !== "function") {
    throw new TypeError(`execute: expected a function, got ${describeValue(execute)}`);
  }
  if (
    timeout !== undefined &&
    !(typeof timeout === "number" && Number.isInteger(timeout) && timeout > 0 && timeout <= MAX_TIMEOUT)
  ) {
    throw new TypeError(`timeout: expected milliseconds, 1 to ${MAX_TIMEOUT}, got ${describeValue(timeout)}`);
  }
  const input = readSchema(given["inputSchema"], "inputSchema");
  const { properties } = input.schema;
  const [odd] = Object.keys(isRecord(properties) ? properties : {}).filter(
    (key) => !FIELD_NAME.test(key) || INHERITED.has(key),
  );
  if (odd !== undefined || (input.schema["type"] ?? "object") !== "object") {
    throw new TypeError(
      odd === undefined
        ? "inputSchema: its type must be object"
        : `inputSchema: ${showHidden(shorten(odd, MAX_TITLE), false).text} cannot be a field's name; use letters, digits, _, - and .`,
    );
  }
  const inputSchema = normalise(input.schema);
  const output = given["outputSchema"] === undefined ? undefined : readSchema(given["outputSchema"], "outputSchema");
  return {
    name,
    group: EXTENSIONS_GROUP,
    title,
    description,
    inputSchema,
    aliases: {},
    needs: [],
    // What its author says decides nothing: see `external`.
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    external: { saysReadOnly: readHints(given["annotations"])["readOnly"] === true },
    positional: [],
    terminal: false,
    paged: false,
    expose: "never",
    parse: (raw) => {
      const checked = input.check(raw);
      if (!checked.ok) {
        return checked;
      }
      return isRecord(checked.value)
        ? { ok: true, input: checked.value }
        : { ok: false, issues: [{ path: "", message: `must become an object, got ${describeValue(checked.value)}` }] };
    },
    touches: undefined,
    summary: () => `Run ${title}`,
    preview: async (value) => ({ language: "json", text: JSON.stringify(value, undefined, 2), plan: undefined }),
    execute: async (value, { signal, session, callId, report }: CallContext) => {
      const context: ExternalContext = {
        ...{ signal, session, callId },
        report: (message) => report({ message: String(message) }),
      };
      return readResult(
        name,
        await run(name, async () => execute.call(given, value, context) as unknown, signal),
        output,
      );
    },
    grace: undefined,
    timeout: () => (typeof timeout === "number" ? timeout : undefined),
    outputSchema: output?.schema,
    checkData: () => [],
  };
}

function readText(given: Readonly<Record<string, unknown>>, field: string): string {
  const value = given[field];
  if (typeof value !== "string" || value.trim() === "") {
    throw new TypeError(`${field}: expected a text, got ${describeValue(value)}`);
  }
  // The registry says what is wrong with a name.
  const hidden = field === "name" ? undefined : showHidden(value.slice(0, 2 * MAX_RESULT), false).notice;
  if (hidden !== undefined) {
    throw new TypeError(`${field}: contains characters that people cannot see. ${hidden.replace(/\.$/, "")}`);
  }
  return value;
}

/** `count_lines` as a title: `Count lines`. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").slice(0, MAX_TITLE);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function readHints(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) {
    return {};
  }
  const isRight =
    isRecord(value) &&
    Object.entries(value).every(([key, hint]) => HINTS.includes(key) && ["boolean", "undefined"].includes(typeof hint));
  if (!isRight) {
    throw new TypeError(`annotations: expected an object of ${HINTS.join(", ")}, each true or false`);
  }
  return value;
}

/** Reads a JSON Schema, or a schema of a library that has the Standard Schema interface (https://standardschema.dev). */
function readSchema(given: unknown, field: string): { schema: Record<string, unknown>; check: Check } {
  const standard: unknown =
    isRecord(given) || typeof given === "function" ? Reflect.get(given, "~standard") : undefined;
  if (isRecord(standard)) {
    return { schema: plainSchema(schemaOf(standard, field), field), check: standardCheck(standard) };
  }
  if (!isRecord(given)) {
    throw new TypeError(`${field}: expected a JSON Schema or a Zod schema, got ${describeValue(given)}`);
  }
  const schema = plainSchema(given, field);
  const errorsOf = schemaCheck(schema, draftOf(given));
  const check: Check = (value) => {
    let errors: SchemaError[];
    try {
      errors = errorsOf(value);
    } catch (error) {
      const why = `cannot be checked: it is too large, or the schema of the tool refers to itself too often (${shorten(messageOf(error), MAX_TITLE)})`;
      return { ok: false, issues: [{ path: "", message: why }] };
    }
    return errors.length === 0 ? { ok: true, value } : { ok: false, issues: describeErrors(errors) };
  };
  try {
    errorsOf({});
  } catch (error) {
    // Such as a reference to itself, which never ends.
    throw new TypeError(`${field}: cannot be used for checking: ${shorten(messageOf(error), MAX_TITLE)}`);
  }
  return { schema, check };
}

/** Returns the JSON Schema that a library's schema gives of itself. */
function schemaOf({ jsonSchema }: Readonly<Record<string, unknown>>, field: string): unknown {
  if (isRecord(jsonSchema) && typeof jsonSchema["input"] === "function") {
    try {
      return (jsonSchema["input"] as (options: object) => unknown)({ target: "draft-07" });
    } catch (error) {
      throw new TypeError(`${field}: ${shorten(messageOf(error), MAX_ERROR)}`);
    }
  }
  throw new TypeError(
    `${field}: this library's schema gives no JSON Schema of itself (Zod 4.2 and later do). Give a JSON Schema instead`,
  );
}

function standardCheck({ validate }: Readonly<Record<string, unknown>>): Check {
  return (value) => {
    const result: unknown =
      typeof validate === "function" ? (validate as (value: unknown) => unknown)(value) : undefined;
    if (!isRecord(result) || result instanceof Promise) {
      return { ok: false, issues: [{ path: "", message: "its schema checks asynchronously, which is not supported" }] };
    }
    const { issues } = result;
    return Array.isArray(issues)
      ? { ok: false, issues: issues.map(readIssue) }
      : { ok: true, value: "value" in result ? result["value"] : undefined };
  };
}

function readIssue(issue: unknown): InputIssue {
  const { message, path } = (isRecord(issue) ? issue : {}) as { message?: unknown; path?: unknown };
  const steps = (Array.isArray(path) ? path : []).map((step: unknown) => {
    const key: unknown = isRecord(step) ? step["key"] : step;
    return typeof key === "number" ? key : String(key);
  });
  return { path: formatPath(steps), message: shorten(String(message), MAX_ERROR).replace(/\.$/, "") };
}

/** Returns a copy of a schema as JSON, which nobody changes later. */
function plainSchema(given: unknown, field: string): Record<string, unknown> {
  let text: string | undefined;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    throw new TypeError(`${field}: is not JSON: ${shorten(messageOf(error), MAX_ERROR)}`);
  }
  const schema: unknown = text === undefined || text.length > MAX_SCHEMA ? undefined : JSON.parse(text);
  if (!isRecord(schema)) {
    throw new TypeError(`${field}: expected a JSON Schema of at most ${MAX_SCHEMA / 1_000} kB`);
  }
  checkSchema(schema, { root: schema, field, depth: 0, isNames: false, isExact: false });
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

/** Where a part of a schema is. */
interface Place {
  root: unknown;
  field: string;
  depth: number;
  /** Whether its keys are names. */
  isNames: boolean;
  /** Whether a pattern must be checked, or the part means something else. */
  isExact: boolean;
}

/** Checks what its validator would only find with a value: references, of which none is fetched, and patterns. */
function checkSchema(node: unknown, { root, field, depth, isNames, isExact }: Place): void {
  if (typeof node !== "object" || node === null) {
    return;
  }
  if (depth > MAX_DEPTH) {
    throw new TypeError(`${field}: is nested deeper than ${MAX_DEPTH} levels`);
  }
  for (const [key, value] of Object.entries(node)) {
    if (!isNames && key === "$ref" && typeof value === "string" && pointed(root, value) === undefined) {
      throw new TypeError(`${field}: $ref ${shorten(value, MAX_TITLE)} leads to nothing in the schema itself`);
    }
    if (!isNames && ["$recursiveRef", "$dynamicRef"].includes(key)) {
      throw new TypeError(`${field}: ${key} is not supported; use $ref`);
    }
    if (!isNames && key === "pattern") {
      checkPattern(value, field, isExact);
    }
    if (!isNames && key === "patternProperties") {
      Object.keys(isRecord(value) ? value : {}).forEach((pattern) => checkPattern(pattern, field, true));
    }
    if (isNames || !isData(key)) {
      checkSchema(value, {
        ...{ root, field, depth: depth + 1, isNames: !isNames && hasNames(key) },
        isExact: isExact || (!isNames && EXACT_KEYWORDS.includes(key)),
      });
    }
  }
}

/** @param mustBeQuick whether it cannot be left out of checks if it may take long */
function checkPattern(pattern: unknown, field: string, mustBeQuick: boolean): void {
  try {
    new RegExp(String(pattern), "u");
  } catch (error) {
    throw new TypeError(`${field}: ${shorten(messageOf(error), MAX_ERROR)}`);
  }
  if (mustBeQuick && !isQuickPattern(String(pattern))) {
    throw new TypeError(
      `${field}: the pattern ${shorten(String(pattern), MAX_TITLE)} may take very long here. Begin it with ^, repeat one thing only, and no group`,
    );
  }
}

/** Follows a JSON pointer (RFC 6901) such as `#/$defs/node`. */
function pointed(root: unknown, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) {
    return undefined;
  }
  let at = root;
  for (const step of reference.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  }
  return at;
}

/** Returns the draft that a schema names: a bound that is `true` and a list of `items` mean something else in older ones. */
function draftOf({ $schema }: Readonly<Record<string, unknown>>): SchemaDraft {
  const [draft] = /draft-0[467]|2019-09/.exec(typeof $schema === "string" ? $schema : "") ?? [];
  return draft === "draft-04" ? "4" : draft === "2019-09" ? "2019-09" : draft === undefined ? "2020-12" : "7";
}

interface SchemaError {
  instanceLocation: string;
  keyword: string;
  error: string;
}

/** Returns the innermost problems: the library also lists each keyword around them, which says nothing new. */
function describeErrors(errors: readonly SchemaError[]): InputIssue[] {
  const telling = errors.filter(({ keyword }) => !["properties", "items", "allOf", "if", "$ref"].includes(keyword));
  return (telling.length > 0 ? telling : errors).map(({ instanceLocation, error }) => ({
    path: formatPath(instanceLocation.split("/").slice(1).map(pointerStep)),
    // The issues become one sentence, which has a full stop of its own.
    message: error.replace(/\.$/, ""),
  }));
}

function pointerStep(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : decodeURI(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Runs a tool's own code. What it throws is its failure, in its words. */
async function run(name: string, work: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    const { type, hint } = (isRecord(error) ? error : {}) as { type?: unknown; hint?: unknown };
    throw new ToolError(
      // Only Toolhost says that a call was cancelled or refused, or that its own code failed.
      ERROR_TYPES.find((known) => known === type && !RESERVED_TYPES.includes(known)) ?? "inner_tool_error",
      `${name}: ${shorten(messageOf(error), MAX_ERROR)}`,
      typeof hint === "string" ? shorten(hint, MAX_ERROR) : undefined,
    );
  }
}

const RESERVED_TYPES: readonly string[] = [
  "unknown_tool",
  "cancelled",
  "timeout",
  "denied",
  "untrusted",
  "internal_error",
];

function readResult(name: string, result: unknown, output: { check: Check } | undefined): ToolResult {
  const fields: Readonly<Record<string, unknown>> =
    typeof result === "string" ? { text: result } : isRecord(result) ? result : {};
  const { text, data: given, media } = fields;
  if (typeof text !== "string") {
    throw wrongResult(name, `expected a text or {text, data}, got ${describeValue(result)}`);
  }
  if (text.length > MAX_RESULT) {
    throw new ToolError("too_large", `${name}: its result has more than ${MAX_RESULT / 1e6} million characters.`);
  }
  const data = given === undefined ? undefined : plainData(name, given);
  const checked = output?.check(data);
  if (checked?.ok === false) {
    throw wrongResult(name, `its data does not have the promised shape (${tellIssues(checked.issues)})`);
  }
  if (media !== undefined && !isMedia(media)) {
    throw wrongResult(name, "media: expected a list of {mimeType, bytes}");
  }
  return { text, ...(data === undefined ? {} : { data }), ...(media === undefined ? {} : { media }) };
}

function isMedia(value: unknown): value is Media[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => isRecord(each) && typeof each["mimeType"] === "string" && each["bytes"] instanceof Uint8Array,
    )
  );
}

/** Returns data as JSON has it: what follows reads it several times, and must read the same each time. */
function plainData(name: string, data: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(data);
  } catch (error) {
    throw wrongResult(name, `its data is not JSON: ${shorten(messageOf(error), MAX_ERROR)}`);
  }
  if (text === undefined || text.length > MAX_RESULT) {
    throw wrongResult(name, `its data is not JSON of at most ${MAX_RESULT / 1e6} MB`);
  }
  return JSON.parse(text) as unknown;
}

function wrongResult(name: string, problem: string): ToolError {
  return new ToolError(
    "inner_tool_error",
    `${name} gave a result that cannot be used: ${problem}.`,
    "The tool may have done its work all the same. It is a defect of the tool, not of your call.",
  );
}
