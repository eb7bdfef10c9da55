import * as z from "zod";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import {
  checkDocumentSize,
  documentCall,
  documentPath,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  newName,
  parseDocument,
  type DocumentPlace,
} from "../../features/documents/document.js";
import { formatDocument, setBody, setFields } from "../../features/documents/frontMatter.js";
import { ToolError } from "../../core/errors.js";
import { isoTime } from "../../features/memory/note.js";
import type { Changes } from "../../ports/changes.js";
import type { Clock } from "../../ports/clock.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Sessions } from "../../ports/sessions.js";
import { excerpt } from "../../text/clip.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { applyPlanned } from "../fs/applyPlanned.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { documentNames, isThere, listDocuments, parsedFrom } from "./documentFiles.js";
import { checkNewSession, guardParsed, stamped, type DocumentType } from "./documentType.js";
import { sameName } from "../../core/paths/pathShape.js";

/** A document that is planned but not written. */
interface WritePlan {
  name: string;
  at: GatedPath;
  /** The existing text; undefined for a new file. */
  before: TextSnapshot | undefined;
  after: string;
}

interface WriteContext {
  files: Files;
  changes: Changes;
  clock: Clock;
  sessions: Sessions;
  signal: AbortSignal;
}

type OnConflict = "error" | "overwrite";

/** Defines X_write. */
export function writeTool<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool {
  const { kind } = type;
  type Given = z.output<z.ZodObject<Input>> & { name: string; on_conflict?: OnConflict };
  // Each kind's own functions know the types of its own fields.
  const fields = (): z.ZodRawShape => ({
    name: z.string().max(1_000).describe(type.nameField),
    ...type.input(),
    on_conflict: z
      .enum(["error", "overwrite"])
      .optional()
      .describe(`What to do if the ${kind.noun} exists. Default: error.`),
  });
  return defineTool({
    name: `${kind.noun}_write`,
    group: "documents",
    title: `Write ${kind.noun}`,
    description: `Create a ${kind.noun}, or replace one with on_conflict=overwrite. ${type.writes} Other front matter fields are kept. To change some lines, use edit. The user can undo it.`,
    input: () => z.object(fields()),
    aliases: { id: "name", onConflict: "on_conflict", ...type.writeAliases },
    output: () =>
      z.object({
        name: z.string().describe("The name as stored."),
        path: z.string(),
        created: z.boolean(),
        changed: z.boolean().describe("false when it already had this content."),
      }),
    needs: ["files", "changes", "clock", ...(type.sessionOf === undefined ? [] : (["sessions"] as const))],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    positional: ["name"],
    texts: [type.text],
    touches: (input) => {
      const { name, on_conflict } = input as Given;
      return [
        {
          kind: "write",
          path: documentPath(kind, newName(kind, name)),
          ...(on_conflict === "overwrite" ? { overwrites: true } : {}),
        },
      ];
    },
    summary: (input) => `Write the ${kind.noun} ${(input as Given).name}`,
    preview: async (input, context) => {
      const plan = await planWrite(type, input as Given, context);
      return plan.before === undefined
        ? { language: "markdown", text: plan.after, plan }
        : { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
    },
    expose: "never",
    execute: async (input, context, shown: WritePlan | undefined) => {
      const { plan, outcome } = await applyPlanned({
        shown,
        plan: () => planWrite(type, input as Given, context),
        apply: async ({ name, at, before, after }) => {
          if (before?.text === after) {
            return { files: [], problems: [] };
          }
          return before === undefined
            ? context.changes
                .apply([{ kind: "create", at, content: { text: after, encoding: "utf8" } }], context.signal)
                .catch((error: unknown) => {
                  throw error instanceof ToolError && error.type === "path_conflict" ? pathConflict(kind, name) : error;
                })
            : context.changes.apply([{ kind: "replace", at, before, text: after }], context.signal);
        },
      });
      const { name, at, before, after } = plan;
      const data = { name, path: at.path, created: before === undefined, changed: before?.text !== after };
      if (!data.changed) {
        return { text: `The ${kind.noun} ${name} already has exactly this content: nothing was written.`, data };
      }
      const remarks = [...outcome.files.flatMap((report) => savingRemarks(after, report)), ...callRemarks(outcome)];
      return {
        text: [`Wrote the ${kind.noun} ${name} (${data.created ? "new" : "overwritten"}): ${at.path}`, ...remarks].join(
          "\n",
        ),
        data,
      };
    },
  });
}

async function planWrite<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
  input: z.output<z.ZodObject<Input>> & { name: string; on_conflict?: OnConflict },
  { files, changes, clock, sessions, signal }: WriteContext,
): Promise<WritePlan> {
  const { kind } = type;
  const name = newName(kind, input.name);
  const what = `${kind.noun} ${name}`;
  checkTexts(what, input);
  const at = await files.resolve(documentPath(kind, name));
  const exists = await isThere(files, at);
  if (!exists) {
    await checkRoom(files, kind, name);
  } else if (input.on_conflict !== "overwrite") {
    throw pathConflict(kind, name);
  }
  const before = exists ? await changes.before(at, MAX_DOCUMENT_BYTES) : undefined;
  const parsed = before === undefined ? undefined : parsedFrom(kind, name, before);
  const document = parsed?.ok === true ? parsed.document : undefined;
  if (parsed !== undefined) {
    guardParsed(type, name, parsed, "overwrite");
  }
  const now = isoTime(clock.now());
  const { fields, body } = type.write(input, { name, before: document, now });
  // A malformed file has no fields to keep.
  const isKept = before !== undefined && document !== undefined;
  const rewritten = isKept
    ? setBody(setFields(before.text, fields), body)
    : formatDocument({ ...fields, ...(type.isStamped ? { created: now, updated: now } : {}) }, body);
  const after = isKept && rewritten !== before.text ? stamped(type, rewritten, now) : rewritten;
  checkDocumentSize(what, after);
  const result = parseDocument(kind, name, after);
  if (!result.ok) {
    throw new ToolError(
      "invalid_input",
      `${what}: ${result.problem}. Nothing was written.`,
      "Fix the fields named, then write again.",
    );
  }
  await checkNewSession(what, type, document?.fields, result.document.fields, "written", sessions);
  if (type.checkAmong !== undefined) {
    type.checkAmong(result.document, await listDocuments(files, kind, signal));
  }
  return { name, at, before, after };
}

