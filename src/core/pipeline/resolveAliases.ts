import type { AliasRule, Aliases } from "../aliases.js";
import { asRecords } from "../aliases.js";
import type { InputIssue } from "../contract.js";
import { isRecord } from "../jsonSchema.js";

/** A caller's fields, under the tool's names. */
export interface Resolved {
  fields: Record<string, unknown>;
  issues: InputIssue[];
  notes: string[];
}

/** Turns other systems' fields into the tool's: first the names, then those of list entries, then the rules. */
export function resolveAliases(aliases: Aliases, raw: Record<string, unknown>): Resolved {
  const { fields, issues } = renamed(raw, "", (key) => nameOf(aliases, key));
  const notes: string[] = [];
  for (const [list, names] of nestedNames(aliases)) {
    renameEntries(list, names, { fields, issues, notes });
  }
  for (const key of Object.keys(fields)) {
    const rule = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    // An earlier rule may have taken the field.
    if (typeof rule === "object" && Object.hasOwn(fields, key)) {
      follow(rule, key, { fields, issues, notes });
    }
  }
  return { fields, issues, notes };
}

function nameOf(aliases: Aliases, key: string): string {
  const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
  return typeof alias === "string" ? alias : key;
}

/** Returns the names of entries' fields, for each list that has some. */
function nestedNames(aliases: Aliases): Map<string, Map<string, string>> {
  const lists = new Map<string, Map<string, string>>();
  for (const [key, field] of Object.entries(aliases)) {
    const at = key.indexOf("[].");
    if (at > 0) {
      const list = key.slice(0, at);
      const names = lists.get(list) ?? new Map<string, string>();
      // An entry's field that is ignored has no name of ours.
      lists.set(list, names.set(key.slice(at + 3), typeof field === "string" ? field : ""));
    }
  }
  return lists;
}

function renameEntries(list: string, names: ReadonlyMap<string, string>, { fields, issues, notes }: Resolved): void {
  const entries = Object.hasOwn(fields, list) ? asRecords(fields[list], notes) : undefined;
  if (entries !== undefined) {
    fields[list] = entries.map((entry, index) => {
      if (!isRecord(entry)) {
        return entry;
      }
      const result = renamed(entry, `${list}[${index}].`, (key) => names.get(key) ?? key);
      issues.push(...result.issues);
      return result.fields;
    });
  }
}

/** @param nameOf returns our name for a key; empty for one to leave out */
function renamed(
  raw: Record<string, unknown>,
  at: string,
  nameOf: (key: string) => string,
): { fields: Record<string, unknown>; issues: InputIssue[] } {
  const fields: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  const given = new Map<string, string>();
  for (const [key, value] of Object.entries(raw)) {
    const name = nameOf(key);
    // As in JSON, an undefined field does not exist.
    if (value === undefined || name === "") {
      continue;
    }
    const earlier = given.get(name);
    if (earlier !== undefined && !sameValue(fields[name], value)) {
      issues.push(givenTwice(`${at}${name}`, earlier, key));
      continue;
    }
    given.set(name, key);
    setField(fields, name, value);
  }
  return { fields, issues };
}

function follow(
  { read, refuses, replaces = false }: AliasRule,
  key: string,
  { fields, issues, notes }: Resolved,
): void {
  const meaning = read(fields[key], fields);
  if (meaning === undefined) {
    const message = refuses?.(fields[key]);
    if (message !== undefined) {
      issues.push({ path: key, message, isAdvice: true });
    }
    return;
  }
  for (const used of [key, ...(meaning.uses ?? [])].filter((name) => !Object.hasOwn(meaning.fields, name))) {
    delete fields[used];
  }
  for (const [name, value] of Object.entries(meaning.fields)) {
    if (name !== key && !replaces && Object.hasOwn(fields, name) && !sameValue(fields[name], value)) {
      issues.push(givenTwice(name, name, key));
    } else {
      setField(fields, name, value);
    }
  }
  if (meaning.note !== undefined) {
    notes.push(meaning.note);
  }
}

function givenTwice(path: string, earlier: string, later: string): InputIssue {
  return { path, message: `given twice, as ${earlier} and ${later}, with different values` };
}

/** Not an assignment: `__proto__` is an ordinary field here, and an unknown one. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function sameValue(a: unknown, b: unknown): boolean {
  try {
    return a === b || JSON.stringify(a) === JSON.stringify(b);
  } catch {
    // Nested too deep, in a list written as a JSON string.
    return false;
  }
}
