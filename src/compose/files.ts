import type { ImportUpdaterHost } from "../features/changes/importUpdates.js";
import type { Imports } from "../ports/imports.js";
import { loadOnce } from "../core/once.js";
import { diskEncodings } from "../hosts/node/disk/encodings.js";
import { ruleScope } from "../hosts/node/ruleScope.js";
import type { Ripgrep } from "../hosts/ripgrep/ripgrep.js";
import type { RipgrepSearchHost } from "../hosts/ripgrep/host.js";
import { RipgrepSearch } from "../hosts/ripgrep/search.js";
import type { Files } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import type { WorkspaceState } from "../hosts/node/state/workspaceState.js";

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

/** Updates imports of moved files if the user wants that; its code is loaded with the first change that may need it. */
export function followMoves(
  files: Files,
  search: Search,
  state: () => Promise<Pick<WorkspaceState, "ledger">>,
  user: Pick<ImportUpdaterHost, "isOn" | "checkWritable">,
): Imports {
  const updater = loadOnce(async (): Promise<Imports> => {
    const { ImportUpdater } = await import("./moveImports.js");
    return new ImportUpdater({ files, search, ledger: async () => (await state()).ledger, ...user });
  });
  return {
    plan: async (planned, signal) =>
      planned.some(({ from, to }) => from?.absolute !== to?.absolute)
        ? (await updater()).plan(planned, signal)
        : undefined,
    keepUnread: async (...given) => (await updater()).keepUnread(...given),
  };
}
