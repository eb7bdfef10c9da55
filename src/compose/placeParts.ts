import type { Pipeline, PipelineHost } from "../core/pipeline/pipeline.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import { lookAt } from "../features/changes/journal/look.js";
import { describeRecovered } from "../features/changes/journal/recovered.js";
import type { ProcessTable } from "../features/processes/processTable.js";
import type { Spawner } from "../features/processes/spawner.js";
import type { Ripgrep } from "../hosts/ripgrep/ripgrep.js";
import type { WorkspaceScan } from "../hosts/search/workspaceScan.js";
import type { GatedPath } from "../ports/files.js";
import type { followMoves } from "./moves.js";
import type { syntaxCode } from "./pipeline.js";
import type { NewPlace, PlaceParts } from "./sandboxPlace.js";
import type { keepState } from "./state.js";
import { USER_AGENT } from "./userAgent.js";

/** What the window and the library have loaded anyway: this bundle need not have it, too. */
interface Loaded {
  ChangeKeeper: typeof ChangeKeeper;
  ProcessTable: typeof ProcessTable;
  WorkspaceScan: typeof WorkspaceScan;
  followMoves: typeof followMoves;
  keepState: typeof keepState;
  syntaxCode: typeof syntaxCode;
}

/** What the window or the library gives a sandbox. */
export interface PlaceMaker extends Loaded {
  /** The bundles' folder. */
  folder: string;
  run: Ripgrep;
  pipelineOf: (
    seen: Pick<PipelineHost, "rules" | "contains" | "rehearses"> & {
      changes: ChangeKeeper;
      capabilities: Partial<PipelineHost["capabilities"]>;
    },
  ) => Pipeline;
  /** Makes what runs commands; by default one that shows them nowhere. */
  processesOf?: (spawner: Spawner, name: string) => ProcessTable;
  updatesImports?: () => boolean;
  onChanged?: () => void;
  onNotice: (message: string) => void;
}

/** Makes what tools work with in a sandbox. Nothing there is contained further, and no editor has its files. */
export function openPlaceParts(
  { name, key, files, writer, spawner, rules }: NewPlace,
  { folder, run, pipelineOf, processesOf, updatesImports = () => false, onChanged, onNotice, ...loaded }: PlaceMaker,
): PlaceParts {
  const state = loaded.keepState({
    ...{ files, userAgent: USER_AGENT, place: `the sandbox ${name}`, foldCase: false, onNotice },
    embeddings: () => undefined,
    codeSearch: () => "off",
    masksSecrets: () => false,
    folders: () => [key],
    look: (file, large) => lookAt(writer, file, large),
    onRecovered: (recovered) => onNotice(describeRecovered(recovered)),
  });
  const changes = new loaded.ChangeKeeper({
    writer,
    state: (again) => state.states.current(again),
    tellsProblems: () => false,
    listedPath: ({ path }: GatedPath) => `${name}: ${path}`,
    ...(onChanged && { onChanged }),
  });
  const search = new loaded.WorkspaceScan({ files, run });
  const processes =
    processesOf?.(spawner, name) ?? new loaded.ProcessTable({ spawner, results: state.results, prefix: "s" });
  const none = (): Promise<boolean> => Promise.resolve(false);
  const pipeline = pipelineOf({
    ...{ changes, rules, contains: none, rehearses: none },
    capabilities: {
      ...{ files, search, processes, code: loaded.syntaxCode(folder, files, search), knowledge: state.knowledge },
      imports: loaded.followMoves(files, search, () => state.states.current(), {
        isOn: updatesImports,
        checkWritable: () => Promise.resolve(),
      }),
      // What knows only of the folders that are open.
      ...({ codeIndex: undefined, languageServers: undefined, tasks: undefined } as object),
    },
  });
  return {
    ...{ pipeline, changes },
    endCommands: () => processes.closeAll(),
    close: async () => {
      await state.close();
    },
  };
}
