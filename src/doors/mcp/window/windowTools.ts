import { connect, type Socket } from "node:net";
import { errorText } from "../../../core/outcome.js";
import type { OfferAnswer, OfferRequest } from "../offerTypes.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "../toolSource.js";
import { onMessages, sendMessage } from "./messages.js";
import { isOurSocket } from "./ours.js";
import {
  MAX_MESSAGE,
  PROTOCOL,
  type ClientWishes,
  type FromProcess,
  type FromWindow,
  type Hello,
  type WindowNote,
} from "./protocol.js";

/** How long a window may take to answer a new connection, in ms: its extensions may be busy. */
const WELCOME_TIME = 3_000;
/** How long it may take to list its tools, in ms: clients wait for the list before they begin. */
const LIST_TIME = 10_000;

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
    readonly listTime: number,
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
    { socket: path, token }: WindowNote,
    client: ClientWishes & { key: string },
    onClosed: () => void,
    listTime = LIST_TIME,
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
          opened = new WindowTools(socket, onClosed, listTime);
          resolve(opened);
        } else if (opened !== undefined) {
          opened.#take(message);
        }
      });
      sendMessage(socket, { ...client, type: "hello", protocol: PROTOCOL, token } satisfies Hello);
    });
  }

  /** @throws Error if the window does not answer, or has been closed */
  list(client: string): Promise<ListedTool[]> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(why));
      const id = this.#wait({
        take: (message) => {
          clearTimeout(timer);
          if (message.type === "tools") {
            resolve(message.tools);
          } else {
            fail(message.type === "failed" ? message.message : "VS Code's window sent something else.");
          }
        },
        lose: () => fail("VS Code's window was closed."),
      });
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        fail("VS Code's window is busy and did not list its tools. Try again, or reload the window.");
      }, this.listTime);
      this.#send({ type: "list", id, client });
    });
  }

  /** @throws Error as the window says, or if it has been closed */
  offer(request: OfferRequest, { client, signal }: Pick<CallOptions, "client" | "signal">): Promise<OfferAnswer> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(why));
      const id = this.#wait({
        take: (message) => {
          signal.removeEventListener("abort", cancel);
          if (message.type === "offered") {
            resolve(message.answer);
          } else {
            fail(message.type === "failed" ? message.message : "VS Code's window sent something else.");
          }
        },
        lose: () => fail("VS Code's window was closed. Try again."),
      });
      const cancel = (): void => void this.#send({ type: "cancel", id });
      signal.addEventListener("abort", cancel, { once: true });
      this.#send({ type: "offer", id, request, client });
    });
  }

  call(name: string, input: unknown, { client, turn, answerSize, signal, report }: CallOptions): Promise<ToolAnswer> {
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
      const cancel = (): void => void this.#send({ type: "cancel", id });
      signal.addEventListener("abort", cancel, { once: true });
      if (!this.#send({ type: "call", id, name, input, client, turn, answerSize })) {
        this.#waiting.delete(id);
        resolve({ ok: false, text: tooLong(name) });
      } else if (signal.aborted) {
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

  #send(message: FromProcess): boolean {
    return sendMessage(this.#socket, message);
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

function tooLong(name: string): string {
  return errorText({
    type: "too_large",
    message: `${name}: the input has more than ${MAX_MESSAGE / 1e6} MB. Nothing was done.`,
    hint: "Write a large file in parts.",
  });
}

function closed(name: string): string {
  return errorText({
    type: "io_error",
    message: `${name}: VS Code's window was closed during the call, so it is not known whether it was done.`,
    hint: "Look before you try again. Further calls work on the folder without the window.",
  });
}
