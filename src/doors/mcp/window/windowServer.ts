import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText, failure, type OutcomeError } from "../../../core/outcome.js";
import { clipStart } from "../../../text/clip.js";
import { messageOf } from "../../../text/words.js";
import { readAnswerSize } from "../clientLimits.js";
import { sessionOf } from "../clientSession.js";
import type { ToolAnswer, ToolSource } from "../toolSource.js";
import { onMessages, sendMessage } from "./messages.js";
import { noteName } from "./windowNotes.js";
import { SOCKET_FOLDER, SOCKET_NAME } from "./ours.js";
import {
  MAX_MESSAGE,
  PROTOCOL,
  type ClientWishes,
  type FromProcess,
  type FromWindow,
  type Hello,
  type WindowNote,
} from "./protocol.js";

/** How long a connection may take to say who it is, in ms. */
const HELLO_TIME = 5_000;
/** Maximum characters of the reason why there is no list. */
const MAX_WHY = 500;
/** What an answer says whose data or pictures cannot be sent. */
const LEFT_OUT = `[Data and pictures of this answer are left out: they have more than ${MAX_MESSAGE / 1e6} MB or are not JSON.]`;
/** Maximum connections: more clients than anyone has. */
const MAX_CONNECTIONS = 40;

export interface WindowServerHost {
  /** The folder for notes of windows; it exists, and nobody else can open it. */
  notes: string;
  /** The window's process. */
  owner: { pid: number; started: string };
  /**
   * Returns the window's folders on this machine's disk: for the real path of each, a text that changes with what an agent
   * sees that works there.
   */
  folders(): ReadonlyMap<string, string>;
  /** Creates the tools of one client. @param session the id of its session */
  open(client: ClientWishes, session: string): ToolSource;
  /** Gets the names of the clients that are connected, whenever one comes or goes. */
  onClients?: (names: readonly string[]) => void;
}

/** Lets processes of `toolhost mcp` use a window's tools, while it is open. */
export class WindowServer {
  /** Distinguishes it from other windows of the same folder. */
  readonly id = randomBytes(8).toString("hex");
  readonly #host: WindowServerHost;
  readonly #token = randomBytes(32).toString("hex");
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Map<Socket, string>();
  /** Those of VS Code's own agents. */
  readonly #offered = new Set<Connection>();
  readonly #server: Server;
  /** Has the socket; nobody else can open it. */
  readonly #place: string | undefined;
  readonly #note: string;
  /** Of the connections that work in a folder: which one, and how it was when they came. */
  readonly #folders = new Map<Socket, { folder: string; version: string | undefined }>();
  #path: string | undefined;

