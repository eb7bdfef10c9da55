import * as vscode from "vscode";
import { contentVersion, textVersion } from "../../../text/contentVersion.js";
import { ToolError } from "../../../core/errors.js";
import type {
  ChangeKeep,
  ChangeReport,
  DecodedContent,
  FileChange,
  FileWriter,
  NewContent,
  Snapshot,
} from "../../../ports/changes.js";
import type { GatedPath } from "../../../ports/files.js";
import type { CreateStep, Step } from "../../shared/disk.js";
import { changeName, staleFile, unsavedFile } from "../../shared/fileAnswers.js";
import { countMissing } from "../../shared/missingFolders.js";
import { commitAll, releaseAll } from "../../shared/steps.js";
import { swapsOf, topOf } from "../../shared/swaps.js";
import { documentStep, type DocumentChange } from "./documentEdit.js";
import { decodeContent } from "../../shared/encoding.js";
import { decodeFile, encodeFile, newEncoding } from "./encoding.js";
import { ioError } from "./fileErrors.js";
import type { CurrentText, VscodeFiles } from "./files.js";
import { refuseReadonly } from "./readonlyFiles.js";
import { closeTabs, moveTabs } from "./tabs.js";
import { createVirtual, moveVirtual, removeVirtual, replaceVirtual } from "./virtualSteps.js";

interface Staged {
  name: string;
  step: Step;
}

/**
 * Changes the window's files. A document that has unsaved text, or exactly the disk's, is changed in the editor; every
 * other local file through a temporary file that replaces it; the rest through VS Code's file system API.
 *
 * If the extension host dies half-way, the next process rolls back files that VS Code had written, or half written,
 * from notes made before (`Disk.stageBySave`). In documents that were not saved the edit stays, in the window or in
 * what VS Code restores, until the window's next extension host undoes it (`takeBackOpen`); if a command line recovered
 * first, it stays as unsaved text. A text that saving formatted is no longer what was noted, so it stays and is
 * reported. On other file systems the next process only reports what it finds.
 */
export class VscodeWriter implements FileWriter {
  readonly #files: VscodeFiles;
  readonly #savesUnsaved: () => boolean;

  /** @param savesUnsaved whether a document that had unsaved text before a change is saved after it */
  constructor(files: VscodeFiles, savesUnsaved: () => boolean) {
    this.#files = files;
    this.#savesUnsaved = savesUnsaved;
  }

