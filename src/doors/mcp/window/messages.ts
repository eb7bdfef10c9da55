import type { Socket } from "node:net";
import { isRecord } from "../../../core/jsonSchema.js";
import { LineBuffer } from "../lineBuffer.js";
import { MAX_MESSAGE } from "./protocol.js";

/** Writes a message. */
export function sendMessage(socket: Socket, message: object): void {
  if (!socket.destroyed) {
    socket.write(`${JSON.stringify(message)}\n`);
  }
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
  // Its end is told by `close`.
  socket.on("error", () => socket.destroy());
}
