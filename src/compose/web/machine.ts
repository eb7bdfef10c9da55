import * as vscode from "vscode";
import { loadOnce } from "../../core/once.js";
import { withoutSecrets } from "../../features/code/withoutSecrets.js";
import { loadGrammar } from "../../hosts/shared/treeSitter.js";
import type { Ripgrep } from "../../hosts/ripgrep/ripgrep.js";
import { ripgrepPatterns } from "../../hosts/ripgrep/patterns.js";
import { VscodeFiles } from "../../hosts/vscode/files/files.js";
import { memoryLimits } from "../../hosts/vscode/settings.js";
import { WorkspaceScan } from "../../hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../hosts/search/workspaceSearch.js";
import { ripgrepInThreads, type Thread } from "../../hosts/web/ripgrep/workers.js";
import { loadSqlite } from "../../hosts/web/state/sqlite.js";
import { followCode, SyntaxCode, WasmSyntax } from "../syntaxCode.js";
import { windowCode } from "../window/code.js";
import type { SeenFiles } from "../window/files.js";
import type { PipelineMachine } from "../window/pipeline.js";
import type { StateMachine } from "../window/state.js";
import { keepWebState, type WebState } from "./keepState.js";
import { placeIn, takeForTab } from "./place.js";

/** The machine of a browser's tab: no disk, no programs; VS Code's file systems, threads and storage. */
export interface WebMachine {
  files: SeenFiles;
  pipeline: PipelineMachine;
  state: StateMachine;
  /** Saves what is not saved yet. @throws ToolError `io_error` if that fails */
  saved: () => Promise<void>;
}

export function webMachine({
  extensionUri,
  storageUri,
}: Pick<vscode.ExtensionContext, "extensionUri" | "storageUri">): WebMachine {
  const load = async (name: string): Promise<Uint8Array> =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, "dist", name));
  const run = ripgrepInThreads({
    program: () => load("rg.wasm"),
    start: async () => startThread(await worker()),
  });
  // A thread's program is given as its text: it may not be loaded from another origin.
  const worker = loadOnce(async () =>
    URL.createObjectURL(new Blob([(await load("web-rg.js")) as Uint8Array<ArrayBuffer>], { type: "text/javascript" })),
  );
  const sqlite = loadOnce(async () => loadSqlite(await load("sqlite3.wasm")));
  const files = new VscodeFiles();
  const scan = new WorkspaceScan({ files, run });
  const search = new WorkspaceSearch({ ...{ files, run, scan }, local: scan, untitled: () => files.untitled() });
  const syntax = new WasmSyntax((grammar) => loadGrammar(load, grammar));
  let kept: WebState | undefined;
  return {
    files: { files, search },
    saved: async () => kept?.states.saved(),
    state: {
      keep: (host) => {
        kept = keepWebState(host, {
          sqlite,
          place: storageUri && placeIn(storageUri, "state.db"),
          take: (patience) => takeForTab(`toolhost:${String(storageUri)}`, patience),
        });
        return kept;
      },
      foldCase: false,
      checkWritable: () => Promise.resolve(),
      // What was there is saved before it is changed: a tab can be closed at any moment.
      writer: (own) => ({
        apply: async (...given) => {
          await kept?.states.saved();
          return own.apply(...given);
        },
        decode: (...given) => own.decode(...given),
        missingFolders: (...given) => own.missingFolders(...given),
      }),
    },
    pipeline: {
      capabilities: {
        clock: { now: Date.now },
        memory: { limits: memoryLimits, now: Date.now },
        patterns: patternsOf(run),
        ...windowCode(new SyntaxCode({ ...withoutSecrets(files, search), syntax, now: Date.now }), { files, search }),
      },
      commands: {},
      followCode: (following) => followCode({ ...withoutSecrets(files, search), syntax }, following),
    },
  };
}

/** The results of a tab are texts, not files: a search of one gets its text in place of a path. */
function patternsOf(run: Ripgrep): ReturnType<typeof ripgrepPatterns> {
  const texts = ripgrepPatterns((asked) => {
    const text = asked.args.at(-1) ?? "";
    return run({ ...asked, args: [...asked.args.slice(0, -1), "-"], input: text });
  }, "/");
  return {
    matches: (...given) => ripgrepPatterns(run, "/").matches(...given),
    search: (...given) => texts.search(...given),
  };
}

function startThread(url: string): Thread {
  const { Worker } = globalThis as unknown as { Worker: new (url: string) => Thread };
  return new Worker(url);
}
