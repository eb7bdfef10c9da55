import { excerpt } from "../text/clip.js";
import { utf8Length } from "../text/page.js";
import { ToolError } from "./errors.js";
import { WINDOWS_DEVICE } from "./pathShape.js";
import { protectedReason, secretReason } from "./protectedFiles.js";

/** The folder of the notes that have keys, in the workspace. */
export const MEMORY_FOLDER = ".toolhost/memory";
/** What a note's file ends in. */
export const NOTE_SUFFIX = ".md";
/** File systems take names of 255 bytes; the suffix and the name of a temporary file beside it need room. */
const MAX_KEY_BYTES = 200;

/** What some file system has no place for in a name. */
const NOT_IN_NAMES = /[<>:"|?*]/u;
/** What nobody sees, or what breaks a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/**
 * A key as notes are kept under it, in Unicode's form NFC. A key is a file's name on every system, so it must be one anywhere.
 *
 * @throws ToolError `invalid_input` that says what is wrong with it and proposes a key that is not
 */
export function checkKey(raw: string): string {
  const key = raw.normalize("NFC");
  const problem = problemOf(key);
  if (problem !== undefined) {
    const better = proposal(key);
    throw new ToolError(
      "invalid_input",
      `memory key ${excerpt(raw)}: ${problem}.`,
      `A key is a name of at most ${MAX_KEY_BYTES} bytes: letters, digits, blanks, . _ and -.${better === undefined ? "" : ` For example ${JSON.stringify(better)}.`}`,
    );
  }
  return key;
}

/** Whether notes can be kept under a name. */
export function isKey(name: string): boolean {
  return problemOf(name) === undefined;
}

/** The file of a key's note, in the workspace. Throws as `checkKey` does. */
export function notePath(key: string): string {
  return `${MEMORY_FOLDER}/${checkKey(key)}${NOTE_SUFFIX}`;
}

/** What is wrong with a key in NFC; undefined when nothing is. */
function problemOf(key: string): string | undefined {
  if (key === "") {
    return "is empty";
  }
  if (utf8Length(key) > MAX_KEY_BYTES) {
    return `has ${utf8Length(key)} bytes; ${MAX_KEY_BYTES} at most`;
  }
  if (UNSEEN.test(key)) {
    return "holds a character that cannot be seen";
  }
  if (/[/\\]/.test(key)) {
    return "holds a / or \\, as if it were a path";
  }
  const unfit = NOT_IN_NAMES.exec(key)?.[0];
  if (unfit !== undefined) {
    return `holds ${unfit}, which not every system takes in a file's name`;
  }
  if (/^[.\s]|[.\s]$/u.test(key)) {
    return "begins or ends with a dot or a blank";
  }
  if (/\.md$/i.test(key)) {
    return "ends in .md: a key is the file's name without it";
  }
  if (WINDOWS_DEVICE.test(key)) {
    return "is a device on Windows";
  }
  if (/~\d/.test(key)) {
    return "looks like a short (8.3) name of Windows";
  }
  const path = `${MEMORY_FOLDER}/${key}${NOTE_SUFFIX}`;
  const special = protectedReason(path) ?? secretReason(path);
  return special === undefined ? undefined : `would name a special file: ${special}`;
}

/** A key near one that cannot be; undefined when nothing is left of it. */
function proposal(key: string): string | undefined {
  if (utf8Length(key) > MAX_KEY_BYTES) {
    return undefined;
  }
  const better = key
    .replace(/^(\.?[/\\])*(\.toolhost[/\\])?(memory[/\\])?/, "")
    .replace(/(\.md)+$/i, "")
    .split(/[^\p{L}\p{M}\p{N} ._-]+/u)
    .map((part) => part.replace(/^[.\s]+|[.\s]+$/gu, ""))
    .filter((part) => part !== "")
    .join("-");
  return isKey(better) ? better : undefined;
}