/** Makes the error for a taken name, with what to do if overwriting was not intended. */
function pathConflict(kind: DocumentPlace, name: string): ToolError {
  const { noun } = kind;
  return new ToolError(
    "path_conflict",
    `${noun} ${name} already exists. Nothing was written.`,
    `Check it with ${documentCall("read", kind, `"name": ${JSON.stringify(name)}`)}, then change it with action edit or write with on_conflict='overwrite', or choose another name.`,
  );
}

/**
 * Refuses a document beyond the number a list reads, and a name that a case-insensitive file system would confuse with
 * an existing one.
 */
async function checkRoom(files: Files, kind: DocumentPlace, name: string): Promise<void> {
  const names = await documentNames(files, kind);
  const alike = names.find((each) => sameName(each, name));
  if (alike !== undefined) {
    throw new ToolError(
      "path_conflict",
      `${kind.noun} ${name}: ${excerpt(alike)} exists, and its name differs only in case. Nothing was written.`,
      "Choose another name, or ask the user to rename that one.",
    );
  }
  if (names.length >= MAX_DOCUMENTS) {
    throw new ToolError(
      "too_large",
      `${kind.noun} ${name}: there are already ${names.length}; the limit is ${MAX_DOCUMENTS}. Nothing was written.`,
      `Delete unneeded ones with ${documentCall("delete", kind)}.`,
    );
  }
}

/** Refuses NUL and unpaired surrogates, which JSON can express but no text file can hold. */
function checkTexts(what: string, value: unknown, field = ""): void {
  if (typeof value === "string" && /[\0\p{Surrogate}]/u.test(value)) {
    throw new ToolError(
      "invalid_input",
      `${what}: ${field.slice(1)} contains ${value.includes("\0") ? "a NUL character" : "an unpaired surrogate"}. Nothing was written.`,
      "Remove it.",
    );
  }
  if (typeof value === "object" && value !== null) {
    Object.entries(value).forEach(([name, inner]) => checkTexts(what, inner, `${field}.${name}`));
  }
}
