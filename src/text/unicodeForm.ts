/**
 * A character with its combining marks, or Hangul vowels and finals. Only these can compose; composition never reaches
 * beyond such a match.
 */
const DECOMPOSED = /[^\p{M}\u1160-\u11ff\r\n][\p{M}\u1160-\u11ff]+/gu;
const NOT_ASCII = /[^\p{ASCII}\p{M}]/gu;

/** A text with composable sequences replaced by single characters, and a map of offsets. */
export interface ComposedText {
  text: string;
  /**
   * Returns a function that maps an offset in the composed text to the original text; call it with increasing offsets.
   *
   * @returns undefined within a composed sequence
   */
  offsets: () => (offset: number) => number | undefined;
}

/** Whether a text contains anything that could be written in another canonical form. */
export function hasForms(text: string): boolean {
  return /\P{ASCII}/u.test(text);
}

/**
 * Composes a text (Unicode NFC), except for characters that are duplicates of another one: `match/lookAlikes.ts`
 * handles these. Lines stay the same.
 */
export function compose(text: string): ComposedText {
  const joins: { at: number; length: number; composed: number }[] = [];
  const composed = text.replaceAll(DECOMPOSED, (sequence, at: number) => {
    const single = sequence.normalize("NFC");
    if (single !== sequence) {
      joins.push({ at, length: sequence.length, composed: single.length });
    }
    return single;
  });
  return { text: composed, offsets: () => offsetsOf(joins) };
}

function offsetsOf(
  joins: readonly { at: number; length: number; composed: number }[],
): (offset: number) => number | undefined {
  let next = 0;
  // How many code units longer the text is than the composed one, up to the next join.
  let longer = 0;
  return (offset) => {
    for (let join = joins[next]; join && offset + longer >= join.at + join.composed; join = joins[++next]) {
      longer += join.length - join.composed;
    }
    const inside = joins[next];
    return inside && offset + longer > inside.at ? undefined : offset + longer;
  };
}

/** Decomposes a text, as far as `compose` would compose it again. */
export function decompose(text: string): string {
  return text.replaceAll(NOT_ASCII, (character) => {
    const parts = character.normalize("NFD");
    return parts !== character && parts.normalize("NFC") === character ? parts : character;
  });
}

/** Returns the form a text is written in; undefined if it mixes both. */
export function formOf(text: string): "composed" | "decomposed" | undefined {
  const composed = compose(text).text;
  return composed === text ? "composed" : decompose(composed) === text ? "decomposed" : undefined;
}
