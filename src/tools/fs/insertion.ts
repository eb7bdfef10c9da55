import { asInteger, type AliasRule } from "../../core/aliases.js";

/** Names of the text that is inserted, and of the file, in Anthropic's text editor and other systems. */
const TEXTS = ["insert_text", "new_str", "new_text", "new_string", "text", "content"];
const PATHS = ["path", "file_path", "filePath"];

/** `insert` of Anthropic's text editor: a text, and the line behind which it goes; 0 is the file's beginning. */
export const insertion: AliasRule = {
  says: "with `path` and `insert_text`: the line behind which that text goes; 0 for the file's beginning",
  read: (value, given) => {
    const line = asInteger(value);
    const [textName, ...moreTexts] = TEXTS.filter((name) => Object.hasOwn(given, name));
    const [pathName, ...morePaths] = PATHS.filter((name) => Object.hasOwn(given, name));
    const [text, path] = [given[textName ?? ""], given[pathName ?? ""]];
    if (
      line === undefined ||
      line < 0 ||
      typeof text !== "string" ||
      text === "" ||
      typeof path !== "string" ||
      /[\r\n]/.test(path) ||
      moreTexts.length + morePaths.length > 0
    ) {
      return undefined;
    }
    const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
    const patch = [
      "*** Begin Patch",
      `*** Update File: ${path}`,
      `@@ -${line},0 +${line + 1},${lines.length} @@`,
      ...lines.map((added) => `+${added}`),
      "*** End Patch",
      "",
    ].join("\n");
    return { fields: { patch }, uses: [textName ?? "", pathName ?? ""] };
  },
};
