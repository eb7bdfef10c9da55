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

/** Files that people write for agents, in any folder. */
const GUIDES = ["AGENTS.md", "CLAUDE.md"] as const;
/** The same in a top folder alone. */
const TOP_GUIDE = ".github/copilot-instructions.md";

/**
 * Returns the workspace files for the system prompt: `AGENTS.md`, `CLAUDE.md` and `.github/copilot-instructions.md` of every top folder,
 * and the memory's first page. Missing, empty, binary, outside and secret files are silently omitted; for a file that
 * cannot be read, the note says so.
 *
 * @param hasMemory whether the user lets agents remember
 */
export async function workspaceNotes(files: Files, hasMemory: boolean, signal: AbortSignal): Promise<WorkspaceNote[]> {
  const roots = files.roots().filter(({ beside }) => !beside);
  const tops = roots.map(({ name }) => (roots.length > 1 ? `${name}/` : ""));
  const notes = await Promise.all([
    ...tops.flatMap((top) => [
      guidesIn(files, top, signal),
      readNote(files, top + TOP_GUIDE, signal).then((note) => note ?? []),
    ]),
    ...(hasMemory && roots.length > 0 ? [readNote(files, MEMORY_FILE, signal).then((note) => note ?? [])] : []),
  ]);
  return notes.flat();
}

/**
 * Returns the guides of a folder. `CLAUDE.md` is left out if it only repeats or includes `AGENTS.md`.
 *
 * @param folder empty for the top, otherwise with a slash at its end
 */
export async function guidesIn(
  files: Files,
  folder: string,
  signal: AbortSignal,
  most = MAX_NOTE,
): Promise<WorkspaceNote[]> {
  const notes = await Promise.all(GUIDES.map((guide) => readNote(files, folder + guide, signal, most)));
  const [first] = notes;
  const repeats = ["@AGENTS.md", "@./AGENTS.md", first?.text];
  return notes.flatMap((note) =>
    note === undefined || (note !== first && first && repeats.includes(note.text)) ? [] : [note],
  );
}

/**
 * Returns a workspace file as a note. A missing, empty, binary, outside or secret file is none; for one that cannot be
 * read, the note says so.
 */
export async function readNote(
  files: Files,
  path: string,
  signal: AbortSignal,
  most = MAX_NOTE,
): Promise<WorkspaceNote | undefined> {
  try {
    const at = await files.resolve(path);
    // A link may lead to a secret.
    if (isSecret(at)) {
      return undefined;
    }
    let text = "";
    for await (const chunk of files.readChunks(at, signal)) {
      text += chunk;
      if (text.length > most) {
        break;
      }
    }
    return text.trim() === ""
      ? undefined
      : { path: at.path, text: clipStart(text, most).trim(), isCut: text.length > most };
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
