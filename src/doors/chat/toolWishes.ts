import { oneLine, shorten } from "../../text/clip.js";
import { listed } from "../../text/words.js";
import { FIND_TOOL, lmName, toolName } from "../../names/tools.js";

/**
 * Tells the model which tools the user named with #. Undefined if none were named.
 *
 * @param wanted names in `vscode.lm.tools`, in reverse order of the message, as VS Code lists them
 * @param offered names of the tools the model may call
 * @param sent names of those in its list; the others it calls through `find_tool`
 */
export function describeToolWishes(
  wanted: readonly string[],
  offered: readonly string[],
  sent: readonly string[] = offered,
): string | undefined {
  const names = [...new Set(wanted.toReversed())];
  const [there, missing] = [true, false].map((isThere) => names.filter((name) => isOffered(name, offered) === isThere));
  const hidden = (there ?? []).filter((name) => !isOffered(name, sent)).map((name) => toolName(name) ?? name);
  const sentences = [
    ...(there !== undefined && there.length > 0
      ? [`The user wants you to use ${listed(there.map((name) => toolName(name) ?? name))}.`]
      : []),
    ...(missing !== undefined && missing.length > 0
      ? [
          `The user also named ${listed(missing.map((name) => `#${shorten(oneLine(name), 80)}`))}, which you do not have: do it with your own tools if you can, and say so.`,
        ]
      : []),
  ];
  if (hidden.length > 0) {
    sentences.splice(1, 0, `${FIND_TOOL} finds ${listed(hidden)}, which your list does not have.`);
  }
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

function isOffered(name: string, offered: readonly string[]): boolean {
  return offered.some((tool) => lmName({ name: tool }) === name);
}
