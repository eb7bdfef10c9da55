import type { MemoryLimits } from "../../ports/memory.js";
import { ToolError } from "../../core/errors.js";

/** Default limits: a memory that a model can still survey, and a value that fits into its context. */
export const MEMORY_LIMITS: MemoryLimits = { keys: 1_000, valueBytes: 64_000, totalBytes: 10_000_000, days: 0 };

/** Maximum bytes of a value, whatever the user allows: it is read whole into a model's context. */
export const MAX_VALUE_BYTES = 1_000_000;
/** A century: more days would exceed what a date can represent, and need no limit. */
const MAX_DAYS = 36_500;

/** The memory's current size and the size of the note to add. Bytes of values and files are in UTF-8. */
export interface MemoryNeed {
  key: string;
  valueBytes: number;
  fileBytes: number;
  /** The other notes, without the one being written. */
  otherKeys: number;
  otherBytes: number;
  isNew: boolean;
}

/**
 * Rejects a note for which there is no room. An existing note may be rewritten even if there are too many.
 *
 * @throws ToolError `too_large`, with the limit
 */
export function checkRoom({ keys, valueBytes, totalBytes }: MemoryLimits, need: MemoryNeed): void {
  const refuse = (what: string, hint: string): never => {
    throw new ToolError("too_large", `memory key "${need.key}": ${what}. Nothing was stored.`, hint);
  };
  const makeRoom =
    "Delete what is no longer needed with memory_delete (expired=true deletes what has expired), or put several notes under one key.";
  const mostBytes = valueBytes > 0 ? Math.min(valueBytes, MAX_VALUE_BYTES) : MAX_VALUE_BYTES;
  if (need.valueBytes > mostBytes) {
    refuse(
      `the value has ${need.valueBytes} bytes; at most ${mostBytes}`,
      "Note what matters of it, or split it over several keys. A workspace file can hold more.",
    );
  }
  if (keys > 0 && need.isNew && need.otherKeys + 1 > keys) {
    refuse(`memory has ${need.otherKeys} keys; at most ${keys}`, makeRoom);
  }
  if (totalBytes > 0 && need.otherBytes + need.fileBytes > totalBytes) {
    refuse(`memory would take ${need.otherBytes + need.fileBytes} bytes; at most ${totalBytes}`, makeRoom);
  }
}

/** Reads the user's limits; anything but a number of at least 0 counts as not set. */
export function readMemoryLimits(value: unknown): MemoryLimits {
  const set = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const limit = (name: keyof MemoryLimits): number => {
    const given = set[name];
    return typeof given === "number" && Number.isFinite(given) && given >= 0 ? given : MEMORY_LIMITS[name];
  };
  return {
    keys: limit("keys"),
    valueBytes: limit("valueBytes"),
    totalBytes: limit("totalBytes"),
    days: Math.min(limit("days"), MAX_DAYS),
  };
}
