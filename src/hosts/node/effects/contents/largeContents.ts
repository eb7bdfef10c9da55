import type { Entry, FileDifference } from "../../../../features/effects/snapshot.js";
import type { FileContents } from "../../../../features/effects/snapshots.js";
import type { LargeFile } from "../../../../ports/files.js";
import { isSameState } from "../../../../features/effects/snapshot.js";
import { readRegular } from "../readRegular.js";
import { entryOf } from "../walk.js";
import type { Clone } from "./clones.js";
import type { Kept } from "./contents.js";
import { MAX_FILE } from "./keptFiles.js";
import { MAX_KEPT_AT_ONCE, type LargeStore } from "./largeStore.js";

const NOT_KEPT = "its earlier contents were not kept";

/** Keeps the contents of the large files that one command changed. */
export class LargeContents {
  readonly #store: LargeStore;
  readonly #kept: Pick<Kept, "root" | "clones">;
  readonly #later: ReadonlyMap<string, Clone> | undefined;
  #bytes = 0;

  /** @param later clones of files after the command, for those that have changed again */
  constructor(store: LargeStore, kept: Pick<Kept, "root" | "clones">, later: ReadonlyMap<string, Clone> | undefined) {
    this.#store = store;
    this.#kept = kept;
    this.#later = later;
  }

  /**
   * Returns the contents of a file that was or is large; none if they are the same, and why if they are not known.
   *
   * @param old what it contained, if it was small
   */
  of({ path, from, before, after, foldersMade }: FileDifference, old: Buffer | undefined): FileContents[] | string {
    const now = after && this.#now(path, after);
    if (after !== undefined && now === undefined) {
      return "too large";
    }
    if (from !== undefined && now !== undefined) {
      return [
        { path: from, before: now, foldersMade: 0 },
        { path, after: now, foldersMade },
      ];
    }
    const was = before && this.#before(path, before, old);
    if (before !== undefined && was === undefined) {
      return this.#kept.clones === undefined ? "too large" : NOT_KEPT;
    }
    return isLarge(was) && isLarge(now) && was.large.sha256 === now.large.sha256
      ? []
      : [
          {
            ...{ path, foldersMade },
            ...(was !== undefined && { before: was }),
            ...(now !== undefined && { after: now }),
            ...(before !== undefined && !isLarge(was) && { mode: before.mode & 0o7777 }),
          },
        ];
  }

  #before(path: string, before: Entry, old: Buffer | undefined): FileContents["before"] {
    const clone = this.#kept.clones?.get(path);
    return before.size <= MAX_FILE ? old : clone && this.#large(before, () => this.#store.keep(clone, before));
  }

  #now(path: string, after: Entry): FileContents["after"] {
    const place = `${this.#kept.root}/${path}`;
    if (after.size <= MAX_FILE) {
      const read = readRegular(place, after.size);
      return read !== undefined && isSameState(after, entryOf(read.stats)) ? read.bytes : undefined;
    }
    const later = this.#later?.get(path);
    return this.#large(after, () => this.#store.keepNow(place, after) ?? (later && this.#store.keep(later, after)));
  }

  #large({ size }: Entry, keep: () => LargeFile | undefined): { large: LargeFile } | undefined {
    this.#bytes += size;
    const large = this.#bytes > MAX_KEPT_AT_ONCE ? undefined : keep();
    return large && { large };
  }
}

function isLarge(state: FileContents["before"]): state is { large: LargeFile } {
  return state !== undefined && "large" in state;
}
