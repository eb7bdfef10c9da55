import { utf8Length } from "../../text/page.js";
import { WINDOWS_DEVICE } from "./pathShape.js";

/**
 * File systems allow names of 255 bytes; this leaves room for a suffix and for the name of a temporary file next to it.
 */
export const MAX_NAME_BYTES = 200;

/** Characters that some file system does not allow in a name. */
const NOT_IN_NAMES = /[<>:"|?*]/u;
/** Characters that are invisible or break a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/**
 * Returns why a text cannot be a file name on every system, as the rest of a sentence about it; undefined if it can.
 */
export function plainNameProblem(name: string): string | undefined {
  if (name === "") {
    return "is empty";
  }
  if (utf8Length(name) > MAX_NAME_BYTES) {
    return `has ${utf8Length(name)} bytes; ${MAX_NAME_BYTES} at most`;
  }
  if (UNSEEN.test(name)) {
    return "contains an invisible character";
  }
  if (/[/\\]/.test(name)) {
    return "contains a / or \\, like a path";
  }
  const unfit = NOT_IN_NAMES.exec(name)?.[0];
  if (unfit !== undefined) {
    return `contains ${unfit}, which not every system allows in file names`;
  }
  if (/^[.\s]|[.\s]$/u.test(name)) {
    return "begins or ends with a dot or whitespace";
  }
  if (WINDOWS_DEVICE.test(name)) {
    return "is a device on Windows";
  }
  if (/~\d/.test(name)) {
    return "looks like a Windows short (8.3) name";
  }
  return undefined;
}
