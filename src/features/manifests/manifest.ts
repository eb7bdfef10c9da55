import * as z from "zod";
import { ToolError } from "../../core/errors.js";
import { once } from "../../core/once.js";
import { describeValue, fromZodIssues, tellIssues } from "../../core/pipeline/issues.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { InputIssue } from "../../core/contract.js";
import { excerpt } from "../../text/clip.js";
import { parseJsonc } from "../../text/jsonc.js";
import { validateWorkspaceManifestPath } from "../../text/manifestPath.js";
import { nearestNames } from "../../text/nearest.js";
import { repeatedKeys } from "../../text/repeatedKeys.js";
import { messageOf } from "../../text/words.js";
import { contentBytes, ENCODINGS } from "./content.js";
import { MAX_ENTRIES } from "./limits.js";
import { repositoryProblem } from "./repository.js";

/** Maximum characters of a manifest's text: all its files in base64, and as much again. */
const MAX_MANIFEST = 300_000_000;
/** Maximum variables and globs. */
const MAX_LISTED = 1_000;

const entrySchemas = once(() => {
  const text = z.string().max(4_096);
  return {
    file: z.strictObject({ type: z.literal("file"), content: z.string(), encoding: z.enum(ENCODINGS).optional() }),
    dir: z.strictObject({ type: z.literal("dir") }),
    localFile: z.strictObject({ type: z.literal("localFile"), src: text.min(1) }),
    localDir: z.strictObject({ type: z.literal("localDir"), src: text.min(1) }),
    gitRepo: z.strictObject({
      ...{ type: z.literal("gitRepo"), url: text.min(1), ref: text.optional() },
      shallow: z.boolean().optional(),
    }),
    s3Mount: z.strictObject({ type: z.literal("s3Mount"), bucket: text, prefix: text.optional(), region: text }),
    gcsMount: z.strictObject({ type: z.literal("gcsMount"), bucket: text, prefix: text.optional() }),
    r2Mount: z.strictObject({ type: z.literal("r2Mount"), bucket: text, accountId: text, prefix: text.optional() }),
    azureBlobMount: z.strictObject({
      ...{ type: z.literal("azureBlobMount"), container: text, account: text },
      prefix: text.optional(),
    }),
  };
});

type EntrySchemas = ReturnType<typeof entrySchemas>;
type EntryType = keyof EntrySchemas;

const restSchema = once(() => {
  const globs = z.array(z.string().min(1).max(1_000)).max(MAX_LISTED).optional();
  return z.strictObject({
    environment: z.record(z.string(), z.string().max(100_000)).optional(),
    permissions: z.strictObject({ read: globs, write: globs }).optional(),
  });
});

type Rest = z.output<ReturnType<typeof restSchema>>;

/** An entry as it is written, by its type. */
export type Entry = { [Type in EntryType]: z.output<EntrySchemas[Type]> }[EntryType];

/** A checked manifest. */
export interface Manifest extends Rest {
  /** In order, with their paths in the one form that they are reported in. */
  entries: (Entry & { path: string })[];
}

/** Whether an entry is storage that only a provider of sandboxes could mount. */
export function isMount(entry: Entry): boolean {
  return entry.type.endsWith("Mount");
}

/** The result that an entry has which cannot be made. */
export function unsupported({ path, type }: { path: string; type: string }): EntryResult {
  return { path, type, status: "unsupported", message: `${type} requires a provider-specific sandbox adapter.` };
}

/** What became of an entry. */
export interface EntryResult {
  path: string;
  type: string;
  status: "applied" | "planned" | "unsupported";
  message?: string;
}

/**
 * Reads a manifest's text: JSON, in which comments and trailing commas may be.
 *
 * @throws ToolError `invalid_input` that names every problem by its entry
 */
export function parseManifest(json: string): unknown {
  if (json.length > MAX_MANIFEST) {
    throw invalid(`it has ${json.length} characters; at most ${MAX_MANIFEST} are read`);
  }
  let value: unknown;
  try {
    value = parseJsonc(json);
  } catch (error) {
    throw invalid(messageOf(error).replace(/\.$/, ""));
  }
  // Comments may hold quotes and braces, so only a text that is JSON already can be looked through.
  const repeated = isJson(json) ? repeatedKeys(json) : undefined;
  if (repeated !== undefined) {
    const line = json.slice(0, repeated.offset).split("\n").length;
    throw invalid(`${excerpt(repeated.key)} is there twice (line ${line}), and only the last would count`);
  }
  return value;
}

/**
 * Checks a manifest.
 *
 * @param isOwnMachine whether it is applied on this machine, by this machine's Git
 * @throws ToolError `invalid_input` that names every problem by its entry
 */
