import { shorten } from "../text/clip.js";
import { readJson } from "../text/repairJson.js";
import { isRecord } from "./jsonSchema.js";

/** Maximum characters of paths that an error repeats. */
const MAX_NAMED = 500;

/** What a caller's field means in the tool's own fields. */
export interface Meaning {
  fields: Readonly<Record<string, unknown>>;
  /** The call's other fields that were merged into this one. */
  uses?: readonly string[];
  /** Tells the caller how the field was understood, when they could not know it. */
  note?: string;
}

/** Understands a field by its value. Under the name of one of the tool's own fields, it understands other values of it. */
export interface AliasRule {
  /** For people: continues `from_end (…)`. Undefined if it is not worth mentioning. */
  says?: string;
  /** Whether it may change what other fields of the call say: it has taken them into account. */
  replaces?: boolean;
  /** @returns undefined if it does not understand the value, which is then refused as an unknown field */
  read: (value: unknown, given: Readonly<Record<string, unknown>>) => Meaning | undefined;
  /** Says what to do instead with a value that `read` does not understand; undefined if the schema says enough. */
  refuses?: (value: unknown) => string | undefined;
}

/** What another system's field is here: one of the tool's own fields by another name, or a rule. */
type Alias = string | AliasRule;

/**
 * Other systems' names for a tool's fields. `edits[].old_string` is a field of the entries of `edits`, whose alias is a
 * name only.
 */
export type Aliases = Readonly<Record<string, Alias>>;

/** A field that says nothing to the tool, whatever its value. */
export const ignored: AliasRule = { read: () => ({ fields: {} }) };

/** A list of one or none, under another name. @param several says what to do with more */
export function onlyOf(field: string, several: string): AliasRule {
  return {
    says: `a list of one \`${field}\``,
    read: (value) => {
      if (!Array.isArray(value)) {
        return undefined;
      }
      const [only, ...more] = value as unknown[];
      return value.length === 0
        ? { fields: {} }
        : typeof only === "string" && more.length === 0
          ? { fields: { [field]: only } }
          : undefined;
    },
    refuses: (value) => (Array.isArray(value) && value.length > 1 ? several : undefined),
  };
}

/** A field whose value asks for what the tool does anyway. Any other value is not understood. */
export function ignoredIf(...values: readonly unknown[]): AliasRule {
  return { read: (value) => (values.includes(value) ? { fields: {} } : undefined) };
}

/** A list of paths, for a tool that takes one of them a call. */
export const onePath: AliasRule = {
  says: "a list of one",
  read: (value) => {
    const [only, ...more] = pathsIn(value) ?? [];
    return only === undefined || more.length > 0 ? undefined : { fields: { path: only } };
  },
  refuses: (value) => {
    const paths = pathsIn(value) ?? [];
    return paths.length > 1
      ? `takes one path per call. Make ${paths.length} calls in one answer, with ${shorten(paths.map((path) => `path=${path}`).join(", "), MAX_NAMED)}`
      : undefined;
  },
};

/** Returns the paths of a list, also of one of objects, or written as a JSON string. */
function pathsIn(value: unknown): string[] | undefined {
  const isList = Array.isArray(value) || (typeof value === "string" && /^\s*\[\s*["{]/.test(value));
  const entries = isList ? asRecords(value)?.map((entry) => (isRecord(entry) ? entry["path"] : entry)) : undefined;
  return entries?.every((entry) => typeof entry === "string") === true ? entries : undefined;
}

/** A field that the tool cannot follow, and does not need to; the result says so. */
export function withoutEffect(name: string): AliasRule {
  return { read: () => ({ fields: {}, note: `${name} has no effect here.` }) };
}

/** One of the tool's own numbers, where more than it takes means as many as it takes. */
export function atMost(field: string, most: number): AliasRule {
  return {
    read: (value) => {
      const number = asInteger(value);
      return number === undefined || number <= most
        ? undefined
        : { fields: { [field]: most }, note: `${field}=${number} was lowered to the maximum of ${most}.` };
    },
  };
}

/** The opposite of one of the tool's switches. */
export function opposite(field: string): AliasRule {
  return {
    says: `the opposite of \`${field}\``,
    read: (value) => {
      const flag = asBoolean(value);
      return flag === undefined ? undefined : { fields: { [field]: !flag } };
    },
  };
}

/** A choice or switch whose values have other names here; `values` maps theirs to what they mean. */
export function choice(values: Readonly<Record<string, Readonly<Record<string, unknown>>>>): AliasRule {
  const meant = Object.entries(values).map(
    ([theirs, fields]) =>
      `${theirs} for ${
        Object.entries(fields)
          .map(([field, value]) => `\`${field}=${String(value)}\``)
          .join(", ") || "the default"
      }`,
  );
  return {
    says: meant.join("; "),
    read: (value) => {
      const key = typeof value === "boolean" ? String(value) : value;
      const fields = typeof key === "string" && Object.hasOwn(values, key) ? values[key] : undefined;
      return fields === undefined ? undefined : { fields };
    },
  };
}

/** Returns a whole number, also one written as a string; undefined for anything else. */
export function asInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function asBoolean(value: unknown): boolean | undefined {
  return value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;
}

/**
 * Returns a list, also one written as a JSON string, or a single entry without its list; undefined for anything else.
 *
 * @param notes gets what was repaired in the JSON string
 */
export function asRecords(value: unknown, notes: string[] = []): unknown[] | undefined {
  const parsed = typeof value === "string" ? parsedList(value, notes) : value;
  return Array.isArray(parsed)
    ? (parsed as unknown[])
    : typeof parsed === "object" && parsed !== null
      ? [parsed]
      : undefined;
}

function parsedList(text: string, notes: string[]): unknown {
  try {
    const { value, note } = readJson(text);
    notes.push(...(note === undefined ? [] : [note]));
    return value;
  } catch {
    return undefined;
  }
}
