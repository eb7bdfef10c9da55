import * as z from "zod";
import type { Node } from "jsonc-parser";
import { isRecord } from "../../core/jsonSchema.js";
import { fromZodIssues, issuesIn } from "../../core/pipeline/issues.js";
import { visibleLine } from "../../text/showHidden.js";
import { listed, messageOf } from "../../text/words.js";
import type { Tool } from "../../core/contract.js";
import { bareName } from "../../core/registry.js";
import { openApiEntry, type OpenApiEntry } from "../openapi/entry.js";
import { commandEntry, useEntry, type CommandEntry, type Entry, type UseEntry } from "./entry.js";
import { parseSource, valueOf, type Place, type Problem, type Source } from "./source.js";
import { presetIssues } from "./useTool.js";
import { fillArguments, FREE_ARGUMENTS, parametersIn, usedParameters } from "./template.js";

/** Maximum size of a file of tools, in bytes: a hundred times what a hundred tools need. */
export const MAX_FILE = 1_000_000;
/** Maximum number of entries of each list of a file. */
const MAX_ENTRIES = 200;
/** Keys that mean something else to JavaScript than a name of a field. */
const PROTOTYPE = "__proto__";
const FIELDS = ["$schema", "tools", "openapi"];

/** An entry of a file, and where it is. */
export interface ReadEntry extends Place {
  entry: Entry;
}

/** The tools that there are already. */
export interface OtherTools {
  /** Whether a name belongs to a tool that a file must not replace. */
  reserved: (name: string) => boolean;
  /** Whether another file has a tool of this name, or of a very similar one. None has if absent. */
  taken?: (name: string) => boolean;
  /** Returns a tool of Toolhost, which an entry may use. */
  ours: (name: string) => Tool | undefined;
}

/** A service of a file, and where its entry is. */
export interface ReadService extends Place {
  entry: OpenApiEntry;
}

export interface ReadTools {
  entries: ReadEntry[];
  services: ReadService[];
  problems: Problem[];
}

/**
 * Reads a file of tools. One bad entry does not disable the others; a file that is not JSON has none.
 */
export function readTools(text: string, others: OtherTools): ReadTools {
  if (text.length > MAX_FILE) {
    return failed({ line: 1, column: 1 }, `The file is larger than ${MAX_FILE / 1e6} MB.`);
  }
  const parsed = parseSource(text);
  if (!parsed.ok) {
    return { entries: [], services: [], problems: parsed.problems };
  }
  const { source } = parsed;
  const { root } = source;
  if (root.type !== "object") {
    return failed(source.placeOf(root), 'The file must be an object: {"tools": […]}.');
  }
  const problems: Problem[] = [];
  for (const [key] of propertiesOf(root)) {
    if (!FIELDS.includes(String(key.value))) {
      problems.push({
        ...source.placeOf(key),
        message: `${JSON.stringify(visibleLine(String(key.value)))} is not a field of this file; it has ${listed(FIELDS)}.`,
      });
    }
  }
  const entries: ReadEntry[] = [];
  const names = new Set<string>();
  for (const node of entriesOf(source, "tools", problems)) {
    const read = readEntry<Entry>(source, node, toolFormat, (entry) =>
      "use" in entry ? misuses(entry, others) : contradictions(entry),
    );
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    const { entry } = read;
    const place = source.placeOf(node);
    const nameAt = source.placeOf(source.at(node, ["name"]));
    const whose = names.has(bareName(entry.name))
      ? "another tool of this file has"
      : others.reserved(entry.name)
        ? "Toolhost has a tool with"
        : others.taken?.(entry.name) === true
          ? "your tools for every workspace, or another folder's, have"
          : undefined;
    const taken = whose && `${whose} this name, or ${whose.endsWith("with") ? "with " : ""}a very similar one`;
    if (taken !== undefined) {
      problems.push({ ...nameAt, tool: entry.name, message: `name: ${taken}. Choose another.` });
      continue;
    }
    names.add(bareName(entry.name));
    entries.push({ entry, ...place });
  }
  const services: ReadService[] = [];
  for (const node of entriesOf(source, "openapi", problems)) {
    const read = readEntry(
      source,
      node,
      () => openApiEntry(),
      () => [],
    );
    if (read.ok) {
      services.push({ entry: read.entry, ...source.placeOf(node) });
    } else {
      problems.push(...read.problems.map((problem): Problem => ({ ...problem, list: "openapi" })));
    }
  }
  return { entries, services, problems };
}

