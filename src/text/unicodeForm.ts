/** A character with what joins it: marks, and the vowels and finals of Hangul. Composition crosses no other border. */
const DECOMPOSED = /[^\p{M}\u1160-\u11ff\r\n][\p{M}\u1160-\u11ff]+/gu;
const NOT_ASCII = /[^\p{ASCII}\p{M}]/gu;

/** A text in which every sequence that has a single character for it is that character, and where each was. */
export interface ComposedText {
  text: string;
  /**
   * The offset of the text as it was for one of the composed text; offsets asked for only grow.
   *
   * @returns undefined inside of what was composed
   */
  offsets: () => (offset: number) => number | undefined;
}

/** Whether a text holds anything that could be written in another canonical form. */
export function hasForms(text: string): boolean {
  return /\P{ASCII}/u.test(text);
}

/**
 * The text in composed form (Unicode NFC), but for characters that are another one's double and stay as they are: to
 * `matchLookAlikes.ts` they look alike. Lines stay lines.
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
  // How much longer the text is than the composed one, up to the next join.
  let longer = 0;
  return (offset) => {
    for (let join = joins[next]; join && offset + longer >= join.at + join.composed; join = joins[++next]) {
      longer += join.length - join.composed;
    }
    const inside = joins[next];
    return inside && offset + longer > inside.at ? undefined : offset + longer;
  };
}

/** The text in decomposed form: what `compose` would put together again. */
export function decompose(text: string): string {
  return text.replaceAll(NOT_ASCII, (character) => {
    const parts = character.normalize("NFD");
    return parts !== character && parts.normalize("NFC") === character ? parts : character;
  });
}

/** The one form a text is written in; undefined where it mixes them. */
export function formOf(text: string): "composed" | "decomposed" | undefined {
  const composed = compose(text).text;
  return composed === text ? "composed" : decompose(composed) === text ? "decomposed" : undefined;
}
