import * as z from "zod";
import { choice } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { SERVER_TIMEOUT } from "./answers.js";
import { SEVERITIES } from "./severities.js";

/** Problems in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export const diagnostics = defineTool({
  name: "diagnostics",
  group: "code",
  title: "List problems",
  description:
    "List the errors and warnings that language servers and linters report, in a file or in a folder's open files. " +
    "Tools that change files report new ones themselves.",
  input: () =>
    z.object({
      path: z.string().optional().describe("File or folder. Default: the workspace."),
      severity: z
        .enum(SEVERITIES)
        .optional()
        .describe("Least severity: error, warning, information or hint. Default: warning."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Problems to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Problems to skip."),
    }),
  aliases: {
    ...{ filePath: "path", file_path: "path", file: "path", filePaths: "path", uri: "path" },
    severity: choice({
      info: { severity: "information" },
      errors: { severity: "error" },
      warnings: { severity: "warning" },
    }),
  },
  output: () =>
    z.object({
      problems: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            line: z.int().describe("1-based."),
            column: z.int().describe("1-based."),
            end_line: z.int().describe("Its last line."),
            severity: z.enum(SEVERITIES).describe("How bad it is."),
            message: z.string().describe("What is wrong."),
            source: z.string().optional().describe("Who reports it: ts, eslint."),
            code: z.string().optional().describe("Its code there."),
          }),
        )
        .describe("The problems returned."),
      total: z.int().describe("All of that severity."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      checked: z.boolean().describe("A server was seen to check the file; false for folders."),
    }),
  needs: ["files", "languageServers"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path = "." }) => [{ kind: "read", path, deep: true }],
  summary: ({ path }) => `List problems${path === undefined ? "" : ` in ${path}`}`,
  timeout: SERVER_TIMEOUT,
  expose: "optional",
  instead: "Language servers run in VS Code. Here, run the project's own check, such as its compiler, with exec.",
  execute: async (input, given) =>
    (await import("./codeWork.js")).listProblems({ ...input, limit: input.limit ?? DEFAULT_LIMIT }, given),
});
