// Changes one entry of an agent's configuration, and nothing else of its text.
import { ToolError } from "../../core/errors.js";
import { changeJson } from "./jsonText.js";
import { changeToml } from "./tomlText.js";
import type { AgentClient } from "./clients.js";
import { Unchangeable, type Entry } from "./unchangeable.js";

/** Maximum characters of a configuration: more than any that people write, few enough to read and check at once. */
const MAX_TEXT = 5_000_000;

/**
 * Returns the text of a configuration with the entry written or removed. Comments and all else stay as they are, also what
 * the user added to the entry.
 *
 * @param file for errors
 * @param text undefined if there is no file
 * @throws ToolError `invalid_input` with the line if the text cannot be read, or if nothing but the entry could not be kept
 */
export function changeEntry(
  { form, keys }: Pick<AgentClient, "form" | "keys">,
  file: string,
  text: string | undefined,
  entry: Entry,
): string {
  const nothing = "Nothing was changed.";
  if ((text?.length ?? 0) > MAX_TEXT) {
    throw new ToolError("too_large", `${file} has more than ${MAX_TEXT / 1e6} million characters. ${nothing}`);
  }
  const bom = text?.startsWith("\uFEFF") === true ? "\uFEFF" : "";
  try {
    return bom + (form === "json" ? changeJson : changeToml)((text ?? "").slice(bom.length), keys, entry);
  } catch (error) {
    if (error instanceof Unchangeable) {
      const place = error.line === undefined ? file : `${file}:${error.line}`;
      throw new ToolError(
        "invalid_input",
        `${place}: ${error.message} ${nothing}`,
        "Correct the file, or add the entry yourself: toolhost connect <client> --print shows it.",
      );
    }
    throw error;
  }
}
