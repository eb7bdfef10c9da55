import type { OpenText } from "../../../features/changes/journal/types.js";
import { merge3 } from "../../../text/diff/merge.js";
import { asHeld, give, type DocumentChange } from "./documentEdit.js";
import type { VscodeFiles } from "./files.js";

/**
 * Undoes changes that a killed extension host had made in documents that the window still has open or has restored,
 * unsaved (`JournalHost.takeBackOpen`). Text that somebody typed since stays, unsaved; if both changed the same lines,
 * the document is left as it is. A document that was clean before is saved.
 */
export async function takeBackOpen(
  files: Pick<VscodeFiles, "dirtyDocument">,
  texts: readonly OpenText[],
): Promise<void> {
  for (const { absolute, before, after, wasUnsaved } of texts) {
    const dirty = await files.dirtyDocument(absolute).catch(() => undefined);
    if (dirty !== undefined) {
      // A change that cannot be undone is noticed when the files are checked next.
      await takeBack(dirty, before, after, !wasUnsaved).catch(() => undefined);
    }
  }
}

async function takeBack(
  { at, document }: Pick<DocumentChange, "at" | "document">,
  before: string,
  after: string,
  save: boolean,
): Promise<void> {
  const old = asHeld({ document, text: before });
  const back = merge3(asHeld({ document, text: after }), document.getText(), old);
  if (!back.ok || back.text === document.getText()) {
    return;
  }
  await give([{ document, at, text: back.text }]);
  if (save && document.getText() === old) {
    await document.save();
  }
}
