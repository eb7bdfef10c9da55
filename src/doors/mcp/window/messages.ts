import type { Socket } from "node:net";
import { isRecord } from "../../../core/jsonSchema.js";
import { LineBuffer } from "../../../text/lineBuffer.js";
import { MAX_MESSAGE } from "./protocol.js";

/**
 * Writes a message.
 *
 * @returns false if it was not written, since it is not JSON or the other side would not read as much
 */
export function sendMessage(socket: Socket, message: object): boolean {
  let line: string;
  try {
    line = JSON.stringify(message);
  } catch {
    return false;
  }
  if (Buffer.byteLength(line) > MAX_MESSAGE) {
    return false;
  }
  if (!socket.destroyed) {
    socket.write(`${line}\n`);
  }
  return true;
}

/** Gives each message of a socket; one that cannot be read ends it, since the other side is ours and never writes such. */
export function onMessages(socket: Socket, take: (message: Record<string, unknown>) => void): void {
  const lines = new LineBuffer(
    MAX_MESSAGE,
    (line) => {
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch {
        message = undefined;
      }
      if (isRecord(message)) {
        take(message);
      } else {
        socket.destroy();
      }
    },
    () => socket.destroy(),
  );
  socket.on("data", (chunk) => lines.add(chunk));
  // `close` reports its end.
  socket.on("error", () => socket.destroy());
}
