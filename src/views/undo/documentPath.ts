/** A document's address, as VS Code has it. */
export interface Address {
  scheme: string;
  fsPath: string;
}

/** The files that tools can reach. */
export interface ReachedFiles<Uri extends Address> {
  /** Returns a URI's path in the workspace; undefined if it is outside. */
  pathOf(uri: Uri): Promise<string | undefined>;
  /** `Files.outside`. */
  outside(path: string): Promise<{ path: string }>;
}

/**
 * Returns the path under which changes of a document's file are listed. Undefined if it is no file: what a version control
 * system shows of a file is an earlier state of it.
 */
export async function documentPath<Uri extends Address>(
  uri: Uri,
  files: ReachedFiles<Uri>,
): Promise<string | undefined> {
  const inside = await files.pathOf(uri);
  if (inside !== undefined || uri.scheme !== "file") {
    return inside;
  }
  // On Windows, too, tools write paths with `/`. Elsewhere a path begins with one, and a name may have a `\`.
  const path = uri.fsPath.startsWith("/") ? uri.fsPath : uri.fsPath.replaceAll("\\", "/");
  const at = await files.outside(path).catch(() => undefined);
  return at?.path;
}

/** Whether two paths are the same, but for the case of a Windows drive's letter: VS Code writes it small, tools as given. */
export function isSamePath(one: string, other: string | undefined): boolean {
  return other !== undefined && withSmallDrive(one) === withSmallDrive(other);
}

function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:\//, (drive) => drive.toLowerCase());
}
