import type { Replacement } from "./replace.js";
import { compose, decompose, formOf, hasForms } from "../unicodeForm.js";

/** An edit's three texts in composed form, and a way to map the replacements back. */
export interface ComposedEdit {
  text: string;
  oldText: string;
  newText: string;
  /** Maps replacements to the original text; undefined if a place mixes forms, so that it is unclear what stays. */
  restore: (replacements: readonly Replacement[]) => Replacement[] | undefined;
}

/**
 * Composes an edit's texts; returns undefined if they are already in composed form: then nothing more would be found.
 */
export function composeEdit(text: string, oldText: string, newText: string): ComposedEdit | undefined {
  if (!hasForms(oldText) || (text.normalize("NFC") === text && oldText.normalize("NFC") === oldText)) {
    return undefined;
  }
  const composed = compose(text);
  const [old, changed] = [compose(oldText).text, compose(newText).text];
  if ((composed.text === text && old === oldText) || old === changed) {
    return undefined;
  }
  const restore = (replacements: readonly Replacement[]): Replacement[] | undefined => {
    const startOf = composed.offsets();
    const endOf = composed.offsets();
    const restored: Replacement[] = [];
    for (const replacement of replacements) {
      const [from, to] = [startOf(replacement.offset), endOf(replacement.offset + replacement.length)];
      const form = from === undefined || to === undefined ? undefined : formOf(text.slice(from, to));
      if (from === undefined || to === undefined || form === undefined) {
        return undefined;
      }
      restored.push({
        ...replacement,
        offset: from,
        length: to - from,
        text: form === "decomposed" ? decompose(replacement.text) : replacement.text,
      });
    }
    return restored;
  };
  return { text: composed.text, oldText: old, newText: changed, restore };
}
