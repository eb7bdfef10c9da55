/** Maximum number of saves remembered. */
const MAX_SAVES = 1_000;
/** Maximum bytes kept of saved files, in all. */
const MAX_SAVED_BYTES = 16 * 1024 * 1024;

/** A file that the user saved. */
export interface SavedFile {
  /** In milliseconds since 1970. */
  at: number;
  /** Its bytes then; undefined if they were not kept. */
  bytes: Uint8Array | undefined;
}

/** The files that the user saved lately: what is in them is not a command's. */
export class UserSaves {
  /** By absolute path, oldest first. */
  readonly #saves = new Map<string, SavedFile>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#saves.size === 0;
  }

  /** Remembers a save, and forgets the oldest of too many. */
  note(absolute: string, save: SavedFile): void {
    this.#forget(absolute);
    this.#saves.set(absolute, save);
    this.#bytes += save.bytes?.length ?? 0;
    for (const [oldest] of this.#saves) {
      if (this.#saves.size <= MAX_SAVES && this.#bytes <= MAX_SAVED_BYTES) {
        break;
      }
      this.#forget(oldest);
    }
  }

  /**
   * Returns what was saved since a moment in some folders, by real paths.
   *
   * @param moment in milliseconds since 1970
   * @param places the folders, as they are named and by their real paths
   */
  since(moment: number, places: readonly { folder: string; real: string }[]): Map<string, SavedFile> {
    const saved = new Map<string, SavedFile>();
    for (const [path, save] of this.#saves) {
      const place = places.find(({ folder, real }) => path.startsWith(`${folder}/`) || path.startsWith(`${real}/`));
      if (save.at >= moment && place !== undefined) {
        const { folder, real } = place;
        saved.set(path.startsWith(`${real}/`) ? path : real + path.slice(folder.length), save);
      }
    }
    return saved;
  }

  #forget(absolute: string): void {
    this.#bytes -= this.#saves.get(absolute)?.bytes?.length ?? 0;
    this.#saves.delete(absolute);
  }
}
