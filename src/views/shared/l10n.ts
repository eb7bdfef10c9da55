/** Translates a text with `{0}` for what is filled in. */
type Translate = (text: string, ...filled: (string | number)[]) => string;

const fill: Translate = (text, ...filled) =>
  text.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(filled[Number(index)] ?? place));

let translate = fill;

/** VS Code's `l10n` for modules that also run without VS Code, where the texts are English. */
export const l10n = {
  /** Translates a text. Call it when the text is needed: before `use` it is English. */
  t: (text: string, ...filled: (string | number)[]): string => translate(text, ...filled),

  /** Translates a text with a number, `{0}`. */
  many: (number: number, one: string, several: string, ...filled: (string | number)[]): string =>
    translate(number === 1 ? one : several, number, ...filled),

  /** Takes VS Code's. */
  use: (its: Translate): void => {
    translate = its;
  },

  /** Takes translations by their English text; what has none stays English. */
  useBundle: (bundle: Readonly<Record<string, string>>): void => {
    translate = (text, ...filled) => fill(bundle[text] ?? text, ...filled);
  },
};
