import { isRecord } from "../../core/jsonSchema.js";
import { isDeepEqual } from "./deepEqual.js";
import type { Entry } from "./unchangeable.js";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that a user may have changed: an entry that exists keeps them. */
const USERS_FIELDS = ["tools", "env", "environment"];

/** Fields of a server at an address, each used by some agent: with one of them, a command would be ignored. */
const REMOTE_FIELDS = ["url", "httpUrl", "serverUrl"];

/** Returns the entry to change; undefined for one that is replaced as a whole, since it is of another kind. */
export function keptEntry(there: unknown): Entry {
  const isOurs = isRecord(there) && !REMOTE_FIELDS.some((field) => Object.hasOwn(there, field));
  return isOurs ? there : undefined;
}

/** Returns what an entry that exists gets: it keeps all fields that the new one does not have, but is turned on. */
export function newFields(entry: Fields, kept: Fields): Fields {
  const wanted = {
    ...entry,
    ...(kept["enabled"] === false && { enabled: true }),
    ...(kept["disabled"] === true && { disabled: false }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) =>
        !Object.hasOwn(kept, field) || (!USERS_FIELDS.includes(field) && !isDeepEqual(kept[field], value)),
    ),
  );
}

/** Returns the entry as it will be. */
export function mergedEntry(entry: Entry, kept: Entry): Entry {
  return entry && { ...kept, ...newFields(entry, kept ?? {}) };
}

/** Returns a configuration's value with the entry at two keys replaced, or without it: what a changed text must mean. */
export function withEntry(value: Fields, [section, name]: readonly [string, string], entry: Entry): Fields {
  const there = value[section] as Fields | undefined;
  if (entry === undefined && (there === undefined || !Object.hasOwn(there, name))) {
    return value;
  }
  const { [name]: _, ...others } = there ?? {};
  return { ...value, [section]: { ...others, ...(entry && { [name]: entry }) } };
}
