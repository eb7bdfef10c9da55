import type { ChatModel } from "../ports/models.js";

/** What tokens of a model cost, in the user's currency; undefined when they configured no price. */
export function costOf(
  { prices }: ChatModel,
  { input, output }: { input: number; output: number },
): number | undefined {
  return prices && (input * prices.input + output * prices.output) / 1_000_000;
}
