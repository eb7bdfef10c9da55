import { bareName } from "../names/tools.js";
import { ModelError } from "../features/models/modelError.js";
import type { ModelContent, ModelEvent } from "../ports/models.js";
import type { ModelCall } from "./runCalls.js";

/**
 * Code units of one answer, texts and inputs together: more than models are able to give (128,000 tokens), so what is
 * longer has no end.
 */
const MAX_ANSWER = 1_000_000;
/** Calls of one answer that are run. */
const MAX_CALLS = 128;

/** One answer of a model, put together from its parts as they come. */
export class ModelAnswer {
  readonly content: ModelContent[] = [];
  readonly calls: ModelCall[] = [];
  /** Tokens as the provider counted them. */
  used: { input: number; output: number } | undefined;
  /** Calls that the model made beyond those. */
  left = 0;
  readonly #model: string;
  readonly #takesCalls: boolean;
  readonly #freshId: (id: string) => string;
  #size = 0;

  /**
   * @param model its name, for people
   * @param takesCalls false: it is to answer in words, and what it calls all the same is passed over
   * @param freshId gives a call the id that it has from now on
   */
  constructor(model: string, takesCalls: boolean, freshId: (id: string) => string) {
    this.#model = model;
    this.#takesCalls = takesCalls;
    this.#freshId = freshId;
  }

  /** All its texts. */
  get text(): string {
    return this.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  }

  /** Takes the next part. @throws ModelError when the answer has no end */
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

  /** Forgets what came: the model begins anew. */
  restart(): void {
    this.content.length = 0;
    this.calls.length = 0;
    [this.#size, this.left] = [0, 0];
  }

  /** Calls of an answer that broke off are not made: it may have meant to say more of them. */
  breakOff(): void {
    this.content.splice(0, this.content.length, ...this.content.filter(({ type }) => type === "text"));
  }

  /**
   * What is written down of it; empty when there is nothing to tell. @param ending added in words, where it broke off
   */
  kept(ending: string | undefined): ModelContent[] {
    // Model APIs refuse a text with nothing but blanks.
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
        `${this.#model} gave an answer of more than ${MAX_ANSWER} characters, so it was stopped, and no call of it was run. Send the message again, or choose another model.`,
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
