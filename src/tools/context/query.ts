import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { DocumentFormat, Evaluated, Expressions } from "../../ports/expressions.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { clipStart } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { shownName } from "../../text/shownName.js";
import { statFile } from "../fs/existing.js";
import { contextInfo, contextPlace, existingFile, existingInfo, type ContextPlace } from "./contextStore.js";
import { adviceOn, whyNothing } from "./jsonataAdvice.js";
import { JSONATA_PRIMER } from "./jsonataPrimer.js";
import { checkPlace } from "./storeLarge.js";
import { storeText, type OnConflict, type StoreContext } from "./storeText.js";
import { count } from "../../text/words.js";

/** Largest document queried by default, in bytes. Parsed, it takes about eight times as much memory. */
const DEFAULT_MAX_INPUT = 20_000_000;
/** Largest document that can be queried, in bytes: a larger one would not fit into the thread's memory. */
const LARGEST_INPUT = 50_000_000;
/** Maximum characters of a result: each door shows as much of it as fits, and keeps the rest for read_result. */
const MAX_INLINE = 2_000_000;
const MAX_PREVIEW = 200;
/** Maximum characters of an expression: longer than any that a person or model writes. */
const MAX_EXPRESSION = 20_000;
/**
 * Milliseconds: the host allows 20 s to parse a document and 5 s to evaluate; the rest is for reading and writing
 * files.
 */
const TIMEOUT = 40_000;

/** Ids of paged results, for read_result; the second form is what other systems use. */
const RESULT_ID = /^(?:r[0-9a-f]{12}|lr_\d+)$/;

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  jsonl: "lines",
  ndjson: "lines",
  csv: "csv",
  tsv: "tsv",
  yaml: "yaml",
  yml: "yaml",
};

const FORMAT_NAMES: Readonly<Record<DocumentFormat, string>> = {
  json: "JSON",
  lines: "JSON Lines",
  csv: "CSV",
  tsv: "TSV",
  yaml: "YAML",
};

