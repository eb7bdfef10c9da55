import { CAPABILITIES_PATH, parseCapabilities } from "../features/documents/capabilitiesFile.js";
import { isSecret } from "../core/permission/touches.js";
import type { Files } from "../ports/files.js";
import { clipStart } from "../text/clip.js";
import { describeNote } from "./prompt.js";
import { unreadText } from "./workspaceNotes.js";

/** Code units that go with every request: a page of themes is a tenth of it. */
const MAX_NOTE = 20_000;
/** Bytes of a file that is looked at. */
const MAX_BYTES = 1_000_000;

/**
 * What the system prompt says of the capabilities, for `AgentsHost.moreInstructions`: the file's text, marked as a file
 * of the workspace. None where there is no file, it is empty, no text or secret, or its front matter says that it is
 * not loaded by itself; of one that cannot be read it is said.
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
