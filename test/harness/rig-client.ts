// Runs functions in a window's extension host, from the test.
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type * as vscode from "vscode";
import type { RigApi } from "./rig/extension";
import type { Matcher, RecordedRequest, ResultFrame, RunFrame, Step } from "./rig/protocol";

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** One connection to the rig of one extension host. */
export class Rig {
  readonly model = new ModelClient(this);
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on("line", (line) => this.#settle(JSON.parse(line) as ResultFrame));
    const fail = () => this.#failAll(new Error("The extension host closed its connection to the test."));
    socket.on("close", fail);
    socket.on("error", fail);
  }

  /** @throws Error when nothing listens on `path` */
  static connect(path: string): Promise<Rig> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Rig(socket)));
    });
  }

  /**
   * Runs `work` in the extension host. Its text is sent there: it may use nothing but its parameters and globals of
   * Node. What it returns comes back as JSON.
   * @param arg passed as second parameter, as JSON
   * @throws Error with the message and the remote stack when `work` throws
   */
  run<R>(work: (api: typeof vscode, arg: undefined, rig: RigApi) => R | PromiseLike<R>): Promise<R>;
  run<A, R>(work: (api: typeof vscode, arg: A, rig: RigApi) => R | PromiseLike<R>, arg: A): Promise<R>;
  run<A, R>(work: (api: typeof vscode, arg: A, rig: RigApi) => R | PromiseLike<R>, arg?: A): Promise<R> {
    const frame: RunFrame = { id: ++this.#nextId, source: work.toString(), arg };
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(frame.id, { resolve, reject });
      this.#socket.write(`${JSON.stringify(frame)}\n`);
    }) as Promise<R>;
  }

  /** Ends the connection. What still runs (a dialog nobody answers) stays pending and fails no test. */
  close(): void {
    this.#pending.clear();
    this.#socket.destroy();
  }

  #settle(frame: ResultFrame): void {
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.ok) pending?.resolve(frame.value);
    else pending?.reject(Object.assign(new Error(frame.message), { stack: frame.stack }));
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** The scripted model of one window. */
export class ModelClient {
  readonly #rig: Rig;

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  /** Replaces the script and forgets the record; see {@link Matcher} for which requests it answers. */
  script(steps: Step[], matcher: Matcher = {}): Promise<void> {
    return this.#rig.run((_vscode, arg, rig) => rig.model.script(arg.steps, arg.matcher), { steps, matcher });
  }

  /** Adds steps at the end of the script. */
  push(...steps: Step[]): Promise<void> {
    return this.#rig.run((_vscode, arg, rig) => rig.model.push(arg), steps);
  }

  /** The requests that the script answered, in order; with `all`, also VS Code's and Copilot's own. */
  async requests({ all = false } = {}): Promise<RecordedRequest[]> {
    const recorded = await this.#rig.run((_vscode, _arg, rig) => rig.model.requests());
    return recorded.filter((request) => all || request.scripted);
  }

  /** How many steps were not taken. */
  remaining(): Promise<number> {
    return this.#rig.run((_vscode, _arg, rig) => rig.model.remaining());
  }
}
