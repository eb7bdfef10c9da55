import * as z from "zod";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import type { CommandCall } from "../../ports/effects.js";
import { count } from "../../text/words.js";

/** How long a merge may take, in ms: somebody may be changing the same files all the time. */
const TIMEOUT = 120_000;

/** What a merge did. */
interface Merged {
  /** The paths that were changed. */
  made: string[];
  left: { path: string; why: string }[];
}

/** What merges the changes of one task or run of a schedule. */
export interface TaskMerge {
  /** Whose they are: `task fix-the-login`. */
  work: string;
  /** Returns them as a diff, for people. */
  diff: () => string;
  /** Merges those of some paths into the folder. */
  merge: (paths: readonly string[], origin: CommandCall, signal: AbortSignal) => Promise<Merged>;
}

/**
 * Makes the tool that merges what a task changed in its copy into the folder. It is a call like any other: permission
 * decides on its paths, a person is asked where that says so, and it is one entry of the undo journal.
 */
export function mergeTool({ work, diff, merge }: TaskMerge): Tool {
  return defineTool({
    // No model is offered it.
    name: "merge_task",
    group: "task",
    title: "Merge a task's changes",
    description: "Merge what a task changed in its copy into the folder.",
    input: () => z.object({ paths: z.array(z.string()).describe("The files, relative to the folder.") }),
    output: () =>
      z.object({ made: z.array(z.string()), left: z.array(z.object({ path: z.string(), why: z.string() })) }),
    needs: [],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    touches: ({ paths }) => paths.map((path) => ({ kind: "write", path })),
    summary: ({ paths }) => `Merge ${work}: ${count(paths.length, "change")}`,
    preview: async () => ({ language: "diff", text: diff(), plan: undefined }),
    timeout: TIMEOUT,
    expose: "never",
    execute: async ({ paths }, { origin, signal }) => {
      const merged = await merge(paths, origin, signal);
      return { text: `${count(merged.made.length, "change")} made.`, data: merged };
    },
  });
}
