import type { ChangeOrigin } from "./changeOrigin.js";
import type { Changes } from "../../ports/changes.js";
import type { GatedPath } from "../../ports/files.js";
import type { Http } from "../../ports/http.js";
import { shownName } from "../../text/shownName.js";
import { ToolError } from "../errors.js";
import type { CapabilityName } from "../../ports/capabilities.js";
import type { Containment } from "../../ports/processes.js";
import type { Person } from "../../ports/person.js";
import type { Tools } from "../../ports/tools.js";
import type { Caller } from "../caller.js";
import type { Decided } from "./callJudge.js";
import type { CallContext, Tool, ToolContext } from "../contract.js";
import { pinFiles } from "../paths/pinnedFiles.js";
import { actingTool } from "../toolParts.js";
import type { PipelineHost } from "./pipelineHost.js";
import { summaryLine } from "./question.js";
import { SecretWall } from "../paths/secretWall.js";

/** Lets a call change only the files that permission decided on. */
function onlyDecided(changes: Changes, pins: Iterable<GatedPath>): Changes {
  const decided = new Set([...pins].map(({ absolute }) => absolute));
  return {
    ...changes,
    apply: (planned, signal, ready) => {
      const other = planned
        .flatMap((change) => (change.kind === "move" ? [change.at, change.to] : [change.at]))
        .find(({ absolute }) => !decided.has(absolute));
      if (other !== undefined) {
        throw new ToolError(
          "stale",
          `${shownName(other.path)} was not among the files to change. Nothing was changed.`,
          "Call again.",
        );
      }
      return changes.apply(planned, signal, ready);
    },
  };
}

/** Lets a call send only to the sites that permission decided on. */
function onlyDecidedSites(http: Http, urls: readonly string[]): Http {
  const decided = new Set(urls.map((url) => new URL(url).origin));
  return {
    ...http,
    send: async (request, signal) => {
      const { origin } = new URL(request.url);
      if (!decided.has(origin)) {
        // The better reason, if it is one.
        await http.checkPublic(request.url);
        throw new ToolError("stale", `${origin} was not among the sites to reach. Nothing was sent.`, "Call again.");
      }
      return http.send(request, signal);
    },
  };
}

/** Whether a person, not a model, makes the call. */
function isPerson({ authority, door, reads }: Caller): boolean {
  return authority === "owner" || door === "palette" || (door === "chat" && reads === "free");
}

/** For calls where nobody can be asked. */
const NOBODY: Person = { answer: () => Promise.resolve("nobody") };

/** A call whose input is valid and whose paths went through the gate. */
export interface DecidedCall {
  /** Whether it is only worked out to be shown to a person, who may refuse it; false if absent. */
  isPreview?: boolean;
  tool: Tool;
  input: Record<string, unknown>;
  caller: Caller;
  callId: string;
  pins: Decided["pins"];
  /** As in `CallContext`; false if absent. */
  unasked?: boolean;
  /** As in `CallContext`; false if absent. */
  onlyReads?: boolean;
  /** As in `CallContext`. */
  contained?: Containment | undefined;
  /** As in `CallContext`; none if absent. */
  keeps?: readonly string[];
  /** The addresses that it reaches; none if absent. */
  urls?: readonly string[];
}

/** Returns the turn that a call counts for; a turn is undone in one step. */
export function turnOf(caller: Caller, callId: string): string {
  return caller.root?.turn ?? caller.turn ?? caller.parentId ?? callId;
}

/**
 * Returns what a tool gets: of the host's capabilities, only those it named (docs/architecture.md, "A tool").
 * @param tools the tools that it may call, as its caller
 */
export function contextOf(
  host: PipelineHost,
  {
    tool,
    input,
    caller,
    callId,
    pins,
    unasked = false,
    onlyReads = false,
    contained,
    keeps = [],
    urls = [],
    isPreview = false,
  }: DecidedCall,
  tools: Tools,
  signal: AbortSignal,
): ToolContext<CapabilityName> {
  const secrets = host.secrets?.();
  const masked = (text: string): string => secrets?.now().mask(text) ?? text;
  const origin: ChangeOrigin = {
    session: caller.root?.session ?? caller.session,
    reader: caller.session,
    turn: turnOf(caller, callId),
    callId,
    tool: tool.name,
    door: caller.door,
    summary: masked(summaryLine(tool.summary(input))),
    reads: caller.reads ?? "free",
    isPreview,
  };
  const { reads: _reads, ...call } = origin;
  const { files, search } = host.capabilities;
  const context: CallContext = {
    signal,
    report: ({ message, ...progress }) => caller.report?.({ ...progress, message: masked(message) }),
    session: caller.session,
    callId,
    parentId: caller.parentId,
    isInner: caller.isInner === true,
    readsData: caller.isInner === true || caller.readsData === true,
    byPerson: isPerson(caller),
    ...(caller.answerSize === undefined || caller.isInner === true ? {} : { answerSize: caller.answerSize }),
    unasked,
    onlyReads,
    ...(contained === undefined ? {} : { contained }),
    keeps,
    origin: call,
    ...(secrets && {
      secretPlaces: async () => {
        const mask = await secrets.mask();
        return (text) => mask.places(text);
      },
    }),
  };
  const wall = new SecretWall(pins.values());
  const pinned = files && pinFiles(files, pins, wall);
  const capabilities = {
    ...host.capabilities,
    files: pinned,
    search: search && wall.guard(search),
    tools,
    person: caller.person ?? NOBODY,
    ...(pinned && host.changes?.forCall(origin, pinned)),
  };
  if (tool.reaches !== undefined && "changes" in capabilities && capabilities.changes !== undefined) {
    capabilities.changes = onlyDecided(capabilities.changes, pins.values());
  }
  if (tool.reaches !== undefined && capabilities.http !== undefined) {
    capabilities.http = onlyDecidedSites(capabilities.http, urls);
  }
  const { name: acting, needs } = actingTool(tool, input);
  const picked = Object.fromEntries(needs.map((name) => [name, capabilities[name] ?? lacking(acting, name)]));
  return { ...context, ...picked } as ToolContext<CapabilityName>;
}

/** Returns a capability that this host lacks (`ToolDefinition.canLack`): each of its methods says so. */
function lacking(tool: string, capability: CapabilityName): object {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new ToolError(
        "unavailable",
        `${tool} needs ${capability} for that, which is not available here.`,
        "Its other calls work. Go on without this one, or tell the user what is missing.",
      ),
    );
  // It is no promise: whoever awaited it would wait forever.
  return new Proxy({}, { get: (_, name) => (name === "then" || typeof name === "symbol" ? undefined : refuse) });
}
