import type { Files } from "../../src/ports/files.js";
import type { Search } from "../../src/ports/search.js";
import type { Ripgrep } from "../../src/hosts/ripgrep/ripgrep.js";
import { WorkspaceScan } from "../../src/hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../src/hosts/search/workspaceSearch.js";

/**
 * Search of files in memory: as of any folder that is on no disk, by ripgrep's standard input, so that patterns mean
 * the same everywhere and none can hang the host.
 */
export function memorySearch(files: Files, run: Ripgrep): Search {
  const scan = new WorkspaceScan({ files, run });
  return new WorkspaceSearch({ files, local: scan, scan, run, untitled: () => [] });
}
