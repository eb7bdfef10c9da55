import { merge3 } from "../../../text/diff/merge.js";
import { looksBinary } from "../../../text/encoding.js";
import { isSameContent, type Content, type CopyChange } from "./folderCopy.js";

/** What is to be at a place of the folder, or why a task's version of it is not brought there, as a clause. */
export type Merged = { content: Content; mode?: number } | { conflict: string } | "nothing";

/**
 * Merges what a task made of a file into what is in the folder now. What somebody changed there meanwhile stays:
 * different lines are merged, anything else is a conflict.
 *
 * @param now what is in the folder, with the file's permission bits
 * @param isUntouched whether a large file, whose contents were not kept, is as it was
 */
export function mergeFile(
  { before, after, modes, isLarge }: CopyChange,
  now: { content: Content; mode?: number },
  isUntouched: () => boolean,
): Merged {
  // A file keeps a mode that somebody else gave it.
  const mode =
    modes.after !== undefined && modes.after !== modes.before && (now.mode === undefined || now.mode === modes.before)
      ? { mode: modes.after }
      : {};
  const isThere = isSameContent(now.content, after);
  if (isThere && (mode.mode === undefined || mode.mode === now.mode)) {
    return "nothing";
  }
  if (isThere || (isLarge ? isUntouched() : isSameContent(now.content, before))) {
    return { content: after, ...mode };
  }
  if (!isLarge && isSameContent(before, after)) {
    // Nothing but the mode.
    return now.content === undefined ? { conflict: "it was deleted meanwhile" } : { content: now.content, ...mode };
  }
  if (after === undefined) {
    return { conflict: "it was changed meanwhile, and the task deleted it" };
  }
  if (now.content === undefined) {
    return { conflict: "it was deleted meanwhile" };
  }
  if (before === undefined && !isLarge) {
    return { conflict: "it was created meanwhile, too, with other contents" };
  }
  if (!isText(before) || !isText(after) || !isText(now.content)) {
    return { conflict: "it was changed meanwhile, and is not text that can be merged" };
  }
  // As bytes: any encoding comes out as it went in.
  const [base, theirs, ours] = [before, after, now.content].map((bytes) => Buffer.from(bytes).toString("latin1"));
  const merge = merge3(base ?? "", ours ?? "", theirs ?? "");
  if (merge.ok) {
    return { content: Buffer.from(merge.text, "latin1"), ...mode };
  }
  const [first] = merge.conflicts;
  return {
    conflict: `line ${first?.start ?? 1}${merge.total > 1 ? ` and ${merge.total - 1} more` : ""} was changed meanwhile in another way`,
  };
}

function isText(content: Content): content is Uint8Array {
  return content instanceof Uint8Array && !looksBinary(content);
}
