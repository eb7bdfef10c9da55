/** The paths that Windows and PowerShell read alike, whatever the folder. */

/** Names of devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$) *(?:\..*)?$/i;

/** A path from the top of a drive; `C:a` is from the drive's own current folder. */
const FROM_DRIVE = /^[A-Za-z]:(?=[\\/])/;

/** A text that may be the way to another machine, which would get the user's credentials if anybody looked there. */
export function namesMachine(text: string): boolean {
  return /^(?:-[\w-]*[:=])?["']?[\\/]{2}/.test(text) || /::[\\/]*[\\/]{2}/.test(text);
}

/** Whether a path begins at the top of a drive: `C:\\work`. */
export function isFromDrive(path: string): boolean {
  return FROM_DRIVE.test(path);
}

/**
 * Returns why a path is not followed: it is read in a way of its own, or its place is only known at run time. Undefined
 * for a path below the current folder or next to it, and for one from the top of a drive: without a profile, a drive of
 * one letter is a disk's.
 */
export function pathDoubt(given: string): string | undefined {
  const drive = FROM_DRIVE.exec(given)?.[0] ?? "";
  const path = drive === "" ? given : given.slice(drive.length + 1);
  if (drive !== "" && path === "") {
    return undefined;
  }
  return partsDoubt(path, given);
}

function partsDoubt(path: string, given: string): string | undefined {
  const shown = `\`${given.slice(0, 60)}\``;
  if (path === "" || /[<>|"`\u0000-\u001F]/.test(path)) {
    return `${shown} is not the name of a file`;
  }
  if (path.includes(":")) {
    return `${shown} names a drive, a provider or a stream of a file`;
  }
  if (/^[\\/~]/.test(path)) {
    return `${shown} lies outside of the folder`;
  }
  for (const name of path.split(/[\\/]/)) {
    if (DEVICE.test(name) || /~\d/.test(name) || (/[. ]$/.test(name) && name !== "." && name !== "..")) {
      return `${shown} may be another file or a device`;
    }
  }
  return undefined;
}

/** Returns a path as other systems write it. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Returns the folder in which a pattern looks for names; the path itself if it is none. */
export function folderOfPattern(path: string): { folder: string; pattern: string | undefined } {
  const names = slashed(path).split("/");
  const at = names.findIndex((name) => /[*?[\]]/.test(name));
  if (at === -1) {
    return { folder: slashed(path), pattern: undefined };
  }
  const isTop = at === 1 && isFromDrive(path);
  return { folder: `${names.slice(0, at).join("/")}${isTop ? "/" : ""}` || ".", pattern: names.slice(at).join("/") };
}