/** Returns the entries of a list of the file; what is wrong with the list is added to the problems. */
function entriesOf(source: Source, key: string, problems: Problem[]): Node[] {
  const lists = propertiesOf(source.root).filter(([name]) => name.value === key);
  const list = lists.at(-1)?.[1];
  const isRepeated = lists.length > 1;
  if (list === undefined || isRepeated || list.type !== "array") {
    if (list !== undefined) {
      const message = isRepeated
        ? `"${key}" is given twice. Put all entries into one list.`
        : `"${key}" must be a list of entries.`;
      problems.push({ ...source.placeOf(list), message });
    }
    return [];
  }
  const nodes = list.children ?? [];
  const [more] = nodes.slice(MAX_ENTRIES);
  if (more !== undefined) {
    const message = `"${key}" may have at most ${MAX_ENTRIES} entries; the rest is ignored.`;
    problems.push({ ...source.placeOf(more), message });
  }
  return nodes.slice(0, MAX_ENTRIES);
}

function failed(place: Place, message: string): ReadTools {
  return { entries: [], services: [], problems: [{ ...place, message }] };
}

function propertiesOf(node: Node): [key: Node, value: Node | undefined][] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => (key === undefined ? [] : [[key, value]]));
}

type Format<Read> = z.ZodObject & z.ZodType<Read>;

function toolFormat(value: unknown): Format<Entry> {
  return isRecord(value) && Object.hasOwn(value, "use") ? useEntry() : commandEntry();
}

