import type * as z from "zod";
import { excerpt, shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { InputIssue } from "../contract.js";
import { isRecord } from "../jsonSchema.js";

/** What Zod says of a union that has no message of its own. */
const UNTOLD = "Invalid input";

/** Maximum number of problems in one message: listing every problem of a chaotic value would be just as chaotic. */
const MAX_ISSUES_TOLD = 8;
const MAX_ISSUE = 250;

/**
 * Returns issues as one text, several together but not all of very many: `limit: must be at least 1, got 0; and 3 more
 * problems`.
 */
export function tellIssues(issues: readonly InputIssue[]): string {
  const told = issues
    .slice(0, MAX_ISSUES_TOLD)
    .map(({ path, message }) => shorten(path === "" ? message : `${path}: ${message}`, MAX_ISSUE));
  const rest = issues.length - told.length;
  return [...told, ...(rest > 0 ? [`and ${rest} more problems`] : [])].join("; ");
}

/** Converts Zod's issues to ours: one wording for every door, values cut short, near names for unknown fields. */
export function fromZodIssues(error: z.ZodError, raw: unknown, knownFields: readonly string[]): InputIssue[] {
  // Zod also checks the length of an object with a field `length` where a text is expected.
  const wrongType = new Set(
    issuesIn(error)
      .filter(({ code }) => code === "invalid_type")
      .map(({ path }) => formatPath(path)),
  );
  return issuesIn(error)
    .filter(({ code, path }) => code === "invalid_type" || !wrongType.has(formatPath(path)))
    .flatMap((issue) => describe(issue, raw, knownFields));
}

/**
 * Returns a check's issues with those of unions replaced: where a value may be one of several things, what counts is
 * what is wrong with the one that it most likely is.
 */
export function issuesIn({ issues }: Pick<z.ZodError, "issues">): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    // Some unions have a message of their own.
    if (issue.code !== "invalid_union" || issue.message !== UNTOLD) {
      return [issue];
    }
    const [likely] = issue.errors
      .map((branch) => issuesIn({ issues: branch }))
      .filter((branch) => !branch.some(({ code, path }) => code === "invalid_type" && path.length === 0))
      .toSorted((one, other) => one.length - other.length);
    return likely?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
  });
}

function describe(issue: z.core.$ZodIssue, raw: unknown, knownFields: readonly string[]): InputIssue[] {
  const path = formatPath(issue.path);
  const value = valueAt(raw, issue.path);
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = issue.path.length === 0 ? knownFields : [];
      return issue.keys.map((key) => unknownField(formatPath([...issue.path, key]), key, known));
    }
    case "invalid_type":
      return [
        {
          path,
          message:
            value === undefined
              ? `required (${expectedType(issue.expected)}), got nothing`
              : `expected ${expectedType(issue.expected)}, got ${describeValue(value)}`,
        },
      ];
    case "invalid_value":
      return [{ path, message: `must be one of ${issue.values.map(String).join(", ")}; got ${describeValue(value)}` }];
    case "invalid_union": {
      const [types, options] = [expectedTypes(issue), "options" in issue ? issue.options : []];
      const message =
        options.length > 0
          ? `must be one of ${options.map(String).join(", ")}; got ${describeValue(value)}`
          : types.length > 0
            ? `expected ${types.join(" or ")}, got ${describeValue(value)}`
            : issue.message;
      return [{ path, message }];
    }
    case "too_small":
      return [
        {
          path,
          message: `must be ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}${got(value)}`,
        },
      ];
    case "too_big":
      return [
        {
          path,
          message: `must be ${bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}${got(value)}`,
        },
      ];
    default:
      return [{ path, message: issue.message }];
  }
}

/** Returns the types that a union takes, if its value has none of them. */
function expectedTypes({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
  const types = errors
    .flat()
    .flatMap(({ code, ...issue }) =>
      code === "invalid_type" && issue.path.length === 0 && "expected" in issue ? [expectedType(issue.expected)] : [],
    );
  return [...new Set(types)];
}

/** Returns the issue of a field that does not exist. */
function unknownField(path: string, key: string, known: readonly string[]): InputIssue {
  const near = nearestNames(key, known);
  const shown = path.length > 80 ? excerpt(path) : path;
  const suggestion = near.length > 0 ? `; did you mean ${near.map((name) => `"${name}"`).join(" or ")}?` : "";
  return { path: shown, message: `unknown field${suggestion}` };
}

/** Describes a value for a message: its type, and the value itself if it is short. */
export function describeValue(value: unknown): string {
  if (value === undefined) {
    return "nothing";
  }
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return `an array of ${value.length}`;
  }
  switch (typeof value) {
    case "string":
      return `string ${excerpt(value, 40)}`;
    case "number":
    case "boolean":
    case "bigint":
      return `${typeof value} ${value}`;
    case "object":
      return "an object";
    default:
      return `a ${typeof value}`;
  }
}

/** Formats `["edits", 0, "path"]` as `edits[0].path`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    text += typeof step === "number" ? `[${step}]` : text === "" ? String(step) : `.${String(step)}`;
  }
  return text;
}

/** Returns the name of a type in the words of JSON Schema, which models know. */
function expectedType(expected: string): string {
  return expected === "int" ? "integer" : expected === "record" ? "object" : expected;
}

function bound(origin: string, words: string, limit: number | bigint): string {
  const [one, many] = LENGTHS[origin] ?? ["", ""];
  return `${words} ${limit}${Number(limit) === 1 ? one : many}`;
}

/** Units of lengths by the kind of value: singular and plural. */
const LENGTHS: Readonly<Record<string, readonly [string, string]>> = {
  string: [" character long", " characters long"],
  array: [" entry long", " entries long"],
};

function got(value: unknown): string {
  return typeof value === "number" ? `, got ${value}` : "";
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (!isRecord(value) && !Array.isArray(value)) {
      return undefined;
    }
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
