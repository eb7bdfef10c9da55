import { errorText, type Media, type Outcome } from "../../core/outcome.js";
import { keepHeadAndTail, splitParts } from "../../text/clip.js";

/**
 * Copilot's agent writes any longer text part to a file and shows the model a note instead; several parts of
 * at most this many UTF-16 code units are joined and pass whole (real-vscode.md).
 */
export const MAX_PART = 8_192;

/** The parts of a language model tool's result: texts, then media. */
export interface ResultParts {
  texts: string[];
  media: Media[];
}

/** The token limit of a result, and how the requesting model counts tokens. */
export interface TokenBudget {
  tokens: number;
  count: (text: string) => PromiseLike<number>;
}

/** Maximum attempts to shrink a text to the limit: each costs a round trip to the tokenizer. */
const MAX_FITS = 3;
/** Size of the note about omitted text, in characters and, at most, in tokens. */
const NOTE_SIZE = 50;
/** Estimated characters per token if counting fails: about right for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Formats an outcome for a model: the text (of an error, with its type and hint), in parts, within the token limit.
 * `data` is for programs and is not sent: Copilot drops it.
 */
export async function toParts(outcome: Outcome, budget: TokenBudget | undefined): Promise<ResultParts> {
  const text = outcome.ok ? outcome.text : errorText(outcome.error);
  const fitted = budget === undefined ? text : await fit(text, budget);
  return { texts: splitParts(fitted, MAX_PART), media: outcome.ok ? (outcome.media ?? []) : [] };
}

async function fit(text: string, { tokens, count }: TokenBudget): Promise<string> {
  // A tokenizer never makes more tokens than UTF-8 bytes, so small texts need no count.
  if (text.length * 3 <= tokens) {
    return text;
  }
  let fitted = text;
  for (let attempt = 0; attempt < MAX_FITS; attempt++) {
    const used = await countOrGuess(fitted, count);
    if (used <= tokens) {
      return fitted;
    }
    fitted = keepHeadAndTail(text, Math.floor((fitted.length * tokens * 0.95) / used) - NOTE_SIZE);
  }
  return keepHeadAndTail(text, Math.floor((tokens - NOTE_SIZE) / 3));
}

/** Counts tokens, or estimates them: the tool has already run, so a failing tokenizer must not lose its result. */
async function countOrGuess(text: string, count: TokenBudget["count"]): Promise<number> {
  try {
    return await count(text);
  } catch {
    return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  }
}
