import { ToolError, unlessMissing } from "../../core/errors.js";
import { joinPath, parentPath, baseName } from "../../core/paths/pathShape.js";
import { NodeDisk } from "./disk/disk.js";
import { slashed } from "./disk/slashed.js";

/** Maximum bytes of a configuration: more than any that people write. */
const MAX_BYTES = 5_000_000;

/** A file with a person's configuration of another program. */
export interface ConfigFile {
  /** Its path, with all links resolved. */
  path: string;
  /** Undefined if there is no file. */
  text: string | undefined;
}

/**
 * Reads the first of several files that exists.
 *
 * @param paths absolute; the first is the one to create if there is none
 * @throws ToolError if it is not a readable text file, or a link that leads nowhere
 */
export async function readConfig(paths: readonly string[]): Promise<ConfigFile> {
  const disk = new NodeDisk();
  const slashedPaths = paths.map(slashed);
  for (const path of slashedPaths) {
    const real = await disk.realPath(path);
    if (real !== undefined) {
      return { path: real, text: await textOf(disk, real) };
    }
  }
  return { path: await realPlace(disk, slashedPaths[0] ?? ""), text: undefined };
}

/**
 * Writes a file's new text: whole or not at all, with its mode and owner.
 *
 * @throws ToolError `stale` if it has changed since it was read, `path_conflict` if there was none then and is now
 */
export async function writeConfig({ path, text }: ConfigFile, changed: string): Promise<void> {
  const disk = new NodeDisk();
  const bytes = new TextEncoder().encode(changed);
  const step =
    text === undefined
      ? await disk.stageCreate(path, bytes)
      : await disk.stageReplace(path, bytes, async () => {
          if ((await unlessMissing(() => textOf(disk, path))) !== text) {
            throw new ToolError("stale", `${path} was changed meanwhile. It was left as it is.`, "Try again.");
          }
        });
  try {
    await step.flushed?.();
    await step.commit();
  } finally {
    await step.release();
  }
}

async function textOf(disk: NodeDisk, path: string): Promise<string> {
  const bytes = await disk.readAll(path, MAX_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError("invalid_input", `${path} is not UTF-8 text. It was left as it is.`);
  }
}

/** Returns where a file that does not exist would be, with the links of its folders resolved. */
async function realPlace(disk: NodeDisk, path: string): Promise<string> {
  const folder = parentPath(path);
  if (folder === path) {
    return path;
  }
  return joinPath((await disk.realPath(folder)) ?? (await realPlace(disk, folder)), baseName(path));
}