  async apply(changes: readonly FileChange[], signal: AbortSignal, keep?: ChangeKeep): Promise<ChangeReport[]> {
    const staged: Staged[] = [];
    const documents: DocumentChange[] = [];
    const reports: ChangeReport[] = [];
    try {
      const swaps = swapsOf(changes);
      for (const change of changes) {
        const report: ChangeReport = { saved: true, text: undefined, foldersMade: 0 };
        reports.push(report);
        await this.#stage(change, report, staged, documents, topOf(change, swaps));
        keep?.ready?.(reports.length);
      }
    } catch (error) {
      await releaseAll(staged);
      throw error;
    }
    // The editor comes last: undoing a file on disk is safer than undoing a document in which a user may be typing.
    const all =
      documents.length === 0
        ? staged
        : [
            ...staged,
            {
              name: documents.map(({ at }) => at.path).join(", "),
              step: documentStep(documents, this.#savesUnsaved()),
            },
          ];
    await commitAll(all, signal, keep, reports);
    for (const change of changes) {
      // The files are changed: what an editor then does is not a failure of the call.
      await this.#followInEditor(change).catch(() => undefined);
    }
    return reports;
  }

  decode(at: GatedPath, bytes: Uint8Array): Promise<DecodedContent> {
    return decodeContent(bytes, (all) => decodeFile(all, this.#files.uriOf(at)));
  }

  missingFolders(at: GatedPath): Promise<number> {
    const disk = this.#files.diskOf(at);
    const uri = this.#files.uriOf(at);
    return countMissing(at, (path) =>
      disk === undefined ? vscode.workspace.fs.stat(uri.with({ path })) : disk.stat(path),
    );
  }

  /** Checks a change and prepares it. @param top see `topOf` */
  async #stage(
    change: FileChange,
    report: ChangeReport,
    staged: Staged[],
    documents: DocumentChange[],
    top: string | undefined,
  ): Promise<void> {
    const { at } = change;
    const uri = this.#files.uriOf(at);
    refuseReadonly(at, uri);
    const ready = (step: Step | CreateStep, text?: string): void => {
      staged.push({ name: changeName(change), step: inWords(at, step) });
      Object.assign(report, { text, foldersMade: "foldersMade" in step ? step.foldersMade : 0 });
    };
    if (change.kind === "create") {
      const bytes = await newBytes(at, change.content, uri);
      const disk = this.#files.diskOf(at);
      ready(
        await tried(
          at,
          disk === undefined ? createVirtual(at, uri, bytes) : disk.stageCreate(at.absolute, bytes, change.mode, top),
        ),
        "text" in change.content ? change.content.text : undefined,
      );
      return;
    }
    if (change.kind === "entry") {
      const disk = this.#files.diskOf(at);
      if (disk === undefined) {
        throw new ToolError("unsupported", `${at.path} is not on this machine's disk.`);
      }
      const { before, after, folders = 0 } = change;
      ready(await tried(at, disk.stageEntry(at.absolute, before, after, folders, top)));
      return;
    }
    const { document, unsaved } = await this.#checkSame(at, change.before);
    if (change.kind === "replace" && document !== undefined) {
      const bytes = await encodeFile(at, document.uri, change.text, document.encoding, change.before.text);
      documents.push({
        document,
        at,
        before: change.before.text,
        text: change.text,
        unsaved: unsaved && change.saved !== true,
        report,
      });
      const disk = this.#files.diskOf(at);
      if (disk !== undefined) {
        // A folder that accepts no new files does not prevent a change in the editor: the next process then only
        // reports what it finds.
        await disk.stageBySave(at.absolute, bytes).then(
          (step) => staged.push({ name: changeName(change), step }),
          () => undefined,
        );
      }
      return;
    }
    if (unsaved) {
      throw unsavedFile(at);
    }
    await this.#stageClosed(change, ready, top);
  }

  async #stageClosed(
    change: Exclude<FileChange, { kind: "create" | "entry" }>,
    ready: (step: Step, text?: string) => void,
    top: string | undefined,
  ): Promise<void> {
    const { at } = change;
    const uri = this.#files.uriOf(at);
    const disk = this.#files.diskOf(at);
    const unchanged = async (): Promise<void> => void (await this.#checkSame(at, change.before));
    const old = disk === undefined ? await this.#files.readBytes(at, Number.POSITIVE_INFINITY) : new Uint8Array();
    switch (change.kind) {
      case "replace": {
        const bytes = await encodeFile(at, uri, change.text, change.before.encoding, change.before.text);
        ready(
          disk === undefined
            ? replaceVirtual(at, uri, bytes, old, unchanged)
            : await tried(at, disk.stageReplace(at.absolute, bytes, unchanged)),
          change.text,
        );
        return;
      }
      case "overwrite": {
        const bytes = await newBytes(at, change.content, uri);
        ready(
          disk === undefined
            ? replaceVirtual(at, uri, bytes, old, unchanged)
            : await tried(at, disk.stageReplace(at.absolute, bytes, unchanged)),
          "text" in change.content ? change.content.text : undefined,
        );
        return;
      }
      case "delete": {
        const folders = change.folders ?? 0;
        ready(
          disk === undefined
            ? removeVirtual(at, uri, folders, old, unchanged)
            : await tried(at, disk.stageRemove(at.absolute, folders, unchanged, top)),
        );
        return;
      }
      case "move": {
        const folders = change.folders ?? 0;
        const to = this.#files.uriOf(change.to);
        refuseReadonly(change.to, to);
        if (this.#files.diskOf(change.to) !== disk) {
          throw new ToolError(
            "unsupported",
            `${at.path} cannot be moved to ${change.to.path}, which is on another file system.`,
            "Write it there, then delete it here.",
          );
        }
        const bytes =
          change.text === undefined || !("encoding" in change.before)
            ? undefined
            : await encodeFile(at, uri, change.text, change.before.encoding, change.before.text);
        const step =
          disk === undefined
            ? moveVirtual(change.to, uri, to, bytes, folders, old, unchanged)
            : disk.stageMove(at.absolute, change.to.absolute, bytes, folders, unchanged);
        ready(
          inWords(change.to, await tried(change.to, step)),
          change.text ?? ("text" in change.before ? change.before.text : undefined),
        );
        return;
      }
    }
  }

  /**
   * Throws `stale` unless a file still has its earlier content. Only the text counts: a user who saves while a question
   * is open has not changed it.
   */
  async #checkSame(at: GatedPath, before: Snapshot): Promise<Pick<CurrentText, "document" | "unsaved">> {
    if ("bytes" in before) {
      if ((await contentVersion(await this.#files.readBytes(at, Number.POSITIVE_INFINITY))) !== before.version) {
        throw staleFile(at);
      }
      const document = await this.#files.unsavedDocument(at);
      return { document, unsaved: document !== undefined };
    }
    const now = await this.#files.current(at, Number.POSITIVE_INFINITY);
    if ((await textVersion(now.text)) !== before.version) {
      throw staleFile(at);
    }
    return now;
  }

  /** Makes the tabs of a moved or removed file follow it, as when the user does it in VS Code. */
  async #followInEditor(change: FileChange): Promise<void> {
    if (change.kind === "delete") {
      await closeTabs(this.#files.uriOf(change.at));
    } else if (change.kind === "move") {
      await moveTabs(this.#files.uriOf(change.at), this.#files.uriOf(change.to));
    }
  }
}

async function newBytes(at: GatedPath, content: NewContent, uri: vscode.Uri): Promise<Uint8Array> {
  if ("bytes" in content) {
    return content.bytes;
  }
  return encodeFile(at, uri, content.text, content.encoding ?? newEncoding(uri));
}

function inWords<Made extends Step>(at: GatedPath, step: Made): Made {
  return {
    ...step,
    flushed: () => tried(at, Promise.resolve(step.flushed?.())),
    commit: () => tried(at, step.commit()),
    undo: () => tried(at, step.undo()),
  };
}

async function tried<T>(at: GatedPath, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw ioError(at, error);
  }
}
