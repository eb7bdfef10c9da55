import type { ModelContent, ModelMessage, ModelRequest, ModelTool } from "../ports/models.js";

/**
 * Average code units per token in English text and code (OpenAI's rule of thumb, "What are tokens and how to count
 * them"). Other scripts need more tokens; the provider's counts correct that (`Estimate`).
 */
const UNITS_PER_TOKEN = 4;
/** Tokens of an image: the cost of a screenshot in large vision models, within a factor of two. */
const IMAGE_TOKENS = 1_500;
/** Tokens around each part of a message: roles, ids, separators. */
const PART_TOKENS = 6;

/** Estimates the tokens of a request. */
export function estimateRequest({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number {
  return (
    messages.reduce((sum, message) => sum + estimateMessage(message), 0) +
    tools.reduce((sum, tool) => sum + estimateTool(tool), 0)
  );
}

export function estimateMessage({ content }: ModelMessage): number {
  return content.reduce((sum, part) => sum + PART_TOKENS + estimateContent(part), 0);
}

export function estimateText(text: string): number {
  return Math.ceil(text.length / UNITS_PER_TOKEN);
}

function estimateContent(part: ModelContent): number {
  switch (part.type) {
    case "text":
      return estimateText(part.text);
    case "media":
      return IMAGE_TOKENS;
    case "call":
      return estimateText(part.name + JSON.stringify(part.input));
    case "result":
      return estimateText(part.text) + IMAGE_TOKENS * (part.media?.length ?? 0);
  }
}

/** Tokens by schema, computed once: tools are sent with every request and never change. */
const toolTokens = new WeakMap<object, number>();

function estimateTool(tool: ModelTool): number {
  const known = toolTokens.get(tool.inputSchema);
  if (known !== undefined) {
    return known;
  }
  const tokens = PART_TOKENS + estimateText(tool.name + tool.description + JSON.stringify(tool.inputSchema));
  toolTokens.set(tool.inputSchema, tokens);
  return tokens;
}

/**
 * Limits of a provider's count relative to the estimate. Beyond them, the provider has counted something else, for
 * example only uncached tokens.
 */
const [LEAST_FACTOR, MOST_FACTOR] = [0.5, 4];

/** Estimates a conversation's tokens and learns from the provider's counts. */
export class Estimate {
  #factor = 1;

  /** @param counted the provider's count for the request with that estimate */
  learn(estimated: number, counted: number): void {
    if (estimated > 0 && counted > 0) {
      this.#factor = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, counted / estimated));
    }
  }

  of(request: Pick<ModelRequest, "messages" | "tools">): number {
    return Math.ceil(estimateRequest(request) * this.#factor);
  }

  ofMessages(messages: readonly ModelMessage[]): number {
    return this.of({ messages, tools: [] });
  }
}
