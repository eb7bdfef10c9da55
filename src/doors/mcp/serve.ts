import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  InputRequest,
  Server,
  ServerContext,
  Tool as SdkTool,
} from "@modelcontextprotocol/server";
import type { Readable, Writable } from "node:stream";
import type { Progress } from "../../core/contract.js";
import type { Confirm } from "../../ports/confirm.js";
import { ASK_USER } from "../../names/tools.js";
import { clipStart, oneLine, shorten } from "../../text/clip.js";
import { showHidden } from "../../text/showHidden.js";
import { answerSizeFor, showsBoth } from "./clientLimits.js";
import { ClientRoots } from "./clientRoots.js";
import type { ClientSession } from "./clientSession.js";
import { FormConfirm, type OpenForms } from "./formConfirm.js";
import { FormPerson } from "./formPerson.js";
import { OFFERED, serveOffers } from "./serveOffers.js";
import { LineTransport } from "./lineTransport.js";
import type { ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";

/** Maximum characters of a client's name: lists of changes show it. */
const MAX_NAME = 60;
/** Maximum characters of a line of the log: descriptions of malformed messages can be long. */
const MAX_LOGGED = 300;
/** Minimum time between two notes on a call's progress, in ms: a command may report every line. */
const PROGRESS_PAUSE = 250;
/** The usual `silence`: some clients give up after a minute. */
const STILL_RUNNING = 10_000;
/** Where a client gives the id of its turn: ours, and VS Code's of a message in its chat (seen in 1.139). */
const TURN_KEYS = ["toolhost/turn", "vscode.requestId"];
/** How long a form waits for its answer, in ms: people go home, and timers hold 25 days. */
const FORM_TIME = 20 * 24 * 3_600_000;

export interface McpHost {
  version: string;
  source: ToolSource;
  /** The client's session. */
  session: ClientSession;
  /** Returns why a client with these roots is not served. */
  refusal(roots: readonly string[]): string | undefined;
  /** Returns a few sentences about where calls work now; not every client passes them on to its model. */
  instructions(): Promise<string>;
  /** Whether results are sent as data, too: many clients then drop the text, or make the model pay twice. */
  sendsData: boolean;
  /**
   * Whether the client is told not to ask about calls itself, by the hints that it decides by: its user would be asked
   * twice, since calls are decided on and asked about here.
   */
  asksAlone: boolean;
  /** Whether the client's user is asked about calls by forms, if the client shows them and no window asks. */
  asksByForms: boolean;
  input: Readable;
  output: Writable;
  /** Ends the connection. */
  signal: AbortSignal;
  /** Silence after which the client is told that a call is still running, in ms. Tests set a shorter one. */
  silence?: number;
  log(message: string): void;
}

/**
 * Serves one MCP client on two streams, in the protocol revisions 2024-11-05 to 2026-07-28.
 *
 * @returns when the connection has ended, and all its calls have
 */
export async function serveMcp(host: McpHost): Promise<void> {
  const sdk = await import("./mcpSdk.js");
  const { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, deserializeMessage } = sdk;
  const { ProtocolError, ProtocolErrorCode, serveStdio, Server } = sdk;
  const { source, session, sendsData, asksAlone, asksByForms } = host;
  const transport = new LineTransport(host.input, host.output, deserializeMessage);
  const running = new Set<Promise<unknown>>();

  const create = async (isModern: boolean): Promise<Server> => {
    const server = new Server(
      { name: "toolhost", title: "Toolhost", version: host.version },
      {
        // VS Code has prompt files of its own, and nothing is offered twice.
        capabilities: { tools: { listChanged: true }, ...(asksAlone ? {} : OFFERED) },
        instructions: await host.instructions(),
        inputRequired: { roundTimeoutMs: FORM_TIME },
      },
    );
    const capabilitiesOf = (context: ServerContext): ClientCapabilities | undefined => {
      const envelope: Record<string, unknown> | undefined = context.mcpReq.envelope;
      return isModern
        ? (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)
        : server.getClientCapabilities();
    };
    /** Whether the client shows forms: an empty capability means that, too. */
    const showsForms = (context: ServerContext): boolean => {
      const forms = capabilitiesOf(context)?.elicitation;
      return forms !== undefined && (forms.form !== undefined || Object.keys(forms).length === 0);
    };
    const roots = new ClientRoots(sdk);
    const open: OpenForms = new Map();
    /** Returns why a call is not made, or what the client has to say first. */
    const refusal = async (context: ServerContext): Promise<string | Record<string, InputRequest> | undefined> => {
      const said =
        capabilitiesOf(context)?.roots === undefined ? [] : await (isModern ? roots.said(context) : roots.ask(server));
      return Array.isArray(said) ? host.refusal(said) : (said as Record<string, InputRequest>);
    };
    const clientOf = (context: ServerContext): Implementation => {
      const envelope: Record<string, unknown> | undefined = context.mcpReq.envelope;
      // A client of 2026 need not introduce itself.
      const told = isModern
        ? ((envelope?.[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? { name: "", version: "" })
        : server.getClientVersion();
      if (told === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Send initialize first. Nothing was run.");
      }
      return told;
    };
    const getsData = (context: ServerContext): boolean => sendsData && showsBoth(clientOf(context).name);
    const nameOf = (context: ServerContext): string => {
      const { title, name } = clientOf(context);
      return clientName(title ?? name);
    };
    server.setRequestHandler("tools/list", async (_, context) => {
      const listed = (await source.list(nameOf(context))).map((tool) => (asksAlone ? withoutAsking(tool) : tool));
      return { tools: (getsData(context) ? listed : listed.map(({ outputSchema: _, ...tool }) => tool)) as SdkTool[] };
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const [client, answerSize] = [nameOf(context), answerSizeFor(clientOf(context).name)];
      const withData = getsData(context);
      const refused = await refusal(context);
      if (refused !== undefined) {
        return typeof refused === "string"
          ? toResult({ ok: false, text: refused }, withData)
          : sdk.inputRequired({ inputRequests: refused });
      }
      const { signal, inputResponses } = context.mcpReq;
      const hasForms = showsForms(context);
      const person = params.name === ASK_USER && hasForms ? new FormPerson(sdk, inputResponses) : undefined;
      let permission: FormConfirm | undefined;
      const asking = (tool: string, otherwise: Confirm): Confirm =>
        (permission = new FormConfirm({ sdk, responses: inputResponses, open, tool, otherwise }));
      const { report, end: endReports } = reporter(context, host.silence ?? STILL_RUNNING);
      const call = session.during(turnOf(context), (turn) =>
        source.call(params.name, params.arguments ?? {}, {
          ...{ client, signal, person, turn, answerSize },
          ...(asksByForms && hasForms && { asking }),
          report,
        }),
      );
      running.add(call);
      try {
        const answer = await call;
        const form = person?.form ?? permission?.form;
        return form === undefined ? toResult(answer, withData) : sdk.inputRequired({ inputRequests: form });
      } finally {
        endReports();
        running.delete(call);
      }
    });
    if (!asksAlone) {
      serveOffers(server, sdk, async (request, context) => {
        const refused = await refusal(context);
        if (typeof refused === "string") {
          throw new Error(refused);
        }
        const answer = source.offer(request, { client: nameOf(context), signal: context.mcpReq.signal });
        running.add(answer);
        return answer.finally(() => running.delete(answer));
      });
    }
    server.setNotificationHandler("notifications/roots/list_changed", () => roots.forget());
    // The SDK tells a client of 2026 only if it has asked to be told.
    const tellChanged = (): void => void server.sendToolListChanged().catch(() => undefined);
    // VS Code's list is asked for again when it has the answers of all calls: the window waits for that before it changes
    // what would end them. The answers of calls that have ended are written before a timer fires.
    const listener = source.onDidChange(() =>
      asksAlone ? void Promise.allSettled(running).then(() => setTimeout(tellChanged)) : tellChanged(),
    );
    server.onclose = () => listener.dispose();
    return server;
  };

  const handle = serveStdio(({ era }) => create(era === "modern"), {
    transport,
    onerror: ({ message }) => host.log(shorten(oneLine(message), MAX_LOGGED)),
  });
  const end = (): void => void handle.close();
  host.signal.addEventListener("abort", end, { once: true });
  if (host.signal.aborted) {
    end();
  }
  await transport.closed;
  host.signal.removeEventListener("abort", end);
  await handle.close();
  // What a call changes is whole or absent: nothing else may end before it.
  await Promise.allSettled(running);
}

/** VS Code asks before calls that do not only read, and shows what comes from outside before its model gets it. */
function withoutAsking(tool: ListedTool): ListedTool {
  return { ...tool, annotations: { ...tool.annotations, readOnlyHint: true, openWorldHint: false } };
}

/** Returns the client's own id of what it works on; undefined if it gives none. */
function turnOf({ mcpReq }: ServerContext): string | undefined {
  const meta: Record<string, unknown> = mcpReq._meta ?? {};
  return TURN_KEYS.map((key) => meta[key]).find((id) => typeof id === "string");
}

/** Returns a client's name as people see it. */
function clientName(told: string): string {
  const name = showHidden(clipStart(oneLine(told), MAX_NAME), true).text.trim();
  return name === "" ? "MCP client" : name;
}

/** Returns a function that reports a call's progress to the client, if it asked for that, also while there is none. */
function reporter(
  { mcpReq }: ServerContext,
  silence: number,
): { report: (progress: Progress) => void; end: () => void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return { report: () => undefined, end: () => undefined };
  }
  const started = Date.now();
  let progress = 0;
  let last = 0;
  const report = ({ message }: Progress): void => {
    const now = Date.now();
    if (now - last < PROGRESS_PAUSE || mcpReq.signal.aborted) {
      return;
    }
    last = now;
    progress++;
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  // A client may give up on a call that says nothing, also while its user is asked.
  const timer = setInterval(() => {
    if (Date.now() - last >= silence) {
      report({ message: `Still running, or waiting for the user (${Math.round((Date.now() - started) / 1_000)} s)` });
    }
  }, silence);
  timer.unref();
  return { report, end: () => clearInterval(timer) };
}

function toResult({ ok, text, data, media = [] }: ToolAnswer, sendsData: boolean): CallToolResult {
  return {
    content: [
      { type: "text", text },
      ...media.map(({ mimeType, bytes }) => ({
        type: mimeType.startsWith("audio/") ? ("audio" as const) : ("image" as const),
        data: Buffer.from(bytes).toString("base64"),
        mimeType,
      })),
    ],
    ...(sendsData && typeof data === "object" && data !== null ? { structuredContent: { ...data } } : {}),
    ...(ok ? {} : { isError: true }),
  };
}
