import { pinFiles } from "../../core/paths/pinnedFiles.js";
import { SecretWall } from "../../core/paths/secretWall.js";
import type { Files } from "../../ports/files.js";
import type { Search } from "../../ports/search.js";

/** Returns files and their search for answers about files that no call has named: none that may hold secrets is read. */
export function withoutSecrets(files: Files, search: Search): { files: Files; search: Search } {
  const wall = new SecretWall([]);
  return { files: pinFiles(files, new Map(), wall), search: wall.guard(search) };
}
