import * as z from "zod";
import type { Tool } from "../../../src/core/contract.js";
import { defineTool } from "../../../src/core/defineTool.js";

/** A well-formed tool with one field of every usual kind. */
export const sample = defineTool({
  name: "sample",
  group: "fs",
  title: "Sample",
  description: "Does nothing.",
  input: () =>
    z.object({
      path: z.string().min(1).max(20).describe("A path."),
      limit: z.int().min(1).max(100).optional().describe("A limit."),
      ratio: z.number().positive().optional().describe("A ratio."),
      deep: z.boolean().optional().describe("A switch."),
      mode: z.enum(["fast", "slow"]).default("fast").describe("A choice."),
      tags: z.array(z.string()).min(1).max(3).optional().describe("Some tags."),
      edits: z
        .array(z.strictObject({ old_text: z.string(), new_text: z.string() }))
        .optional()
        .describe("Some edits."),
      env: z.record(z.string(), z.string()).optional().describe("Some variables."),
    }),
  aliases: { file_path: "path", filePath: "path", max: "limit" },
  output: () => z.object({ done: z.boolean() }),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: ({ path }) => [{ kind: "read", path }],
  summary: ({ path }) => `Sampling ${path}`,
  execute: async () => ({ text: "done", data: { done: true } }),
});

/** The same with some properties changed. */
export function toolLike(changes: Partial<Tool>): Tool {
  return { ...sample, ...changes };
}

/** An object nested as deep as that, with no more than one field a level. */
export function nested(depth: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < depth; level++) {
    value = { a: value };
  }
  return value;
}
