import { excerpt } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { ToolError } from "../../core/errors.js";
import { MAX_PATH_LENGTH, WINDOWS_DEVICE } from "../../core/paths/pathShape.js";
import { CONTEXT_FOLDER } from "../../names/stateFolder.js";

/** The file that keeps the context store out of Git, in its folder. */
export const CONTEXT_IGNORE_FILE = ".gitignore";

const OWN_FOLDER = /^((\.\/)*\.toolhost\/context\/)+/;

/**
 * Maximum names in one path: every level is looked up from the top, so listing a store of 1,000 levels takes a minute.
 */
export const MAX_CONTEXT_DEPTH = 100;
/** Maximum bytes of one name: the limit of every common file system. */
const MAX_NAME_BYTES = 255;

/**
 * Rules for names that the store refuses, with the reason. Windows' rules apply everywhere, so that a store can be
 * copied.
 */
const REFUSED_NAMES: readonly { shape: RegExp; why: (name: string) => string }[] = [
  { shape: /^\.\.$/, why: () => ".. leaves a folder, which the context store does not allow" },
  { shape: /[. ]$/, why: (name) => `the name ${excerpt(name)} ends in a dot or a space, which Windows drops` },
  { shape: WINDOWS_DEVICE, why: (name) => `${excerpt(name)} is a device on Windows, not a file` },
  {
    shape: /[<>:"|?*]/,
    why: (name) =>
      `the name ${excerpt(name)} contains one of < > : " | ? *, which not every system allows (and patterns are not expanded here)`,
  },
  { shape: /^\.gitignore$/i, why: () => "the store's own .gitignore keeps it out of Git and is left alone" },
  { shape: /^\.toolhost-.*\.tmp$/i, why: (name) => `${excerpt(name)} is a name for temporary files` },
];

/**
 * Returns the logical path of a file in the context store, by which every tool names it: `notes/a.md`.
 *
 * `\` becomes `/`; a leading `/`, `.` and `.toolhost/context/` are dropped; characters are composed (NFC), so that a
 * file has only one path.
 *
 * @throws ToolError `invalid_input` for anything that is not a plain relative path
 */
export function contextPath(raw: string): string {
  const refuse = (why: string): never => {
    throw new ToolError(
      "invalid_input",
      `${excerpt(raw)}: ${why}.`,
      "Give a path in the context store with / between its parts, such as notes/meeting.md.",
    );
  };
  checkCharacters(raw, refuse);
  const slashed = raw.replaceAll("\\", "/").normalize("NFC");
  if (/^\/\//.test(slashed)) {
    refuse("a network or device path");
  }
  if (slashed.endsWith("/") && slashed !== "/") {
    refuse("names a folder, not a file");
  }
  // Lists and searches of the workspace show the store's files with its folder as a prefix.
  const names = slashed
    .replace(/^\//, "")
    .replace(OWN_FOLDER, "")
    .split("/")
    .filter((name) => name !== ".");
  if (names.length === 0 || names.join("") === "") {
    refuse("an empty path");
  }
  if (names[0] === "~") {
    refuse("~ is not expanded here");
  }
  if (names.length > MAX_CONTEXT_DEPTH) {
    refuse(`a path of ${names.length} levels; ${MAX_CONTEXT_DEPTH} at most`);
  }
  names.forEach((name) => checkName(name, refuse));
  return names.join("/");
}

/**
 * Returns the logical path of a folder or file of the store; `.` is the store itself (also `""` and `/`). A trailing
 * `/` makes no difference.
 *
 * @throws ToolError as `contextPath`
 */
export function contextFolder(raw = "."): string {
  const trimmed = raw.replace(/(?<=[^\\/])[\\/]$/, "");
  return ["", ".", "/", "\\", CONTEXT_FOLDER, `./${CONTEXT_FOLDER}`].includes(trimmed) ? "." : contextPath(trimmed);
}

/** Returns the workspace path of a logical path. */
export function contextFile(logical: string): string {
  return logical === "." ? CONTEXT_FOLDER : `${CONTEXT_FOLDER}/${logical}`;
}

function checkCharacters(raw: string, refuse: (why: string) => never): void {
  if (raw.length > MAX_PATH_LENGTH) {
    refuse(`a path of ${raw.length} characters; ${MAX_PATH_LENGTH} at most`);
  }
  if (raw.includes("\0")) {
    refuse("a path with a NUL character");
  }
  if (/\p{Surrogate}/u.test(raw)) {
    refuse("a path with an unpaired surrogate, which no file system can store");
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(raw)) {
    refuse("a path with a control character, a line ending or a bidirectional mark");
  }
}

function checkName(name: string, refuse: (why: string) => never): void {
  if (name === "") {
    refuse("an empty name between two /");
  }
  const refused = REFUSED_NAMES.find(({ shape }) => shape.test(name));
  if (refused !== undefined) {
    refuse(refused.why(name));
  }
  if (utf8Length(name) > MAX_NAME_BYTES) {
    refuse(`a name of ${utf8Length(name)} bytes; ${MAX_NAME_BYTES} at most`);
  }
}
