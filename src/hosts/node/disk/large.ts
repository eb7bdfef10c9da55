// Files whose contents are compared by their hash, since they are too large to be held in memory.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { MAX_LARGE } from "../../../features/changes/journal/limits.js";
import type { EntryState, LargeFile } from "../../../ports/files.js";
import { openRegular } from "./openRegular.js";

/** Bytes read at a time. */
const CHUNK = 1024 * 1024;
/** Permission bits, including set-user-id and similar bits. */
const MODE = 0o7777;

/** Returns a file as one of which only the hash of its contents is known. @throws ToolError if it cannot be read */
export async function largeAt(path: string): Promise<Extract<EntryState, { large: unknown }>> {
  const { file, info } = await openRegular(path);
  try {
    return { large: { sha256: await sha256Of(file, info.size), size: info.size, mode: info.mode & MODE } };
  } finally {
    await file.close();
  }
}

/** Whether a file has these contents; not if they are unknown, since it is too large. @throws ToolError if it cannot be read */
export async function isLarge(path: string, { sha256, size }: LargeFile): Promise<boolean> {
  const { file, info } = await openRegular(path);
  try {
    return sha256 !== "" && info.size === size && (await sha256Of(file, size)) === sha256;
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file, in hex, as `LargeFile` has it. @throws ToolError if it cannot be read */
export async function hashOfFile(path: string): Promise<string> {
  const { file, info } = await openRegular(path);
  try {
    return await sha256Of(file, info.size);
  } finally {
    await file.close();
  }
}

/**
 * Returns the SHA-256 of an open file, in hex; empty if it is too large for a copy. Of a file that grows meanwhile, one
 * byte more is read than its size says: that ends, and is the hash of no copy.
 */
async function sha256Of(file: FileHandle, size: number): Promise<string> {
  if (size > MAX_LARGE) {
    return "";
  }
  const hash = createHash("sha256");
  for await (const chunk of file.createReadStream({ start: 0, end: size, autoClose: false, highWaterMark: CHUNK })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}
