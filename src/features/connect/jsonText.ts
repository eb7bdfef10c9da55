import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { isDeepEqual } from "./deepEqual.js";
import { Unchangeable, type Entry } from "./unchangeable.js";
import { keptEntry, mergedEntry, newFields, withEntry } from "./merge.js";

/**
 * Writes or removes an entry of a JSON text, which may have comments and trailing commas.
 *
 * @throws Unchangeable
 */
export function changeJson(text: string, keys: readonly [string, string], entry: Entry): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const root = parse(source);
  const [section] = keys;
  for (const path of [[], [section]]) {
    const node = findNodeAtLocation(root, path);
    if (node !== undefined && node.type !== "object") {
      const what = path.length === 0 ? "The file" : `"${section}"`;
      throw new Unchangeable(`${what} is not a JSON object, so it can have no servers.`, lineOf(source, node.offset));
    }
    checkUnique(source, node, keys[path.length] ?? "");
  }
  const before = getNodeValue(root) as Record<string, unknown>;
  const there = findNodeAtLocation(root, [...keys]);
  const kept = there === undefined ? undefined : keptEntry(getNodeValue(there));
  const form = formOf(source);
  let result = source;
  if (entry === undefined) {
    result = there === undefined ? source : withoutProperty(source, there, keys);
  } else if (kept === undefined) {
    result = there === undefined ? added(source, root, keys, entry, form) : replaced(source, there, entry, 2, form);
  } else {
    for (const [field, value] of Object.entries(newFields(entry, kept))) {
      const now = parse(result);
      const node = findNodeAtLocation(now, [...keys, field]);
      result =
        node === undefined
          ? withProperty(result, findNodeAtLocation(now, [...keys]) ?? now, field, value, 3, form)
          : replaced(result, node, value, 3, form);
    }
  }
  if (!isDeepEqual(getNodeValue(parse(result)), withEntry(before, keys, mergedEntry(entry, kept)))) {
    throw new Unchangeable("The entry could not be changed without changing something else.");
  }
  return result;
}

/** @throws Unchangeable with the line of the first mistake */
function parse(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new Unchangeable("The file is nested too deep.");
  }
  const [first] = errors;
  if (root === undefined || first !== undefined) {
    const why = first === undefined ? "no value" : printParseErrorCode(first.error);
    throw new Unchangeable(`The file is not valid JSON (${why}).`, lineOf(text, first?.offset ?? 0));
  }
  return root;
}

/** An agent takes the last of two alike keys, and an edit changes the first. */
function checkUnique(text: string, node: Node | undefined, key: string): void {
  const same = (node?.children ?? []).filter(({ children: [name] = [] }) => name?.value === key);
  const [, second] = same;
  if (second !== undefined) {
    throw new Unchangeable(`"${key}" is there twice.`, lineOf(text, second.offset));
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** How a text is written. */
interface Form {
  indent: string;
  eol: string;
}

function formOf(text: string): Form {
  return { indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Returns a value as text whose first line is at a depth. */
function printed(value: unknown, depth: number, { indent, eol }: Form): string {
  return JSON.stringify(value, undefined, indent).replaceAll("\n", eol + indent.repeat(depth));
}

function added(text: string, root: Node, [section, name]: readonly [string, string], entry: Entry, form: Form): string {
  const servers = findNodeAtLocation(root, [section]);
  return servers === undefined
    ? withProperty(text, root, section, { [name]: entry }, 1, form)
    : withProperty(text, servers, name, entry, 2, form);
}

function replaced(text: string, { offset, length }: Node, value: unknown, depth: number, form: Form): string {
  const isOnOneLine = !text.slice(offset, offset + length).includes("\n");
  const now = isOnOneLine && depth > 2 ? JSON.stringify(value) : printed(value, depth, form);
  return text.slice(0, offset) + now + text.slice(offset + length);
}

/**
 * Adds a property after the others of an object. jsonc-parser can do that, too, but reformats what is next to it.
 *
 * @param depth of the property
 */
function withProperty(text: string, object: Node, key: string, value: unknown, depth: number, form: Form): string {
  const property = `${form.eol}${form.indent.repeat(depth)}${JSON.stringify(key)}: ${printed(value, depth, form)}`;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const inner = text.slice(object.offset + 1, object.offset + object.length - 1);
    const end = inner.includes("\n") ? inner : form.eol + form.indent.repeat(depth - 1);
    return text.slice(0, object.offset + 1) + property + end + text.slice(object.offset + object.length - 1);
  }
  const at = last.offset + last.length;
  const rest = text.slice(at);
  // A comma and a comment behind the last property stay there.
  const [line, comma = "", comment = ""] = /^(,?)([ \t]*(?:\/\/[^\r\n]*)?)(?=\r?\n)/.exec(rest) ?? [""];
  return `${text.slice(0, at)},${comment}${property}${comma}${rest.slice(line.length)}`;
}

function withoutProperty(text: string, { parent }: Node, keys: readonly [string, string]): string {
  const object = parent?.parent;
  const result = applyEdits(text, modify(text, [...keys], undefined, {}));
  if (object?.children?.length !== 1) {
    return result;
  }
  const end = object.offset + object.length - (text.length - result.length);
  const inner = result.slice(object.offset + 1, end - 1);
  return inner.trim() === "" ? `${result.slice(0, object.offset)}{}${result.slice(end)}` : result;
}
