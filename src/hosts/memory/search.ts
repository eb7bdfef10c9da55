import type { Files } from "../../ports/files.js";
import type { Search } from "../../ports/search.js";
import type { Ripgrep } from "../ripgrep/ripgrep.js";
import { WorkspaceScan } from "../search/workspaceScan.js";
import { WorkspaceSearch } from "../search/workspaceSearch.js";

/**
 * Search of files in memory: as of any folder that is on no disk, by ripgrep's standard input, so that patterns mean
 * the same everywhere and none can hang the host.
 */
export function memorySearch(files: Files, run: Ripgrep): Search {
  const scan = new WorkspaceScan({ files, run });
  return new WorkspaceSearch({ files, local: scan, scan, run, untitled: () => [] });
}
