// The example of docs/architecture.md, "Add a tool".
import * as z from "zod";
import { defineTool } from "../../../src/core/defineTool.js";
import { ToolError } from "../../../src/core/errors.js";
import { joinPath } from "../../../src/core/paths/pathShape.js";
import { resolveFrom } from "../../../src/core/paths/resolveFrom.js";
import { splitLines } from "../../../src/text/splitLines.js";
import { shownName } from "../../../src/text/shownName.js";
import { statExisting } from "../../../src/tools/fs/existing.js";

export const lineCount = defineTool({
  name: "line_count",
  group: "fs",
  title: "Count lines",
  description: "Count the lines of each file directly in a folder. Unsaved changes in the editor count.",
  input: () => z.object({ path: z.string().describe("Folder, relative to the workspace.") }),
  output: () =>
    z.object({ files: z.array(z.object({ path: z.string(), lines: z.int() })), refused: z.array(z.string()) }),
  needs: ["files"], // what execute gets, and no more
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: ({ path }) => [{ kind: "read", path }], // what permission decides on
  positional: ["path"], // fields that the command line takes without --
  summary: ({ path }) => `Count lines in ${path}`,
  expose: "default",
  execute: async ({ path }, { files, signal }) => {
    const folder = await files.resolve(path);
    // Fails as `not_found` with the nearest names.
    if ((await statExisting(files, folder)).kind !== "directory") {
      throw new ToolError(
        "unsupported",
        `${shownName(folder.path)} is not a folder.`,
        "Give the folder that holds it.",
      );
    }
    const counted: { path: string; lines: number }[] = [];
    const refused: string[] = [];
    for (const { name } of (await files.list(folder)).filter(({ kind }) => kind === "file")) {
      signal.throwIfAborted();
      const file = folder.path === "." ? name : joinPath(folder.path, name);
      try {
        let text = "";
        for await (const chunk of files.readChunks(await resolveFrom(files, folder, file), signal)) {
          text += chunk;
        }
        counted.push({ path: file, lines: splitLines(text).length });
      } catch (error) {
        if (!(error instanceof ToolError)) {
          throw error;
        }
        refused.push(file); // `denied`: it may hold secrets, and the call does not name it; `binary`, `io_error`, …
      }
    }
    const shown = counted.map((each) => `${shownName(each.path)}: ${each.lines}`);
    const text = [...shown, ...refused.map((file) => `${shownName(file)}: not counted`)].join("\n");
    return { text, data: { files: counted, refused } };
  },
});
