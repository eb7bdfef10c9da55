import { CAPABILITIES_PATH, parseCapabilities } from "../features/documents/capabilitiesFile.js";
import { isSecret } from "../core/permission/touches.js";
import type { Files } from "../ports/files.js";
import { clipStart } from "../text/clip.js";
import { describeNote } from "./prompt.js";
import { unreadText } from "./workspaceNotes.js";

/** Maximum code units to send with every request: a page of themes is a tenth of that. */
const MAX_NOTE = 20_000;
/** Maximum bytes of the file. */
const MAX_BYTES = 1_000_000;

/**
 * Returns the section of the system prompt about capabilities, for `AgentsHost.moreInstructions`: the file's text, marked
 * as a workspace file. Empty if the file does not exist, is empty, binary or secret, or its front matter says not to load
 * it automatically. If the file cannot be read, the section says so.
 */
export async function capabilitiesNote(files: Files, signal: AbortSignal): Promise<string[]> {
  try {
    if (files.roots().every(({ beside }) => beside)) {
      return [];
    }
    const at = await files.resolve(CAPABILITIES_PATH);
    if (isSecret(at)) {
      return [];
    }
    const { text } = await files.readSnapshot(at, MAX_BYTES);
    const { body, isLoaded } = parseCapabilities(text);
    const shown = clipStart(body, MAX_NOTE).trim();
    return !isLoaded || shown === ""
      ? []
      : [describeNote({ path: at.path, text: shown, isCut: body.length > MAX_NOTE })];
  } catch (error) {
    signal.throwIfAborted();
    const text = unreadText(error);
    return text === undefined ? [] : [describeNote({ path: CAPABILITIES_PATH, text, isCut: false })];
  }
}
