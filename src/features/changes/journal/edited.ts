import type { Image, ImageRef, RecordedChange } from "./types.js";

/**
 * Returns changes in which what a command found or left in a large file is the same image as what an edit among them
 * left or found there, so that both are undone in one step: tools edit texts that are large for a command.
 */
export function withEdited(
  changes: readonly RecordedChange[],
  imageOf: (ref: ImageRef) => Image | undefined,
): readonly RecordedChange[] {
  const edited = new Map(contentsIn(changes).map((ref) => [ref.hash, ref]));
  const named = (ref: ImageRef | undefined): ImageRef | undefined => {
    const image = ref?.form === "large" ? imageOf(ref) : undefined;
    return image !== undefined && "entry" in image && "large" in image.entry
      ? (edited.get(image.entry.large.sha256) ?? ref)
      : ref;
  };
  return edited.size === 0
    ? changes
    : changes.map((change) => ({ ...change, before: named(change.before), after: named(change.after) }));
}

/** Returns the images with contents of their own. Their hash is the file's if its text is UTF-8. */
export function contentsIn(changes: readonly Pick<RecordedChange, "before" | "after">[]): ImageRef[] {
  return changes.flatMap(({ before, after }) =>
    [before, after].flatMap((ref) => (ref !== undefined && (ref.form === "utf8" || ref.form === "bytes") ? [ref] : [])),
  );
}
