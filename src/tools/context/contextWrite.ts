import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { utf8Length } from "../../text/page.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { MAX_CONTENT_BYTES, planStore, storeText, type StorePlan } from "./storeText.js";
import { count } from "../../text/words.js";
import { ToolError } from "../../core/errors.js";
import type { Preview } from "../../core/contract.js";
import { addressOf } from "../web/address.js";

/** Milliseconds, fetching a page included. */
const TIMEOUT = 120_000;

export const contextWrite = defineTool({
  name: "context_write",
  group: "context",
  title: "Write to context store",
  description:
    `Store text in the context store, to read, search or query it later, in this or another session. Choose any path, such as ` +
    `notes/meeting.md; the file is under .toolhost/context/, where people can edit it. An existing file is only replaced if ` +
    `on_conflict is overwrite. At most ${MAX_CONTENT_BYTES / 1e6} MB. With url instead of content it keeps the public web page at that address, as Markdown ` +
    `with the address at its top, so that context_refresh can fetch it again. To store another tool's result directly, use pipe.`,
  input: () =>
    z.object({
      path: z.string().describe("Path in the context store, such as notes/meeting.md."),
      content: z.string().optional().describe("The complete content of the file."),
      url: z.string().max(8_000).optional().describe("Address of a web page to keep instead of content."),
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
  needs: ["files", "changes", "clock", "http", "pages", "pdf"],
  canLack: ["http", "pages", "pdf"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  positional: ["path"],
  texts: ["content"],
  touches: ({ path, url }) => [
    { kind: "write", path: contextFile(contextPath(path)) },
    ...(url === undefined ? [] : [{ kind: "network" as const, url: addressOf(url).href, isPublic: true }]),
  ],
  summary: ({ path, url }) => `Store ${url === undefined ? path : `${url} as ${path}`} in the context store`,
  timeout: TIMEOUT,
  preview: async ({ path, content, url, on_conflict }, { files }): Promise<Preview<StorePlan | "fetched">> => {
    checkSource({ path, content, url });
    if (url !== undefined) {
      await planStore(files, { logical: contextPath(path), content: "", onConflict: on_conflict });
      return { language: "text", text: `What is at ${url} when it is fetched, as Markdown.`, plan: "fetched" };
    }
    const request = { logical: contextPath(path), content: content ?? "", onConflict: on_conflict };
    const plan = await planStore(files, request);
    return plan.before === undefined
      ? { language: "text", text: plan.after, plan }
      : { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "optional",
  execute: async ({ path, content: given, url, on_conflict }, context, shown: StorePlan | "fetched" | undefined) => {
    const logical = contextPath(path);
    checkSource({ path, content: given, url });
    if (url !== undefined) {
      // Fails where something is in the way, before anything is fetched.
      await planStore(context.files, { logical, content: "", onConflict: on_conflict });
    }
    const kept = url === undefined ? undefined : await (await import("../web/webWork.js")).pageToStore(url, context);
    const content = kept?.text ?? given ?? "";
    const { plan, outcome } = await storeText(
      context,
      { logical, content, onConflict: on_conflict },
      shown === "fetched" ? undefined : shown,
    );
    const data = {
      path: logical,
      bytes: utf8Length(plan.after),
      created: plan.before === undefined,
      changed: outcome !== undefined,
    };
    if (outcome === undefined) {
      return { text: `${logical} already has exactly this text: nothing was written.`, data };
    }
    const remarks = [
      ...(kept?.notes ?? []),
      ...outcome.files.flatMap((report) => savingRemarks(plan.after, report)),
      ...callRemarks(outcome),
    ];
    return {
      text: [
        `Stored ${count(data.bytes, "byte")} as ${logical} (${data.created ? "new" : "overwritten"}).`,
        ...remarks,
      ].join("\n"),
      data,
    };
  },
});

/** @throws ToolError `invalid_input` unless there is either a text or an address, and the file can hold it */
function checkSource({
  path,
  content,
  url,
}: {
  path: string;
  content?: string | undefined;
  url?: string | undefined;
}): void {
  if (content === undefined && url === undefined) {
    throw new ToolError("invalid_input", "context_write: content: required, or url. Nothing was written.");
  }
  if (content !== undefined && url !== undefined) {
    throw new ToolError(
      "invalid_input",
      "context_write: give either content or url. Nothing was written.",
      "content is a text of yours; url keeps the page at that address.",
    );
  }
  if (url !== undefined && !/\.(?:md|txt)$/i.test(path)) {
    throw new ToolError(
      "invalid_input",
      `context_write: path: ${path} is for a page, which is kept as Markdown. Nothing was written.`,
      "Choose a path that ends in .md. To keep JSON or other data as it is, use pipe with web_fetch.",
    );
  }
}