export function readManifest(value: unknown, isOwnMachine: boolean): Manifest {
  if (!isRecord(value) || !isRecord(value["entries"])) {
    throw invalid(
      isRecord(value)
        ? `entries: expected an object with a path and an entry each, got ${describeValue(value["entries"])}`
        : `expected an object {entries, environment, permissions}, got ${describeValue(value)}`,
    );
  }
  const { entries: given, ...rest } = value;
  const all = Object.entries(given);
  if (all.length > MAX_ENTRIES) {
    throw new ToolError(
      "too_large",
      `workspace manifest: it has ${all.length} entries; at most ${MAX_ENTRIES} are applied. Nothing was done.`,
      "Split it, or put files into a folder and name that as localDir.",
    );
  }
  const issues: InputIssue[] = [];
  const schema = restSchema();
  const read = schema.safeParse(rest);
  issues.push(...(read.success ? namesOf(read.data) : fromZodIssues(read.error, rest, Object.keys(schema.shape))));
  const entries = all.flatMap(([path, entry]) => readEntry(path, entry, isOwnMachine, issues));
  issues.push(...collisions(entries));
  if (!read.success || issues.length > 0) {
    throw invalid(tellIssues(issues));
  }
  return { ...read.data, entries };
}

function readEntry(key: string, value: unknown, isOwnMachine: boolean, issues: InputIssue[]): Manifest["entries"] {
  const tell = (message: string): void => void issues.push({ path: `entries[${excerpt(key)}]`, message });
  let path = key;
  try {
    path = validateWorkspaceManifestPath(key);
  } catch (error) {
    tell(messageOf(error));
  }
  const type = isRecord(value) ? value["type"] : undefined;
  const types = Object.keys(entrySchemas()) as EntryType[];
  const known = types.find((each) => each === type);
  if (known === undefined) {
    const [near] = typeof type === "string" ? nearestNames(type, types, 1) : [];
    tell(
      isRecord(value)
        ? `type: must be one of ${types.join(", ")}; got ${describeValue(type)}${near === undefined ? "" : ` (did you mean ${near}?)`}`
        : `expected an entry {type, …}, got ${describeValue(value)}`,
    );
    return [];
  }
  const schema = entrySchemas()[known];
  const read = schema.safeParse(value);
  if (!read.success) {
    for (const issue of fromZodIssues(read.error, value, Object.keys(schema.shape))) {
      tell(issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`);
    }
    return [];
  }
  const entry: Entry = read.data;
  const problem = entryProblem(entry, isOwnMachine);
  if (problem !== undefined) {
    tell(problem);
  }
  return [{ ...entry, path }];
}

function entryProblem(entry: Entry, isOwnMachine: boolean): string | undefined {
  switch (entry.type) {
    case "file":
      try {
        contentBytes(entry);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    case "gitRepo":
      return repositoryProblem(entry, isOwnMachine);
    case "localFile":
    case "localDir":
      return entry.src.includes("\0") ? "src: must not contain NUL bytes" : undefined;
    default:
      return undefined;
  }
}

/** Finds entries that would take each other's place. */
function collisions(entries: Manifest["entries"]): InputIssue[] {
  const byPath = new Map<string, EntryType>();
  const issues: InputIssue[] = [];
  for (const { path, type } of entries) {
    if (byPath.has(path)) {
      issues.push({ path: `entries[${excerpt(path)}]`, message: "is there twice, in two spellings" });
    }
    byPath.set(path, type);
  }
  for (const { path } of entries) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = byPath.get(path.slice(0, end));
      if (above === "file" || above === "localFile") {
        issues.push({
          path: `entries[${excerpt(path)}]`,
          message: `cannot be below ${excerpt(path.slice(0, end))}, which is a file`,
        });
      }
    }
  }
  return issues;
}

/** Checks the names of variables, and the globs. */
function namesOf({ environment = {}, permissions = {} }: Rest): InputIssue[] {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    !/^[A-Za-z_]\w*$/.test(name)
      ? [{ path: `environment[${excerpt(name)}]`, message: "a variable's name has letters, digits and _" }]
      : value.includes("\0")
        ? [{ path: `environment[${excerpt(name)}]`, message: "must not contain NUL bytes" }]
        : [],
  );
  const globs = (["read", "write"] as const).flatMap((access) =>
    (permissions[access] ?? []).flatMap((glob, index) =>
      /^(?:[/\\~]|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/.test(glob)
        ? [
            {
              path: `permissions.${access}[${index}]`,
              message: `must be a glob in the workspace, got ${excerpt(glob)}: a manifest cannot allow anything else`,
            },
          ]
        : [],
    ),
  );
  return [...variables, ...globs];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function invalid(problem: string): ToolError {
  return new ToolError(
    "invalid_input",
    `workspace manifest: ${problem}. Nothing was done.`,
    "docs/manifests.md has the form.",
  );
}
