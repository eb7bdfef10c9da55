import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { utf8Length } from "../../text/page.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { MAX_CONTENT_BYTES, planStore, storeText, type StorePlan } from "./storeText.js";
import { count } from "../../text/words.js";

export const contextWrite = defineTool({
  name: "context_write",
  group: "context",
  title: "Write to context store",
  description:
    `Store text in the context store, to read, search or query it later, in this or another session. Choose any path, such as ` +
    `notes/meeting.md; the file is under .toolhost/context/, where people can edit it. An existing file is only replaced if ` +
    `on_conflict is overwrite. At most ${MAX_CONTENT_BYTES / 1e6} MB. To store another tool's result directly, use pipe.`,
  input: () =>
    z.object({
      path: z.string().describe("Path in the context store, such as notes/meeting.md."),
      content: z.string().describe("The complete content of the file."),
      on_conflict: z.enum(["error", "overwrite"]).optional().describe("What to do if the file exists. Default: error."),
    }),
  aliases: { logical_path: "path", text: "content", onConflict: "on_conflict" },
  output: () =>
    z.object({
      path: z.string(),
      bytes: z.int().describe("Bytes of the text in UTF-8."),
      created: z.boolean(),
      changed: z.boolean().describe("false when the file already had this text."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  positional: ["path"],
  texts: ["content"],
  touches: ({ path }) => [{ kind: "write", path: contextFile(contextPath(path)) }],
  summary: ({ path }) => `Store ${path} in the context store`,
  preview: async ({ path, content, on_conflict }, { files }) => {
    const plan = await planStore(files, { logical: contextPath(path), content, onConflict: on_conflict });
    return plan.before === undefined
      ? { language: "text", text: plan.after, plan }
      : { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "optional",
  execute: async ({ path, content, on_conflict }, context, shown: StorePlan | undefined) => {
    const logical = contextPath(path);
    const { plan, outcome } = await storeText(context, { logical, content, onConflict: on_conflict }, shown);
    const data = {
      path: logical,
      bytes: utf8Length(plan.after),
      created: plan.before === undefined,
      changed: outcome !== undefined,
    };
    if (outcome === undefined) {
      return { text: `${logical} already has exactly this text: nothing was written.`, data };
    }
    const remarks = [...outcome.files.flatMap((report) => savingRemarks(plan.after, report)), ...callRemarks(outcome)];
    return {
      text: [
        `Stored ${count(data.bytes, "byte")} as ${logical} (${data.created ? "new" : "overwritten"}).`,
        ...remarks,
      ].join("\n"),
      data,
    };
  },
});
