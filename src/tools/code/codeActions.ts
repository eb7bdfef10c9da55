import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { SERVER_TIMEOUT } from "./answers.js";
import type { ActionPlan } from "./work/actions.js";

export const codeActions = defineTool({
  name: "code_actions",
  group: "code",
  title: "Code actions",
  description:
    "List what the language server offers at a place of a file, such as quick fixes of a problem and refactorings, or apply one. " +
    'For a whole file: apply "format", "organize_imports" or "fix_all".',
  input: () =>
    z.object({
      path: z.string().describe("The file."),
      line: z.int().min(1).optional().describe("The line, 1-based, such as a problem's."),
      text: z.string().optional().describe("The piece of that line. Default: all of it."),
      kind: z.string().optional().describe("Only this kind: quickfix, refactor, refactor.extract, source."),
      apply: z.string().optional().describe("Title of the action to apply, as listed. Default: list them."),
    }),
  aliases: {
    ...{ filePath: "path", file_path: "path", file: "path", lineNumber: "line", title: "apply", action: "apply" },
    ...{ only: "kind", symbol: "text" },
  },
  output: () =>
    z.object({
      actions: z
        .array(
          z.object({
            title: z.string().describe("For apply."),
            kind: z.string().describe("Empty if its server does not say."),
            preferred: z.boolean().describe("An editor applies it without a choice."),
          }),
        )
        .describe("What is offered; empty after apply."),
      applied: z.string().nullable().describe("The title of what was applied."),
      files: z.array(z.string()).describe("The files changed."),
    }),
  needs: ["files", "changes", "languageServers"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["path", "apply"],
  touches: ({ path }) => [{ kind: "read", path }],
  reaches: async (input, given) => (await import("./codeWork.js")).actionWrites(input, given),
  summary: ({ path, apply }) => (apply === undefined ? `List code actions in ${path}` : `${apply} in ${path}`),
  preview: async (input, given) =>
    input.apply === undefined
      ? { language: "json", text: "", plan: { title: "", files: [] } }
      : { language: "diff", ...(await (await import("./codeWork.js")).previewAction(input, input.apply, given)) },
  timeout: SERVER_TIMEOUT,
  expose: "optional",
  instead:
    "Language servers run in VS Code. Here, change the file with edit, or format it with the project's own command.",
  execute: async (input, given, shown: ActionPlan | undefined) =>
    (await import("./codeWork.js")).listOrApply(input, given, shown),
});
