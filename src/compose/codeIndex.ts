import { ToolError } from "../core/errors.js";
import { SETTING, type CodeSearch } from "../names/settings.js";
import type { Knowledge } from "../ports/knowledge.js";

/** Characters of code that a hit shows: the line that declares it, and one that has the words. */
export const CODE_SNIPPET = 240;

/** Returns the search of code, which the user can turn off at any time. */
export function searchedCode(
  index: Pick<Knowledge, "search">,
  codeSearch: () => CodeSearch,
): Pick<Knowledge, "search"> {
  return {
    search: async (...given) => {
      if (codeSearch() === "off") {
        throw new ToolError("unavailable", `The setting ${SETTING.codeSearch} is off.`, "Use symbols or grep.");
      }
      return index.search(...given);
    },
  };
}
