import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { givePage, LINE_WINDOW, PAGE_ALIASES, PAGE_BYTES, PAGE_DATA, PAGE_FIELDS, PAGE_LINES } from "../fs/filePage.js";
import { contextPlace, existingFile, namedAsContext } from "./contextStore.js";

export const contextRead = defineTool({
  name: "context_read",
  group: "context",
  title: "Read from context store",
  description:
    `Read a file in the context store as numbered lines (number, tab, text). Without limit a page is at most ${PAGE_LINES} lines or ${PAGE_BYTES / 1000} KB; ` +
    `if there is more, the last line gives the offset to continue with. Lines longer than ${LINE_WINDOW} characters are shown as a window that starts ` +
    `at column. For JSON, JSON Lines, CSV and YAML, query returns just the part you need; context_search finds the right lines.`,
  input: () =>
    z.object({
      path: z.string().describe("Path of the file in the context store, such as notes/meeting.md."),
      ...PAGE_FIELDS(),
    }),
  aliases: { logical_path: "path", ...PAGE_ALIASES },
  output: () => z.object({ path: z.string(), ...PAGE_DATA() }),
  needs: ["files", "reads"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path: contextFile(contextPath(path)) }],
  summary: ({ path }) => `Read ${path} from the context store`,
  expose: "optional",
  execute: async ({ path, ...wanted }, { files, reads, signal, secretPlaces }) => {
    const place = await contextPlace(files, contextPath(path));
    return namedAsContext(place, async () => {
      const info = await existingFile(files, place);
      const page = await givePage({ files, reads, signal, secretPlaces }, place.at, info, wanted, place.logical).catch(
        (error: unknown) => {
          throw error instanceof ToolError && error.type === "binary"
            ? new ToolError("binary", error.message, `To see images and PDFs, use read with path ${place.at.path}.`)
            : error;
        },
      );
      return { text: page.text, data: { ...page.data, path: place.logical } };
    });
  },
});
