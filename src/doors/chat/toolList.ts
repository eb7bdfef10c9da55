import type { Tool } from "../../core/contract.js";
import { firstSentence } from "../../text/sentence.js";

/** Returns the answer to `/tools`: the purpose of each tool. */
export function toolList(tools: readonly Tool[]): string {
  if (tools.length === 0) {
    return "All tool groups are turned off. The settings under `toolhost.groups` turn them on.";
  }
  // A list, since a table does not fit in the narrow chat view.
  const rows = tools.map(({ name, title, description, annotations }) => {
    const effect = annotations.readOnly ? "" : " *Changes files.*";
    return `- \`${name}\`: **${title}.** ${firstSentence(description)}${effect}`;
  });
  return [...rows, "", 'Run one yourself: `/run grep {"pattern": "TODO"}`.'].join("\n");
}
