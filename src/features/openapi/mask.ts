/** Shorter values are not hidden: it would mangle every text. */
const MIN_HIDDEN = 4;

/** Hides secrets in texts: as they are, percent-encoded, and as JSON writes them (docs/security.md has what is missing). */
export class Mask {
  readonly #forms = new Map<string, string>();

  /** @param name shown in its place */
  add(name: string, value: string): void {
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      if (form.length >= MIN_HIDDEN) {
        this.#forms.set(form, `[${name}]`);
      }
    }
  }

  hide(text: string): string {
    return [...this.#forms]
      .sort(([one], [other]) => other.length - one.length)
      .reduce((shown, [form, name]) => shown.replaceAll(form, () => name), text);
  }
}
