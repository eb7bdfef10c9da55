import * as z from "zod";
import { contentVersion } from "../../text/contentVersion.js";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { documentPath, givenName, type DocumentPlace } from "../../features/documents/document.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import { baseName, joinPath, parentPath, sameName } from "../../core/paths/pathShape.js";
import type { FileChange, Snapshot } from "../../ports/changes.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { applyPlanned } from "../fs/applyPlanned.js";
import { callRemarks } from "../fs/changeRemarks.js";
import { shownName } from "../../text/shownName.js";
import { findDocument, listDocuments, parsedFrom } from "./documentFiles.js";
import { guardParsed, type DocumentType } from "./documentType.js";

/** Maximum number of other files of a skill listed by name. */
const MAX_NAMED = 20;

/** A document to be deleted. */
interface DeletePlan {
  name: string;
  at: GatedPath;
  before: Snapshot;
}

/** Defines X_delete. */
export function deleteTool<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool {
  const { kind } = type;
  const hasFolder = kind.suffix.startsWith("/");
  return defineTool({
    name: `${kind.noun}_delete`,
    group: "documents",
    title: `Delete ${kind.noun}`,
    description: `Delete a ${kind.noun}, even a malformed one. ${hasFolder ? `Other files in its folder stay and are listed. ` : ""}The user can undo it.`,
    input: () => z.object({ name: z.string().describe(`Name of the ${kind.noun}, exactly as list shows it.`) }),
    aliases: { id: "name" },
    output: () =>
      z.object({
        name: z.string(),
        path: z.string(),
        left: z.array(z.string()).describe("Other files in its folder, which were kept."),
      }),
    needs: ["files", "changes"],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    positional: ["name"],
    touches: ({ name }) => [{ kind: "write", path: documentPath(kind, givenName(kind, name)) }],
    summary: ({ name }) => `Delete the ${kind.noun} ${name}`,
    preview: async ({ name }, { files }) => {
      const plan = await planDelete(type, name, files);
      return {
        language: "diff",
        text: "text" in plan.before ? unifiedDiff(plan.before.text, "") : "[not a text file]",
        plan,
      };
    },
    expose: "never",
    execute: async ({ name: raw }, { files, changes, signal }, shown: DeletePlan | undefined) => {
      const { plan, outcome } = await applyPlanned({
        shown,
        plan: () => planDelete(type, raw, files),
        apply: ({ at, before }) =>
          changes.apply(
            [{ kind: "delete", at, before, ...(hasFolder ? { folders: 1 } : {}) } satisfies FileChange],
            signal,
          ),
      });
      const { name, at } = plan;
      const left = hasFolder ? await namesIn(files, parentPath(documentPath(kind, name))) : [];
      const remarks =
        type.afterDelete === undefined ? [] : type.afterDelete(name, await listDocuments(files, kind, signal));
      return {
        text: [
          `Deleted the ${kind.noun} ${name} (${at.path}).`,
          ...leftOver(at, left),
          ...remarks,
          ...callRemarks(outcome),
        ].join("\n"),
        data: { name, path: at.path, left: left ?? [] },
      };
    },
  });
}

/** Plans a deletion. The call names the document, not its text, so the session need not have read it. */
async function planDelete<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
  raw: string,
  files: Files,
): Promise<DeletePlan> {
  const { name, at } = await findDocument(files, type.kind, raw);
  await refuseLink(files, type.kind, name, at);
  const before = await contentOf(files, at);
  const parsed = "text" in before ? parsedFrom(type.kind, name, before) : undefined;
  if (parsed !== undefined) {
    guardParsed(type, name, parsed, "delete");
  }
  return { name, at, before };
}

/**
 * Refuses a link: its target would be deleted instead. A folder on the way may be a link.
 * @throws ToolError `unsupported`
 */
export async function refuseLink(files: Files, kind: DocumentPlace, name: string, at: GatedPath): Promise<void> {
  const folder = await files.resolve(parentPath(documentPath(kind, name)));
  if (!sameName(joinPath(folder.realPath, baseName(at.path)), at.realPath)) {
    throw new ToolError(
      "unsupported",
      `${kind.noun} ${name} is a link to ${at.realPath}, which is not deleted. Nothing was changed.`,
      "Ask the user to delete the link.",
    );
  }
}

/** Returns a file's content to delete, text or not, without asking whether the session has read it. */
export async function contentOf(files: Files, at: GatedPath): Promise<Snapshot> {
  try {
    return await files.readSnapshot(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    if (!(error instanceof ToolError) || !["binary", "unsupported"].includes(error.type)) {
      throw error;
    }
  }
  const bytes = await files.readBytes(at, LARGEST_CHANGED_FILE);
  return { bytes, version: await contentVersion(bytes) };
}

/** @returns empty if the folder was removed with its last file, undefined if it cannot be read */
async function namesIn(files: Files, folder: string): Promise<string[] | undefined> {
  try {
    return (await files.list(await files.resolve(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ToolError) {
      return error.type === "io_error" ? undefined : [];
    }
    throw error;
  }
}

function leftOver(at: GatedPath, names: readonly string[] | undefined): string[] {
  if (names === undefined) {
    return [`${parentPath(at.path)} cannot be read, so what is left in it is unknown.`];
  }
  const rest = names.length - MAX_NAMED;
  return names.length === 0
    ? []
    : [
        `Left in ${parentPath(at.path)}: ${names.slice(0, MAX_NAMED).map(shownName).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`,
      ];
}
