import * as z from "zod";
import { once } from "../../core/once.js";

/**
 * Where the work of a task or schedule may ask to be done: `worktree`, in a copy of the folder. Files of a repository
 * cannot name anything that contains less than what the user chose, nor a place of their own, such as another machine.
 */
export const WORK_PLACES = ["worktree"] as const;

/** Returns the schema of a field that is one line of text, for people. */
export function line(max: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]*$/u, "must be one line without control characters")
    .regex(/\S/, "must not be blank");
}

/** A time or a date in ISO 8601. YAML 1.2 reads it as text. */
export const time = once(() =>
  z
    .string()
    .refine(
      (text) => text.length <= 40 && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
      "must be a time in ISO 8601, such as 2026-03-01T10:00:00Z",
    ),
);
