import * as vscode from "vscode";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { Image, ImageRef, TurnFile } from "../../features/changes/journal/types.js";
import { octal } from "../../features/changes/journal/images.js";
import { SCHEME } from "../../names/contributed.js";

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
  readonly #registration: vscode.Disposable;
  readonly #shown = new vscode.EventEmitter<readonly TurnFile[]>();
  /** Tells which changes were opened, by whatever door. */
  readonly onDidShow = this.#shown.event;

  constructor(changes: ChangeKeeper) {
    this.#changes = changes;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME.change, this);
  }

  /** Opens VS Code's multi-file diff editor. @param title names the editor */
  async show(title: string, files: readonly TurnFile[]): Promise<void> {
    const resources = files.map(({ path, from, before, after }) => {
      const old = before && imageUri(from ?? path, "before", before);
      const now = after && imageUri(path, "after", after);
      return [now ?? old, old, now];
    });
    await vscode.commands.executeCommand("vscode.changes", title, resources);
    this.#shown.fire(files);
  }

  /** Opens one file's change in a diff editor. */
  async showFile(title: string, file: TurnFile): Promise<void> {
    const { path, from, before, after } = file;
    const [old, now] = [imageUri(from ?? path, "before", before ?? NOTHING), imageUri(path, "after", after ?? NOTHING)];
    await vscode.commands.executeCommand("vscode.diff", old, now, title);
    this.#shown.fire([file]);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = imageOf(uri);
    if (ref?.hash === NOTHING.hash) {
      return "";
    }
    const image = ref && (await this.#changes.journal()).image(ref);
    return image === undefined ? vscode.l10n.t("This text is no longer in the undo journal.") : shownText(image);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#shown.dispose();
  }
}

/** Returns the URI of a text. The URI alone identifies the text, so that an editor survives a reload of the window. */
function imageUri(path: string, side: "before" | "after", { form, hash, size }: ImageRef): vscode.Uri {
  // The same path on both sides, or the editor shows a rename.
  return vscode.Uri.from({
    scheme: SCHEME.change,
    path: `/${path.replace(/^\/+/, "")}`,
    query: `${side}&${form}&${size}&${hash}`,
  });
}

function imageOf({ query }: vscode.Uri): ImageRef | undefined {
  const [, form = "", size = "", hash = ""] = query.split("&");
  return FORMS.includes(form) ? { form: form as ImageRef["form"], size: Number(size), hash } : undefined;
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
