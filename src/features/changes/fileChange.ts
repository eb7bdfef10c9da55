import type { FileChange } from "../../ports/changes.js";
import type { GatedPath } from "../../ports/files.js";

/** Returns the text that a change is meant to leave; undefined if it leaves none. */
export function askedText(change: FileChange): string | undefined {
  switch (change.kind) {
    case "create":
      return "text" in change.content ? change.content.text : undefined;
    case "overwrite":
      return "text" in change.content ? change.content.text : undefined;
    case "replace":
      return change.text;
    case "move":
      return change.text ?? ("text" in change.before ? change.before.text : undefined);
    case "delete":
    case "entry":
      return undefined;
  }
}

/** Returns a changed file's place after the change. */
export function placeAfter(change: FileChange): GatedPath {
  return change.kind === "move" ? change.to : change.at;
}
