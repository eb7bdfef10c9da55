import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { GatedPath } from "../../../ports/files.js";
import { excerpt } from "../../../text/clip.js";
import { nearestNames } from "../../../text/nearest.js";
import { UNTITLED } from "../roots.js";
import { isShown } from "../shown.js";

const SCHEME = UNTITLED.scheme;

/** Returns the visible documents that were never saved. */
export function untitledDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => document.uri.scheme === SCHEME && isShown(document));
}

/** Returns the name of a document that was never saved: `untitled:Untitled-1`. */
export function untitledName({ uri }: vscode.TextDocument): string {
  return `${SCHEME}:${uri.path}`;
}

/**
 * Returns the place of an open document that was never saved; undefined for every other path. Such a path is only
 * compared with the names of open documents, so it cannot lead anywhere else.
 *
 * @throws ToolError `not_found` if no such document is open
 */
export function untitledPlace(raw: string): Pick<GatedPath, "path" | "absolute" | "root"> | undefined {
  if (!raw.startsWith(`${SCHEME}:`)) {
    return undefined;
  }
  const names = untitledDocuments().map(untitledName);
  if (!names.includes(raw)) {
    const near = nearestNames(raw, names);
    throw new ToolError(
      "not_found",
      `${excerpt(raw)}: no such document is open in the editor.`,
      `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}To read a file of this name, put ./ in front.`,
    );
  }
  return { path: raw, absolute: raw.slice(SCHEME.length + 1), root: UNTITLED };
}

/** Returns the document at such a place, if it is still open. */
export function untitledDocument(at: GatedPath): vscode.TextDocument | undefined {
  return at.root?.scheme === SCHEME
    ? untitledDocuments().find((document) => untitledName(document) === at.path)
    : undefined;
}
