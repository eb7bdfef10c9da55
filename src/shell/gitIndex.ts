/** Reads git's index: which files a repository tracks (gitformat-index(5), versions 2 to 4). */

/** A tracked file, or a nested repository (`isRepository`). */
export interface IndexEntry {
  /** Relative to the top of the working tree. */
  path: string;
  isRepository: boolean;
  /** The file's size when git last checked it; 0 if unknown. */
  size: number;
  /** The file's modification time when git last checked it, in ms since 1970. */
  modified: number;
  /** The same for its change time (ctime), and the lower 32 bits of its file number. */
  changed: number;
  number: number;
  /** Hexadecimal name of the object with its contents, as git stores them. */
  object: string;
}

export interface GitIndex {
  entries: readonly IndexEntry[];
  /** Hexadecimal name of the shared index (`sharedindex.<name>`), whose entries are tracked too. */
  sharedBy: string | undefined;
}

const SIGNATURE = 0x44495243;
const REPOSITORY_MODE = 0o160000;
const FOLDER_MODE = 0o040000;
/** Bytes before an entry's object name, and of its flags; the bit that marks additional flags. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
const HAS_MORE_FLAGS = 0x4000;

/** The bytes in hexadecimal. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const text = new TextDecoder();

/**
 * Parses an index file.
 * @param nameBytes length of an object name in bytes: 20, or 32 with SHA-256
 * @returns undefined if it is not understood; bytes without an index's signature have no entries, and git fails with
 * them
 */
export function parseGitIndex(bytes: Uint8Array, nameBytes: number): GitIndex | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== SIGNATURE) {
    return { entries: [], sharedBy: undefined };
  }
  try {
    return readEntries(bytes, view, nameBytes);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function readEntries(bytes: Uint8Array, view: DataView, nameBytes: number): GitIndex | undefined {
  const version = view.getUint32(4);
  if (version < 2 || version > 4) {
    return undefined;
  }
  const entries: IndexEntry[] = [];
  let at = 12;
  let last: Uint8Array = new Uint8Array();
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = at;
    const mode = view.getUint32(at + 24);
    const flagsAt = at + STAT_BYTES + nameBytes;
    at = flagsAt + FLAG_BYTES * (view.getUint16(flagsAt) & HAS_MORE_FLAGS ? 2 : 1);
    let kept = 0;
    if (version === 4) {
      const cut = readOffset(view, at);
      at = cut.end;
      kept = last.length - cut.value;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) {
      return undefined;
    }
    last = kept === 0 ? bytes.subarray(at, end) : joined(last.subarray(0, kept), bytes.subarray(at, end));
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    if (mode === FOLDER_MODE) {
      // A sparse index lists such a folder without its files' names.
      return undefined;
    }
    entries.push({
      path: text.decode(last),
      isRepository: mode === REPOSITORY_MODE,
      size: view.getUint32(start + 36),
      modified: view.getUint32(start + 8) * 1_000 + view.getUint32(start + 12) / 1e6,
      changed: view.getUint32(start) * 1_000 + view.getUint32(start + 4) / 1e6,
      number: view.getUint32(start + 20),
      object: hex(bytes, start + STAT_BYTES, nameBytes),
    });
  }
  return { entries, sharedBy: sharedBy(bytes, view, at, nameBytes) };
}

/** Reads the extension `link` of a split index. The last bytes are a checksum. */
function sharedBy(bytes: Uint8Array, view: DataView, start: number, nameBytes: number): string | undefined {
  for (let at = start; at + 8 <= bytes.length - nameBytes; at += 8 + view.getUint32(at + 4)) {
    if (text.decode(bytes.subarray(at, at + 4)) === "link") {
      return hex(bytes, at + 8, nameBytes);
    }
  }
  return undefined;
}

function hex(bytes: Uint8Array, start: number, length: number): string {
  let name = "";
  for (let at = start; at < start + length; at++) {
    name += HEX[bytes[at] ?? 0];
  }
  return name;
}

/** Reads a number in the format of pack offsets (gitformat-pack(5)). */
function readOffset(view: DataView, start: number): { value: number; end: number } {
  let at = start;
  let byte = view.getUint8(at++);
  let value = byte & 127;
  while (byte & 128) {
    byte = view.getUint8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
