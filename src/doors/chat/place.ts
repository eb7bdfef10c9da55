import { isRecord } from "../../core/jsonSchema.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { asConversation } from "../../features/sessions/conversation.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { ModelMessage } from "../../ports/models.js";
import { fitHistory, type TurnMetadata } from "./history.js";
import type { LostTurns } from "./lostTurns.js";

/** A turn that the chat still shows. */
export interface ChatTurn {
  prompt: string;
  command: string | undefined;
  /** Its metadata; undefined if VS Code lost it. */
  metadata: TurnMetadata | undefined;
}

/** The point at which a chat continues. */
export interface ChatPlace {
  session: string;
  /** See `TurnMetadata.chat`. */
  chat: string;
  /** Whether the chat shows no turn of the session. */
  isNew: boolean;
  /** See `TurnStart.keepUpTo`. */
  keepUpTo: number | undefined;
  /** See `TurnRequest.earlier`. */
  earlier: ModelMessage[];
  /** The chat's last known turn; empty if there is none. */
  after: string;
  /** The known turns that the chat shows. */
  turns: readonly string[];
  /** The sessions that `/sessions` listed last, in order. */
  listed: readonly string[];
}

/**
 * Finds the session that a chat continues, and how much of it the chat still shows. VS Code loses the metadata of a turn
 * if the window was reloaded during it, and often if it was stopped.
 *
 * @param turns the turns that the chat shows, oldest first
 * @param token the request's token, which identifies the chat even before its first turn
 */
export async function chatPlace(
  turns: readonly ChatTurn[],
  lost: LostTurns,
  log: () => Promise<Pick<SessionLog, "findInterrupted">>,
  token?: unknown,
): Promise<ChatPlace> {
  const known: TurnMetadata[] = [];
  let after = "";
  let unknown: ChatTurn | undefined;
  for (const turn of turns) {
    const found = turn.metadata ?? lost.find(turn, after);
    unknown = found === undefined ? turn : undefined;
    if (found !== undefined) {
      known.push(found);
      after = found.turn ?? after;
    }
  }
  const last = known.at(-1)?.session;
  const interrupted = unknown === undefined ? undefined : await findInterrupted(unknown.prompt, log);
  const isCutOff = interrupted !== undefined && (last === undefined || last === interrupted);
  const session = isCutOff ? interrupted : last;
  const own = known.filter((turn) => turn.session === session);
  return {
    session: session ?? newId(),
    chat: known.findLast(({ chat }) => chat !== undefined)?.chat ?? nameOf(token) ?? newId(),
    isNew: session === undefined,
    // The user did not remove the text of an interrupted turn, so all of it counts.
    keepUpTo: session === undefined || isCutOff ? undefined : Math.max(0, ...own.flatMap(({ seq }) => seq ?? [])),
    earlier: whole(fitHistory(own.map(({ messages }) => messages))),
    after,
    turns: known.flatMap(({ turn }) => turn ?? []),
    listed: known.findLast(({ listed }) => listed !== undefined)?.listed ?? [],
  };
}

/**
 * Returns the URI of a request's chat, which stays the same when its first message is edited or *Start Over* is pressed.
 * The token is opaque to extensions; in VS Code 1.139 it has the URI as `sessionResource`. Without it, such a chat counts
 * as new.
 */
function nameOf(token: unknown): string | undefined {
  const address = isRecord(token) ? token["sessionResource"] : undefined;
  if (!isRecord(address)) {
    return undefined;
  }
  const { scheme, authority, path } = address;
  return typeof scheme === "string" && typeof path === "string" && path.length > 1
    ? `${scheme}://${typeof authority === "string" ? authority : ""}${path}`
    : undefined;
}

/** Ignores a log that cannot be opened: the start of the turn reports that. */
async function findInterrupted(
  prompt: string,
  log: () => Promise<Pick<SessionLog, "findInterrupted">>,
): Promise<string | undefined> {
  try {
    return await (await log()).findInterrupted(prompt);
  } catch {
    return undefined;
  }
}

/** Drops calls without a result, which a stopped turn may have: model APIs refuse them. */
function whole(messages: readonly ModelMessage[]): ModelMessage[] {
  return asConversation(messages.map((message, seq) => ({ message, seq }))).map(({ message }) => message);
}
