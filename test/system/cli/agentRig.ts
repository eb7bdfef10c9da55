// What the tests of `toolhost agent` share: a folder, a server with a script, and the command line as a process.
import { spawn, type ChildProcess } from "node:child_process";
import { beforeAll } from "vitest";
import { OpenAiServer, type ChatBody, type ServerStep } from "../../harness/openai-server.js";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, finish, type BuiltCli, type Finished } from "./built.js";

export interface AgentRig {
  cli: BuiltCli;
  server: () => OpenAiServer;
  /** A folder with these files, and commands in it. */
  inFolder: (files?: Record<string, string>) => Promise<AgentFolder>;
}

export interface AgentFolder {
  folder: string;
  /** Gives the server a script and runs `toolhost agent` with these words to its end. */
  agent: (script: ServerStep[], words: readonly string[], input?: string) => Promise<Finished>;
  /** The same, but only starts it; output is collected as it comes. */
  start: (script: ServerStep[], words: readonly string[]) => Started;
  /** Runs another command. */
  run: (...words: string[]) => Promise<Finished>;
}

interface Started {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  finished: Promise<Finished>;
}

export function agentRig(): AgentRig {
  const cli = builtCli();
  let server: OpenAiServer | undefined;
  beforeAll(async () => {
    server = await OpenAiServer.start();
    return () => server?.stop();
  });
  const running = (): OpenAiServer => {
    if (server === undefined) {
      throw new Error("The server runs within tests alone.");
    }
    return server;
  };
  const inFolder = async (files: Record<string, string> = {}): Promise<AgentFolder> => {
    const folder = await tempFolder(files);
    const env = (): NodeJS.ProcessEnv => ({
      ...process.env,
      OPENAI_BASE_URL: running().baseUrl,
      OPENAI_API_KEY: "",
      OPENAI_MODEL: "test-model",
    });
    return {
      folder,
      agent: (script, words, input) => {
        running().script(...script);
        return cli.run(["agent", ...words], { cwd: folder, env: env(), ...(input === undefined ? {} : { input }) });
      },
      start: (script, words) => {
        running().script(...script);
        const child = cli.start(["agent", ...words], { cwd: folder, env: env(), stdio: ["ignore", "pipe", "pipe"] });
        let [out, err] = ["", ""];
        child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
        child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
        return { child, out: () => out, err: () => err, finished: finish(child) };
      },
      run: (...words) => cli.run(words, { cwd: folder, env: env() }),
    };
  };
  return { cli, server: running, inFolder };
}

/** A command on a terminal of its own. */
export interface OnTerminal {
  code: Promise<number | null>;
  /** All that the terminal showed. */
  shown: () => string;
  type: (text: string) => void;
}

/**
 * Starts a command on a terminal, made by script(1), which every Linux has (bsdutils). The shell in between makes way
 * for it (`exec`): bash does so by itself, dash waits for it, is interrupted by the same Ctrl+C, and would end with 130
 * whatever the command ended with.
 */
export function onTerminal(command: string, options: { cwd: string; env?: NodeJS.ProcessEnv }): OnTerminal {
  const child = spawn("script", ["-qec", `exec ${command}`, "/dev/null"], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString().replaceAll("\r\n", "\n")));
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, shown: () => shown, type: (text) => void child.stdin.write(text) };
}

/** A call of the model's. */
export function calls(...made: [name: string, input: object][]): ServerStep {
  return {
    calls: made.map(([name, input], index) => ({
      id: `call_${name}_${index}`,
      name,
      arguments: [JSON.stringify(input)],
    })),
  };
}

/** The roles and texts of a request, without what Toolhost says before. */
export function told(body: ChatBody | undefined): string[] {
  return (body?.messages ?? [])
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`);
}

/** The results of calls in a request, in their order. */
export function results(body: ChatBody | undefined): string[] {
  return (body?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

export function sessionOf(text: string): string {
  return /--session ([\da-f-]{36})/.exec(text)?.[1] ?? "";
}

export async function gone(pid: number): Promise<void> {
  await poll(`process ${pid} to be gone`, () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}
