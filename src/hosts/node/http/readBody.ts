import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const DECODERS = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Reads at most `maxBytes` of an answer's body, decompressed, and lets go of the rest. */
export async function readBody(
  message: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = true;
  try {
    for await (const chunk of decompressed(message) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) {
        isWhole = false;
        break;
      }
    }
  } finally {
    message.destroy();
  }
  return { body: Buffer.concat(chunks), isWhole };
}

function decompressed(message: IncomingMessage): Readable {
  const create = DECODERS.get((message.headers["content-encoding"] ?? "").trim().toLowerCase());
  if (create === undefined) {
    return message;
  }
  const decoder = create();
  message.on("error", (error) => decoder.destroy(error));
  return message.pipe(decoder);
}
