import { closeSync, openSync, readSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

/** Bytes read at a time. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A file in the system's temporary folder for a process to write to, whose name is taken away at once: no other process
 * comes across it, and nothing of it is left when this one is killed.
 */
export class UnnamedFile {
  /** To give to a child process. */
  readonly descriptor: number;
  readonly #decoder = new TextDecoder();
  #position = 0;
  #buffer: Buffer | undefined;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** @returns undefined where no file can be made */
  static open(): UnnamedFile | undefined {
    const path = join(tmpdir(), `toolhost-${randomUUID()}.log`);
    let descriptor: number | undefined;
    try {
      // «x»: what lies there already, a link too, is not opened.
      descriptor = openSync(path, "wx+", 0o600);
      unlinkSync(path);
      return new UnnamedFile(descriptor);
    } catch {
      if (descriptor !== undefined) {
        closeSync(descriptor);
      }
      return undefined;
    }
  }

  /**
   * What was written since the last look, as text; "" when there is nothing new. UTF-8 that is cut in two waits for its
   * end.
   */
  read(): string {
    this.#buffer ??= Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(this.descriptor, this.#buffer, 0, CHUNK_BYTES, this.#position);
    this.#position += length;
    return this.#decoder.decode(this.#buffer.subarray(0, length), { stream: true });
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
