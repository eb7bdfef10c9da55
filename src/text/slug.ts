import { clipStart } from "./clip.js";

/**
 * Makes a file name from words: lowercase letters and digits joined by `-`, at most `max` characters. Empty if the
 * words contain none of these.
 *
 * @param letters `ascii`: only a to z, without accents; `any`: letters of every script
 */
export function slug(words: string, letters: "ascii" | "any", max: number): string {
  const folded = letters === "ascii" ? words.normalize("NFKD").replaceAll(/\p{M}+/gu, "") : words.normalize("NFKC");
  const other = letters === "ascii" ? /[^a-z0-9]+/g : /[^\p{L}\p{M}\p{N}]+/gu;
  const joined = folded.toLowerCase().normalize("NFC").replaceAll(other, "-").replace(/^-/, "");
  return clipStart(joined, max).replace(/-$/, "");
}
