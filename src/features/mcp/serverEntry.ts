// The definition of an MCP server in a file: the formats of VS Code (`servers`) and of other agents (`mcpServers`).
import * as z from "zod";
import { once } from "../../core/once.js";
import { fromZodIssues } from "../../core/pipeline/issues.js";
import { isRecord } from "../../core/jsonSchema.js";
import { shorten } from "../../text/clip.js";
import { parseJsonc } from "../../text/jsonc.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { messageOf } from "../../text/words.js";

/** Maximum characters of a file: a thousand times what servers need. */
export const MAX_FILE = 1_000_000;
/** Maximum number of servers of a file. */
const MAX_SERVERS = 50;
/** Parsers recurse. */
const MAX_DEPTH = 64;
/** A name is shown in questions and used in rules, where `*` and brackets mean something else. */
const NAME = /^[\p{L}\p{N}_.@/:-](?:[\p{L}\p{N}_.@/: -]{0,62}[\p{L}\p{N}_.@/:-])?$/u;
/** The name by which models mean VS Code's own tools. */
const RESERVED = /^vscode$/i;
/** The name of Toolhost itself, which other agents start by such files. */
const OWN = /^toolhost$/i;

/** Whose variables a file has: `${env:NAME}` is VS Code's form, `${NAME}` that of other agents. */
export type Dialect = "vscode" | "agents";

const text = once(() => z.string().max(10_000));
const variables = once(() =>
  z.record(z.string().regex(/^[^=\0\s]+$/, "must be a variable's name"), z.union([text(), z.null()])),
);

const stdioEntry = once(() =>
  z.object({
    type: z.literal("stdio").optional(),
    command: text().min(1),
    args: z.array(text()).max(500).optional(),
    env: variables().optional(),
    cwd: text().min(1).optional(),
  }),
);

const httpEntry = once(() =>
  z.object({
    type: z.enum(["http", "streamable-http"]).optional(),
    url: text().min(1),
    headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a header's name"), text()).optional(),
  }),
);

type StdioEntry = z.output<ReturnType<typeof stdioEntry>>;
type HttpEntry = z.output<ReturnType<typeof httpEntry>>;

/** Fields that say nothing about how a server is reached. */
const HARMLESS = ["type", "name", "description", "gallery", "version", "dev", "disabled"];
/** Fields without which a server would not be what its author means, and what to do instead. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  envFile: "Toolhost does not read envFile. Name each variable in env, as ${env:NAME}.",
  headersHelper: "Toolhost runs no headersHelper. Name the headers, with ${env:NAME} for a secret.",
  oauth: "Toolhost does not sign in to servers. Give the header Authorization, with ${env:NAME} for the token.",
  sandboxEnabled: "Toolhost starts no server in a sandbox.",
};

/** A server as a file defines it, variables and all. */
export interface ServerEntry {
  name: string;
  /** The file that defines it, as people write it. */
  file: string;
  dialect: Dialect;
  /** Undefined if the definition cannot be used. */
  start: { kind: "stdio"; entry: StdioEntry } | { kind: "http"; entry: HttpEntry } | undefined;
  /** Why it cannot be used, as sentences. */
  problem?: string;
  /** The fields that have no effect here. */
  ignored: readonly string[];
  /** The definition as it is in the file. */
  definition: Readonly<Record<string, unknown>>;
}

export interface ServerFile {
  servers: ServerEntry[];
  /** The entries that mean Toolhost itself, with the file. */
  own: string[];
  /** What is wrong with the file as a whole, as sentences. */
  problems: string[];
}

