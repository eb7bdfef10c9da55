import type { AliasRule } from "../../core/aliases.js";
import { asPatch, hasSearchReplace, parseSearchReplace } from "../../text/patch/searchReplace.js";

const PATHS = ["path", "file_path", "filePath"];

/** `replace_in_file` of Cline and `apply_diff` of Roo Code: a file, and blocks of lines to find and to put in their place. */
export const searchReplace: AliasRule = {
  says: "with `path`: blocks of `------- SEARCH`, `=======` and `+++++++ REPLACE`",
  replaces: true,
  read: (value, given) => {
    const [name, ...more] = PATHS.filter((each) => Object.hasOwn(given, each));
    const path = given[name ?? ""];
    if (typeof value !== "string" || typeof path !== "string" || /[\r\n]/.test(path) || more.length > 0) {
      return undefined;
    }
    const blocks = hasSearchReplace(value) ? parseSearchReplace(value) : [];
    return typeof blocks === "string" || blocks.length === 0
      ? undefined
      : { fields: { patch: asPatch(path, blocks) }, uses: [name ?? ""] };
  },
  refuses: (value) => {
    if (typeof value !== "string" || !hasSearchReplace(value)) {
      return undefined;
    }
    const blocks = parseSearchReplace(value);
    return typeof blocks === "string"
      ? `${blocks}. Nothing was changed. Use edit with old_text and new_text; write replaces a whole file`
      : "has SEARCH and REPLACE blocks, which need the file as path";
  },
};
