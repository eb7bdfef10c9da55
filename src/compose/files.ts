import { diskEncodings } from "../hosts/node/disk/encodings.js";
import { ruleScope } from "../hosts/node/ruleScope.js";
import type { Ripgrep } from "../hosts/ripgrep/ripgrep.js";
import type { RipgrepSearchHost } from "../hosts/ripgrep/host.js";
import { RipgrepSearch } from "../hosts/ripgrep/search.js";
import type { Files } from "../ports/files.js";

/** Searches this machine's files with ripgrep. Omit what an editor adds if there is none. */
export function searchLocal(
  files: Files,
  run: Ripgrep,
  more: Partial<Pick<RipgrepSearchHost, "unsaved" | "encodingOf">> = {},
): RipgrepSearch {
  return new RipgrepSearch({
    run,
    roots: () => files.roots(),
    resolve: (path) => files.resolve(path),
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [],
    ruleScope,
    encodingOf: (root) => diskEncodings.of(root),
    files,
    ...more,
  });
}
