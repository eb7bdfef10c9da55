import { connect, type Socket } from "node:net";
import { errorText } from "../../../core/outcome.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "../toolSource.js";
import { onMessages, sendMessage } from "./messages.js";
import { isOurSocket } from "./ours.js";
import { PROTOCOL, type FromProcess, type FromWindow, type Hello, type WindowNote } from "./protocol.js";

/** How long a window may take to answer a new connection, in ms: its extensions may be busy. */
const WELCOME_TIME = 3_000;

/** Who waits for a message of the window. */
interface Waiting {
  take(message: FromWindow): void;
  /** The window was closed. */
  lose(): void;
}

/** The tools of a window of VS Code, over its socket. */
export class WindowTools implements ToolSource {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<() => void>();
  #next = 1;

  private constructor(
    socket: Socket,
    readonly onClosed: () => void,
  ) {
    this.#socket = socket;
    socket.on("close", () => {
      this.#waiting.forEach((each) => each.lose());
      this.#waiting.clear();
      onClosed();
    });
  }

  /** Connects to a window. Resolves to undefined if it does not want that, does not answer, or is not ours. */
  static open(
    { socket: path, token, folder }: WindowNote,
    client: Pick<Hello, "planOnly" | "served">,
    onClosed: () => void,
  ): Promise<WindowTools | undefined> {
    if (!isOurSocket(path)) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const socket = connect(path);
      let opened: WindowTools | undefined;
      const timer = setTimeout(() => socket.destroy(), WELCOME_TIME);
      socket.on("close", () => {
        clearTimeout(timer);
        resolve(opened);
      });
      onMessages(socket, (raw) => {
        const message = raw as unknown as FromWindow;
        if (opened === undefined && message.type === "welcome") {
          clearTimeout(timer);
          opened = new WindowTools(socket, onClosed);
          resolve(opened);
        } else if (opened !== undefined) {
          opened.#take(message);
        }
      });
      sendMessage(socket, { ...client, type: "hello", protocol: PROTOCOL, token, folder } satisfies Hello);
    });
  }

  list(): Promise<ListedTool[]> {
    return new Promise((resolve, reject) => {
      const id = this.#wait({
        take: (message) => resolve(message.type === "tools" ? message.tools : []),
        lose: () => reject(new Error("The window was closed.")),
      });
      this.#send({ type: "list", id });
    });
  }

  call(name: string, input: unknown, { client, signal, report }: CallOptions): Promise<ToolAnswer> {
    return new Promise((resolve) => {
      const id = this.#wait({
        take: (message) => {
          if (message.type === "progress") {
            report({ message: message.message });
          } else if (message.type === "answer") {
            signal.removeEventListener("abort", cancel);
            resolve(toAnswer(message));
          }
        },
        lose: () => resolve({ ok: false, text: closed(name) }),
      });
      const cancel = (): void => this.#send({ type: "cancel", id });
      signal.addEventListener("abort", cancel, { once: true });
      this.#send({ type: "call", id, name, input, client });
      if (signal.aborted) {
        cancel();
      }
    });
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Ends the connection, and with it all calls. */
  close(): void {
    this.#socket.destroy();
  }

  #wait(waiting: Waiting): number {
    const id = this.#next++;
    if (this.#socket.destroyed) {
      waiting.lose();
    } else {
      this.#waiting.set(id, waiting);
    }
    return id;
  }

  #take(message: FromWindow): void {
    if (message.type === "changed") {
      this.#listeners.forEach((listener) => listener());
    } else if (message.type !== "welcome") {
      const waiting = this.#waiting.get(message.id);
      if (message.type !== "progress") {
        this.#waiting.delete(message.id);
      }
      waiting?.take(message);
    }
  }

  #send(message: FromProcess): void {
    sendMessage(this.#socket, message);
  }
}

function toAnswer({ ok, text, data, media }: Extract<FromWindow, { type: "answer" }>): ToolAnswer {
  return {
    ok,
    text,
    ...(data === undefined ? {} : { data }),
    ...(media && { media: media.map(({ mimeType, base64 }) => ({ mimeType, bytes: Buffer.from(base64, "base64") })) }),
  };
}

function closed(name: string): string {
  return errorText({
    type: "io_error",
    message: `${name}: VS Code's window was closed during the call, so it is not known whether it was done.`,
    hint: "Look before you try again. Further calls work on the folder without the window.",
  });
}