  /** @param onProblem is called with the reason why nobody can connect */
  constructor(host: WindowServerHost, onProblem: (message: string) => void) {
    this.#host = host;
    this.#note = join(host.notes, noteName(host.owner.pid, this.id));
    // A socket's path may have about 100 characters, so it is not next to the note.
    this.#place = process.platform === "win32" ? undefined : mkdtempSync(join(tmpdir(), SOCKET_FOLDER));
    const path = this.#place === undefined ? `\\\\.\\pipe\\toolhost-${this.id}` : join(this.#place, SOCKET_NAME);
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("error", ({ message }) => onProblem(message));
    this.#server.listen(path, () => {
      if (this.#place !== undefined) {
        chmodSync(path, 0o600);
      }
      this.#path = path;
      this.update();
    });
  }

  /**
   * Writes down which folders the window has now. Who works in one that it no longer has, or has in another way, is
   * disconnected, and can connect again.
   */
  update(): void {
    const folders = this.#host.folders();
    if (this.#path !== undefined) {
      this.#write(this.#path, [...folders.keys()]);
    }
    for (const [socket, { folder, version }] of this.#folders) {
      if (folders.get(folder) !== version || version === undefined) {
        socket.destroy();
      }
    }
  }

  /** Resolves when each call of VS Code's own agents that runs now has ended, and VS Code has its answer. */
  async answered(): Promise<void> {
    await Promise.all([...this.#offered].map((connection) => connection.answered()));
  }

  /** Ends all connections and takes the note away. */
  dispose(): void {
    this.#server.close();
    this.#sockets.forEach((socket) => socket.destroy());
    rmSync(this.#note, { force: true });
    if (this.#place !== undefined) {
      rmSync(this.#place, { recursive: true, force: true });
    }
  }

  #write(socket: string, folders: readonly string[]): void {
    const note: WindowNote = { protocol: PROTOCOL, ...this.#host.owner, folders, socket, token: this.#token };
    writeFileSync(this.#note, JSON.stringify(note), { mode: 0o600 });
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const timer = setTimeout(() => socket.destroy(), HELLO_TIME);
    let connection: Connection | undefined;
    socket.on("close", () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
      this.#folders.delete(socket);
      this.#know(socket, undefined);
      if (connection !== undefined) {
        this.#offered.delete(connection);
        connection.end();
      }
    });
    onMessages(socket, (raw) => {
      const message = raw as unknown as FromProcess;
      if (connection !== undefined) {
        connection.take(message);
        return;
      }
      // Who has no token, or is in none of the window's folders, gets no answer and nothing else. VS Code's own agents work
      // in all folders.
      if (message.type !== "hello" || !this.#isRight(message)) {
        socket.destroy();
        return;
      }
      clearTimeout(timer);
      const { isOffered = false, folder } = message;
      if (folder !== undefined) {
        this.#folders.set(socket, { folder, version: this.#host.folders().get(folder) });
      }
      connection = new Connection(
        this.#host.open({ ...message, sendsData: message.sendsData === true }, sessionOf(message.key)),
        socket,
        (name) => (isOffered ? undefined : this.#know(socket, name)),
      );
      if (isOffered) {
        this.#offered.add(connection);
      }
      sendMessage(socket, { type: "welcome" } satisfies FromWindow);
    });
  }

  /** @param name undefined once the client has gone */
  #know(socket: Socket, name: string | undefined): void {
    if (this.#clients.get(socket) === name) {
      return;
    }
    if (name === undefined) {
      this.#clients.delete(socket);
    } else {
      this.#clients.set(socket, name);
    }
    this.#host.onClients?.([...this.#clients.values()]);
  }

  #isRight({ protocol, token, folder, served, key, isOffered }: Hello): boolean {
    const [ours, theirs] = [Buffer.from(this.#token), Buffer.from(String(token))];
    return (
      ours.length === theirs.length &&
      timingSafeEqual(ours, theirs) &&
      protocol === PROTOCOL &&
      (folder === undefined ? isOffered === true : this.#host.folders().has(folder)) &&
      Array.isArray(served) &&
      typeof key === "string"
    );
  }
}

/** The calls of one process. */
class Connection {
  readonly #running = new Map<number, AbortController>();
  /** Who waits until all calls are answered. */
  readonly #waiting: (() => void)[] = [];
  readonly #listener: { dispose(): void };

  constructor(
    readonly source: ToolSource,
    readonly socket: Socket,
    /** Is called with the client's name. */
    readonly onName: (name: string) => void,
  ) {
    this.#listener = source.onDidChange(() => this.#send({ type: "changed" }));
  }

  take(message: FromProcess): void {
    if ("client" in message && typeof message.client === "string") {
      this.onName(message.client);
    }
    switch (message.type) {
      case "list":
        // A change of the list is told behind the answers of the calls that ran: whoever asks for it has them.
        if (this.#running.size === 0) {
          this.#release();
        }
        void this.#list(message);
        break;
      case "call":
        void this.#call(message);
        break;
      case "offer":
        void this.#offer(message);
        break;
      case "cancel":
        this.#running.get(message.id)?.abort();
        break;
      case "hello":
        break;
    }
  }

  /** Resolves once the client has asked for the list of tools after its calls; at once if none runs. */
  answered(): Promise<void> {
    return this.#running.size === 0 ? Promise.resolve() : new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #release(): void {
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  /** Ends what the process started: nobody waits for it any longer. */
  end(): void {
    this.#listener.dispose();
    this.#release();
    this.#running.forEach((each) => each.abort());
    // Where it fails, the client reads its files again.
    void this.source.release?.().catch(() => undefined);
  }

  async #list({ id, client }: Extract<FromProcess, { type: "list" }>): Promise<void> {
    let why = `the list of tools has more than ${MAX_MESSAGE / 1e6} MB.`;
    try {
      if (this.#send({ type: "tools", id, tools: await this.source.list(client) })) {
        return;
      }
    } catch (error) {
      why = messageOf(error);
    }
    this.#send({ type: "failed", id, message: `VS Code's window cannot list its tools: ${clipStart(why, MAX_WHY)}` });
  }

  async #offer({ id, request, client }: Extract<FromProcess, { type: "offer" }>): Promise<void> {
    const cancellation = new AbortController();
    this.#running.set(id, cancellation);
    let why = `the answer has more than ${MAX_MESSAGE / 1e6} MB.`;
    try {
      const answer = await this.source.offer(request, { client, signal: cancellation.signal });
      if (this.#send({ type: "offered", id, answer })) {
        return;
      }
    } catch (error) {
      why = messageOf(error);
    } finally {
      this.#running.delete(id);
    }
    this.#send({ type: "failed", id, message: why });
  }

  /** Runs a call and answers it, whatever happens. */
  async #call({ id, name, input, client, turn, answerSize }: Extract<FromProcess, { type: "call" }>): Promise<void> {
    const cancellation = new AbortController();
    this.#running.set(id, cancellation);
    let answer: ToolAnswer;
    try {
      answer = await this.source.call(name, input, {
        ...{ client, turn: Number(turn), answerSize: readAnswerSize(answerSize) },
        signal: cancellation.signal,
        report: ({ message }) => void this.#send({ type: "progress", id, message }),
      });
    } catch (error) {
      answer = { ok: false, text: errorText(failure(name, error).error) };
    }
    this.#running.delete(id);
    const { media, ...rest } = answer;
    const withMedia = {
      ...rest,
      ...(media && {
        media: media.map(({ mimeType, bytes }) => ({ mimeType, base64: Buffer.from(bytes).toString("base64") })),
      }),
    };
    const { ok, text } = answer;
    if (
      !this.#send({ type: "answer", id, ...withMedia }) &&
      !this.#send({ type: "answer", id, ok, text: `${text}\n${LEFT_OUT}` })
    ) {
      this.#send({ type: "answer", id, ok: false, text: errorText(unsendable(name)) });
    }
  }

  #send(message: FromWindow): boolean {
    return sendMessage(this.socket, message);
  }
}

function unsendable(name: string): OutcomeError {
  return {
    type: "too_large",
    message: `${name}: the call has ended, but its answer has more than ${MAX_MESSAGE / 1e6} MB and cannot be sent.`,
    hint: "Look at what it did before you try again.",
  };
}
