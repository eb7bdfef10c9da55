import { isRecord } from "../../core/jsonSchema.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ModelEvent } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";

type CallEvent = Extract<ModelEvent, { type: "call" }>;

/**
 * Calls, and characters of their names and inputs, that one answer may have: a server that sends more has lost its way.
 */
const [MAX_CALLS, MAX_CHARACTERS] = [1_000, 4_000_000];
/** Characters shown around the place where an input stops being JSON. */
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
 * Puts tool calls together from the fragments of a stream.
 *
 * A fragment belongs to the call of its index. Servers differ: some send no index, some the same for all calls (Ollama
 * did), some no ids, some whole calls, some the input as an object. So a fragment with another id, or with a name when
 * the call already has a whole input, begins a new call.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  /** The latest call of each index. */
  readonly #byIndex = new Map<number, OpenCall>();
  #characters = 0;

  /** @param fragments `delta.tool_calls`, unchecked. @throws ModelError when they have no end */
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

  /** The calls in the order they came. Each has an id of its own, and a `problem` where the input is no JSON object. */
  events(): CallEvent[] {
    const used = new Set<string>();
    return this.#calls.map(({ id, name, text, object }) => {
      const own = id === "" || used.has(id) ? `call_${crypto.randomUUID()}` : id;
      used.add(own);
      const input = object ?? readInput(text);
      return typeof input === "string"
        ? { type: "call", id: own, name, input: {}, problem: input }
        : { type: "call", id: own, name, input };
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
    // Some send a name in pieces, some the whole of it with each piece.
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
 * Whether a fragment with this id and name begins a call of its own, though its index says, or may say, that it belongs
 * to `before`.
 */
function isAnother(before: OpenCall, index: number | undefined, id: string, name: string): boolean {
  if (id !== "" && before.id !== "") {
    return id !== before.id;
  }
  return name !== "" && before.name !== "" && (index === undefined || isWhole(before));
}

/** Whether a call has all of its input. */
function isWhole({ text, object }: OpenCall): boolean {
  return object !== undefined || (text !== "" && typeof readInput(text) !== "string");
}

/** The input of a call, or what is wrong with it, for the model. No text at all is an input without fields. */
function readInput(text: string): object | string {
  if (text.trim() === "") {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    // Some models write the object as a text within the JSON.
    const input = typeof value === "string" ? (JSON.parse(value) as unknown) : value;
    return isRecord(input) ? input : `The input has to be a JSON object, and is ${describe(input)}.`;
  } catch (error) {
    return `The input is no JSON: ${error instanceof Error ? jsonProblem(error.message, text) : ""}.`;
  }
}

/** What the parser says, in words, and where. Node's own message repeats the text at times, at any length. */
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
