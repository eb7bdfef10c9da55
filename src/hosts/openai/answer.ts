import { isRecord } from "../../core/jsonSchema.js";
import type { ModelEvent } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";
import { ToolCalls } from "./toolCalls.js";

/** An answer assembled from the chunks of a stream. */
export class Answer {
  readonly #calls = new ToolCalls();
  #usage: ModelEvent | undefined;
  #finish: string | undefined;
  #hasChoices = false;
  #firstOdd: string | undefined;

  /**
   * Adds one chunk.
   *
   * @param chunk unchecked
   * @returns its text, and whether the model has begun to answer or to think
   */
  add(chunk: unknown): { text: string; hasBegun: boolean } {
    const { choices, usage } = isRecord(chunk) ? chunk : {};
    this.#readUsage(usage);
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isRecord(choice)) {
      if (!Array.isArray(choices) && usage === undefined) {
        this.#firstOdd ??= excerpt(JSON.stringify(chunk) ?? "", 100);
      }
      return { text: "", hasBegun: false };
    }
    this.#hasChoices = true;
    if (typeof choice["finish_reason"] === "string" && choice["finish_reason"] !== "") {
      this.#finish = choice["finish_reason"];
    }
    // A server that does not stream uses `message`.
    const delta = [choice["delta"], choice["message"]].find(isRecord) ?? {};
    this.#calls.add(delta["tool_calls"]);
    const text = textOf(delta["content"]) + textOf(delta["refusal"]);
    const thought = [delta["reasoning_content"], delta["reasoning"]].some(
      (words) => typeof words === "string" && words !== "",
    );
    return { text, hasBegun: text !== "" || thought || !this.#calls.isEmpty };
  }

  /** The server's text if it was not an answer, shortened; undefined if there was an answer, even an empty one. */
  get instead(): string | undefined {
    return this.#hasChoices ? undefined : (this.#firstOdd ?? "nothing");
  }

  /** Why the model stopped, in the server's words; undefined if the server has not said. */
  get finish(): string | undefined {
    return this.#finish;
  }

  /** Yields the events that are only known once the stream has ended. */
  *rest(): Generator<ModelEvent> {
    yield* this.#calls.events();
    if (this.#finish === "length" || this.#finish === "max_tokens") {
      yield { type: "cut", reason: "length" };
    } else if (this.#finish === "content_filter") {
      yield { type: "cut", reason: "filtered" };
    }
    if (this.#usage !== undefined) {
      yield this.#usage;
    }
  }

  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) {
      return;
    }
    const [input, output] = [usage["prompt_tokens"], usage["completion_tokens"]];
    if (isCount(input) && isCount(output ?? 0)) {
      this.#usage = { type: "usage", input, output: isCount(output) ? output : 0 };
    }
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Returns the text, sent as a string by most servers and as a list of parts by Mistral. */
function textOf(content: unknown): string {
  if (typeof content === "string") {
    return content;
  }
  return Array.isArray(content)
    ? content.map((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("")
    : "";
}
