import { loadOnce } from "../core/once.js";
import type { ImportUpdaterHost } from "../features/changes/importUpdates.js";
import type { Files } from "../ports/files.js";
import type { Imports } from "../ports/imports.js";
import type { Search } from "../ports/search.js";
import type { WorkspaceState } from "../hosts/node/state/workspaceState.js";

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
