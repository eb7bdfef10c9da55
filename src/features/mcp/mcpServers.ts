import { ToolError } from "../../core/errors.js";
import type {
  ExternalCaller,
  ExternalChange,
  ExternalListing,
  ExternalResult,
  ExternalTool,
  ExternalTools,
  MissingServer,
} from "../../ports/externalTools.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { oneLine, shorten } from "../../text/clip.js";
import { messageOf } from "../../text/words.js";
import { readResult } from "./callResult.js";
import type { Approvals, ConfiguredServer, ConfiguredServers } from "./configuredServers.js";
import { readTools, toolText, type McpTool } from "./toolDefinitions.js";

/** Maximum number of servers that run at once. */
const MAX_RUNNING = 20;
/** Maximum characters of an error of a server. */
const MAX_ERROR = 1_000;

/** A connection to a server. Its methods throw an `Error` or `ToolError` with what is known of the reason. */
export interface McpConnection {
  /** Returns the tools of the server, as it says them, and whether it has more. */
  listTools(signal: AbortSignal): Promise<{ tools: readonly unknown[]; isCut: boolean }>;
  /** Calls a tool, and returns the result as the server says it. */
  callTool(name: string, args: object, signal: AbortSignal): Promise<unknown>;
  /** Whether calls can still be made. */
  readonly isOpen: boolean;
  /** Whether the list of tools may be another than at the last `listTools`. */
  readonly isListStale: boolean;
  /** Ends the server, at once if it does not end by itself. */
  close(): Promise<void>;
}

/** What the servers need from a host. */
export interface McpServersHost {
  /** Reads the definitions of the servers. */
  configured: () => Promise<ConfiguredServers>;
  approvals: () => Promise<Approvals>;
  /** Starts or reaches a server. Ends within a time limit of its own. */
  connect: (server: ConfiguredServer) => Promise<McpConnection>;
}

/** A tool whose server has changed its definition. */
export interface ChangedTool {
  tool: ExternalTool;
  change: ExternalChange;
}

interface McpListing extends ExternalListing {
  tools: readonly McpTool[];
}

interface Running {
  /** The definition that it was started with. */
  text: string;
  connection: Promise<McpConnection>;
  /** The last list, and the connection that gave it. */
  listed: { tools: McpTool[]; remarks: string[] } | undefined;
}

/** The tools of the MCP servers that the user approved. A server is started when its tools are needed first. */
export class McpServers implements Omit<ExternalTools, "none"> {
  readonly #host: McpServersHost;
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  constructor(host: McpServersHost) {
    this.#host = host;
  }

  async list(signal: AbortSignal, only?: string): Promise<McpListing> {
    const { servers, problems } = await this.#host.configured();
    await this.#closeOthers(servers);
    const wanted = servers.filter(({ name }) => only === undefined || name === only);
    const approved = wanted.filter(({ isApproved, start }) => isApproved && start !== undefined);
    const listings = await Promise.all(
      approved.slice(0, MAX_RUNNING).map(async (server): Promise<Partial<McpListing>> => {
        try {
          return await this.#toolsOf(server, signal);
        } catch (error) {
          signal.throwIfAborted();
          return { missing: [unavailable(server, error)] };
        }
      }),
    );
    return {
      tools: listings.flatMap(({ tools = [] }) => tools),
      missing: [
        ...wanted.filter((server) => !approved.includes(server)).map(notUsable),
        ...listings.flatMap(({ missing = [] }) => missing),
        ...approved.slice(MAX_RUNNING).map(tooMany),
      ],
      others: servers.filter((server) => !wanted.includes(server)).map(({ name }) => name),
      remarks: [...problems, ...listings.flatMap(({ remarks = [] }) => remarks)],
    };
  }

