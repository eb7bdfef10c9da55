import * as z from "zod";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import {
  checkDocumentSize,
  documentCall,
  documentPath,
  givenName,
  MAX_DOCUMENT_BYTES,
  parseDocument,
} from "../../features/documents/document.js";
import { ToolError } from "../../core/errors.js";
import { isoTime } from "../../features/memory/note.js";
import type { Changes } from "../../ports/changes.js";
import type { Clock } from "../../ports/clock.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Sessions } from "../../ports/sessions.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { diffStat, fileDiff } from "../../text/diff/fileDiff.js";
import type { LinePatch } from "../../text/diff/linePatches.js";
import { withoutMark } from "../fs/byteOrderMark.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { LINE_PATCHES, patchLines } from "../linePatches.js";
import { findDocument, listDocuments, parsedFrom } from "./documentFiles.js";
import { checkNewSession, guardParsed, stamped, type DocumentType } from "./documentType.js";

/** Patches that are planned but not applied. */
interface EditPlan {
  name: string;
  at: GatedPath;
  before: TextSnapshot;
  after: string;
}

interface EditContext {
  files: Files;
  changes: Changes;
  clock: Clock;
  sessions: Sessions;
  signal: AbortSignal;
}

/** Defines X_edit. */
export function editTool<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool {
  const { kind } = type;
  return defineTool({
    name: `${kind.noun}_edit`,
    group: "documents",
    title: `Edit ${kind.noun}`,
    description:
      `Change lines of a ${kind.noun}'s file, front matter or text; either all patches are applied or none. Line numbers are as shown by read, before any patch: ` +
      `{start_line: 3, end_line: 5, content: "new"} replaces lines 3 to 5, end_line 0 inserts before start_line, empty content deletes. ` +
      `If the result would be malformed, nothing changes. A malformed ${kind.noun} can be fixed this way.`,
    input: () =>
      z.object({
        name: z.string().describe(`Name of the ${kind.noun}, exactly as list shows it.`),
        patches: LINE_PATCHES(),
      }),
    aliases: { id: "name" },
    output: () =>
      z.object({
        name: z.string(),
        path: z.string(),
        added: z.int().describe("Lines added."),
        removed: z.int().describe("Lines removed."),
        changed: z.boolean().describe("false when the patches changed nothing."),
      }),
    needs: ["files", "changes", "clock", ...(type.sessionOf === undefined ? [] : (["sessions"] as const))],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    positional: ["name"],
    texts: ["patches"],
    // In a text that the caller has not seen, line numbers hit the wrong lines: ask, as for overwriting a file.
    touches: ({ name }) => [{ kind: "write", path: documentPath(kind, givenName(kind, name)), overwrites: true }],
    summary: ({ name }) => `Edit the ${kind.noun} ${name}`,
    preview: async (input, context) => {
      const plan = await planEdit(type, input, context);
      return { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
    },
    expose: "never",
    execute: async (input, context, shown: EditPlan | undefined) => {
      const { name, at, before, after } = shown ?? (await planEdit(type, input, context));
      const data = { name, path: at.path, added: 0, removed: 0, changed: before.text !== after };
      if (!data.changed) {
        return { text: `The ${kind.noun} ${name} already has exactly these lines: nothing was changed.`, data };
      }
      // Not planned again if the file has changed in between: the line numbers would refer to other lines.
      const outcome = await context.changes.apply([{ kind: "replace", at, before, text: after }], context.signal);
      const { added, removed } = diffStat(fileDiff(at.path, before.text, after));
      const remarks = [...outcome.files.flatMap((report) => savingRemarks(after, report)), ...callRemarks(outcome)];
      return {
        text: [`Edited the ${kind.noun} ${name}: +${added} −${removed} lines.`, ...remarks].join("\n"),
        data: { ...data, added, removed },
      };
    },
  });
}

async function planEdit<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
  input: { name: string; patches: readonly LinePatch[] },
  { files, changes, clock, sessions, signal }: EditContext,
): Promise<EditPlan> {
  const { kind } = type;
  const { name, at } = await findDocument(files, kind, input.name);
  const what = `${kind.noun} ${name}`;
  const before = await changes.before(at, MAX_DOCUMENT_BYTES);
  const old = parsedFrom(kind, name, before);
  guardParsed(type, name, old, "edit");
  const patched = withoutMark(before.text, patchLines(what, before.text, input.patches));
  if (patched === before.text) {
    return { name, at, before, after: patched };
  }
  checkDocumentSize(what, patched);
  const edited = parseDocument(kind, name, patched);
  if (!edited.ok) {
    throw new ToolError(
      "invalid_input",
      `${what} would be malformed: ${edited.problem}. Nothing was changed.`,
      `${documentCall("read", kind)} shows its lines; the front matter is between the --- lines.`,
    );
  }
  await checkNewSession(
    what,
    type,
    old.ok ? old.document.fields : undefined,
    edited.document.fields,
    "changed",
    sessions,
  );
  type.guardEdit(old.ok ? old.document : undefined, edited.document);
  if (type.checkAmong !== undefined) {
    type.checkAmong(edited.document, await listDocuments(files, kind, signal));
  }
  const after = stamped(type, patched, isoTime(clock.now()));
  return { name, at, before, after };
}
