import { excerpt } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { ToolError } from "../../core/errors.js";
import { MAX_NAME_BYTES, plainNameProblem } from "../../core/paths/plainName.js";
import { protectedReason, secretReason } from "../../core/paths/protectedFiles.js";
import { MEMORY_FOLDER } from "../../names/stateFolder.js";

/** The suffix of a note's file. */
export const NOTE_SUFFIX = ".md";

/**
 * Returns a key as notes are stored under it, in Unicode's NFC form. A key is a file name, so it must be valid on every
 * system.
 *
 * @throws ToolError `invalid_input` that says what is wrong with it and proposes a valid key
 */
export function checkKey(raw: string): string {
  const key = raw.normalize("NFC");
  const problem = problemOf(key);
  if (problem !== undefined) {
    const better = proposal(key);
    throw new ToolError(
      "invalid_input",
      `memory key ${excerpt(raw)} ${problem}.`,
      `A key is a name of at most ${MAX_NAME_BYTES} bytes: letters, digits, spaces, . _ and -.${better === undefined ? "" : ` For example ${JSON.stringify(better)}.`}`,
    );
  }
  return key;
}

/** Whether notes can be stored under a name. */
export function isKey(name: string): boolean {
  return problemOf(name) === undefined;
}

/** Returns the workspace path of a key's note. Throws as `checkKey` does. */
export function notePath(key: string): string {
  return `${MEMORY_FOLDER}/${checkKey(key)}${NOTE_SUFFIX}`;
}

/** Returns what is wrong with a key in NFC; undefined if it is valid. */
function problemOf(key: string): string | undefined {
  const problem = plainNameProblem(key);
  if (problem !== undefined) {
    return problem;
  }
  if (/\.md$/i.test(key)) {
    return "ends in .md: a key is the file's name without it";
  }
  const path = `${MEMORY_FOLDER}/${key}${NOTE_SUFFIX}`;
  const special = protectedReason(path) ?? secretReason(path);
  return special === undefined ? undefined : `would name a special file: ${special}`;
}

/** Proposes a valid key close to an invalid one; undefined if nothing is left of it. */
function proposal(key: string): string | undefined {
  if (utf8Length(key) > MAX_NAME_BYTES) {
    return undefined;
  }
  const better = key
    .replace(/^(\.?[/\\])*(\.toolhost[/\\])?(memory[/\\])?/, "")
    .replace(/(\.md)+$/i, "")
    .split(/[^\p{L}\p{M}\p{N} ._-]+/u)
    .map((part) => part.replace(/^[.\s-]+|[.\s]+$/gu, ""))
    .filter((part) => part !== "")
    .join("-");
  return isKey(better) ? better : undefined;
}
