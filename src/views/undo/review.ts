import * as vscode from "vscode";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { Image, ImageRef, TurnFile } from "../../features/changes/journal/types.js";
import { octal } from "../../features/changes/journal/images.js";
import type { JournalQueries } from "../../features/changes/journal/queries.js";
import { SCHEME } from "../../names/contributed.js";
import type { KeptChanges } from "./kept.js";
import { withoutSettled } from "./openParts.js";
import type { SettledParts } from "./settledParts.js";

const FORMS: readonly string[] = [
  "utf8",
  "utf16",
  "bytes",
  "link",
  "folder",
  "mode",
  "large",
] satisfies ImageRef["form"][];

/** Where a file was not there. A diff editor needs two sides. */
const NOTHING: ImageRef = { form: "utf8", hash: "", size: 0 };

/** Shows changes from the undo journal side by side: each file before and after the tool. */
export class ReviewView implements vscode.TextDocumentContentProvider {
  readonly #changes: ChangeKeeper;
  readonly #settled: SettledParts;
  readonly #listening: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** Tells which texts are others now: parts were kept, undone or redone. */
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;
  readonly #shown = new vscode.EventEmitter<readonly TurnFile[]>();
  /** Tells which changes were opened, by whatever door. */
  readonly onDidShow = this.#shown.event;

  constructor(changes: ChangeKeeper, kept: KeptChanges) {
    this.#changes = changes;
    this.#settled = kept.parts;
    this.#listening = kept.onDidChange(() => this.refresh());
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME.change, this);
  }

  /** Shows again what is open: parts may be undone, or redone. */
  refresh(): void {
    vscode.workspace.textDocuments.forEach(({ uri }) => uri.scheme === SCHEME.change && this.#changed.fire(uri));
  }

  /** Opens VS Code's multi-file diff editor. @param title names the editor */
  async show(title: string, files: readonly TurnFile[]): Promise<void> {
    const resources = files.map(({ path, from, before, after, changes }) => {
      const old = before && imageUri(from ?? path, "before", before, changes);
      const now = after && imageUri(path, "after", after, changes);
      return [now ?? old, old, now];
    });
    await vscode.commands.executeCommand("vscode.changes", title, resources);
    this.#shown.fire(files);
  }

  /** Opens one file's change in a diff editor. */
  async showFile(title: string, file: TurnFile): Promise<void> {
    const { path, from, before, after, changes } = file;
    const old = imageUri(from ?? path, "before", before ?? NOTHING, changes);
    const now = imageUri(path, "after", after ?? NOTHING, changes);
    await vscode.commands.executeCommand("vscode.diff", old, now, title);
    this.#shown.fire([file]);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = imageOf(uri);
    if (ref?.hash === NOTHING.hash) {
      return "";
    }
    const journal = await this.#changes.journal();
    const image = ref && journal.image(ref);
    const shown = reviewed(uri);
    return image === undefined
      ? vscode.l10n.t("This text is no longer in the undo journal.")
      : "text" in image && shown !== undefined
        ? withoutSettledIn(journal, this.#settled, shown, image.text)
        : shownText(image);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#listening.dispose();
    this.#changed.dispose();
    this.#shown.dispose();
  }
}

/** The text of a file in a review: before or after some changes, by the ids of the first and the last of them. */
export interface Reviewed {
  path: string;
  side: "before" | "after";
  first: number;
  last: number;
}

/** Returns what a document of a review shows; undefined for any other document. */
export function reviewed({ scheme, path, query }: vscode.Uri): Reviewed | undefined {
  const [side, , , , changes = ""] = query.split("&");
  const [first, last] = changes.split("-").map(Number);
  return scheme === SCHEME.change && (side === "before" || side === "after") && first && last
    ? { path: path.slice(1), side, first, last }
    : undefined;
}

/** Whether a file's changes are among those that a document of a review shows. */
export function isReviewed({ path, first, last }: Reviewed, file: TurnFile): boolean {
  const [from = 0, to = 0] = [file.changes[0], file.changes.at(-1)];
  return [file.path, file.from].some((name) => name?.replace(/^\/+/, "") === path) && from >= first && to <= last;
}

/**
 * Returns the URI of a text. The URI alone identifies the text, so that an editor survives a reload of the window.
 *
 * @param changes the ids of those that are shown
 */
function imageUri(
  path: string,
  side: "before" | "after",
  { form, hash, size }: ImageRef,
  changes: readonly number[],
): vscode.Uri {
  // The same path on both sides, or the editor shows a rename.
  return vscode.Uri.from({
    scheme: SCHEME.change,
    path: `/${path.replace(/^\/+/, "")}`,
    query: `${side}&${form}&${size}&${hash}&${changes[0] ?? 0}-${changes.at(-1) ?? 0}`,
  });
}

function imageOf({ query }: vscode.Uri): ImageRef | undefined {
  const [, form = "", size = "", hash = ""] = query.split("&");
  return FORMS.includes(form) ? { form: form as ImageRef["form"], size: Number(size), hash } : undefined;
}

/** Returns a text of a review without the parts of each turn's changes that are settled. */
function withoutSettledIn(journal: JournalQueries, settled: SettledParts, shown: Reviewed, text: string): string {
  return settled
    .filesIn(journal, shown.first, shown.last)
    .filter((file) => isReviewed(shown, file))
    .reduceRight((rest, file) => withoutSettled(journal, settled, file, rest, shown.side), text);
}

function shownText(image: Image): string {
  if ("entry" in image) {
    const { entry } = image;
    return "link" in entry
      ? vscode.l10n.t("Link to {0}", entry.link)
      : "folder" in entry
        ? vscode.l10n.t("Folder, mode {0}", octal(entry.folder))
        : "large" in entry
          ? vscode.l10n.t("{0} bytes, not shown. An undo restores them exactly.", entry.large.size)
          : vscode.l10n.t("Mode {0}", octal(entry.mode));
  }
  return "text" in image ? image.text : `${image.bytes.length} bytes, not text. An undo restores them exactly.`;
}