  async changeOf(server: string, tool: string, signal: AbortSignal): Promise<ExternalChange | undefined> {
    const before = (await this.#host.approvals()).lastApproved(toolKey(server, tool));
    if (before === undefined) {
      return undefined;
    }
    const { tools } = await this.list(signal, server);
    const now = tools.find((each) => each.tool === tool);
    return now === undefined ? undefined : changeBetween(now, before);
  }

  /** Returns the tools that were called before, and have another definition now. */
  async changes(
    signal: AbortSignal,
    only?: string,
  ): Promise<{ changed: ChangedTool[]; missing: ExternalListing["missing"] }> {
    const approvals = await this.#host.approvals();
    const { tools, missing } = await this.list(signal, only);
    const changed = tools.flatMap((tool): ChangedTool[] => {
      const before = approvals.lastApproved(toolKey(tool.server, tool.tool));
      const change = before === undefined ? undefined : changeBetween(tool, before);
      return change === undefined ? [] : [{ tool, change }];
    });
    return { changed, missing };
  }

  /** Keeps a tool's definition, which the user was shown. */
  async accept({ tool }: ChangedTool): Promise<void> {
    await (await this.#host.approvals()).approve(toolKey(tool.server, tool.tool), toolText(tool));
  }

  async call(given: ExternalTool, args: object, caller: ExternalCaller, signal: AbortSignal): Promise<ExternalResult> {
    const { server, tool } = given;
    const { tools, missing } = await this.list(signal, server);
    const now = tools.find((each) => each.tool === tool);
    if (now === undefined) {
      const [why] = missing.filter((each) => each.server === server);
      throw why === undefined
        ? new ToolError("not_found", `${server} has no tool ${tool} any more.`, "mcp_list_tools lists what it has.")
        : new ToolError("unavailable", why.why, why.hint);
    }
    await this.#pin(now, given, caller);
    const connection = await this.#running.get(server)?.connection;
    if (connection === undefined) {
      throw new ToolError("unavailable", `${server} is not running.`, "Try it again.");
    }
    return readResult(await connection.callTool(tool, args, signal), now.outputSchema);
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
  }

  /**
   * Keeps the definition of a tool that is called, so that another one is asked about.
   *
   * @param given the definition that was found before the call, which a person was shown if one was asked
   * @throws ToolError `stale` if it is another than the person was shown, `denied` if it is another than was kept
   */
  async #pin(now: McpTool, given: ExternalTool, { byPerson, isAsked }: ExternalCaller): Promise<void> {
    const text = toolText(now);
    if (isAsked && toolText(given) !== text) {
      throw new ToolError(
        "stale",
        `${now.tool} of ${now.server}: the server has changed its definition since the user was asked. Nothing was done.`,
        "Call it again: the user is asked about the new one.",
      );
    }
    if (byPerson) {
      return;
    }
    const approvals = await this.#host.approvals();
    const key = toolKey(now.server, now.tool);
    const before = approvals.lastApproved(key);
    const change = before === undefined || isAsked ? undefined : changeBetween(now, before);
    if (change !== undefined) {
      throw new ToolError(
        "denied",
        `${change.reason} Nothing was done.`,
        "The user can look at the change and approve it: toolhost mcp approve.",
      );
    }
    if (before !== text) {
      await approvals.approve(key, text);
    }
  }

  /**
   * Keeps the definitions of a server's first list. The user approved the server and may have given rules for its tools:
   * what it makes of them before they are called, nobody was asked about. Once, since a list may be another each time.
   */
  async #pinFirst({ name, text }: ConfiguredServer, tools: readonly McpTool[]): Promise<void> {
    const approvals = await this.#host.approvals();
    const list = `mcp list: ${name}`;
    if (approvals.lastApproved(list) === text) {
      return;
    }
    for (const tool of tools) {
      const key = toolKey(name, tool.tool);
      if (approvals.lastApproved(key) === undefined) {
        await approvals.approve(key, toolText(tool));
      }
    }
    await approvals.approve(list, text);
  }

