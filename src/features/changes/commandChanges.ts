import type { JournalCall } from "../../core/pipeline/changeOrigin.js";
import { fileKey } from "../../core/paths/fileKey.js";
import type { DecodedContent } from "../../ports/changes.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { changedLines } from "./journal/changedLines.js";
import type { Journal } from "./journal/journal.js";
import type { JournalChange } from "./journal/types.js";

/** A file that a command changed, with its bytes before and after. */
export interface CommandChange {
  /** As people write it. */
  path: string;
  /** For a move: where it was. */
  from?: string;
  /** Its real path, where it is now. */
  absolute: string;
  /** Undefined where there was no file, or is none. */
  before?: Uint8Array;
  after?: Uint8Array;
  /** Permission bits of the file before. */
  mode?: number;
  foldersMade: number;
}

/** What was recorded of a command's changes. */
export interface RecordedCommand {
  /** Number of lines of the texts among them, by path. */
  lines: Map<string, { added: number; removed: number }>;
  /** Those that were not recorded, each with the reason. */
  left: { path: string; why: string }[];
}

/**
 * Records changes that a command has already made, as one call of the journal, which undo then takes back like an edit.
 *
 * @throws what `Journal.begin` throws
 */
export async function recordCommand(
  journal: Journal,
  call: JournalCall,
  changes: readonly CommandChange[],
  files: Files,
  decode: (at: GatedPath, bytes: Uint8Array) => Promise<DecodedContent>,
): Promise<RecordedCommand> {
  const recorded: RecordedCommand = { lines: new Map(), left: [] };
  const planned: JournalChange[] = [];
  for (const change of changes) {
    const { path, from, absolute, before, after, mode, foldersMade } = change;
    try {
      const at = await files.resolve(path);
      const old = from === undefined ? undefined : await files.resolve(from);
      // The path must still lead to the file that was seen.
      if (fileKey(at) !== absolute) {
        recorded.left.push({ path, why: "its path leads elsewhere now" });
        continue;
      }
      const [was, is] = await Promise.all([before && decode(old ?? at, before), after && decode(at, after)]);
      planned.push({
        ...placed(at, old),
        kind: old !== undefined ? "move" : before === undefined ? "create" : after === undefined ? "delete" : "replace",
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
        ...(mode !== undefined && { mode }),
        foldersMade,
      });
      if ((was === undefined || "text" in was) && (is === undefined || "text" in is)) {
        recorded.lines.set(path, changedLines(was?.text ?? "", is?.text ?? ""));
      }
    } catch (error) {
      recorded.left.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  if (planned.length > 0) {
    const pending = await journal.begin(call, planned);
    await pending.settle(planned.map(({ foldersMade = 0 }) => ({ saved: true, text: undefined, foldersMade })));
  }
  return recorded;
}

function placed(at: GatedPath, old: GatedPath | undefined): Omit<JournalChange, "kind"> {
  return old === undefined
    ? { path: at.path, absolute: fileKey(at) }
    : { path: old.path, absolute: fileKey(old), to: at.path, toAbsolute: fileKey(at) };
}
