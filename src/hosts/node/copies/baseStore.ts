import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

/** What files of a copy were when it was made: one file on disk, since most of them are never asked for again. */
export class BaseStore {
  readonly #file: number;
  readonly #places = new Map<string, { offset: number; length: number }>();
  #end = 0;

  /** @param path of a new file, which only this user can read */
  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  }

  set(path: string, bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#end + written);
    }
    this.#places.set(path, { offset: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /** Returns a file's contents; undefined if they were not kept. @throws Error if they cannot be read */
  get(path: string): Uint8Array | undefined {
    const place = this.#places.get(path);
    if (place === undefined) {
      return undefined;
    }
    const bytes = new Uint8Array(place.length);
    for (let read = 0; read < bytes.length;) {
      const more = readSync(this.#file, bytes, read, bytes.length - read, place.offset + read);
      if (more === 0) {
        throw new Error(`${path}: what it was when the copy was made is lost`);
      }
      read += more;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}
