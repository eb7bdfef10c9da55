import type { Question } from "../ports/confirm.js";
import { compareCodeUnits } from "../text/nearest.js";
import { isRecord } from "./jsonSchema.js";

/** A call that a door showed before it runs. */
export interface PreparedCall {
  question: Question;
  /** What the preview showed; the tool does exactly this. */
  plan: unknown;
}

/** Calls shown and never run (the user said no) are forgotten in order; a door shows few at once. */
const MAX_KEPT = 64;

/**
 * Previews between their showing and their running. VS Code gives `prepareInvocation` and `invoke` nothing in
 * common but the input, so a call is found again by session, tool and a hash of its input.
 */
export class PreparedCalls {
  readonly #calls = new Map<string, PreparedCall>();

  /** Keeps a call; one with the same key is replaced, since only the last shown one can be answered. */
  async keep(session: string, tool: string, input: unknown, call: PreparedCall): Promise<void> {
    const key = await callKey(session, tool, input);
    this.#calls.delete(key);
    this.#calls.set(key, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_KEPT && oldest !== undefined) {
      this.#calls.delete(oldest);
    }
  }

  /** Takes a call out: what was shown once runs once. */
  async take(session: string, tool: string, input: unknown): Promise<PreparedCall | undefined> {
    if (this.#calls.size === 0) {
      return undefined;
    }
    const key = await callKey(session, tool, input);
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    return call;
  }
}

async function callKey(session: string, tool: string, input: unknown): Promise<string> {
  const hash = await inputHash(input);
  return JSON.stringify([session, tool, hash]);
}

/**
 * SHA-256 of an input, the same for the same fields in any order, as hexadecimal. An input that is no JSON (nested
 * too deep, a circle) has another one each time, so that it is never taken for one that was shown.
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
