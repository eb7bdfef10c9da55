/** Returns a path of Node's with the separators that paths have here on every system. */
export const slashed = (path: string): string => (process.platform === "win32" ? path.replaceAll("\\", "/") : path);
