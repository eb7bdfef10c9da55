import * as z from "zod";
import { once } from "../core/once.js";
import { ToolError } from "../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../core/largestFile.js";
import { applyLinePatches, type LinePatch } from "../text/diff/linePatches.js";
import { utf8Length } from "../text/page.js";

/** Maximum number of patches per call; a model that sends more should write a program. */
const MAX_PATCHES = 500;

/** The field `patches` of every tool that edits by line numbers. */
export const LINE_PATCHES = once(() =>
  z
    .array(
      z.strictObject({
        start_line: z
          .int()
          .min(1)
          .describe(
            "First line to replace, 1-based, as the file was numbered before this call. A line past the end appends.",
          ),
        end_line: z.int().min(0).describe("Last line to replace, inclusive; 0 inserts before start_line."),
        content: z.string().describe("The new lines; empty deletes the range."),
      }),
    )
    .min(1)
    .max(MAX_PATCHES)
    .describe("Line changes, in any order, all with the line numbers before this call. They must not overlap."),
);

/**
 * Applies all line patches to a text, or none.
 *
 * @param name the caller's name for the text, for messages
 * @throws ToolError `invalid_input` with the patch at fault, `too_large`
 */
export function patchLines(name: string, text: string, patches: readonly LinePatch[]): string {
  patches.forEach(({ content }, index) => checkContent(name, content, index));
  const result = applyLinePatches(text, patches);
  if (!result.ok) {
    throw new ToolError(
      "invalid_input",
      `${name}: ${result.error.message} Nothing was changed.`,
      "Line numbers refer to the text before the call: read it again and correct them.",
    );
  }
  if (result.text.length > LARGEST_CHANGED_FILE || utf8Length(result.text) > LARGEST_CHANGED_FILE) {
    throw new ToolError(
      "too_large",
      `${name}: the patches would make it more than ${LARGEST_CHANGED_FILE} bytes. Nothing was changed.`,
      "Put the new lines into another file.",
    );
  }
  return result.text;
}

/** Refuses an unpaired surrogate, which JSON can express but no file can hold. */
function checkContent(name: string, content: string, index: number): void {
  const bad = /\p{Surrogate}/u.test(content)
    ? "an unpaired surrogate"
    : content.includes("\0")
      ? "a NUL character, which would make the file binary"
      : undefined;
  if (bad !== undefined) {
    throw new ToolError(
      "invalid_input",
      `${name}: patches[${index}]: content contains ${bad}. Nothing was changed.`,
      "Remove it, or write it in plain characters.",
    );
  }
}
