import { LARGE_CHUNK } from "./limits.js";

/** Bytes of a block: what a pipe gives at once. */
const BLOCK = 65_536;
/** Blocks that wait to be used again: twice as many as wait for the result store at most (`MAX_BACKLOG`). */
const MAX_FREE = 32;

const free: Uint8Array<ArrayBuffer>[] = [];

/**
 * A copy of bytes that whoever gave them will write over. It lies in memory that was used before: with new memory for
 * each chunk of a command's output, which the engine collects late, 100 MB of output take some 60 MB more at their
 * peak.
 */
export function keepBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length < LARGE_CHUNK || bytes.length > BLOCK) {
    return new Uint8Array(bytes);
  }
  const block = free.pop() ?? new Uint8Array(BLOCK);
  block.set(bytes);
  return block.subarray(0, bytes.length);
}

/** Gives a copy of `keepBytes` back, or any part of it; nobody looks at it any more. */
export function releaseBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === BLOCK && free.length < MAX_FREE) {
    free.push(new Uint8Array(buffer));
  }
}
