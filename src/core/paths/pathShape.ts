import { excerpt } from "../../text/clip.js";
import { shownName } from "../../text/shownName.js";
import { ToolError } from "../errors.js";

/** Linux's limit for a path's length; longer ones cannot exist. */
export const MAX_PATH_LENGTH = 4096;

/** UTF-16 units that a name may have on Windows, which says of longer ones only that they are not there. */
const MAX_WINDOWS_NAME = 255;

/** The top of a network share, which has no folder above it: `//server/share`. */
const SHARE = /^\/\/[^/]+\/[^/]+(?:\/|$)/;

/**
 * Device names that Windows opens in any folder, with any extension, and with trailing spaces (Win32 file naming
 * rules).
 */
export const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?$/i;

/**
 * Refuses a path whose shape is hostile or meaningless, before anything accesses the disk, and returns it with `/` as
 * the only separator (vscode.md §4.2).
 *
 * Shapes that are attacks only on Windows (device names, trailing dots, short names, colons) are ordinary file names
 * elsewhere and refused only there; `:$`, which no honest name has, is refused everywhere.
 *
 * @param windows whether the files are on Windows
 * @param folders on Windows, those that the user opened: a path below one of them may have its network or short name
 * @throws ToolError `invalid_input`
 */
export function checkPathShape(raw: string, windows: boolean, folders: readonly string[] = []): string {
  const refuse = (why: string, hint = "Give a path relative to the workspace, with / between its parts."): never => {
    throw new ToolError("invalid_input", `${excerpt(raw)}: ${why}`, hint);
  };
  if (raw === "") {
    refuse("an empty path. Use . for the workspace itself.");
  }
  if (raw.length > MAX_PATH_LENGTH) {
    refuse(`a path of ${raw.length} characters; ${MAX_PATH_LENGTH} at most.`);
  }
  // Escapes in an address are decoded first, so that what they hide is checked too.
  const path = fromFileUri(raw, refuse);
  if (path.includes("\0")) {
    refuse("a path with a NUL character.");
  }
  if (/\p{Surrogate}/u.test(path)) {
    refuse("a path with half a surrogate pair, which no file system can store.");
  }
  const below = windows ? belowOneOf(folders, path.replaceAll("\\", "/")) : undefined;
  if (below === undefined && (/^(\\\\|\/\/)/.test(path) || (windows && /^[\\/]{2}/.test(path)))) {
    refuse(
      "a network or device path.",
      windows
        ? "Give a path relative to the workspace. Files on a network share can be reached if the share is opened as a workspace folder."
        : undefined,
    );
  }
  if (path.includes(":$")) {
    refuse("an NTFS stream, not a file.");
  }
  if (/^~([/\\]|$)/.test(path)) {
    const rest = path.slice(2);
    throw new ToolError(
      "invalid_input",
      `${excerpt(raw)}: ~ is not expanded here.`,
      `Paths begin in the workspace folder${rest === "" ? ": . is the folder itself" : `, such as ${excerpt(rest)}`}. Give a path elsewhere from / on.`,
    );
  }
  if (!windows) {
    if (/^[A-Za-z]:[\\/]/.test(path)) {
      refuse("a Windows path, but the workspace is not on Windows.");
    }
    return path;
  }
  if (/^[A-Za-z]:(?![\\/])/.test(path)) {
    refuse("a path relative to a drive's current folder.");
  }
  const slashed = path.replaceAll("\\", "/");
  const segments = (below ?? slashed.replace(/^[A-Za-z]:/, "")).split("/");
  for (const segment of segments) {
    if (segment.includes(":")) {
      // Elsewhere, what is not there tells of a line behind a path (tools/fs/existing.ts).
      const [, file, line] = /^((?:[A-Za-z]:)?[^:]+):(\d+)(?:[:-]\d+)*$/.exec(slashed) ?? [];
      refuse(
        "an NTFS stream, not a file.",
        file === undefined ? undefined : `Did you mean ${shownName(file)}, with offset=${line}?`,
      );
    }
    if (WINDOWS_DEVICE.test(segment)) {
      refuse(`${segment} is a device on Windows, not a file.`);
    }
    if (segment !== "." && segment !== ".." && /[. ]$/.test(segment)) {
      refuse("a name that ends in a dot or a space, which Windows drops.");
    }
    if (/~\d/.test(segment)) {
      refuse("a short (8.3) name. Give the long one.");
    }
    if (segment.length > MAX_WINDOWS_NAME) {
      refuse("the name is too long for the file system.", `Names have at most ${MAX_WINDOWS_NAME} characters.`);
    }
  }
  return slashed;
}

