import * as z from "zod";
import { contextFile, contextFolder } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import type { KnowledgeRefresh } from "../../ports/knowledge.js";
import { shownName } from "../../text/shownName.js";
import type { Touch } from "../../core/contract.js";
import { contextPlace, existingInfo } from "./contextStore.js";
import { count } from "../../text/words.js";

/** Milliseconds, enough for gigabytes with a slow embeddings server. Whatever is done by then is kept. */
const TIMEOUT = 30 * 60 * 1_000;
/** Maximum number of failed files listed by name; the rest are counted. */
const MAX_NAMED = 20;

export const contextRefresh = defineTool({
  name: "context_refresh",
  group: "context",
  title: "Refresh context index",
  description:
    `Check every file in the context store again and update the search index, embeddings included. It works file by file: other calls continue ` +
    `meanwhile, and cancelling keeps what is done. Searches pick up changes on their own; use this when the index seems wrong, or ` +
    `after an embeddings server was set up or came back. Reports which files cannot be indexed, and why. ` +
    `With pages, it first asks again for the web pages that context_write keeps with their address, and replaces those that have changed.`,
  input: () =>
    z.object({
      path: z.string().optional().describe("File or folder in the context store. Default: the whole store."),
      pages: z.boolean().optional().describe("Whether to fetch kept web pages again. Default: false."),
    }),
  aliases: { logical_path: "path" },
  output: () =>
    z.object({
      indexed: z.int().describe("Files indexed again."),
      unchanged: z.int(),
      removed: z.int().describe("Deleted files, removed from the index."),
      failed: z.array(z.object({ path: z.string(), why: z.string() })),
      pages: z
        .object({
          changed: z.array(z.string()).describe("Kept pages that were replaced."),
          unchanged: z.int(),
          failed: z.array(z.object({ path: z.string(), why: z.string() })),
        })
        .optional(),
      note: z.string().optional().describe("Further remarks, such as why there are no embeddings."),
    }),
  needs: ["files", "knowledge", "changes", "clock", "http", "pages", "pdf"],
  canLack: ["http", "pages", "pdf"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path: contextFile(contextFolder(path)), deep: true }],
  reaches: async ({ path, pages = false }, { files, http, signal }) => {
    if (!pages) {
      return [];
    }
    const { keptPages, isFetched } = await import("../web/webWork.js");
    const kept = await keptPages(files, contextFolder(path), signal);
    const fetched = await Promise.all(kept.map(({ source }) => isFetched(source.url, http)));
    return kept
      .filter((_page, index) => fetched[index])
      .flatMap(({ logical, source }): Touch[] => [
        { kind: "network", url: source.url },
        { kind: "write", path: contextFile(logical) },
      ]);
  },
  summary: ({ path, pages = false }) =>
    `Refresh the index${pages ? " and the kept web pages" : ""} of ${path ?? "the context store"}`,
  timeout: TIMEOUT,
  expose: "optional",
  execute: async ({ path, pages: asksAgain = false }, context) => {
    const { files, knowledge, signal, report } = context;
    const logical = contextFolder(path);
    const pages = asksAgain ? await (await import("../web/webWork.js")).refreshPages(logical, context) : undefined;
    const done = await knowledge.refresh("context", logical === "." ? undefined : logical, signal, report);
    if (logical !== "." && done.indexed + done.unchanged + done.removed + done.failed.length === 0) {
      // Neither on disk nor in the index: throws `not_found`.
      await existingInfo(files, await contextPlace(files, logical));
    }
    return {
      text: [...(pages?.lines ?? []), ...describe(done)].join("\n"),
      data: { ...done, ...(pages && { pages: pages.data }) },
    };
  },
});

function describe({ indexed, unchanged, removed, failed, note }: KnowledgeRefresh): string[] {
  const rest = failed.length - MAX_NAMED;
  return [
    `Indexed ${count(indexed, "file")}; ${unchanged} unchanged, ${removed} removed, ${failed.length} not indexed${failed.length > 0 ? ":" : "."}`,
    ...failed.slice(0, MAX_NAMED).map(({ path, why }) => `- ${shownName(path)}: ${why}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(note === undefined ? [] : [`[${note}]`]),
  ];
}
