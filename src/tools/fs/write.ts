import * as z from "zod";
import { ignoredIf } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import { parentPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { ChangeOutcome, Changes, FileChange } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { detectEol, withEol, type Eol } from "../../text/eol.js";
import { utf8Length } from "../../text/page.js";
import { shownName } from "../../text/shownName.js";
import { newContent } from "./byteOrderMark.js";
import { callRemarks, fileRemarks } from "./changeRemarks.js";
import { statFile } from "./existing.js";
import { contentField, jsonRemark, jsonText, withStrings, type JsonContent } from "./jsonContent.js";
import { count } from "../../text/words.js";

/** Maximum bytes of a file's content: no source file is larger, and a model that sends more has lost its way. */
const MAX_CONTENT_BYTES = 10_000_000;

interface WriteInput {
  path: string;
  content: string | JsonContent;
  on_conflict?: "overwrite" | "error" | undefined;
}

/** A write that is planned but not done. `before` is absent for a new file. */
interface WritePlan {
  at: GatedPath;
  before: TextSnapshot | undefined;
  /** What a new file is to contain. */
  content: ReturnType<typeof newContent>;
  after: string;
  /** Size of the text that was asked for, in bytes of UTF-8. */
  bytes: number;
  /** Folders that will be created, uppermost first. */
  folders: string[];
  /** The file's line ending, if the content had to be converted to it. */
  takenEol: Eol | undefined;
}

export const write = defineTool({
  name: "write",
  group: "fs",
  title: "Write file",
  description:
    `Write a whole file: create it, with any folders it needs, or replace an existing one. To change part of a file, use edit. ` +
    `An existing file keeps its encoding, byte order mark, mode and line endings. If it already has this text, nothing is written. ` +
    `Binary files are not overwritten. At most ${MAX_CONTENT_BYTES / 1e6} MB.`,
  input: () =>
    z.object({
      path: z.string().describe("File to write, relative to the workspace."),
      content: contentField().describe("The complete content of the file."),
      on_conflict: z
        .enum(["overwrite", "error"])
        .optional()
        .describe("What to do if the file exists. Default: overwrite."),
    }),
  aliases: {
    filePath: "path",
    file_path: "path",
    file: "path",
    text: "content",
    contents: "content",
    file_text: "content",
    onConflict: "on_conflict",
    command: ignoredIf("create"),
  },
  output: () =>
    z.object({
      path: z.string().describe("The file."),
      bytes: z.int().describe("Size of the text in UTF-8."),
      created: z.boolean().describe("false when the file was there before."),
      changed: z.boolean().describe("false when the file already had this text."),
      saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  positional: ["path"],
  texts: ["content"],
  touches: ({ path }) => [{ kind: "write", path, overwrites: true }],
  withSecrets: (input, put) => ({
    ...input,
    content:
      typeof input.content === "string"
        ? put("content", input.content, { kind: "file", path: input.path })
        : withStrings(input.content, (text) => put("content", text, { kind: "file", path: input.path })),
  }),
  summary: ({ path }) => `Write ${path}`,
  preview: async (input, { files, changes }) => {
    const plan = await planWrite(input, files, changes);
    return plan.before === undefined
      ? { language: "text", text: plan.after, plan }
      : { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "default",
  execute: async (input, { files, changes, signal }, shown: WritePlan | undefined) => {
    // Exactly what was shown is written; if the file has changed since, the host refuses.
    const plan = shown ?? (await planWrite(input, files, changes));
    const { at, before, after, bytes } = plan;
    const data = { path: at.path, bytes, created: before === undefined };
    if (before?.text === after) {
      const where = before.unsaved ? " in the editor, unsaved" : "";
      return {
        text: `${shownName(at.path)} already has exactly this text${where}: nothing was written.`,
        data: { ...data, changed: false, saved: !before.unsaved },
      };
    }
    const change: FileChange =
      before === undefined
        ? { kind: "create", at, content: plan.content }
        : { kind: "replace", at, before, text: after };
    const outcome = await changes.apply([change], signal);
    const [report] = outcome.files;
    return {
      text: [
        `Wrote ${count(data.bytes, "byte")} to ${shownName(at.path)} (${before === undefined ? "new file" : "overwritten"}).`,
        ...(typeof input.content === "string" ? [] : [jsonRemark(input.content, before?.text)]),
        ...remarks(plan, outcome),
      ].join("\n"),
      data: { ...data, changed: true, saved: report?.saved ?? true },
    };
  },
});

async function planWrite(input: WriteInput, files: Files, changes: Changes): Promise<WritePlan> {
  const at = await files.resolve(input.path);
  const asked = textOf(input, at, undefined);
  const existing = await unlessMissing(() => files.stat(at));
  if (existing === undefined) {
    if (/[\\/]$/.test(input.path)) {
      throw new ToolError(
        "invalid_input",
        `${shownName(at.path)}/: names a folder, not a file.`,
        "Folders are created along with files: give the path of a file.",
      );
    }
    const content = newContent(asked);
    return {
      at,
      before: undefined,
      content,
      after: content.text,
      bytes: utf8Length(asked),
      folders: await missingFolders(files, at),
      takenEol: undefined,
    };
  }
  await statFile(files, at);
  if (input.on_conflict === "error") {
    throw new ToolError(
      "path_conflict",
      `${shownName(at.path)} already exists. Nothing was written.`,
      "To insert, call edit with the line before or after as old_text, and repeat it in new_text. To replace the whole file, read it, then write with on_conflict=overwrite.",
    );
  }
  const before = await snapshotToOverwrite(changes, at);
  // The file's encoding decides whether it begins with a byte order mark.
  const text = (typeof input.content === "string" ? asked : textOf(input, at, before.text)).replace(/^\uFEFF/, "");
  const eol = detectEol(before.text);
  const after = withEol(text, eol);
  const bytes = utf8Length(after);
  return { at, before, content: { text }, after, bytes, folders: [], takenEol: after === text ? undefined : eol };
}

/** @param before the file's text; undefined if it is new, or not read yet */
function textOf({ content }: WriteInput, at: GatedPath, before: string | undefined): string {
  const text = typeof content === "string" ? content : jsonText(content, at.path, before);
  checkText(at, text);
  return text;
}

function checkText(at: GatedPath, content: string): void {
  const refuse = (what: string): never => {
    throw new ToolError("invalid_input", `${shownName(at.path)}: content contains ${what}. Nothing was written.`);
  };
  // JSON can express an unpaired surrogate, which no file can hold.
  if (/\p{Surrogate}/u.test(content)) {
    refuse("an unpaired surrogate");
  }
  if (content.includes("\0")) {
    refuse("a NUL character, so the file would be binary");
  }
  // No text is shorter in bytes than in code units. Checking code units first avoids counting the bytes of a 500 MB
  // text, which takes as much memory again.
  const bytes = content.length > MAX_CONTENT_BYTES ? content.length : utf8Length(content);
  if (bytes > MAX_CONTENT_BYTES) {
    throw new ToolError(
      "too_large",
      `${shownName(at.path)}: content has ${content.length > MAX_CONTENT_BYTES ? "at least " : ""}${bytes} bytes; at most ${MAX_CONTENT_BYTES} are allowed. Nothing was written.`,
      "Split it into several files, or use a command.",
    );
  }
}

/**
 * Reads a file that is to be overwritten. Refuses one that cannot be read as text: nobody could be shown what is lost,
 * and the encoding would change unnoticed.
 */
async function snapshotToOverwrite(changes: Changes, at: GatedPath): Promise<TextSnapshot> {
  try {
    return await changes.before(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    if (error instanceof ToolError && ["binary", "too_large", "unsupported"].includes(error.type)) {
      throw new ToolError(
        error.type,
        `${error.message} It is not overwritten.`,
        "Write to another path, or ask the user to move the file first.",
      );
    }
    throw error;
  }
}

/** Returns the parent folders of a new file that do not exist yet. */
async function missingFolders(files: Files, at: GatedPath): Promise<string[]> {
  const missing: string[] = [];
  for (let path = parentPath(at.path); path !== "." && path !== parentPath(path); path = parentPath(path)) {
    const folder = await resolveFrom(files, at, path);
    const info = await unlessMissing(() => files.stat(folder));
    if (info !== undefined && info.kind !== "directory") {
      throw new ToolError(
        "path_conflict",
        `${shownName(at.path)}: ${shownName(path)} is a file, so nothing can be written below it.`,
        "Give a path below a folder.",
      );
    }
    if (info !== undefined) {
      break;
    }
    missing.unshift(path);
  }
  return missing;
}

const EOL_NAMES: Readonly<Partial<Record<Eol, string>>> = { "\n": "LF", "\r\n": "CRLF", "\r": "CR" };

function remarks({ at, before, folders, takenEol, after }: WritePlan, outcome: ChangeOutcome): string[] {
  const [first] = folders;
  return [
    ...(first === undefined
      ? []
      : [`Created the folder${folders.length === 1 ? "" : "s"} ${folders.map(shownName).join(", ")}.`]),
    ...(takenEol === undefined
      ? []
      : [`Line endings were written as ${EOL_NAMES[takenEol] ?? "before"}, to match the file.`]),
    ...outcome.files.flatMap((report) => fileRemarks(at.path, before?.text, after, report)),
    ...callRemarks(outcome),
  ];
}
