import type { PersonAnswer } from "../../ports/person.js";

/**
 * Reads the answer of a picker.
 *
 * @param chosen labels of the choices taken
 * @param typed the text in its input: an answer, unless it only filtered for a choice that was taken
 */
export function readPicked(chosen: readonly string[], typed: string): PersonAnswer {
  const words = typed.trim();
  const isFilter = chosen.some((label) => label.toLowerCase().includes(words.toLowerCase()));
  return { chosen, words: isFilter ? "" : words };
}
