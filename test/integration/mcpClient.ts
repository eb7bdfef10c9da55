// `toolhost mcp` as a process, for a client that writes lines, as agents do.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as vscode from "vscode";

export const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

interface Reply {
  id?: number;
  result?: {
    content?: { text: string }[];
    structuredContent?: unknown;
    isError?: boolean;
    tools?: { name: string }[];
  };
  error?: { message: string };
}

/** A client of `toolhost mcp`. */
export class LineClient {
  /** What the server logs. */
  log = "";
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 0;

  private constructor(folder: string, flags: readonly string[]) {
    this.#child = spawn(process.execPath, ["--no-warnings", cli, "mcp", ...flags], { cwd: folder });
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    createInterface({ input: this.#child.stdout ?? process.stdin }).on("line", (line) => {
      const reply = JSON.parse(line) as Reply;
      this.#waiting.get(reply.id ?? -1)?.(reply);
    });
  }

  /** Starts the server in a folder, for a client called Other Agent. */
  static async start(folder: string, flags: readonly string[] = []): Promise<LineClient> {
    const client = new LineClient(folder, flags);
    await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "other-agent", title: "Other Agent", version: "1" },
    });
    return client;
  }

  request(method: string, params: object): Promise<Reply> {
    const id = this.#next++;
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  call(name: string, input: object): Promise<Reply> {
    return this.request("tools/call", { name, arguments: input });
  }

  async text(name: string, input: object): Promise<string> {
    const { result } = await this.call(name, input);
    return result?.content?.[0]?.text ?? "";
  }

  async tools(): Promise<string[]> {
    const { result } = await this.request("tools/list", {});
    return (result?.tools ?? []).map(({ name }) => name);
  }

  /** Ends it as an agent does. Returns the exit code. */
  async end(): Promise<unknown> {
    this.#child.stdin?.end();
    return (await once(this.#child, "close"))[0];
  }

  /** Kills it. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "close");
  }
}
