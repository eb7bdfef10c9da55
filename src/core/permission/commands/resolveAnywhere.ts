import type { Files, GatedPath } from "../../../ports/files.js";

/** Resolves a path inside the workspace or, if the host can reach that, outside it: then permission decides. */
export async function resolveAnywhere(files: Files, path: string): Promise<GatedPath> {
  // `outside` begins as `resolve` does, but also takes a path where no folder is open.
  return files.outside !== undefined && files.roots().some(({ beside }) => beside !== true)
    ? files.outside(path)
    : files.resolve(path);
}
