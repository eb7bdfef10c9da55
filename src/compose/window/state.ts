import * as vscode from "vscode";
import { ChangeKeeper } from "../../features/changes/changes.js";
import type { Imports } from "../../ports/imports.js";
import { describeRecovered } from "../../features/changes/journal/recovered.js";
import { withoutSecrets } from "../../features/code/withoutSecrets.js";
import { VscodeProblems } from "../../hosts/vscode/problems.js";
import { refuseReadonly } from "../../hosts/vscode/files/readonlyFiles.js";
import { changeSettings, codeSearchSetting, embeddingsSetting, secretsSetting } from "../../hosts/vscode/settings.js";
import { takeBackOpen } from "../../hosts/vscode/files/takeBackOpen.js";
import { VscodeWriter } from "../../hosts/vscode/files/writer.js";
import { plain } from "../../text/plainText.js";
import { visibleLine } from "../../text/showHidden.js";
import type { GatedPath } from "../../ports/files.js";
import type { FileWriter } from "../../ports/changes.js";
import { followMoves } from "../moves.js";
import type { KeptState, KeptStateHost } from "../state.js";
import type { SeenFiles } from "./files.js";
import { USER_AGENT } from "../userAgent.js";

/** Files about which a server can be asked after a change. */
const TYPESCRIPT = /\.[cm]?[jt]sx?$/;

/** What changes files. */
interface SeenState {
  changes: ChangeKeeper;
  imports: Imports;
  problems: VscodeProblems;
}

/** A window's state of its workspace, and the changes it makes. */
export interface WindowState extends SeenState {
  state: KeptState;
  /** Returns what changes files for callers that see one folder as if it were the only one. */
  inFolder: (seen: SeenFiles) => SeenState;
  /** Tells that tools or commands have changed files, here or in another process. */
  onDidChangeFiles: vscode.Event<void>;
  /** Tells that files may have changed some other way. */
  touched: () => void;
  /** Tells that another process has written to the workspace's state. */
  onOthersWrite: vscode.Event<void>;
  /** Tells that calls of tools have begun or ended, here or in another process. */
  onDidLogCalls: vscode.Event<void>;
}

/** What a window's state needs of the machine that it runs on. */
export interface StateMachine {
  keep: (host: KeptStateHost) => KeptState;
  /** Whether names that differ only in case are the same file. */
  foldCase: boolean;
  /** @throws ToolError if a file cannot be written */
  checkWritable: (at: GatedPath) => Promise<void>;
  /** Returns what writes files in place of VS Code's own writer. Absent: nothing needs to. */
  writer?: (writer: FileWriter) => FileWriter;
}

export function openState(
  { files, search }: SeenFiles,
  { keep, foldCase, checkWritable, writer = (own) => own }: StateMachine,
  log: vscode.LogOutputChannel,
): WindowState {
  const changed = new vscode.EventEmitter<void>();
  const others = new vscode.EventEmitter<void>();
  const logged = new vscode.EventEmitter<void>();
  const state = keep({
    userAgent: USER_AGENT,
    files,
    embeddings: embeddingsSetting,
    codeSearch: codeSearchSetting,
    masksSecrets: secretsSetting,
    folders: () => files.roots().map(({ uri }) => (uri.scheme === "file" ? uri.fsPath : uri.toString())),
    look: (key, large) => files.look(key, large),
    foldCase,
    onNotice: (message) => log.warn(message),
    onActivity: () => logged.fire(),
    onOthersWrite: (changes) => {
      others.fire();
      if (changes) {
        changed.fire();
      }
    },
    takeBackOpen: (texts) => takeBackOpen(files, texts),
    onRecovered: (recovered) => {
      const told = describeRecovered(recovered);
      log.warn(told);
      // Undoing a killed change alters files and editors without the user, so tell them why.
      void vscode.window.showWarningMessage(plain(visibleLine(told)));
    },
  });
  const seenBy = (seen: SeenFiles, other?: ChangeKeeper): SeenState => {
    const problems = new VscodeProblems(seen.files, async (changing, signal) =>
      changing.some(({ path }) => TYPESCRIPT.test(path))
        ? (await import("./serverCode.js")).checkTypescript(
            changing,
            { files: seen.files, unnamed: withoutSecrets(seen.files, seen.search) },
            signal,
          )
        : undefined,
    );
    const changes = new ChangeKeeper(
      {
        onChanged: () => changed.fire(),
        writer: writer(new VscodeWriter(seen.files, () => changeSettings().saveUnsaved)),
        state: (again) => state.states.current(again),
        problems,
        tellsProblems: () => changeSettings().newProblems,
        listedPath: (at) => seen.files.wholePath(at),
      },
      other,
    );
    const imports = followMoves(seen.files, seen.search, () => state.states.current(), {
      isOn: () => changeSettings().updateImports,
      checkWritable: async (at) => {
        refuseReadonly(at, seen.files.uriOf(at));
        await checkWritable(at);
      },
    });
    return { problems, changes, imports };
  };
  const whole = seenBy({ files, search });
  return {
    touched: () => changed.fire(),
    ...{ state, ...whole, inFolder: (seen: SeenFiles) => seenBy(seen, whole.changes) },
    ...{ onDidChangeFiles: changed.event, onOthersWrite: others.event, onDidLogCalls: logged.event },
  };
}
