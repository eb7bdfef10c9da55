// A folder of a snapshot as it is on disk: most folders are the same in the next snapshot, so that each is encoded once.
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { Folder } from "../../../features/effects/snapshot.js";
import type { Copied } from "./contents/copies.js";
import { isSameGit, objectOf, type GitFiles } from "./contents/gitFiles.js";
import { kindOf } from "./walk.js";

/** What a stored folder has of each entry, in this order. */
const NUMBERS = ["mode", "size", "modified", "changed", "number", "born", "links"] as const;

/** A folder as it is stored. */
interface Stored {
  names: string[];
  numbers: Float64Array;
  targets: Map<string, string>;
  isIgnored: boolean;
  rules: Folder["rules"];
  /** Names of the files with the copies, by names. */
  copies: Map<string, string>;
  /** What Git keeps of files that are not copied, in the order of its indexes: names of objects, by names. */
  objects: Map<string, string>[];
}

/** A folder as it is read. */
export interface ReadFolder extends Pick<Stored, "copies" | "objects"> {
  folder: Omit<Folder, "ignores">;
}

/** A folder that is encoded. */
export interface EncodedFolder {
  bytes: Buffer;
  /** Its copies, by the names of their files. */
  copies: ReadonlyMap<string, Buffer>;
}

const encoded = new WeakMap<Folder, EncodedFolder & { git: readonly GitFiles[] }>();
const names = new WeakMap<Buffer, string>();

/**
 * Encodes a folder.
 *
 * @param path its absolute path
 * @param copies of its files, by name; later calls for the same folder may have more
 * @param git what Git keeps
 */
export function encodeFolder(
  path: string,
  folder: Folder,
  copies: ReadonlyMap<string, Copied>,
  git: readonly GitFiles[],
): EncodedFolder {
  const known = encoded.get(folder);
  if (known !== undefined && known.copies.size === copies.size && isSameGit(known.git, git)) {
    return known;
  }
  const { entries, isIgnored, rules } = folder;
  const all = [...entries];
  const copied = [...copies].map(([name, { bytes }]) => ({ name, bytes, file: nameOf(bytes) }));
  const objects = git.map((index) =>
    all.flatMap(([name, entry]) => {
      const object =
        entry.kind === "file" && !copies.has(name) ? objectOf([index], `${path}/${name}`, entry) : undefined;
      return object === undefined ? [] : [[name, object] as const];
    }),
  );
  const bytes = serialize({
    ...{ isIgnored, rules },
    names: all.map(([name]) => name),
    numbers: Float64Array.from(all.flatMap(([, entry]) => NUMBERS.map((key) => entry[key]))),
    targets: new Map(all.flatMap(([name, { target }]) => (target === undefined ? [] : [[name, target] as const]))),
    copies: new Map(copied.map(({ name, file }) => [name, file] as const)),
    objects: objects.map((each) => new Map(each)),
  } satisfies Stored);
  const made = { bytes, copies: new Map(copied.map((each) => [each.file, each.bytes] as const)), git };
  encoded.set(folder, made);
  return made;
}

/** Reads a folder. Throws if it is not one. */
export function decodeFolder(bytes: Buffer): ReadFolder {
  const { names: all, numbers, targets, isIgnored, rules, copies, objects } = deserialize(bytes) as Stored;
  const entries = all.map((name, at) => {
    const [mode = 0, size = 0, modified = 0, changed = 0, number = 0, born = 0, links = 0] = numbers.subarray(
      at * NUMBERS.length,
    );
    const target = targets.get(name);
    return [
      name,
      {
        ...{ kind: kindOf(mode), mode, size, modified, changed, number, born, links },
        ...(target !== undefined && { target }),
      },
    ] as const;
  });
  return { folder: { entries: new Map(entries), isIgnored, rules }, copies, objects };
}

/** Returns the name of the file with a copy. */
export function nameOf(bytes: Buffer): string {
  let name = names.get(bytes);
  if (name === undefined) {
    name = createHash("sha256").update(bytes).digest("hex");
    names.set(bytes, name);
  }
  return name;
}
