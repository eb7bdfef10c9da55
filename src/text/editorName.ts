/** Slashes that look the same and begin no new segment. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { "/": "\u2215", "\\": "\u2216" };

/**
 * Returns a name for an editor whose document is not on disk: one path segment that ends in a closing quote. VS Code
 * takes a document's language from the end of its name, and would otherwise report problems in a text that is not in
 * that language.
 *
 * @param what `read`, or empty
 * @returns `read “src∕cart.js”` for `read` and `src/cart.js`; only the other part if one is empty
 */
export function editorName(what: string, about: string): string {
  const [verb, object] = [what, about].map((text) =>
    text
      .replaceAll(/[/\\]/g, (slash) => LOOK_ALIKES[slash] ?? " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return [verb, object === "" ? "" : `“${object}”`].filter((part) => part !== "").join(" ");
}
