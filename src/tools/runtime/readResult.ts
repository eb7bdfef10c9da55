import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { RESULT_PAGE } from "../../ports/results.js";

export const readResult = defineTool({
  name: "read_result",
  group: "runtime",
  title: "Read stored result",
  description:
    `Read a result that was too large to show in full, in pages of ${RESULT_PAGE} characters. The answer that stored it contains its id. ` +
    `To search in it, run the command again with a filter.`,
  input: z.object({
    id: z.string().describe("The result's id."),
    page: z.int().min(1).optional().describe("Page number. Default: 1."),
  }),
  aliases: { result_id: "id" },
  output: z.object({
    id: z.string(),
    page: z.int(),
    total_pages: z.int(),
    total_chars: z.int(),
    complete: z.boolean().describe("false while it is still being written."),
    content: z.string(),
  }),
  needs: ["results"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["id", "page"],
  // It only reads the result of an earlier call by this user, which was allowed.
  touches: () => [],
  summary: ({ id, page = 1 }) => `Read page ${page} of result ${id}`,
  expose: "default",
  execute: async ({ id, page: asked }, { results }) => {
    const page = asked ?? 1;
    const { text, result, complete } = await results.page(id, page);
    const total = Math.max(1, result.pages);
    const notes = [
      page < total
        ? `Continue with page=${page + 1}.`
        : complete
          ? "The end."
          : "It is still being written, so there may be more.",
      ...(result.dropped > 0 ? [`${result.dropped} characters were discarded: the result was too large.`] : []),
    ];
    return {
      text: `${text}\n[Page ${page} of ${total} of ${id}. ${notes.join(" ")}]`,
      data: { id, page, total_pages: total, total_chars: result.characters, complete, content: text },
      // pipe stores results without anybody reading them: it must get all of it, or a page would be mistaken for the
      // whole result.
      ...(asked === undefined &&
        complete && {
          whole: {
            note: `This is all that was kept of ${id}.`,
            dropped: result.dropped,
            chunks: (until: AbortSignal) => results.chunks(id, until),
          },
        }),
    };
  },
});
