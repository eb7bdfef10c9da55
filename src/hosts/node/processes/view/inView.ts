import { basename, join } from "node:path";
import type { EntryState } from "../../../../ports/files.js";
import { shownName } from "../../../../text/shownName.js";
import { openRegular } from "../../disk/openRegular.js";
import type { Found, FoundChange } from "./collect.js";
import type { View } from "./view.js";

/** Maximum number of changes named that cannot be made. */
const MAX_NAMED = 5;

/** A folder of the workspace, and what people write before paths in it. */
export interface ViewRoot {
  folder: string;
  prefix: string;
}

/** A change as the workspace gets it. */
export interface Publishable {
  path: string;
  absolute: string;
  after?: Uint8Array | EntryState;
  mode?: number;
}

/** A change in a view, by its place in the workspace. */
export interface ViewedChange extends FoundChange {
  /** As people write it. */
  path: string;
  absolute: string;
}

/** What a command changed in its view, or why that cannot be made in the workspace, as a sentence. */
export type InView = { changes: ViewedChange[] } | { dropped: string };

/** Reads what a command that has ended changed in its view, if that can be made in the workspace. */
export async function changesIn(view: View, roots: readonly ViewRoot[], isWhole: boolean): Promise<InView> {
  if (!isWhole) {
    return { dropped: "it did not end by itself." };
  }
  const found = await view.changes();
  const refused = refusedIn(found, roots);
  if (refused !== undefined) {
    return { dropped: refused };
  }
  return {
    changes: found.flatMap(({ changes: own }, at) => {
      const { folder = "", prefix = "" } = roots[at] ?? {};
      return own.map((change) => ({ ...change, path: prefix + change.path, absolute: join(folder, change.path) }));
    }),
  };
}

/** Returns what is to be made in the workspace. */
export function publishable(changes: readonly ViewedChange[]): Publishable[] {
  return changes.flatMap(({ path, absolute, after, mode, isSame }) =>
    isSame === true
      ? []
      : [{ path, absolute, ...(after !== undefined && { after }), ...(mode !== undefined && { mode }) }],
  );
}

/** Returns what of the changes cannot be made, as a sentence. */
function refusedIn(found: readonly Found[], roots: readonly ViewRoot[]): string | undefined {
  const refused = found.flatMap(({ refused: own, changes }, at) => [
    ...own.map(({ path, why }) => `${shownName((roots[at]?.prefix ?? "") + path) || "."} (${why})`),
    ...changes
      // With other files it makes a folder a repository, whose configuration runs programs.
      .filter(({ path, after }) => after !== undefined && basename(path).toUpperCase() === "HEAD")
      .map(({ path }) => `${shownName((roots[at]?.prefix ?? "") + path)} (Git may take its folder for a repository)`),
  ]);
  const more = refused.length - MAX_NAMED;
  return refused.length === 0
    ? undefined
    : `it also made ${refused.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}, which only happens outside of the sandbox.`;
}

/** Gives files the times that they had in the view, on which builds depend. What has changed since keeps its own. */
export async function setTimes(changes: readonly (FoundChange & { absolute: string })[]): Promise<void> {
  for (const { absolute, after, modified } of changes) {
    if (after instanceof Uint8Array && modified !== undefined) {
      await setTime(absolute, modified).catch(() => undefined);
    }
  }
}

async function setTime(absolute: string, modified: number): Promise<void> {
  const { file } = await openRegular(absolute);
  try {
    await file.utimes((await file.stat()).atimeMs / 1000, modified);
  } finally {
    await file.close();
  }
}
