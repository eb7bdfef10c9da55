import { parseTree, type Node } from "jsonc-parser";

/**
 * Returns VS Code's settings as a file of tools: what the given settings say stays at its line and column, and all else
 * is blank, so that a problem is found where the user wrote it.
 *
 * @param text of a `settings.json`
 * @param names the settings with the lists of such a file
 * @returns undefined if the text is not an object in JSON with comments, or has none of them, or one of them twice
 */
export function settingsAsTools(text: string, names: { tools: string; openapi: string }): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root?.type !== "object") {
    return undefined;
  }
  const lists = Object.entries(names).map(([list, setting]) => ({ list, ...propertyOf(root, setting) }));
  const found = lists.filter(({ count }) => count > 0).sort((one, other) => one.from - other.from);
  if (found.length === 0 || found.some(({ count }) => count > 1)) {
    return undefined;
  }
  const parts: string[] = [];
  let done = 0;
  found.forEach(({ list, from, value, to }, index) => {
    // In place of the opening brace or of a comma: one of them is before each setting.
    parts.push(blank(text.slice(done, from)).replace(" ", index === 0 ? "{" : ","));
    const key = JSON.stringify(list);
    parts.push(key, blank(text.slice(from + key.length, value)).replace(" ", ":"), text.slice(value, to));
    done = to;
  });
  return `${parts.join("")}}`;
}

interface Property {
  /** How often the object has it. */
  count: number;
  /** Where its key, its value and what is behind it begin; 0 if it has none. */
  from: number;
  value: number;
  to: number;
}

function propertyOf(root: Node, name: string): Property {
  const all = (root.children ?? []).filter(({ children: [key] = [] }) => key?.value === name);
  const [key, value] = all[0]?.children ?? [];
  return key === undefined || value === undefined
    ? { count: 0, from: 0, value: 0, to: 0 }
    : { count: all.length, from: key.offset, value: value.offset, to: value.offset + value.length };
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ");
}
