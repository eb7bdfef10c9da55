import type { Tool } from "../contract.js";
import type { Question } from "../../ports/confirm.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { isRecord } from "../jsonSchema.js";

/** A call that a door showed before it runs. */
export interface PreparedCall {
  question: Question;
  /** The reasons of the decision, which the question has with remarks of its preview. */
  reasons: readonly string[];
  /** The tool that was asked about: another one may have got its name since. */
  tool: Tool;
  /** The plan that the preview showed; the tool carries out exactly this. */
  plan: unknown;
}

/**
 * Maximum number of kept calls: those shown and never run (the user said no) are dropped oldest first; a door shows few
 * at a time.
 */
const MAX_KEPT = 64;
/**
 * Maximum size of everything kept, in bytes: a plan may hold a file of 20 MB twice. The call shown last is kept
 * whatever its size.
 */
const MAX_BYTES = 128 * 1024 * 1024;
/** Assumed size of an object, number or similar value, in addition to its texts. */
const VALUE_BYTES = 16;

/**
 * Keeps previews from when they are shown until they run. VS Code gives `prepareInvocation` and `invoke` nothing in
 * common except the input, so a call is found again by session, tool and a hash of its input.
 */
export class PreparedCalls {
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #calls = new Map<string, { call: PreparedCall; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Keeps a call; one with the same key is replaced, since only the last shown one can be answered. */
  async keep(session: string, tool: string, input: unknown, call: PreparedCall): Promise<void> {
    const key = await callKey(session, tool, input);
    const bytes = bytesOf([call.question, call.plan]);
    this.#remove(key);
    this.#calls.set(key, { call, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#calls.keys()) {
      if (oldest === key || (this.#calls.size <= MAX_KEPT && this.#bytes <= this.#maxBytes)) {
        return;
      }
      this.#remove(oldest);
    }
  }

  /** Removes and returns a call: a call that was shown once may run once. */
  async take(session: string, tool: string, input: unknown): Promise<PreparedCall | undefined> {
    if (this.#calls.size === 0) {
      return undefined;
    }
    const key = await callKey(session, tool, input);
    return this.#remove(key);
  }

  #remove(key: string): PreparedCall | undefined {
    const kept = this.#calls.get(key);
    this.#calls.delete(key);
    this.#bytes -= kept?.bytes ?? 0;
    return kept?.call;
  }
}

/**
 * Estimates the memory a value takes: its texts, two bytes a code unit, and its bytes; a shared object is counted once.
 */
function bytesOf(value: unknown): number {
  let bytes = 0;
  const seen = new Set<object>();
  const open = [value];
  while (open.length > 0) {
    const item = open.pop();
    bytes += VALUE_BYTES;
    if (typeof item === "string") {
      bytes += item.length * 2;
    } else if (ArrayBuffer.isView(item)) {
      bytes += item.byteLength;
    } else if (typeof item === "object" && item !== null && !seen.has(item)) {
      seen.add(item);
      // Pushed one by one: an array may have more entries than a function call allows arguments.
      for (const inner of item instanceof Map || item instanceof Set ? item.values() : Object.values(item)) {
        open.push(inner);
      }
    }
  }
  return bytes;
}

async function callKey(session: string, tool: string, input: unknown): Promise<string> {
  const hash = await inputHash(input);
  return JSON.stringify([session, tool, hash]);
}

/**
 * Returns the SHA-256 of an input as hexadecimal, the same for the same fields in any order. An input that is not JSON
 * (nested too deep, or circular) has a different hash each time, so that it never matches one that was shown.
 */
export async function inputHash(input: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(input));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortFields) ?? "undefined";
  } catch {
    return crypto.randomUUID();
  }
}

function sortFields(_key: string, item: unknown): unknown {
  return isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => compareCodeUnits(a, b))) : item;
}
