import * as z from "zod";
import { ignoredIf } from "../../core/aliases.js";
import { KEY_ALIASES, keyFromText } from "./keyAliases.js";
import { defineTool } from "../../core/defineTool.js";
import { notePath } from "../../features/memory/key.js";
import { MEMORY_LIMITS } from "../../features/memory/limits.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { utf8Length } from "../../text/page.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { planNote, writeNote, type NotePlan } from "./writeNote.js";
import { count } from "../../text/words.js";

/** Maximum days until a note expires: a century. A note that should stay longer needs no expiry time. */
const MAX_DAYS = 36_500;

export const memoryWrite = defineTool({
  name: "memory_write",
  group: "memory",
  title: "Write memory",
  description:
    "Store or update a note under a key for this or later sessions: decisions, preferences, project facts that its files do not show. " +
    "An existing note is replaced, or extended if append is true. The key is a name such as build-commands. The note is in " +
    `.toolhost/memory/<key>.md, where people can edit it. By default at most ${MEMORY_LIMITS.valueBytes / 1_000} KB per value and ${MEMORY_LIMITS.keys} keys. Do not store passwords or API keys.`,
  input: () =>
    z.object({
      key: z.string().describe("Name of the note: letters, digits, spaces, . _ and -."),
      value: z.string().describe("The note, in Markdown; stored exactly."),
      append: z.boolean().optional().describe("Append to the note instead of replacing it. Default: false."),
      ttl_days: z
        .number()
        .positive()
        .max(MAX_DAYS)
        .optional()
        .describe("Days until the note expires. Default: never, unless the user set a limit."),
    }),
  aliases: {
    ...KEY_ALIASES,
    content: "value",
    text: "value",
    file_text: "value",
    fact: "value",
    command: ignoredIf("create"),
    value: keyFromText,
  },
  output: () =>
    z.object({
      key: z.string(),
      path: z.string().describe("Relative to .toolhost/."),
      bytes: z.int().describe("Size of the whole value in UTF-8."),
      did: z.enum(["new", "replaced", "appended"]),
    }),
  needs: ["files", "changes", "memory"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["key", "value"],
  texts: ["value"],
  touches: ({ key, append }) => [
    { kind: "write", path: notePath(key), ...(append === true ? {} : { overwrites: true }) },
  ],
  summary: ({ key }) => `Store ${key} in memory`,
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
    const remarks = [...outcome.files.flatMap((report) => savingRemarks(after, report)), ...callRemarks(outcome)];
    return {
      text: [`Stored ${count(bytes, "byte")} under key "${key}" (${did}).`, ...remarks].join("\n"),
      data: { key, path: `memory/${key}.md`, bytes, did },
    };
  },
});
