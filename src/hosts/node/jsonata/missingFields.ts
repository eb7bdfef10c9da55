import { isRecord } from "../../../core/jsonSchema.js";
import { excerpt } from "../../../text/clip.js";
import { nearestNames } from "../../../text/nearest.js";

/** Maximum objects and lists of a document that are looked at: those of a document of 50 MB, in half a second. */
const MOST = 2_000_000;
/** Maximum fields that are named. */
const NAMED = 3;
/** Maximum names of a document that are compared with a missing one: of more, most are data. */
const MOST_NAMES = 2_000;

/**
 * Returns a sentence on the fields that an expression asks for and no object of the document has: JSONata takes a
 * misspelled name for one without a value, so that a wrong count or an empty result looks right.
 *
 * @param ast JSONata's own tree of the expression, as it was parsed
 */
export function missingFields(ast: unknown, document: unknown): string | undefined {
  try {
    return missing(ast, document);
  } catch (error) {
    // Nested too deeply for the recursion here: a remark is no reason to fail.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function missing(ast: unknown, document: unknown): string | undefined {
  const makers: Node[] = [];
  collectMakers(ast, makers);
  const names = new Set<string>();
  collectNames(ast, makers, names);
  if (calls(ast, "match")) {
    MATCH_FIELDS.forEach((name) => names.delete(name));
  }
  const present = new Set<string>();
  if (names.size === 0 || !removePresent(document, names, present) || names.size === 0) {
    return undefined;
  }
  const told = [...names].slice(0, NAMED).map((name) => {
    const [near] = present.size > MOST_NAMES ? [] : nearestNames(name, present, 1);
    return `${excerpt(name)}${near === undefined ? "" : ` (did you mean ${excerpt(near)}?)`}`;
  });
  return `Nothing in the document has the field ${told.join(" or ")}${names.size > NAMED ? `, or ${names.size - NAMED} others` : ""}.`;
}

/** The fields of what JSONata's `$match` gives. */
const MATCH_FIELDS = ["match", "index", "groups"];

/** Whether an expression uses a function of JSONata. */
function calls(node: unknown, name: string): boolean {
  return (
    (isRecord(node) && node["type"] === "variable" && node["value"] === name) ||
    childrenOf(node).some((child) => calls(child, name))
  );
}

/** A node of the tree, as far as it is used here. */
type Node = Record<string, unknown>;

function childrenOf(node: unknown): unknown[] {
  return Array.isArray(node) ? node : isRecord(node) && !(node instanceof RegExp) ? Object.values(node) : [];
}

/** Whether a node makes objects: `{"day": …}`, by itself or to group by. */
function isMaker(node: unknown): node is Node {
  return isRecord(node) && Array.isArray(node["lhs"]);
}

function collectMakers(node: unknown, makers: Node[]): void {
  if (isMaker(node)) {
    makers.push(node);
  }
  childrenOf(node).forEach((child) => collectMakers(child, makers));
}

/** Collects the names of fields, without those of objects that the expression itself makes, as in `{"day": …}.day`. */
function collectNames(node: unknown, makers: readonly Node[], names: Set<string>): void {
  if (isRecord(node) && node["type"] === "name" && typeof node["value"] === "string") {
    const name = node["value"];
    if (!makers.some(({ lhs }) => (lhs as Node[][]).some(([key]) => key?.["value"] === name))) {
      names.add(name);
    }
  }
  // A maker's own values do not have its keys: in `{"name": name}` the second is the document's.
  const others = isMaker(node) ? makers.filter((maker) => maker !== node) : makers;
  childrenOf(node).forEach((child) => collectNames(child, others, names));
}

/**
 * Removes the names that an object of a document has, and collects what the document has until all are found.
 *
 * @returns whether the whole document was looked at
 */
function removePresent(document: unknown, names: Set<string>, present: Set<string>): boolean {
  const stack: unknown[] = typeof document === "object" && document !== null ? [document] : [];
  for (let seen = 0; stack.length > 0 && names.size > 0; seen++) {
    if (seen > MOST) {
      return false;
    }
    const value = stack.pop();
    for (const [name, item] of Object.entries(value as object)) {
      if (!Array.isArray(value)) {
        names.delete(name);
        present.add(name);
      }
      if (typeof item === "object" && item !== null) {
        stack.push(item);
      }
    }
  }
  return true;
}
