import { LARGE_CHUNK } from "./limits.js";

/** Bytes of a block: the most a pipe delivers in one read. */
const BLOCK = 65_536;
/** Maximum free blocks kept for reuse: twice as many as can wait for the result store (`MAX_BACKLOG`). */
const MAX_FREE = 32;

const free: Uint8Array<ArrayBuffer>[] = [];

/**
 * Copies bytes whose buffer the caller will overwrite, into reused memory. Allocating new memory for each chunk of a
 * command's output, which the engine frees late, would add about 60 MB to the peak for 100 MB of output.
 */
export function keepBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length < LARGE_CHUNK || bytes.length > BLOCK) {
    return new Uint8Array(bytes);
  }
  const block = free.pop() ?? new Uint8Array(BLOCK);
  block.set(bytes);
  return block.subarray(0, bytes.length);
}

/** Returns a copy made by `keepBytes`, or any part of it, to the pool; nobody may use it any more. */
export function releaseBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === BLOCK && free.length < MAX_FREE) {
    free.push(new Uint8Array(buffer));
  }
}
