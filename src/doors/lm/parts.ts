import { errorText, type Media, type Outcome } from "../../core/outcome.js";
import { keepHeadAndTail, splitParts } from "../../text/clip.js";

/**
 * Copilot's agent writes any longer text part to a file and shows the model a note instead; several parts of
 * at most this many UTF-16 code units are joined and pass whole (real-vscode.md).
 */
export const MAX_PART = 8_192;

/** What a language model tool gives back: texts, then media. */
export interface ResultParts {
  texts: string[];
  media: Media[];
}

/** Counts the tokens of a text for the model that asked. */
export interface TokenBudget {
  tokens: number;
  count: (text: string) => PromiseLike<number>;
}

/** A text shrinks by its measured overrun a few times at most: a tokenizer call costs a round trip each. */
const MAX_FITS = 3;
/** What the note of what was left out takes itself, in characters and at most in tokens. */
const NOTE_SIZE = 50;
/** Characters a token stands for when nobody can count: about right for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * An outcome as a model reads it: the text (an error with its type and hint first), in parts, within the
 * tokens the model has room for. `data` is for programs and does not travel: Copilot drops it.
 */
export async function toParts(outcome: Outcome, budget: TokenBudget | undefined): Promise<ResultParts> {
  const text = outcome.ok ? outcome.text : errorText(outcome.error);
  const fitted = budget === undefined ? text : await fit(text, budget);
  return { texts: splitParts(fitted, MAX_PART), media: outcome.ok ? (outcome.media ?? []) : [] };
}

async function fit(text: string, { tokens, count }: TokenBudget): Promise<string> {
  // No tokenizer makes more tokens than there are UTF-8 bytes, and most texts are far below: small ones need no count.
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

/** The tool has already run: its result is not lost because the model that asked can no longer count. */
async function countOrGuess(text: string, count: TokenBudget["count"]): Promise<number> {
  try {
    return await count(text);
  } catch {
    return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  }
}
