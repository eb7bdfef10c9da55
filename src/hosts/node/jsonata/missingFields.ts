import { isRecord } from "../../../core/jsonSchema.js";
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
  const missing = new Set<string>();
  const made = new Set<string>();
  collectNames(ast, missing, made);
  // What the expression itself makes, as in `{"day": …}.day`.
  made.forEach((name) => missing.delete(name));
  const present = new Set<string>();
  if (missing.size === 0 || !removePresent(document, missing, present) || missing.size === 0) {
    return undefined;
  }
  const names = [...missing].slice(0, NAMED).map((name) => {
    const [near] = present.size > MOST_NAMES ? [] : nearestNames(name, present, 1);
    return `${JSON.stringify(name)}${near === undefined ? "" : ` (did you mean ${JSON.stringify(near)}?)`}`;
  });
  return `Nothing in the document has the field ${names.join(" or ")}${missing.size > NAMED ? `, or ${missing.size - NAMED} others` : ""}.`;
}

function collectNames(node: unknown, names: Set<string>, made: Set<string>): void {
  if (Array.isArray(node)) {
    node.forEach((item) => collectNames(item, names, made));
  } else if (isRecord(node) && !(node instanceof RegExp)) {
    if (typeof node["value"] === "string" && (node["type"] === "name" || node["type"] === "string")) {
      (node["type"] === "name" ? names : made).add(node["value"]);
    }
    Object.values(node).forEach((value) => collectNames(value, names, made));
  }
}

/**
 * Removes the names that an object of a document has, and collects what the document has until all are found.
 *
 * @returns whether the whole document was looked at
 */
function removePresent(document: unknown, names: Set<string>, present: Set<string>): boolean {
  const stack: unknown[] = [document];
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
