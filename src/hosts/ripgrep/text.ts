import type { FileMatches, SearchRequest } from "../../ports/search.js";
import type { Ripgrep } from "./ripgrep.js";
import { matchFlags } from "./arguments.js";
import { checkMatches } from "./end.js";
import { MatchCollector } from "./events.js";

/** Maximum lines held by one search: about 50 MB. A larger search must be narrowed. */
export const MAX_HELD = 100_000;

/** What a search may still hold, in all of its texts together. */
export interface Room {
  /** Number of lines. */
  left: number;
  /** Why the search was stopped before its end: more lines matched, or it took too much memory. */
  full?: "size" | "memory";
}

/**
 * Searches a text that is not on a local disk, with the same engine and options as for files: through its standard
 * input. No pattern can hang the host, since the signal ends the process.
 *
 * @param path the text's name in the result
 * @param room is reduced by the lines of the result
 * @returns its matches; undefined if there are none, or the signal came first
 * @throws ToolError `invalid_input` for a pattern that is not valid
 */
export async function searchText(
  run: Ripgrep,
  request: SearchRequest,
  path: string,
  text: string,
  signal: AbortSignal,
  room: Room,
): Promise<FileMatches | undefined> {
  if (signal.aborted) {
    return undefined;
  }
  const matches = new MatchCollector();
  const enough = new AbortController();
  const { exitCode, errors } = await run({
    // The text was decoded, so a NUL in it does not make it binary.
    args: [...matchFlags(request), "--text", "--", "-"],
    // The folder has no effect on the search, but must exist.
    cwd: "/",
    input: text,
    signal: AbortSignal.any([signal, enough.signal]),
    onMemory: () => {
      room.full = "memory";
    },
    onLine: (line) => {
      if (room.full !== undefined) {
        // Another text has filled it.
        enough.abort();
        return;
      }
      const before = matches.held;
      matches.take(line);
      room.left -= matches.held - before;
      if (room.left < 0) {
        room.full = "size";
        enough.abort();
      }
    },
  });
  checkMatches(matches, exitCode, errors);
  const [found] = matches.files.values();
  return found && { ...found, path };
}
