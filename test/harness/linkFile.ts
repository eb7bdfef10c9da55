import { copyFileSync, symlinkSync } from "node:fs";

/** Has a file at a second place: by a link, or by a copy on Windows, where only administrators make links. */
export const linkFile: (file: string, place: string) => void =
  process.platform === "win32" ? copyFileSync : symlinkSync;
