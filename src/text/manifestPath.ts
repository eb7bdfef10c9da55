/** What Windows and POSIX take for a path from the root of a disk or a drive. */
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/**
 * Checks a path of a workspace manifest.
 *
 * @returns the path with `/` between its names, without empty ones and dots
 * @throws Error with the sentence that says why it is none
 */
export function validateWorkspaceManifestPath(path: string): string {
  const refuse = (why: string): never => {
    throw new Error(`workspace manifest path ${why}`);
  };
  if (path === "") {
    refuse("must not be empty");
  }
  if (path.includes("\0")) {
    refuse("must not contain NUL bytes");
  }
  if (ABSOLUTE.test(path)) {
    refuse("must be workspace-relative");
  }
  const names = path.split(/[\\/]/).filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) {
    refuse("cannot contain traversal segments");
  }
  return names.length === 0 ? refuse("must not resolve to the workspace root") : names.join("/");
}
