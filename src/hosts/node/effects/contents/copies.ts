import { folderOf } from "../../../../features/effects/snapshot.js";

/** The contents of a file. */
export interface Copied {
  bytes: Buffer;
}

/** What files of a root contained when a snapshot was taken. */
export class Copies<T extends Copied = Copied> {
  readonly #folders: ReadonlyMap<string, ReadonlyMap<string, T>>;

  /**
   * @param folders by the folder's path in the root, then by name. Copies that are added later of a folder that has not
   *   changed since count, too
   */
  constructor(folders: ReadonlyMap<string, ReadonlyMap<string, T>>) {
    this.#folders = folders;
  }

  get(path: string): T | undefined {
    return this.in(folderOf(path)).get(path.slice(path.lastIndexOf("/") + 1));
  }

  /** Returns those of a folder, by name. */
  in(folder: string): ReadonlyMap<string, T> {
    return this.#folders.get(folder) ?? new Map<string, T>();
  }
}
