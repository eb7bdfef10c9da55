/**
 * A name for an editor whose document is on no disk: one path segment that ends in a closing quote. VS Code takes a
 * document's language from the end of its name, and would report problems in a text that is none of that language.
 *
 * @param what `read`, or nothing
 * @returns `read “src cart.js”` for `read` and `src/cart.js`; what there is of both where one is empty
 */
export function editorName(what: string, about: string): string {
  const [verb, object] = [what, about].map((text) => text.replaceAll(/[/\\\s]+/g, " ").trim());
  return [verb, object === "" ? "" : `“${object}”`].filter((part) => part !== "").join(" ");
}
