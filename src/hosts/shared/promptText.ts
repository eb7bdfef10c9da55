import { isRecord } from "../../core/jsonSchema.js";

/** Deeper than any prompt nests its elements. */
const MAX_DEPTH = 200;
/** Type of a text in an element's JSON (@vscode/prompt-tsx, `JSONTree.TextJSON`). */
const TEXT = 2;

/** Returns the texts of an @vscode/prompt-tsx element in order, as tools may return one. */
export function promptText(element: unknown): string {
  const texts: string[] = [];
  const walk = (node: unknown, depth: number): void => {
    if (!isRecord(node) || depth > MAX_DEPTH) {
      return;
    }
    if (node["type"] === TEXT && typeof node["text"] === "string") {
      texts.push(node["text"]);
    }
    const { children } = node;
    (Array.isArray(children) ? children : []).forEach((child) => walk(child, depth + 1));
  };
  walk(isRecord(element) && isRecord(element["node"]) ? element["node"] : element, 0);
  return texts.join("");
}
