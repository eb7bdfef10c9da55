import { parseAllDocuments } from "yaml";
import type { DocumentFormat } from "../../../ports/expressions.js";
import { CsvError, csvObjects } from "../../../text/csv.js";

/** How often a YAML text may use what an anchor names: a few lines of aliases can stand for gigabytes. */
const MAX_ALIASES = 1_000;

/**
 * A text as one value. JSON Lines, CSV and TSV give an array; YAML gives one where it holds several documents.
 *
 * @throws Error that says in words what is wrong with it
 */
export function parseDocument(text: string, format: DocumentFormat): unknown {
  switch (format) {
    case "json":
      return JSON.parse(withoutMark(text));
    case "lines":
      return parseLines(withoutMark(text));
    case "csv":
    case "tsv":
      return parseTable(text, format === "csv" ? "," : "\t");
    case "yaml":
      return parseYaml(withoutMark(text));
  }
}

function parseLines(text: string): unknown[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") {
      return [];
    }
    try {
      return [JSON.parse(line) as unknown];
    } catch (error) {
      throw new Error(`line ${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function parseTable(text: string, separator: "," | "\t"): unknown[] {
  try {
    return csvObjects(text, separator);
  } catch (error) {
    throw error instanceof CsvError ? new Error(`line ${error.line}: ${error.message}`) : error;
  }
}

function parseYaml(text: string): unknown {
  const documents = parseAllDocuments(text, { logLevel: "error" });
  const values = documents.map((document): unknown => {
    const [first] = document.errors;
    if (first !== undefined) {
      throw new Error(first.message);
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  });
  return values.length > 1 ? values : (values[0] ?? null);
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