export const query = defineTool({
  name: "query",
  group: "context",
  title: "Query document",
  description:
    `Reduce a document of the workspace or the context store with a JSONata expression: filter, count, group and sort without reading it. ` +
    `$ is the whole document. Examples: $[amount > 100] · $count($) · $distinct(email) · matches[line < 10].path · ` +
    `\${$substring(ts, 0, 10): $count($)} · $^(>size)[[0..9]].{"name": name, "size": size}. ` +
    `The expression ? returns the syntax reference. Reads JSON and, by file extension, JSON Lines (.jsonl), CSV, TSV and YAML as arrays; CSV columns of numbers are numbers. ` +
    `With output_path the result is stored instead of returned. A single match is that entry, not an array; no match is null.`,
  input: () =>
    z.object({
      path: z.string().describe("Document in the workspace, or in the context store, which comes first."),
      expression: z.string().max(MAX_EXPRESSION).describe("JSONata; ? for its syntax reference."),
      output_path: z
        .string()
        .optional()
        .describe("Path in the context store for the result, as JSON. Default: the result is returned."),
      on_conflict: z
        .enum(["error", "overwrite"])
        .optional()
        .describe("What to do if output_path exists. Default: error."),
      max_input_bytes: z
        .int()
        .min(1)
        .max(LARGEST_INPUT)
        .optional()
        .describe(`Maximum size of the document in bytes. Default: ${DEFAULT_MAX_INPUT}.`),
    }),
  aliases: {
    logical_path: "path",
    file: "path",
    file_path: "path",
    filePath: "path",
    output_logical_path: "output_path",
    query: "expression",
    onConflict: "on_conflict",
  },
  output: () =>
    z.object({
      message: z.string().optional().describe("The syntax reference, if requested."),
      result: z.unknown().optional(),
      result_type: z.enum(["array", "object", "string", "number", "boolean", "null"]).optional(),
      result_count: z.int().optional().describe("Entries of an array, fields of an object."),
      path: z.string().optional().describe("Where the result was stored."),
      bytes_written: z.int().optional(),
      preview: z.string().optional().describe("The first 200 characters of what was stored."),
      note: z
        .string()
        .optional()
        .describe("Remarks: repeated keys or columns, fields that the document does not have."),
    }),
  needs: ["files", "changes", "expressions"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  positional: ["path", "expression"],
  touches: ({ path, expression, output_path }) =>
    asksForPrimer(expression)
      ? []
      : [
          ...sourcesOf(path).map((source, _, { length }) => ({
            kind: "read" as const,
            path: source,
            optional: length > 1,
          })),
          ...(output_path === undefined
            ? []
            : [{ kind: "write" as const, path: contextFile(contextPath(output_path)) }]),
        ],
  summary: ({ path, expression }) => (asksForPrimer(expression) ? "Look up the query syntax" : `Query ${path}`),
  timeout: TIMEOUT,
  expose: "default",
  execute: async (
    { path, expression, output_path, on_conflict: onConflict, max_input_bytes = DEFAULT_MAX_INPUT },
    context,
  ) => {
    if (asksForPrimer(expression)) {
      return { text: JSONATA_PRIMER, data: { message: JSONATA_PRIMER } };
    }
    const { files, expressions, signal } = context;
    const document = await readDocument(files, path, max_input_bytes, signal);
    const output = output_path === undefined ? undefined : contextPath(output_path);
    if (output !== undefined) {
      await checkPlace(context, output, onConflict);
    }
    const evaluated = await evaluate(expressions, expression, document, signal);
    return output === undefined ? inAnswer(evaluated) : inStore(context, output, onConflict, evaluated);
  },
});

function asksForPrimer(expression: string): boolean {
  return ["", "?"].includes(expression.trim());
}

interface SourceDocument {
  logical: string;
  text: string;
  format: DocumentFormat;
}

/** Returns the paths in the workspace that may be meant: in the context store, then as given. */
function sourcesOf(path: string): string[] {
  const stored = storedPath(path);
  const inStore = stored === undefined ? undefined : contextFile(stored);
  const given = path.trim() === "" ? undefined : path;
  const isSame = inStore !== undefined && given?.replaceAll("\\", "/").replace(/^(\.?\/)+/, "") === inStore;
  return [inStore, isSame ? undefined : given].filter((source) => source !== undefined);
}

/** Returns a path as the context store spells it; undefined if it can only be one of the workspace. */
function storedPath(path: string): string | undefined {
  try {
    return contextPath(path);
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Finds the document that a path means.
 *
 * @throws ToolError `source_not_found`, `is_directory`, `unsupported`
 */
async function findDocument(files: Files, path: string): Promise<{ logical: string; at: GatedPath; size: number }> {
  const stored = storedPath(path);
  const place = stored === undefined ? undefined : await contextPlace(files, stored);
  if (place !== undefined && (await contextInfo(files, place)) !== undefined) {
    return { ...place, size: (await existingFile(files, place)).size };
  }
  const [, given = path] = sourcesOf(path);
  const at = await files.resolve(given);
  try {
    return { logical: shownName(at.path), at, size: (await statFile(files, at)).size };
  } catch (error) {
    if (!(error instanceof ToolError) || error.type !== "not_found") {
      throw error;
    }
    const near = place === undefined ? undefined : await nearStored(files, place);
    throw new ToolError(
      "source_not_found",
      `${shownName(at.path)}: there is no such file in the workspace or the context store.`,
      [near, error.hint].filter((hint) => hint !== undefined).join(" Or: "),
    );
  }
}

/** Returns the store's hint on a path that it does not have, if it has a similar name. */
async function nearStored(files: Files, place: ContextPlace): Promise<string | undefined> {
  try {
    await existingInfo(files, place);
    return undefined;
  } catch (error) {
    return error instanceof ToolError && error.hint?.startsWith("Did you mean") === true ? error.hint : undefined;
  }
}

/**
 * @throws ToolError `invalid_input` for the id of a paged result, `source_not_found`, `source_too_large`,
 * `invalid_json` if it is not a text file
 */
async function readDocument(
  files: Files,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<SourceDocument> {
  if (RESULT_ID.test(path.trim())) {
    throw new ToolError(
      "invalid_input",
      `${path.trim()} is the id of a paged result, not a document.`,
      "Run its tool again through pipe, which stores all of it, and query that; or use read_result.",
    );
  }
  const { logical, at, size } = await findDocument(files, path);
  if (size > maxBytes) {
    throw new ToolError(
      "source_too_large",
      `${logical} has ${size} bytes; at most ${maxBytes} can be queried.`,
      maxBytes < LARGEST_INPUT
        ? `Raise max_input_bytes (up to ${LARGEST_INPUT}), or store less of it.`
        : "Store less: pipe a call that filters.",
    );
  }
  const format = FORMATS[/\.([a-z]+)$/i.exec(logical)?.[1]?.toLowerCase() ?? ""] ?? "json";
  return { logical, text: await textOf(files, at, logical, signal), format };
}

async function textOf(
  files: Files,
  at: Parameters<Files["stat"]>[0],
  logical: string,
  signal: AbortSignal,
): Promise<string> {
  const parts: string[] = [];
  try {
    for await (const chunk of files.readChunks(at, signal)) {
      parts.push(chunk);
    }
  } catch (error) {
    throw error instanceof ToolError && error.type === "binary"
      ? new ToolError(
          "invalid_json",
          `${logical} is not a text file.`,
          "Only JSON, JSON Lines, CSV, TSV and YAML can be queried.",
        )
      : error;
  }
  return parts.join("");
}

/** Evaluates an expression. Errors name the document and say what to do next. */
async function evaluate(
  expressions: Expressions,
  expression: string,
  { logical, text, format }: SourceDocument,
  signal: AbortSignal,
): Promise<Evaluated> {
  try {
    const evaluated = await expressions.evaluate(expression, { text, format }, signal);
    const why = evaluated.type === "null" ? whyNothing(expression) : undefined;
    return why === undefined ? evaluated : { ...evaluated, remark: [why, evaluated.remark ?? []].flat().join(" ") };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    switch (error.type) {
      case "invalid_json":
        throw new ToolError(
          error.type,
          `${logical} is not ${FORMAT_NAMES[format]}: ${error.message}`,
          `Check it with read. The extension sets the format: .jsonl, .csv, .tsv, .yaml; anything else is JSON.`,
        );
      case "invalid_expression":
        throw new ToolError(
          error.type,
          `The expression does not compile: ${error.message}`,
          adviceOn(error.message, expression),
        );
      default:
        throw new ToolError(error.type, error.message, error.hint ?? adviceOn(error.message));
    }
  }
}

function inAnswer({ json, type, count, remark }: Evaluated): {
  text: string;
  data: { result: unknown; result_type: Evaluated["type"]; result_count?: number; note?: string };
} {
  if (json.length > MAX_INLINE) {
    throw new ToolError(
      "too_large",
      `The result has ${json.length} characters; at most ${MAX_INLINE} can be returned.`,
      "Store it with output_path, or make the expression return less.",
    );
  }
  const said =
    count === undefined
      ? ""
      : `\n[${type === "array" ? `An array of ${count}` : `An object with ${count} field${count === 1 ? "" : "s"}`}.]`;
  const data = {
    result: JSON.parse(json) as unknown,
    result_type: type,
    ...(count === undefined ? {} : { result_count: count }),
    ...noteOf(remark),
  };
  return { text: `${json}${said}${remark === undefined ? "" : `\n[${remark}]`}`, data };
}

async function inStore(
  context: StoreContext,
  logical: string,
  onConflict: OnConflict | undefined,
  { json, type, remark }: Evaluated,
): Promise<{ text: string; data: { path: string; bytes_written: number; preview: string; note?: string } }> {
  await storeText(context, { logical, content: json, onConflict, maxBytes: LARGEST_CHANGED_FILE });
  const preview = clipStart(json, MAX_PREVIEW);
  const bytes = utf8Length(json);
  return {
    text: `Stored the result (${type}, ${count(bytes, "byte")}) as ${logical}.\nIt starts: ${preview}${remark === undefined ? "" : `\n[${remark}]`}`,
    data: { path: logical, bytes_written: bytes, preview, ...noteOf(remark) },
  };
}

function noteOf(remark: string | undefined): { note?: string } {
  return remark === undefined ? {} : { note: remark };
}
