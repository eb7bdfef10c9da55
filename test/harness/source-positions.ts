// Stack traces that name the sources of a bundle: VS Code's extension host makes its own, which ignore source maps.
import { findSourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";

/**
 * Replaces `…/x.bundle.js:12:3` by the position in the source it came from.
 * @param stack of an error thrown in a bundle that was loaded with source maps on
 * @param bundle the bundle's absolute path
 * @param root paths are shown relative to this
 */
export function inSources(stack: string, bundle: string, root: string): string {
  const map = findSourceMap(bundle);
  if (map === undefined) return stack;
  return stack.replace(/[^\s()]+\.bundle\.js:(\d+):(\d+)/g, (position, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return position;
    const source = entry.originalSource.replace(/^file:\/\//, "");
    return `${relative(root, resolve(dirname(bundle), source))}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
