import * as z from "zod";
import { WORK_PLACES } from "../../features/documents/fields.js";

/** Returns the field that says where the work of a task or schedule is done. */
export function sandboxField(): z.ZodOptional<z.ZodEnum<{ worktree: "worktree" }>> {
  return z.enum(WORK_PLACES).optional().describe("worktree: in a copy of the folder, merged when done.");
}