function readEntry<Read>(
  source: Source,
  node: Node,
  formatOf: (value: unknown) => Format<Read>,
  wrongIn: (entry: Read) => Contradiction[],
): { ok: true; entry: Read } | { ok: false; problems: Problem[] } {
  const problems: Problem[] = [];
  const repeated: Node[] = [];
  const value = valueOf(node, (key) => repeated.push(key));
  const name =
    isRecord(value) && typeof value["name"] === "string" ? visibleLine(value["name"]).slice(0, 60) : undefined;
  const add = (at: Node, message: string): void => {
    problems.push({ ...source.placeOf(at), ...(name === undefined ? {} : { tool: name }), message });
  };
  repeated.forEach((key) => add(key, `${JSON.stringify(visibleLine(String(key.value)))} is given twice.`));
  for (const key of keysBelow(node)) {
    if (key.value === PROTOTYPE) {
      add(key, `${PROTOTYPE} cannot be a name.`);
    }
  }
  if (problems.length > 0) {
    return { ok: false, problems };
  }
  const format = formatOf(value);
  const parsed = format.safeParse(value);
  if (!parsed.success) {
    for (const issue of issuesIn(parsed.error)) {
      const keys = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      const told =
        issue.code === "invalid_key"
          ? [{ path: issue.path.join("."), message: issue.issues[0]?.message ?? issue.message }]
          : fromZodIssues(new z.ZodError([issue]), value, Object.keys(format.shape));
      told.forEach(({ path, message }, index) => {
        const isOfCommands =
          isRecord(value) && Object.hasOwn(value, "use") && Object.hasOwn(commandEntry().shape, path);
        const shown = isOfCommands
          ? `an entry with "use" runs no command; "with" sets the used tool's fields`
          : message;
        add(
          source.at(node, pathOf(keys[index] ?? issue.path)),
          `${visibleLine(path === "" ? "the entry" : path)}: ${visibleLine(shown)}.`,
        );
      });
    }
    return { ok: false, problems };
  }
  for (const { path, message } of wrongIn(parsed.data)) {
    add(source.at(node, path), `${path.join(".")}: ${message}.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, entry: parsed.data };
}

function pathOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((part) => (typeof part === "symbol" ? String(part) : part));
}

function keysBelow(node: Node): Node[] {
  return (node.children ?? []).flatMap((child) =>
    child.type === "property"
      ? (child.children ?? []).flatMap((part, index) => (index === 0 ? [part] : keysBelow(part)))
      : keysBelow(child),
  );
}

interface Contradiction {
  path: (string | number)[];
  message: string;
}

/** Returns what is wrong with an entry for the tool that it uses. */
function misuses(entry: UseEntry, { ours }: OtherTools): Contradiction[] {
  const base = ours(entry.use);
  if (base === undefined) {
    return [{ path: ["use"], message: `Toolhost has no tool ${visibleLine(entry.use)}` }];
  }
  if (base.terminal) {
    return [{ path: ["use"], message: `${entry.use} ends a task, so it cannot have another name` }];
  }
  return presetIssues(entry, base).map(({ path, message }) => {
    const [field = path] = /^[^.[]+/.exec(path) ?? [];
    const isPreset = Object.hasOwn(entry.with ?? {}, field);
    return { path: [isPreset ? "with" : "without", field], message: path === field ? message : `${path}: ${message}` };
  });
}

/** Returns what each field allows, but not all of them together. */
function contradictions({ args = [], parameters, stdin, readOnly, destructive }: CommandEntry): Contradiction[] {
  const found: Contradiction[] = [];
  const properties = parameters?.properties ?? {};
  const isFree = usedParameters(args).includes(FREE_ARGUMENTS) && !Object.hasOwn(properties, FREE_ARGUMENTS);
  for (const [index, argument] of args.entries()) {
    const path = ["args", index];
    const names = parametersIn(argument);
    for (const name of names) {
      if (!Object.hasOwn(properties, name) && !(isFree && name === FREE_ARGUMENTS)) {
        found.push({
          path,
          message: `{${name}} is not a parameter. Add it to parameters, or write {{${name}}} for the text itself`,
        });
      }
    }
    if (isFree && names.includes(FREE_ARGUMENTS) && argument !== `{${FREE_ARGUMENTS}}`) {
      found.push({ path, message: `{${FREE_ARGUMENTS}} must be an argument of its own` });
    }
    const lists = names.filter((name) => properties[name]?.type === "array");
    if (lists.length > 1) {
      found.push({ path, message: `only one parameter of an argument can be a list, and ${lists.join(" and ")} are` });
    }
  }
  const used = usedParameters(args);
  for (const name of Object.keys(properties)) {
    if (!used.includes(name) && stdin === undefined) {
      found.push({
        path: ["parameters", "properties", name],
        message: `no argument uses it. Add {${name}} to args, or set stdin to "json"`,
      });
    }
  }
  for (const [index, name] of (parameters?.required ?? []).entries()) {
    if (!Object.hasOwn(properties, name)) {
      found.push({ path: ["parameters", "required", index], message: `${name} is not among the properties` });
    }
  }
  const presets = Object.entries(properties).filter(([, { default: preset }]) => preset !== undefined);
  for (const [name, { default: preset, enum: chosen }] of presets) {
    try {
      fillArguments({ args, input: { [name]: preset }, isChosen: () => chosen !== undefined });
    } catch (error) {
      found.push({
        path: ["parameters", "properties", name, "default"],
        message: `${messageOf(error)
          .slice(name.length + 2)
          .replace(/ Nothing was run\.$/, "")
          .replace(/\.$/, "")}. Put the argument "--" before it`,
      });
    }
  }
  if (readOnly === true && isFree) {
    found.push({
      path: ["readOnly"],
      message: `a tool with {${FREE_ARGUMENTS}} cannot be read-only: nobody knows what its options do. Give it parameters instead`,
    });
  }
  if (readOnly === true && destructive === true) {
    found.push({ path: ["destructive"], message: "a tool that only reads destroys nothing" });
  }
  return found;
}
