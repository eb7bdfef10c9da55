import { isRecord } from "../../core/jsonSchema.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ModelEvent } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";
import { readJson } from "../../text/repairJson.js";

type CallEvent = Extract<ModelEvent, { type: "call" }>;

/**
 * Maximum calls, and characters of their names and inputs, in one answer: a server that sends more is malfunctioning.
 */
const [MAX_CALLS, MAX_CHARACTERS] = [1_000, 4_000_000];
/** Characters shown around the position where an input stops being JSON. */
const AROUND = 40;

interface OpenCall {
  index: number | undefined;
  id: string;
  name: string;
  /** The input's JSON so far. */
  text: string;
  /** The input, from a server that sends an object. */
  object: Record<string, unknown> | undefined;
}

/**
 * Assembles tool calls from the fragments of a stream.
 *
 * A fragment belongs to the call with its index. Servers differ: some send no index, some the same index for all calls
 * (Ollama did), some no ids, some whole calls, and some the input as an object. So a fragment with another id, or with
 * a name when the call already has a complete input, starts a new call.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  /** The latest call for each index. */
  readonly #byIndex = new Map<number, OpenCall>();
  #characters = 0;

  /** @param fragments `delta.tool_calls`, unchecked. @throws ModelError if they do not end */
  add(fragments: unknown): void {
    for (const fragment of Array.isArray(fragments) ? (fragments as unknown[]) : []) {
      if (isRecord(fragment)) {
        this.#addOne(fragment);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Returns the calls in order. Each has a unique id, and a `problem` if the input is not a JSON object. */
  events(): CallEvent[] {
    const used = new Set<string>();
    return this.#calls.map(({ id, name, text, object }) => {
      const own = id === "" || used.has(id) ? `call_${crypto.randomUUID()}` : id;
      used.add(own);
      const { input, problem, note } = object === undefined ? readInput(text) : { input: object };
      return {
        ...{ type: "call", id: own, name, input },
        ...(problem === undefined ? {} : { problem }),
        ...(note === undefined ? {} : { note }),
      };
    });
  }

  #addOne(fragment: Record<string, unknown>): void {
    const told = isRecord(fragment["function"]) ? fragment["function"] : fragment;
    const index = typeof fragment["index"] === "number" ? fragment["index"] : undefined;
    const id = typeof fragment["id"] === "string" ? fragment["id"] : "";
    const name = typeof told["name"] === "string" ? told["name"] : "";
    const input = told["arguments"] ?? told["input"];
    const before = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    const call = before === undefined || isAnother(before, index, id, name) ? this.#open(index) : before;
    call.id ||= id;
    this.#characters += name.length + (typeof input === "string" ? input.length : 0);
    if (this.#calls.length > MAX_CALLS || this.#characters > MAX_CHARACTERS) {
      throw new ModelError("The model's tool calls do not end. Send the message again, or choose another model.");
    }
    // Some servers send a name in pieces, others the whole name with each piece.
    call.name += name === call.name ? "" : name;
    if (typeof input === "string") {
      call.text += input;
    } else if (isRecord(input)) {
      call.object = input;
    }
  }

  #open(index: number | undefined): OpenCall {
    const call: OpenCall = { index, id: "", name: "", text: "", object: undefined };
    this.#calls.push(call);
    if (index !== undefined) {
      this.#byIndex.set(index, call);
    }
    return call;
  }
}

/**
 * Whether a fragment with this id and name starts a new call, although its index says, or may say, that it belongs to
 * `before`.
 */
function isAnother(before: OpenCall, index: number | undefined, id: string, name: string): boolean {
  if (id !== "" && before.id !== "") {
    return id !== before.id;
  }
  return name !== "" && before.name !== "" && (index === undefined || isWhole(before));
}

/** Whether a call's input is complete. */
function isWhole({ text, object }: OpenCall): boolean {
  return object !== undefined || (text !== "" && readInput(text).problem === undefined);
}

interface ReadInput {
  input: object;
  /** What is wrong with the text, for the model; `input` is then empty. */
  problem?: string;
  /** What was repaired in it, for the model. */
  note?: string;
}

/** Parses a call's input. An empty text is an input without fields. */
function readInput(text: string): ReadInput {
  if (text.trim() === "") {
    return { input: {} };
  }
  try {
    const { value, note } = readJson(text);
    // Some models write the object as a string within the JSON.
    const inner = typeof value === "string" ? readJson(value) : { value };
    return isRecord(inner.value)
      ? { input: inner.value, ...((inner.note ?? note) === undefined ? {} : { note: inner.note ?? note }) }
      : { input: {}, problem: `The input must be a JSON object, but is ${describe(inner.value)}.` };
  } catch (error) {
    const problem = `The input is not JSON: ${error instanceof Error ? jsonProblem(error.message, text) : ""}.`;
    return { input: {}, problem };
  }
}

/** Describes the parser's error and its position. Node's own message may repeat the text, at any length. */
function jsonProblem(message: string, text: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) {
    return /end of JSON/.test(message)
      ? `it ends too early, after ${excerpt(text.slice(-AROUND), 2 * AROUND)}`
      : `it is ${excerpt(text, 2 * AROUND)}`;
  }
  const at = Number(position);
  if (at >= text.length) {
    return `it ends too early, after ${excerpt(text.slice(-AROUND), 2 * AROUND)}`;
  }
  const what = message.replace(/ in JSON at position.*$/s, "").replace(/, "?\.{0,3}.*is not valid JSON$/s, "");
  return `${what} at character ${at}, near ${excerpt(text.slice(Math.max(0, at - AROUND), at + AROUND), 2 * AROUND)}`;
}

function describe(value: unknown): string {
  return Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
}
