// Which operations a description has, and which of them an entry means.
import { isRecord } from "../../core/jsonSchema.js";
import { excerpt, shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import { below, type Description, type Node } from "./description.js";
import { matchesGlob } from "./glob.js";
import type { OpenApiProblem } from "./problem.js";

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace", "query"];
/** Names that a wrong one is compared with. */
const MAX_COMPARED = 2_000;
/** Maximum code units of an address's path: no path that a person wrote is longer. */
const MAX_PATH = 2_000;
/** More than any service has: 20 MB of references to one path would be millions. */
const MAX_OPERATIONS = 100_000;
/** Maximum code units of an id or a tag that patterns are compared with. */
const MAX_ID = 300;
const MAX_TAGS = 50;

export interface Operation {
  /** In capitals. */
  method: string;
  /** As a template: `/pets/{id}`. */
  path: string;
  id: string | undefined;
  tags: readonly string[];
  node: Node;
  /** What applies to all operations of its path. */
  pathItem: Node;
  pointer: string;
  /** Where `pathItem` is. */
  pathPointer: string;
}

/** Returns all operations, in the order of the description, and what is wrong with paths that have none. */
export function operationsOf(description: Description): { operations: Operation[]; problems: OpenApiProblem[] } {
  const operations: Operation[] = [];
  const problems: OpenApiProblem[] = [];
  const paths = description.root["paths"];
  for (const [path, raw] of Object.entries(isRecord(paths) ? paths : {})) {
    if (path.startsWith("x-")) {
      continue;
    }
    if (operations.length >= MAX_OPERATIONS) {
      problems.unshift({ message: `There are more than ${MAX_OPERATIONS} operations. The others are not read.` });
      break;
    }
    const pointer = below("#", "paths", path);
    const item = description.follow(raw, pointer);
    if (typeof item === "string" || !path.startsWith("/") || path.length > MAX_PATH) {
      const why = typeof item === "string" ? item : `A path begins with / and has at most ${MAX_PATH} characters.`;
      problems.push({ message: why, pointer: shorten(pointer, MAX_ID) });
      continue;
    }
    for (const method of METHODS) {
      const node = Object.hasOwn(item.node, method) ? item.node[method] : undefined;
      if (!isRecord(node)) {
        continue;
      }
      const { operationId, tags } = node;
      operations.push({
        method: method.toUpperCase(),
        path,
        id: isName(operationId) ? operationId : undefined,
        tags: Array.isArray(tags) ? tags.slice(0, MAX_TAGS).filter(isName) : [],
        node,
        pathItem: item.node,
        pointer: below(item.pointer, method),
        pathPointer: item.pointer,
      });
    }
  }
  return { operations, problems };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_ID && value.trim() !== "";
}

/** Returns the operations that patterns choose, and a problem for each pattern that chooses none. */
export function chooseOperations(
  operations: readonly Operation[],
  patterns: readonly string[] | undefined,
): { chosen: Operation[]; problems: OpenApiProblem[] } {
  if (patterns === undefined) {
    return { chosen: [...operations], problems: [] };
  }
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const excluded = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const unused = new Set([...wanted, ...excluded]);
  const isMeant = (operation: Operation, list: readonly string[]): boolean =>
    // Every pattern is tried, so that no matching one counts as unused.
    list.filter((pattern) => matches(operation, pattern) && (unused.delete(pattern), true)).length > 0;
  const chosen = operations.filter((operation) => {
    const isExcluded = isMeant(operation, excluded);
    return (wanted.length === 0 || isMeant(operation, wanted)) && !isExcluded;
  });
  return { chosen, problems: [...unused].map((pattern) => nothingFor(pattern, operations)) };
}

function matches({ id, tags, method, path }: Operation, pattern: string): boolean {
  if (pattern.startsWith("tag:")) {
    return tags.some((tag) => matchesGlob(tag, pattern.slice(4)));
  }
  // All, also those without an id.
  if (pattern === "*" || (id !== undefined && matchesGlob(id, pattern))) {
    return true;
  }
  const space = pattern.indexOf(" ");
  return space > 0
    ? matchesGlob(method, pattern.slice(0, space).toUpperCase()) && matchesGlob(path, pattern.slice(space + 1))
    : pattern.startsWith("/") && matchesGlob(path, pattern);
}

function nothingFor(pattern: string, operations: readonly Operation[]): OpenApiProblem {
  const isTag = pattern.startsWith("tag:");
  const names = new Set<string>();
  for (const { id, tags, method, path } of operations) {
    (isTag ? tags.map((tag) => `tag:${tag}`) : [id ?? `${method} ${path}`]).forEach((name) => names.add(name));
    if (names.size >= MAX_COMPARED) {
      break;
    }
  }
  const near = nearestNames(pattern, [...names]);
  const suggestion = near.length > 0 ? ` Did you mean ${near.map((name) => excerpt(name)).join(" or ")}?` : "";
  return { message: `operations: ${excerpt(pattern)} matches no operation.${suggestion}` };
}
