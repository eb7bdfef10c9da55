import { bareName } from "../names/tools.js";
import { ModelError } from "../features/models/modelError.js";
import type { ModelContent, ModelEvent } from "../ports/models.js";
import type { ModelCall } from "./runCalls.js";

/**
 * Maximum code units of an answer, texts and inputs together: more than models can produce (128,000 tokens), so a longer
 * answer is endless.
 */
const MAX_ANSWER = 1_000_000;
/** Maximum number of calls run per answer. */
const MAX_CALLS = 128;

/** An answer of a model, assembled from its parts as they arrive. */
export class ModelAnswer {
  readonly content: ModelContent[] = [];
  readonly calls: ModelCall[] = [];
  /** Tokens as the provider counted them. */
  used: { input: number; output: number } | undefined;
  /** Number of calls beyond the maximum. */
  left = 0;
  readonly #model: string;
  readonly #takesCalls: boolean;
  readonly #freshId: (id: string) => string;
  #size = 0;

  /**
   * @param model the model's name, for people
   * @param takesCalls if false, the model must answer in words, and its calls are ignored
   * @param freshId assigns a call's final id
   */
  constructor(model: string, takesCalls: boolean, freshId: (id: string) => string) {
    this.#model = model;
    this.#takesCalls = takesCalls;
    this.#freshId = freshId;
  }

  /** All texts of the answer, joined. */
  get text(): string {
    return this.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  }

  /** Adds the next part. @throws ModelError if the answer is endless */
  take(event: Extract<ModelEvent, { type: "text" | "call" | "usage" }>): void {
    switch (event.type) {
      case "text":
        this.#grow(event.text.length);
        addText(this.content, event.text);
        return;
      case "call":
        this.#grow(event.name.length + JSON.stringify(event.input).length);
        if (this.calls.length === MAX_CALLS) {
          this.left += 1;
        } else if (this.#takesCalls) {
          const call = { ...event, id: this.#freshId(event.id), name: bareName(event.name) };
          this.calls.push(call);
          this.content.push({ type: "call", id: call.id, name: call.name, input: call.input });
        }
        return;
      case "usage":
        this.used = event;
        return;
    }
  }

  /** Discards all parts: the model starts again. */
  restart(): void {
    this.content.length = 0;
    this.calls.length = 0;
    [this.#size, this.left] = [0, 0];
  }

  /** Drops the calls of an interrupted answer, because they may be incomplete. */
  breakOff(): void {
    this.content.splice(0, this.content.length, ...this.content.filter(({ type }) => type === "text"));
  }

  /** Returns the parts to log; empty if there are none. @param ending text to add to an interrupted answer */
  kept(ending: string | undefined): ModelContent[] {
    // Model APIs refuse a text with only whitespace.
    const whole = this.content.filter((part) => part.type !== "text" || part.text.trim() !== "");
    if (ending !== undefined && whole.length > 0) {
      addText(whole, `\n\n${ending}`);
    }
    return whole;
  }

  #grow(more: number): void {
    this.#size += more;
    if (this.#size > MAX_ANSWER) {
      throw new ModelError(
        `${this.#model} gave an answer of more than ${MAX_ANSWER} characters, so it was stopped and none of its calls was run. Send the message again, or choose another model.`,
      );
    }
  }
}

function addText(content: ModelContent[], text: string): void {
  const last = content.at(-1);
  if (last?.type === "text") {
    last.text += text;
  } else {
    content.push({ type: "text", text });
  }
}
