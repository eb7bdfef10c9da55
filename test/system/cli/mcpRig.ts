// What the tests of `toolhost mcp` share: the server as a process, with the SDK's client or with bare lines.
import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";
import { poll } from "../../harness/poll.js";
import type { BuiltCli } from "./built.js";

/** Both openings: by `initialize`, and by `server/discover` in a revision without sessions. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** A revision of the protocol; 2024-11-05 is the oldest. */
export type Revision = (typeof REVISIONS)[number] | "2024-11-05";

/** A result as tests read it. */
interface Answer {
  content: { type: string; text: string; mimeType?: string; data?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** A form that a server asks the client to show. */
export interface Form {
  message: string;
  requestedSchema: { properties: Record<string, object>; required?: string[] };
}

/** What the user of a client does with a form. */
export type FillIn = (form: Form) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | boolean>;
};

export interface SdkClient {
  client: Client;
  call: (name: string, input: Record<string, unknown>) => Promise<Answer>;
  /** The text of a call's answer. */
  text: (name: string, input: Record<string, unknown>) => Promise<string>;
  /** What the server has said on standard error so far. */
  stderr: () => string;
}

interface ClientOptions {
  /** For a client that shows forms. */
  fillIn?: FillIn;
  /** Gets each list of tools that has changed. */
  onTools?: (names: string[]) => void;
  /** For a client that says its roots. */
  roots?: () => string[] | Promise<string[]>;
  /** Arguments before `mcp`. */
  before?: readonly string[];
  /** How the client introduces itself. */
  info?: { name: string; title?: string };
}

/** Connects the SDK's client to `toolhost mcp` in a folder. */
export async function connect(
  cli: BuiltCli,
  folder: string,
  args: readonly string[] = [],
  revision: Revision = "2025-11-25",
  env: Record<string, string> = {},
  { before = [], ...options }: ClientOptions = {},
): Promise<SdkClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli.script, ...before, "mcp", ...args],
    cwd: folder,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: "pipe",
  });
  let told = "";
  transport.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  return { ...(await connectOver(transport, revision, options)), stderr: () => told };
}

/** Connects the SDK's client to a server that is reached in whatever way. */
export async function connectOver(
  transport: Transport,
  revision: Revision,
  { fillIn, onTools, roots, info = { name: "test-client", title: "Test Client" } }: Omit<ClientOptions, "before"> = {},
): Promise<Omit<SdkClient, "stderr">> {
  const client = new Client(
    { ...info, version: "1" },
    {
      capabilities: {
        ...(fillIn && { elicitation: { form: {} } }),
        ...(roots && { roots: { listChanged: true } }),
      },
      ...(onTools && {
        listChanged: {
          tools: {
            onChanged: (_error: unknown, tools: { name: string }[] | null) =>
              onTools((tools ?? []).map(({ name }) => name)),
          },
        },
      }),
      ...(revision === "2024-11-05" && { supportedProtocolVersions: [revision] }),
      versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" },
    },
  );
  if (fillIn !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => fillIn(params as Form));
  }
  if (roots !== undefined) {
    client.setRequestHandler("roots/list", async () => ({ roots: (await roots()).map((uri) => ({ uri })) }));
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>): Promise<Answer> =>
    (await client.callTool({ name, arguments: input })) as Answer;
  return { client, call, text: async (name, input) => (await call(name, input)).content[0]?.text ?? "" };
}

/** Whether a process has ended. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

export interface BareClient {
  child: ChildProcess;
  /** Writes a line as it is. */
  line: (text: string) => void;
  send: (message: object) => void;
  /** All that the server has said so far. */
  said: () => Message[];
  /** Waits for a message. */
  hear: (what: string, isIt: (message: Message) => boolean) => Promise<Message>;
  /** Waits for the end of the process. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `toolhost mcp` for a client that writes whatever it likes. */
export function bare(
  cli: BuiltCli,
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): BareClient {
  const child = cli.start(["mcp", ...args], { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin?.on("error", () => undefined);
  const said: Message[] = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    said.push(...lines.map((text) => JSON.parse(text) as Message));
  });
  const line = (text: string): void => void child.stdin?.write(`${text}\n`);
  return {
    child,
    line,
    send: (message) => line(JSON.stringify({ jsonrpc: "2.0", ...message })),
    said: () => said,
    hear: (what, isIt) => poll(what, () => said.find(isIt)),
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal }))),
  };
}

/** The first message of a client of 2025. */
export const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bare", version: "1" } },
};

/** A request that calls a tool. */
export function toolCall(id: number, name: string, input: object, meta: object = {}): object {
  return { id, method: "tools/call", params: { name, arguments: input, _meta: meta } };
}