/** Returns the part of a path below the first of some folders that it is in: folders of a drive or a share. */
function belowOneOf(folders: readonly string[], path: string): string | undefined {
  for (const folder of folders.filter((each) => /^(?:[A-Za-z]:\/|\/\/)/.test(each))) {
    const below = pathBelow(folder, path, true);
    if (below !== undefined) {
      return below;
    }
  }
  return undefined;
}

/** Converts `file:///a/b%20c` to `/a/b c`; any other scheme, or another machine's file, is refused. */
function fromFileUri(raw: string, refuse: (why: string) => never): string {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):\/\//.exec(raw)?.[1];
  if (scheme === undefined) {
    return raw;
  }
  if (scheme.toLowerCase() !== "file") {
    return refuse(`a ${scheme}: address, not a file of the workspace.`);
  }
  const rest = raw.slice("file://".length);
  if (!rest.startsWith("/")) {
    return refuse("a file: address on another machine.");
  }
  try {
    const path = decodeURIComponent(rest);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return refuse("a file: address with broken %-escapes.");
  }
}

/**
 * Resolves `.`, `..` and repeated separators in a path, without accessing the disk. `..` above the top stays at the top
 * of an absolute path and is kept in a relative one.
 *
 * @param windows whether two slashes in front begin the name of a network share
 */
export function normalisePath(path: string, windows = false): string {
  const prefix = ((windows ? SHARE.exec(path) : undefined) ?? /^([A-Za-z]:)?\//.exec(path))?.[0] ?? "";
  const kept: string[] = [];
  for (const segment of path.slice(prefix.length).split("/")) {
    if (segment === "" || segment === ".") {
      continue;
    }
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") {
      kept.pop();
    } else if (segment !== ".." || prefix === "") {
      kept.push(segment);
    }
  }
  return prefix + kept.join("/") || ".";
}

/**
 * Returns the part of `path` below `folder`, `.` for the folder itself, undefined if it is elsewhere. Whole segments
 * are compared: `/work` does not contain `/workspace` (CVE-2025-53110).
 * @param foldCase ignore case, as the file system does (CVE-2025-59944)
 */
export function pathBelow(folder: string, path: string, foldCase: boolean): string | undefined {
  // By segment, not by length: folding case may change a text's length.
  const above = segmentsOf(folder);
  const segments = segmentsOf(path);
  const fold = (text: string | undefined): string | undefined => (foldCase ? text?.toLowerCase() : text);
  return above.every((segment, index) => fold(segment) === fold(segments[index]))
    ? segments.slice(above.length).join("/") || "."
    : undefined;
}

/** Returns the names in an absolute path; for the top of a disk, only its drive. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, "").split("/");
}

/** Whether a path begins at the top of a disk; this includes a Windows path without a drive. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** Joins a folder and a relative path. */
export function joinPath(folder: string, relative: string): string {
  return relative === "." ? folder : folder.endsWith("/") ? folder + relative : `${folder}/${relative}`;
}

/** Returns a folder's path without a slash at its end; the top of a disk keeps it, for `C:` is another folder. */
export function withoutLastSlash(path: string): string {
  return /^(?:[A-Za-z]:)?\/$/.test(path) ? path : path.replace(/\/$/, "");
}

/** Returns the folder that contains a path; for the top of a disk, or of a network share, itself. */
export function parentPath(path: string): string {
  if (SHARE.exec(path)?.[0] === path) {
    return path;
  }
  const cut = path.lastIndexOf("/");
  // A drive's top keeps its slash; further down a colon is part of a name.
  return cut < 0 ? "." : cut === 0 || (cut === 2 && path[1] === ":") ? path.slice(0, cut + 1) : path.slice(0, cut);
}

/** Returns the last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Whether two paths are the same but for letter case and Unicode composition: file systems that ignore these may spell
 * a real name differently.
 */
export function sameName(one: string, other: string): boolean {
  return one.normalize("NFC").toLowerCase() === other.normalize("NFC").toLowerCase();
}
