import { oneLine, shorten } from "../../text/clip.js";
import { listed } from "../../text/words.js";
import { lmName, toolName } from "../../names/tools.js";

/**
 * Tells the model which tools the user named with #. Undefined if none were named.
 *
 * @param wanted names in `vscode.lm.tools`, in reverse order of the message, as VS Code lists them
 * @param offered names of the tools the model has
 */
export function describeToolWishes(wanted: readonly string[], offered: readonly string[]): string | undefined {
  const names = [...new Set(wanted.toReversed())];
  const [there, missing] = [true, false].map((isThere) => names.filter((name) => isOffered(name, offered) === isThere));
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
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

function isOffered(name: string, offered: readonly string[]): boolean {
  return offered.some((tool) => lmName({ name: tool }) === name);
}