/** Reads the servers of a file. One that is wrong does not disable the others. */
export function readServers(content: string, file: string): ServerFile {
  let value: unknown;
  try {
    if (content.length > MAX_FILE) {
      throw new SyntaxError(`is larger than ${MAX_FILE / 1e6} MB`);
    }
    if (isTooDeep(content)) {
      throw new SyntaxError(`is nested deeper than ${MAX_DEPTH} levels`);
    }
    value = parseJsonc(content) ?? {};
  } catch (error) {
    return { servers: [], own: [], problems: [`${file}: ${visibleLine(shorten(messageOf(error), 300))}.`] };
  }
  if (!isRecord(value)) {
    return { servers: [], own: [], problems: [`${file}: must be an object: {"mcpServers": {…}}.`] };
  }
  const problems: string[] = [];
  const servers: ServerEntry[] = [];
  const own: string[] = [];
  for (const [field, dialect] of [
    ["servers", "vscode"],
    ["mcpServers", "agents"],
  ] as const) {
    const entries = value[field];
    if (entries === undefined) {
      continue;
    }
    if (!isRecord(entries)) {
      problems.push(`${file}: ${field} must be an object with a server for each name.`);
      continue;
    }
    for (const [name, definition] of Object.entries(entries)) {
      if (servers.length === MAX_SERVERS) {
        problems.push(`${file}: has more than ${MAX_SERVERS} servers; the rest is ignored.`);
        break;
      }
      if (OWN.test(name)) {
        own.push(`${name} (${file})`);
        continue;
      }
      const wrong = nameProblem(name) ?? (servers.some((other) => other.name === name) ? "is given twice" : undefined);
      if (wrong !== undefined) {
        problems.push(`${file}: the server ${JSON.stringify(shorten(visibleLine(name), 80))} ${wrong}.`);
        continue;
      }
      servers.push({ name, file, dialect, ...readEntry(definition) });
    }
  }
  return { servers, own, problems };
}

function nameProblem(name: string): string | undefined {
  if (RESERVED.test(name)) {
    return "has a name that means VS Code's own tools: choose another";
  }
  return NAME.test(name) && showHidden(name, false).notice === undefined
    ? undefined
    : "is left out: a name has letters, digits, spaces and _ . - / : @, at most 64";
}

function readEntry(given: unknown): Pick<ServerEntry, "start" | "problem" | "ignored" | "definition"> {
  if (!isRecord(given)) {
    return { start: undefined, problem: "Its definition must be an object.", ignored: [], definition: {} };
  }
  const unusable = (problem: string): ReturnType<typeof readEntry> => ({
    ...{ start: undefined, problem, ignored: [], definition: given },
  });
  const { type, disabled } = given;
  if (disabled === true) {
    return unusable("It is disabled.");
  }
  if (type === "sse" || type === "ws" || type === "websocket") {
    return unusable(
      `Toolhost does not speak ${type}: it starts programs, and speaks streamable HTTP ("type": "http").`,
    );
  }
  const unsupported = Object.keys(given).find((key) => Object.hasOwn(UNSUPPORTED, key) && given[key] !== false);
  if (unsupported !== undefined) {
    return unusable(UNSUPPORTED[unsupported] ?? "");
  }
  if ((given["command"] === undefined) === (given["url"] === undefined)) {
    return unusable("Its definition must have either a command or a url.");
  }
  const [kind, format] =
    given["url"] === undefined ? (["stdio", stdioEntry()] as const) : (["http", httpEntry()] as const);
  const parsed = format.safeParse(given);
  if (!parsed.success) {
    const issues = fromZodIssues(parsed.error, given, Object.keys(format.shape));
    return unusable(issues.map(({ path, message }) => visibleLine(shorten(`${path}: ${message}.`, 300))).join(" "));
  }
  const ignored = Object.keys(given).filter((key) => !Object.hasOwn(format.shape, key) && !HARMLESS.includes(key));
  const start = { kind, entry: parsed.data } as NonNullable<ServerEntry["start"]>;
  return { start, ignored: ignored.map((key) => shorten(visibleLine(key), 60)).slice(0, 10), definition: given };
}

/** Whether a text has more open brackets than a parser should follow. Brackets in strings count, too. */
function isTooDeep(content: string): boolean {
  let depth = 0;
  for (const [bracket] of content.matchAll(/[{}[\]]/g)) {
    depth += bracket === "{" || bracket === "[" ? 1 : -1;
    if (depth > MAX_DEPTH) {
      return true;
    }
  }
  return false;
}
