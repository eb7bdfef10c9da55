import { ToolError } from "../core/errors.js";
import { isSecret } from "../core/permission/touches.js";
import type { Files } from "../ports/files.js";
import { clipStart } from "../text/clip.js";
import { messageOf } from "../text/words.js";
import { MEMORY_FILE } from "../names/stateFolder.js";

/** Maximum code units of a file to send with every request; tools can read the rest. */
const MAX_NOTE = 20_000;

/** A workspace file written for agents. */
export interface WorkspaceNote {
  path: string;
  text: string;
  /** Whether the file has more text. */
  isCut: boolean;
}

/** Files that people write for agents, and the file in which agents keep notes. */
const GUIDES = ["AGENTS.md", ".github/copilot-instructions.md"] as const;

/**
 * Returns the workspace files for the system prompt: `AGENTS.md` and `.github/copilot-instructions.md` of every folder,
 * and the memory's first page. Missing, empty, binary, outside and secret files are silently omitted; for a file that
 * cannot be read, the note says so.
 *
 * @param hasMemory whether the user lets agents remember
 */
export async function workspaceNotes(files: Files, hasMemory: boolean, signal: AbortSignal): Promise<WorkspaceNote[]> {
  const folders = files.roots().filter(({ beside }) => !beside);
  const guides = folders.flatMap(({ name }) =>
    GUIDES.map((guide) => (folders.length > 1 ? `${name}/${guide}` : guide)),
  );
  const paths = folders.length === 0 ? [] : [...guides, ...(hasMemory ? [MEMORY_FILE] : [])];
  const notes = await Promise.all(paths.map((path) => readNote(files, path, signal)));
  return notes.flatMap((note) => note ?? []);
}

async function readNote(files: Files, path: string, signal: AbortSignal): Promise<WorkspaceNote | undefined> {
  try {
    const at = await files.resolve(path);
    // A link may lead to a secret.
    if (isSecret(at)) {
      return undefined;
    }
    let text = "";
    for await (const chunk of files.readChunks(at, signal)) {
      text += chunk;
      if (text.length > MAX_NOTE) {
        break;
      }
    }
    return text.trim() === ""
      ? undefined
      : { path: at.path, text: clipStart(text, MAX_NOTE).trim(), isCut: text.length > MAX_NOTE };
  } catch (error) {
    signal.throwIfAborted();
    const text = unreadText(error);
    return text === undefined ? undefined : { path, text, isCut: false };
  }
}

/**
 * Returns the note for the model about a file that exists but cannot be read; undefined if it does not exist or is not
 * text.
 */
export function unreadText(error: unknown): string | undefined {
  if (error instanceof ToolError && error.type !== "io_error") {
    return undefined;
  }
  return `[Toolhost: this could not be read, so its contents are unknown: ${messageOf(error)}]`;
}