  async #toolsOf(server: ConfiguredServer, signal: AbortSignal): Promise<{ tools: McpTool[]; remarks: string[] }> {
    const running = await this.#start(server, signal);
    const connection = await unlessAborted(running.connection, signal);
    if (running.listed === undefined || connection.isListStale) {
      const { tools, isCut } = await connection.listTools(signal);
      const listed = readTools(server.name, tools, isCut);
      await this.#pinFirst(server, listed.tools);
      running.listed = listed;
    }
    return running.listed;
  }

  /** Starts a server unless it runs. One that has ended is started again. */
  async #start(server: ConfiguredServer, signal: AbortSignal): Promise<Running> {
    const known = this.#running.get(server.name);
    const isOpen = known !== undefined && (await unlessAborted(known.connection, signal)).isOpen;
    if (isOpen) {
      return known;
    }
    // Another call may have started it again meanwhile.
    if (known !== undefined && this.#running.get(server.name) === known) {
      await this.#end(server.name);
    }
    if (this.#isClosed) {
      throw new ToolError("unavailable", `${server.name} is not started, since this process ends.`);
    }
    const other = this.#running.get(server.name);
    if (other !== undefined) {
      return other;
    }
    const connection = this.#host.connect(server);
    const running: Running = { text: server.text, connection, listed: undefined };
    this.#running.set(server.name, running);
    connection.catch(() => {
      if (this.#running.get(server.name) === running) {
        this.#running.delete(server.name);
      }
    });
    return running;
  }

  /** Ends the servers whose definitions are no longer those that they were started with. */
  async #closeOthers(servers: readonly ConfiguredServer[]): Promise<void> {
    for (const [name, { text }] of this.#running) {
      const now = servers.find((server) => server.name === name);
      if (now?.text !== text || !now.isApproved) {
        await this.#end(name);
      }
    }
  }

  async #end(name: string): Promise<void> {
    const running = this.#running.get(name);
    this.#running.delete(name);
    await running?.connection.then((connection) => connection.close()).catch(() => undefined);
  }
}

function toolKey(server: string, tool: string): string {
  return `mcp tool: ${server}: ${tool}`;
}

function changeBetween(now: ExternalTool, before: string): ExternalChange | undefined {
  const text = toolText(now);
  return text === before
    ? undefined
    : {
        reason: `${now.server} has changed the definition of ${now.tool} since it was listed first or called last. toolhost mcp approve shows the change.`,
        diff: fileDiff(`${now.server}: ${now.tool}`, before, text),
      };
}

function notUsable({ name, file, problem, lastApproved, unknown, start }: ConfiguredServer): MissingServer {
  if (start === undefined) {
    return { server: name, why: `${name} (${file}) cannot be used. ${problem ?? ""}`.trim() };
  }
  const hint = "The user can look at it and approve it: toolhost mcp approve.";
  return unknown !== undefined
    ? { server: name, why: `it is not known whether the user approved ${name} (${file}): ${unknown}` }
    : {
        server: name,
        why:
          lastApproved === undefined
            ? `${name} (${file}) is not approved, so it was not started.`
            : `${name} (${file}) has changed since it was approved, so it was not started.`,
        hint,
      };
}

function tooMany({ name }: ConfiguredServer): MissingServer {
  return {
    server: name,
    why: `${name} was not started, since ${MAX_RUNNING} servers run.`,
    hint: "Name it as server.",
  };
}

function unavailable({ name, file }: ConfiguredServer, error: unknown): MissingServer {
  const said = shorten(oneLine(messageOf(error)), MAX_ERROR);
  const hint = error instanceof ToolError ? error.hint : undefined;
  return {
    server: name,
    why: said.startsWith(name) ? said : `${name} (${file}): ${said}`,
    // Ours say themselves what to do.
    hasFailed: !(error instanceof ToolError),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Resolves as a promise does, or rejects once the signal is aborted. The work goes on for others. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
