import { clipStart } from "./clip.js";

/**
 * A name for a file made of words: small letters and digits with `-` between, at most `max` characters. Empty when
 * nothing of the words can be in it.
 *
 * @param letters `ascii`: a to z alone, accents dropped; `any`: those of every script
 */
export function slug(words: string, letters: "ascii" | "any", max: number): string {
  const folded = letters === "ascii" ? words.normalize("NFKD").replaceAll(/\p{M}+/gu, "") : words.normalize("NFKC");
  const other = letters === "ascii" ? /[^a-z0-9]+/g : /[^\p{L}\p{M}\p{N}]+/gu;
  const joined = folded.toLowerCase().normalize("NFC").replaceAll(other, "-").replace(/^-/, "");
  return clipStart(joined, max).replace(/-$/, "");
}
