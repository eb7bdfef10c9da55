import type { Files, GatedPath } from "../ports/files.js";

/**
 * Files for one call, in which the paths that permission decided on stay what they were then: a link that is
 * exchanged between the decision and the work leads nowhere new. Other paths go through the gate as always.
 *
 * @param pins by the path as the caller wrote it
 */
export function pinFiles(files: Files, pins: ReadonlyMap<string, GatedPath>): Files {
  return {
    roots: () => files.roots(),
    resolve: async (path) => pins.get(path) ?? files.resolve(path),
    stat: (at) => files.stat(at),
    readChunks: (at, signal) => files.readChunks(at, signal),
    readBytes: (at, maxBytes) => files.readBytes(at, maxBytes),
    readSnapshot: (at, maxBytes) => files.readSnapshot(at, maxBytes),
    list: (at, sized) => files.list(at, sized),
  };
}
