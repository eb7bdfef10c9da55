import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { joinPath, parentPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { PathAliases } from "../../text/imports/aliases.js";

/** Maximum bytes of a package.json. */
const MAX_BYTES = 200_000;
/** Fields of a package.json that name the file that the package's own name means. */
const ENTRIES = ["types", "typings", "module", "main"];
/** Maximum depth of conditions in `exports`. */
const MAX_DEPTH = 10;

/**
 * Returns the names by which other packages of a workspace import a package's files: those of the next package.json
 * above a file of it (Node's documentation, "Package entry points"). A name that means what a build makes is not one of
 * the source's: whoever imports it sees a change after the next build.
 */
export async function packageAliases(files: Files, file: GatedPath): Promise<PathAliases[]> {
  for (let folder = parentPath(file.path); ; folder = parentPath(folder)) {
    const found = await read(files, file, joinPath(folder, "package.json"));
    if (found !== undefined) {
      const { at, text } = found;
      const paths = namesOf(text);
      return paths === undefined
        ? []
        : [{ baseUrl: undefined, folder: at.absolute.slice(0, at.absolute.lastIndexOf("/")), paths }];
    }
    if (parentPath(folder) === folder) {
      return [];
    }
  }
}

async function read(files: Files, near: GatedPath, path: string): Promise<{ at: GatedPath; text: string } | undefined> {
  try {
    const at = await resolveFrom(files, near, path);
    return { at, text: (await files.readSnapshot(at, MAX_BYTES)).text };
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}

/** Returns paths by the names of a package; undefined if it has none, or is malformed. */
function namesOf(text: string): Record<string, string[]> | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { name, exports, ...fields } = isRecord(manifest) ? manifest : {};
  if (typeof name !== "string" || name === "" || name.includes("*")) {
    return undefined;
  }
  if (exports === undefined) {
    return { [name]: [...ENTRIES.flatMap((field) => targets(fields[field])), "index"], [`${name}/*`]: ["*"] };
  }
  const isByName = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  const entries: [string, unknown][] = isByName ? Object.entries(exports) : [[".", exports]];
  return Object.fromEntries(entries.map(([key, value]) => [`${name}${key.slice(1)}`, targets(value)]));
}

/** Returns the paths that an entry names, under whatever conditions. */
function targets(value: unknown, depth = 0): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null && depth < MAX_DEPTH
    ? Object.values(value).flatMap((each) => targets(each, depth + 1))
    : [];
}
