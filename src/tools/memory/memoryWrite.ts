import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { notePath } from "../../features/memory/key.js";
import { MEMORY_LIMITS } from "../../features/memory/limits.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { utf8Length } from "../../text/page.js";
import { callRemarks, fileRemarks } from "../fs/changeRemarks.js";
import { planNote, writeNote, type NotePlan } from "./writeNote.js";

/** A century: a note that is to stay longer has no time. */
const MAX_DAYS = 36_500;

export const memoryWrite = defineTool({
  name: "memory_write",
  group: "memory",
  title: "Write memory",
  description:
    "Note something under a key, to be found again in this or a later session: decisions, preferences, facts about the project that its files do not tell. " +
    "A note that is there is replaced, or added to with append. The key is a name such as build-commands. The note lies in " +
    `.toolhost/memory/<key>.md, where people can edit it. By default at most ${MEMORY_LIMITS.valueBytes / 1_000} KB a value and ${MEMORY_LIMITS.keys} keys. Do not store passwords or keys.`,
  input: z.object({
    key: z.string().describe("Name of the note: letters, digits, blanks, . _ and -."),
    value: z.string().describe("What to note. Markdown; it reads back exactly."),
    append: z.boolean().optional().describe("Add to the note instead of replacing it. Default false."),
    ttl_days: z
      .number()
      .positive()
      .max(MAX_DAYS)
      .optional()
      .describe("Days after which the note counts as gone. Default: it stays, unless the user limits that."),
  }),
  aliases: { name: "key", content: "value", text: "value" },
  output: z.object({
    key: z.string(),
    path: z.string().describe("For memory_get: relative to .toolhost/."),
    bytes: z.int().describe("Bytes of the whole value in UTF-8."),
    did: z.enum(["new", "replaced", "appended"]),
  }),
  needs: ["files", "changes", "memory"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["key", "value"],
  touches: ({ key, append }) => [
    { kind: "write", path: notePath(key), ...(append === true ? {} : { overwrites: true }) },
  ],
  summary: ({ key }) => `Note ${key} in memory`,
  preview: async (input, context) => {
    const plan = await planNote(context, input);
    return plan.before === undefined
      ? { language: "markdown", text: plan.after, plan }
      : { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  execute: async (input, context, shown: NotePlan | undefined) => {
    const { plan, outcome } = await writeNote(context, input, shown);
    const { key, value, did, after } = plan;
    const bytes = utf8Length(value);
    const remarks = [...outcome.files.flatMap((report) => fileRemarks(after, report)), ...callRemarks(outcome)];
    return {
      text: [`Stored ${bytes} byte${bytes === 1 ? "" : "s"} under key "${key}" (${did}).`, ...remarks].join("\n"),
      data: { key, path: `memory/${key}.md`, bytes, did },
    };
  },
});
