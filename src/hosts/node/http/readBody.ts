import type { IncomingMessage } from "node:http";
import { Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** By name; they get the first byte of what they decompress. */
const DECODERS = new Map<string, (first: number) => Transform>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // Some servers leave out the frame, which begins with this method (RFC 1950).
  ["deflate", (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
]);

/**
 * Reads at most `maxBytes` of an answer's body, decompressed, and lets go of the rest.
 *
 * @returns `error` if the rest cannot be read; `body` is what came before
 */
export async function readBody(
  message: IncomingMessage,
  maxBytes: number,
  onProgress?: (bytes: number) => void,
): Promise<{ body: Uint8Array; isWhole: boolean; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decompressed(message)) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) {
        return { body: Buffer.concat(chunks), isWhole: false };
      }
      onProgress?.(size);
    }
    return { body: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    return { body: Buffer.concat(chunks), isWhole: false, error };
  } finally {
    message.destroy();
  }
}

/** An empty body is not compressed, whatever the headers say: they may be those of a GET (HEAD, 304). */
async function* decompressed(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await chunks.next();
  if (first.done === true) {
    return;
  }
  const encoding = (message.headers["content-encoding"] ?? "").trim().toLowerCase();
  const all = prepended(first.value, chunks);
  if (encoding === "" || encoding === "identity") {
    yield* all;
    return;
  }
  const create = DECODERS.get(encoding);
  if (create === undefined) {
    throw new Error(`its encoding ${JSON.stringify(encoding.slice(0, 40))} is not known`);
  }
  const decoder = create(first.value[0] ?? 0);
  const source = Readable.from(all);
  source.on("error", (error) => decoder.destroy(error));
  yield* source.pipe(decoder) as AsyncIterable<Uint8Array>;
}

async function* prepended(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}
