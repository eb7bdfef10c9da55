import * as z from "zod";
import { contentVersion } from "../../text/contentVersion.js";
import { contextFile, contextFolder } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { FileChange, Snapshot } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { callRemarks } from "../fs/changeRemarks.js";
import { shownName } from "../../text/shownName.js";
import { contextPlace, existingInfo, namedAsContext, type ContextPlace } from "./contextStore.js";
import { checkDeletable, filesBelow } from "./deletable.js";
import { count } from "../../text/words.js";

/** Maximum number of files listed in an answer. */
const MAX_NAMED = 50;

/** A file to be deleted, with its content. */
interface Doomed {
  place: ContextPlace;
  before: Snapshot;
  bytes: number;
}

export const contextDelete = defineTool({
  name: "context_delete",
  group: "context",
  title: "Delete from context store",
  description:
    `Delete a file in the context store, or a folder with all files below it, and list what was deleted. The user can undo it. ` +
    `Files over ${LARGEST_CHANGED_FILE / 1e6} MB, which cannot be undone, are left to the user.`,
  input: () =>
    z.object({
      path: z.string().describe("Path of the file or folder in the context store. Patterns are not supported."),
    }),
  aliases: { logical_path: "path" },
  output: () =>
    z.object({
      path: z.string(),
      deleted: z.array(z.string()).describe("Paths of the deleted files."),
      bytes: z.int().describe("Their total size."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["path"],
  // The files below may match rules of their own.
  touches: ({ path }) => [
    { kind: "write", path: contextFile(contextFolder(path)) },
    { kind: "read", path: contextFile(contextFolder(path)), deep: true },
  ],
  summary: ({ path }) => `Delete ${path} from the context store`,
  preview: async ({ path }, { files, signal }) => {
    const plan = await planDelete(path, files, signal);
    return { language: "text", text: [describe(plan), ...listed(plan)].join("\n"), plan };
  },
  expose: "optional",
  execute: async ({ path }, { files, changes, signal }, shown: Doomed[] | undefined) => {
    const plan = shown ?? (await planDelete(path, files, signal));
    const place = await contextPlace(files, contextFolder(path));
    const outcome = await namedAsContext(place, () => changes.apply(plan.map(deletion), signal));
    return {
      text: [`Deleted ${describe(plan)}`, ...(plan.length > 1 ? listed(plan) : []), ...callRemarks(outcome)].join("\n"),
      data: { path: place.logical, deleted: plan.map((file) => file.place.logical), bytes: totalBytes(plan) },
    };
  },
});

async function planDelete(path: string, files: Files, signal: AbortSignal): Promise<Doomed[]> {
  const logical = contextFolder(path);
  if (logical === ".") {
    throw new ToolError(
      "invalid_input",
      "The whole context store cannot be deleted. Nothing was changed.",
      "Name the file or folder to delete; context_tree lists them.",
    );
  }
  const place = await contextPlace(files, logical);
  return namedAsContext(place, async () => {
    const { kind } = await existingInfo(files, place);
    const found = kind === "directory" ? await filesBelow(files, place, signal) : [place];
    if (found.length === 0) {
      throw new ToolError(
        "not_found",
        `${logical}: the folder has no files, so there is nothing to delete.`,
        "Empty folders are harmless: they are removed with the last file deleted from them.",
      );
    }
    if (kind === "directory") {
      checkDeletable(place, found);
    }
    const doomed: Doomed[] = [];
    for (const file of found) {
      signal.throwIfAborted();
      doomed.push({ place: file, ...(await contentOf(files, file)) });
    }
    return doomed;
  });
}

/** Reads a file's content. A deletion names the file, not its text, so it need not have been read. */
async function contentOf(files: Files, { at, logical }: ContextPlace): Promise<Pick<Doomed, "before" | "bytes">> {
  const { size } = await files.stat(at);
  if (size > LARGEST_CHANGED_FILE) {
    throw new ToolError(
      "too_large",
      `${logical} has ${size} bytes; files over ${LARGEST_CHANGED_FILE} are not deleted, because it could not be undone. Nothing was changed.`,
      `Ask the user to delete it: ${at.path}.`,
    );
  }
  try {
    return { before: await files.readSnapshot(at, LARGEST_CHANGED_FILE), bytes: size };
  } catch (error) {
    if (!(error instanceof ToolError) || !["binary", "unsupported"].includes(error.type)) {
      throw error;
    }
  }
  const bytes = await files.readBytes(at, LARGEST_CHANGED_FILE);
  return { before: { bytes, version: await contentVersion(bytes) }, bytes: size };
}

/** Deletes a file, and the folders it leaves empty, up to the store itself. */
function deletion({ place: { at, logical }, before }: Doomed): FileChange {
  return { kind: "delete", at, before, folders: logical.split("/").length - 1 };
}

function describe(plan: readonly Doomed[]): string {
  const [first, second] = plan;
  const bytes = `${count(totalBytes(plan), "byte")}`;
  return first !== undefined && second === undefined
    ? `${first.place.logical} (${bytes}).`
    : `${plan.length} files (${bytes}):`;
}

function listed(plan: readonly Doomed[]): string[] {
  const rest = plan.length - MAX_NAMED;
  return [
    ...plan.slice(0, MAX_NAMED).map(({ place, bytes }) => `- ${shownName(place.logical)} (${bytes})`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

function totalBytes(plan: readonly Doomed[]): number {
  return plan.reduce((sum, { bytes }) => sum + bytes, 0);
}
